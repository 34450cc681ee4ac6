#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# How many examples of each language tests/fixtures has: the number is read from the runner.
. "${0%/*}/helper"

runner=$build/tests/run_fixtures
"$runner" "$top/tests/fixtures" --count >"$out" 2>"$err"
cat "$out"
check 'at least 250 examples of C++' test "$(sed -n 's/^c++: //p' "$out")" -ge 250
check 'at least 400 examples of Python' test "$(sed -n 's/^python: //p' "$out")" -ge 400
"$runner" "$top/tests/fixtures" --only cuda-launch --count >"$out" 2>"$err"
check 'of one domain, too' grep -q '^c++: ' "$out"
check 'and of nothing else' test "$(wc -l <"$out")" -eq 1

done_testing
