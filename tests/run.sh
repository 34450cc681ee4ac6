#!/bin/sh
# Runs every test of what was built in $BUILD and sums up. Each part ends with a line
# "NAME: N passed, N failed"; a part that ends without one, or with another status, counts as
# failed.

BUILD=${BUILD:-build}
export BUILD
unset MAKEFLAGS MFLAGS # of the make that runs this: tests run make, too
cd "${0%/*}/.." || exit 2
output=$(mktemp "${TMPDIR:-/tmp}/cm-tests.XXXXXX") || exit 2
trap 'rm -f "$output"' EXIT
trap 'exit 1' HUP INT TERM
passed=0
failed=0

# part NAME COMMAND...
part() {
    what=$1
    shift
    "$@" >"$output" 2>&1 </dev/null
    status=$?
    cat "$output"
    line=$(sed -n 's/^.*: \([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$output" | tail -n 1)
    p=${line% *}
    f=${line#* }
    if [ -z "$line" ]; then
        p=$((status == 0))
        f=$((status != 0))
        echo "$what: $p passed, $f failed"
    elif [ "$status" -ne 0 ] && [ "$f" -eq 0 ]; then
        f=1
        echo "$what: ended with status $status"
    fi
    passed=$((passed + p))
    failed=$((failed + f))
}

for test in "$BUILD"/tests/test_*; do
    [ -x "$test" ] && part "${test##*/}" "$test"
done
for test in tests/cli/*.sh tests/e2e/*.sh; do
    [ -f "$test" ] && part "$test" sh "$test"
done
part docs sh tests/check_docs.sh
part 'rules check' "$BUILD/cuda-morph" rules check rules
part 'rules test' "$BUILD/cuda-morph" rules test
part fixtures "$BUILD/tests/run_fixtures" tests/fixtures
part fuzz "$BUILD/tests/fuzz_port" --seconds 10 --runs 15000 --seed 1 tests/fixtures
part precision sh tests/precision.sh

echo "total: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
