#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What check prints in each format, whole: of tests/cli/pages/tree, with rules of its own, so that
# other rules may change. The texts are pages/expected.FORMAT; UPDATE=1 writes them anew, to be read.
#
# The files have a byte order mark, tabs, characters that are two columns wide, comments that
# suppress something and nothing, and a syntax error; the rules' texts have what markup reads.
. "${0%/*}/helper"
pages=$top/tests/cli/pages
cp -r "$pages/tree" "$pages/rules.json" .

# Of the lists of all rules those of this test; the version is no golden.
own() { sed -e '/^{"id": "[^a]/d' -e '/^{"id": "a[^c]/d' -e 's/"cuda-morph [0-9.]*"/"cuda-morph VERSION"/' \
    -e 's/"semanticVersion": "[^"]*"/"semanticVersion": "VERSION"/' \
    -e 's/"ruleIndex": [0-9][0-9][0-9]*/"ruleIndex": N/'; }

for format in full concise json jsonl sarif github gitlab junit rdjson sonar markdown; do
    run check tree --rules rules.json --target ascend,rocm -j 1 --verbose --format $format
    own <"$out" >page
    cat "$err" >>page
    [ -z "${UPDATE-}" ] || cp page "$pages/expected.$format"
    cp page "$out"
    check "$format" cmp "$pages/expected.$format" page
done

run check tree --rules rules.json --target ascend -j 1 --statistics
cp "$out" page
[ -z "${UPDATE-}" ] || cp page "$pages/expected.statistics"
check statistics cmp "$pages/expected.statistics" page

# GitHub refuses texts of rules of more than 1,024 characters.
why=$(printf '%1100s' '' | tr ' ' x)
sed "s/It is fast on one device/$why/" rules.json >long.json
run check tree --rules long.json --target ascend --format sarif
prints "$(printf '%1000s' '' | tr ' ' x)\"" 'sarif: a long text, as far as it is taken'
check 'sarif: a long text ends' not grep -q "$why" "$out"
done_testing
