#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# report: what a tree holds of CUDA, per library, per file, and what is left.
. "${0%/*}/helper"

mkdir tree
cuda_code >tree/a.py
manual_code >tree/b.py
manual_code >tree/c.py
plain_code >tree/d.py

run report tree --target ascend
exits 0 'text'
prints 'ascend, Huawei Ascend' 'text'
prints '4 files read, 3 with CUDA' 'text'
prints '3 CUDA tokens: 1 ported, 0 kept, 2 manual, 0 suppressed; 33 % done without a hand' 'text'
check 'the library' grep -Eq '^  torch-cuda +3 +1 +0 +0 +2 +0 +33 %$' "$out"
check 'the work, once' test "$(grep -c '^      2  .*jiterator' "$out")" = 1
prints 'tree/b.py:4, tree/c.py:4' 'its places'
check 'the files' grep -Eq '^  tree/a.py +1 +1 +0 +0 +0 +0 +100 %$' "$out"
check 'files without CUDA are not listed' not grep -q 'tree/d.py' "$out"
silent err 'text'
check 'the same with other threads' sh -c \
    "'$tool' report tree --target ascend -j1 | cmp -s - '$out'"

run report tree --target ascend,rocm
exits 0 'two targets'
prints 'rocm, AMD ROCm' 'two targets'

# The numbers are those of port.
run report docs --target ascend
exits 2 'no such folder'
run port "$top/docs/examples" --target xpu
counts=$(sed -n 's/^xpu: .*tokens: \([^;]*\).*/\1/p' "$err")
run report "$top/docs/examples" --target xpu
prints "$counts" 'the counts are those of port'

run report tree --target ascend --format json -o report.json
exits 0 'JSON'
silent out 'JSON'
if can python3 'JSON, read by others'; then
    check 'it is JSON' python3 -c '
import json
r = json.load(open("report.json"))
t = r["targets"][0]
assert t["counts"]["manual"] == 2 and t["percent"] == 33 and t["files_with_cuda"] == 3
assert t["libraries"][0]["library"] == "torch-cuda"
assert t["manual"][0]["times"] == 2 and len(t["manual"][0]["places"]) == 2
assert sum(f["counts"]["ported"] for f in t["files"]) == 1'
fi
run report tree --target ascend -o other.json
check 'the name says the format' cmp -s report.json other.json

mkdir 'a&<b>' && manual_code >'a&<b>/x.py'
run report tree 'a&<b>' --target ascend,rocm -o page.html
exits 0 'HTML'
check 'a page' grep -q '^</html>$' page.html
check 'names are escaped' grep -qF 'a&#38;&#60;b&#62;/x.py' page.html
check 'nothing from elsewhere' not grep -Eq 'https?:|<script|url\(' page.html
run report tree --target ascend --format html
prints '<!DOCTYPE html>' 'HTML on standard output'

printf 'x = 1\000\n' >tree/nul.py
run report tree --target ascend
exits 2 'a file that cannot be processed'
prints 'not processed: tree/nul.py' 'a file that cannot be processed'
run report --target ascend
exits 2 'no path'
run report tree
exits 2 'no target'
says '--target' 'no target'
mkdir empty
run report empty --target cpu
exits 0 'nothing'
prints '0 files read' 'nothing'
run report tree --target ascend -o no/such/folder/x.html
exits 2 'a folder that is not there'
done_testing
