#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What goes wrong outside of the tool: full disks, closed pipes, broken rules.
. "${0%/*}/helper"

cuda_code >a.py
if [ -c /dev/full ]; then
    "$tool" port a.py --target ascend >/dev/full 2>"$err"
    status=$?
    exits 2 'full disk'
    says 'standard output' 'full disk'
    "$tool" --version >/dev/full 2>"$err"
    status=$?
    exits 2 'full disk, version'
    run port a.py --target ascend --report /dev/full
    exits 2 'full disk, report'
fi

# A reader that goes away is no error.
i=0
echo 'import torch' >long.py
while [ $i -lt 5000 ]; do
    echo 'ok = torch.cuda.is_available()  # long enough to fill a pipe'
    i=$((i + 1))
done >>long.py
{
    "$tool" port long.py --target ascend 2>"$err"
    echo $? >status
} | head -n 1 >"$out"
status=$(cat status)
exits 0 'closed pipe'
check 'closed pipe: no complaint' not grep -q 'cuda-morph:' "$err"
"$tool" port a.py --target ascend >&- 2>"$err"
status=$?
check 'closed standard output does not crash' test "$status" -ne 70

# Rules that are broken: file, place, advice, status 2.
printf '{"domain": "x",\n' >broken.json
run port a.py --target ascend --rules broken.json
exits 2 'rules that are no JSON'
says 'broken.json' 'rules that are no JSON'
silent out 'rules that are no JSON'
printf '{"domain": "x", "language": "python", "title": "t", "rules": [{"id": 1}]}\n' >wrong.json
run port a.py --target ascend --rules wrong.json
exits 2 'rules of a wrong shape'
says 'wrong.json' 'rules of a wrong shape'
says '/rules/0' 'rules of a wrong shape: place'
run rules check wrong.json
exits 2 'rules check'
says '/rules/0' 'rules check'
run port a.py --target ascend --rules no-such-file.json
exits 2 'no such rules'
says 'no-such-file.json' 'no such rules'

# A file that may not be written.
cp a.py before.py
ln a.py hard.py
run port a.py --target ascend --in-place
exits 2 'a second hard link'
says '1 file, 0 changed, 1 not written; ' 'a file that is not written has not changed'
check 'a second hard link: untouched' cmp -s a.py before.py
rm hard.py
if [ "$(id -u)" -ne 0 ]; then
    chmod 444 a.py
    run port a.py --target ascend --in-place
    exits 2 'a read-only file'
    check 'a read-only file: untouched' cmp -s a.py before.py
    chmod 644 a.py
fi
( ulimit -f 0 && "$tool" port a.py --target ascend --in-place 2>"$err" )
check 'no room for the file: status' test $? -ne 0
check 'no room for the file: untouched' cmp -s a.py before.py
check 'no room for the file: nothing left behind' test -z \
    "$(find . -name '.*.py*' -o -name '.cuda-morph*')"

# What a killed run has left, the next one that writes there removes: not what a living one writes.
mkdir left
cp before.py left/a.py
for folder in left left/out; do
    mkdir -p "$folder"
    for file in .cuda-morph-999999999-0.tmp .cuda-morph-$$-0.tmp .cuda-morph-999999999-0.tmp.py; do
        echo half >"$folder/$file"
        touch -d '2001-01-01' "$folder/$file"
    done
    echo young >"$folder/.cuda-morph-999999998-1.tmp"
done
run port left/a.py --target ascend -o left/out -q
run port left/a.py --target ascend --in-place -q
exits 0 'a folder with what a killed run left'
for folder in left left/out; do
    check "$folder: of a dead process" test ! -e $folder/.cuda-morph-999999999-0.tmp
    check "$folder: of a living one" test -e $folder/.cuda-morph-$$-0.tmp
    check "$folder: another name" test -e $folder/.cuda-morph-999999999-0.tmp.py
    check "$folder: a young one" test -e $folder/.cuda-morph-999999998-1.tmp
done

done_testing
