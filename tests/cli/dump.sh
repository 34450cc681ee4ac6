#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What --dump prints of each stage, whole: of tests/cli/dump, with the rules of tests/cli/pages.
# UPDATE=1 writes dump/expected anew, to be read.
. "${0%/*}/helper"
cp "$top/tests/cli/dump/a.py" "$top/tests/cli/dump/k.cu" "$top/tests/cli/pages/rules.json" .

for stage in tokens tree names matches edits; do
    run port a.py --rules rules.json --target ascend -q --dump=$stage
    { echo "== a.py, $stage"; cat "$out"; } >>page
done
for stage in tokens tree; do
    run port k.cu --target rocm -q --dump=$stage
    { echo "== k.cu, $stage"; cat "$out"; } >>page
done
run port k.cu --target rocm -q --dump=edits
{ echo "== k.cu, edits"; cat "$out"; } >>page
[ -z "${UPDATE-}" ] || cp page "$top/tests/cli/dump/expected"
cp page "$out"
check 'each stage' cmp "$top/tests/cli/dump/expected" page
done_testing
