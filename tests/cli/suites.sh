#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/run.sh: what failed is told again at the end of the log, in front of the sum.
. "${0%/*}/helper"

# ends_with TEXT WHAT: the log from the list of what failed on is TEXT.
ends_with() {
    printf '%s\n' "$1" >expected
    sed -n '/^failed: /,$p' "$out" | sed "s|$PWD/||" >end
    check "$2: the end of the log" cmp -s expected end
    cmp -s expected end || diff expected end
}
suites() {
    sh "$top/tests/run.sh" "$@" >"$out" 2>"$err"
    status=$?
}

cat >passes.sh <<'END'
echo 'passes: FAILED: is what this test is about'
echo 'passes: 3 passed, 0 failed'
END
cat >script.sh <<'END'
echo 'a line that says nothing'
echo 'script: FAILED: the first thing' >&2
echo '    stdout: what it said'
echo 'then something else'
echo '  indented, below nothing'
echo '/tests/unit/test_x.c:7: failed: a == b'
echo '  got:  1'
echo 'FAILED torch-cuda/device'
echo 'script: 4 passed, 3 failed, 1 skipped'
exit 1
END
cat >crashes.sh <<'END'
seq 30
exit 139
END
cat >wrong_status.sh <<'END'
echo 'wrong_status: 2 passed, 0 failed'
exit 3
END
cat >many.sh <<'END'
for i in $(seq 23); do echo "many: FAILED: $i"; done
echo 'many: 0 passed, 23 failed'
exit 1
END

suites "$PWD/passes.sh"
exits 0 'a part that passes'
prints 'total: 3 passed, 0 failed, 0 skipped' 'a part that passes'
check 'a part that passes: nothing failed' not grep -q '^failed: ' "$out"

suites "$PWD/passes.sh" "$PWD/script.sh" "$PWD/wrong_status.sh"
exits 1 'two parts that fail'
ends_with 'failed: script.sh, with status 1
    script: FAILED: the first thing
        stdout: what it said
    /tests/unit/test_x.c:7: failed: a == b
      got:  1
    FAILED torch-cuda/device
failed: wrong_status.sh, with status 3
    wrong_status: 2 passed, 0 failed
total: 9 passed, 4 failed, 1 skipped' 'lines that tell the failure'

suites "$PWD/crashes.sh"
exits 1 'a part that crashes'
ends_with "failed: crashes.sh, with status 139
$(seq 11 30 | sed 's/^/    /')
total: 0 passed, 1 failed, 0 skipped" 'the last lines of a part without such lines'

suites "$PWD/many.sh"
ends_with "failed: many.sh, with status 1
$(seq 20 | sed 's/^/    many: FAILED: /')
    ... and 3 lines more
total: 0 passed, 23 failed, 0 skipped" 'twenty lines a part'

suites nothing_of_this_name
exits 2 'no such suite'
says "there is no suite 'nothing_of_this_name'" 'no such suite'

done_testing
