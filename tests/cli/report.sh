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
check 'names are escaped' grep -qF 'a&\u003cb>/x.py' page.html
check 'nothing from elsewhere' not grep -Eq '(src|href)="?(https?:|//)|url\(|@import|<link|fetch\(|import\(' page.html
check 'figures without scripts' grep -qF '<th>Huawei Ascend</th><td>25 %</td><td>should run after 3' page.html
run report tree --target ascend --format html
prints '<!DOCTYPE html>' 'HTML on standard output'

# What is said besides the figures.
run report tree --target ascend
check 'the verdict is last' sh -c 'tail -n 1 "$1" | grep -q "^ascend: should run after 2 manual places; 6 to 35 minutes, estimated$"' - "$out"
run report tree --target ascend --before report.json
prints '; 33 % done, 33 % on 20' 'an earlier report'
printf '{"targets": 3}' >odd.json
run report tree --target ascend --before odd.json
exits 2 'no earlier report'
says '--before takes a report --format json' 'what it takes'
run report tree --target ascend,rocm --format markdown --badge badge.json
prints '| Huawei Ascend | 33 % | should run after 2 manual places' 'Markdown'
check 'the badge' grep -qF '"message": "ascend 33 % | rocm ' badge.json
run report tree --target ascend -o r.csv
check 'CSV: a file' grep -qE '^ascend,"tree/a.py",python,4,1,0,.*,100,""' r.csv
mkdir -p .git/refs/heads && printf 'ref: refs/heads/x\n' >.git/HEAD && printf 'abc123\n' >.git/refs/heads/x
printf 'tree/b.py @team\n' >CODEOWNERS
SOURCE_DATE_EPOCH=86400 "$tool" report tree --target ascend -o page.html
check 'revision and date' grep -qF '"revision":"abc123","date":"1970-01-02"' page.html
mkdir -p "$scratch/other/.git"
printf 'def456\n' >"$scratch/other/.git/HEAD"
cp tree/a.py "$scratch/other"
run report "$scratch/other/a.py" --target ascend --format json
prints '"project": "other", "revision": "def456"' 'the project is that of what is read'
rm -r "$scratch/other"
check 'owners' grep -qF '"ownerNames":["' page.html
# Ten thousand places in a page below 1 MB, and in one to share below 300 KB.
mkdir big
i=0
while [ $i -lt 200 ]; do
    i=$((i + 1))
    awk -v i=$i 'BEGIN { print "import torch"; for (k = 0; k < 50; k++)
        printf "x = torch.cuda.jiterator._create_jit_fn(\"%d\")\n", k }' >big/file_with_a_name_$i.py
done
run report big --target ascend -o big.html
check 'below 1 MB' test "$(wc -c <big.html)" -lt 1000000
run report big tree --target all --share -o share.html
check 'below 300 KB' test "$(wc -c <share.html)" -lt 300000
if can chromium 'the page in a browser'; then
    look() {
        timeout 60 chromium --headless=new --no-sandbox --disable-gpu --user-data-dir="$scratch/browser" \
            --enable-logging=stderr --virtual-time-budget=2000 --dump-dom "file://$PWD/$1" >"$out" 2>"$err"
    }
    look big.html
    prints '10000 CUDA tokens' 'a card'
    prints 'should run after 10000 manual places' 'a verdict'
    check 'what is far down is made when it is asked for' test "$(wc -c <"$out")" -lt 400000
    check 'the map: files, where all are in one folder' test "$(grep -o '<rect' "$out" | wc -l)" -gt 20
    check 'no error on the console' not grep -q 'CONSOLE' "$err"
    look 'share.html#t=rocm&q=b.py&lang=zh'
    prints '需要手工移植: AMD ROCm' 'Chinese, and a state in the address'
fi
rm -r .git CODEOWNERS big

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
