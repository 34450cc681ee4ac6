#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a port writes is Python: every name whose rewrite is more than another name, in every place of
# the grammar, and every spelling of a device's string in every use of one, for all targets. CPython
# is the judge; tests/python_matrix.py makes the programs.
. "${0%/*}/helper"

needs python3
matrix=$top/tests/python_matrix.py
mkdir programs
made=$(python3 -W ignore "$matrix" write programs)
check "programs: $made, not 1900 at least" test "$made" -ge 1900
for target in portable ascend rocm cpu mlu musa xpu; do
    run port programs --target $target -o "ported-$target" -q
    check "$target: nothing is refused as an error of ours" not grep -q 'internal error' "$err"
    python3 -W ignore "$matrix" judge "ported-$target" >"$out"
    silent out "$target: each port compiles"
    run port "ported-$target" --target $target --check -q
    exits 0 "$target: a second port changes nothing"
    rm -r "ported-$target"
done

done_testing
