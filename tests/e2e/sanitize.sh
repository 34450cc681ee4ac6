#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The runtime's checks on programs compiled to be watched: each defect of tests/sanitize/defects.cu
# is reported as what it is, at its line and by `cuda-morph sanitize`'s exit status; what has none
# is silent.
. "${0%/*}/../cli/helper"

needs c++
command -v addr2line >/dev/null 2>&1 || {
    skip everything 'addr2line (binutils) is not here: reports have no lines'
    done_testing
}
unset CUDA_MORPH_CHECK CUDA_MORPH_CHECK_OUTPUT CUDA_MORPH_SANITIZE
nvcc=$build/cuda/bin/nvcc
cp "$top/tests/sanitize/defects.cu" .
"$nvcc" -w -O1 -sanitize memcheck defects.cu -o defects >"$out" 2>"$err"
check 'compile to be watched' test $? -eq 0

grep -o '// @[a-z0-9-]* [a-z]*$' defects.cu | sed 's,// @,,' >cases
check 'there are defects and programs without' test "$(grep -vc clean cases)" -ge 30 -a \
    "$(grep -c clean cases)" -ge 10
while read -r case kind; do
    line=$(grep -n "// @$case $kind\$" defects.cu | cut -d : -f 1)
    run sanitize --reports reports ./defects "$case"
    if [ "$kind" = clean ]; then
        exits 0 "$case"
        check "$case: no report" test ! -s reports
        continue
    fi
    exits 1 "$case"
    check "$case is reported as $kind at line $line: $(head -n 1 reports)" \
        grep -q "\"kind\": \"$kind\".*defects.cu:$line\>" reports
    check "$case is of no other kind" not grep -vE "\"kind\": \"($kind|leak)\"" reports
done <cases

# ---- chosen checks, and programs that are not watched ----

run sanitize --checks race ./defects above
exits 0 'only races are asked for'
run sanitize --checks memory,leak ./defects above
exits 1 'memory is asked for'
CUDA_MORPH_CHECK=nonsense ./defects clean-bytes >"$out" 2>"$err"
says "CUDA_MORPH_CHECK has no check 'nonsense'" 'an unknown check'
"$nvcc" -w defects.cu -o plain >"$out" 2>"$err"
run sanitize --checks memory ./plain far
says 'bad access' 'a program that is not watched: accesses far outside'
run sanitize ./plain clean-bytes
exits 0 'a program that is not watched'
run sanitize ./not-there
check 'a program that is not there' test "$status" -ne 0
run sanitize
exits 2 'no program'

done_testing
