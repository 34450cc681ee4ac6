#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check: what is reported, which options choose it, what is fixed, and every exit status.
. "${0%/*}/helper"

cuda_code >a.py
manual_code >b.py
plain_code >c.py
mkdir pkg
cuda_code >pkg/d.py
printf '\nname = "cuda"\n' >>pkg/d.py

# Which files, and the order.
run check
exits 1 'no path'
prints 'a.py:4:6: error: ' 'no path'
prints 'pkg/d.py:4:6: error: ' 'no path'
says '4 findings in 3 of 4 files: 2 errors, 1 warning, 1 note' 'no path'
run check --format concise -q
cp "$out" expected
check 'four lines' test "$(wc -l <expected)" -eq 4
silent err quiet
for words in '. -j1' '. -j4' '-j3 a.py b.py c.py pkg' './ -j 2'; do
    run check --format concise -q $words
    sed 's,^\./,,' "$out" >now
    check "same with $words" cmp -s now expected
done
run check c.py
exits 0 'nothing to find'
silent out 'nothing to find'
says 'No findings in 1 file' 'nothing to find'
mkdir empty
run check empty
exits 0 'an empty tree'
run check - --stdin-filename x.py
exits 0 'empty standard input'
"$tool" check - --format concise <a.py >"$out" 2>"$err"
status=$?
exits 1 'standard input'
prints '<stdin>:4:6:' 'standard input'
run check --show-files
exits 0 'show files'
check 'show files: four' test "$(wc -l <"$out")" -eq 4

# What cannot be done.
run check no-such.py
exits 2 'no such file'
says 'no-such.py' 'no such file'
run check a.py no-such.py
exits 2 'one of two'
prints 'a.py:4:6' 'one of two: the other is checked'
echo 'def broken(:' >broken.py
echo 'x = torch.cuda.is_available(' >>broken.py
for format in full concise json jsonl sarif github gitlab junit; do
    run check broken.py --format $format
    exits 2 "syntax error, $format"
    says 'broken.py' "syntax error, $format"
    run check a.py --format $format
    exits 1 "findings, $format"
    run check c.py --format $format
    exits 0 "no findings, $format"
    run check a.py --format $format --exit-zero
    exits 0 "--exit-zero, $format"
    run check broken.py --format $format --exit-zero
    exits 2 "--exit-zero hides no failure, $format"
    if [ -c /dev/full ]; then
        "$tool" check a.py --format $format >/dev/full 2>"$err"
        status=$?
        exits 2 "full disk, $format"
        says 'standard output' "full disk, $format"
    fi
done
rm broken.py
if [ "$(id -u)" -ne 0 ]; then
    chmod 0 c.py
    run check
    exits 2 'an unreadable file'
    says 'c.py' 'an unreadable file'
    prints 'a.py:4:6' 'an unreadable file: the others are checked'
    chmod 644 c.py
fi
[ -c /dev/full ] && run check a.py --output-file /dev/full && exits 2 'full disk, --output-file'
run check a.py --output-file no-such-folder/x.json
exits 2 'no folder for the output'
check 'no folder is made' test ! -e no-such-folder
i=0
while [ $i -lt 5000 ]; do
    echo 'ok = torch.cuda.is_available()  # long enough to fill a pipe'
    i=$((i + 1))
done >>c.py
sed -i '1i import torch' c.py
{
    "$tool" check c.py 2>"$err"
    echo $? >status
} | head -n 1 >"$out"
status=$(cat status)
exits 1 'closed pipe'
check 'closed pipe: no complaint' not grep -q 'cuda-morph:' "$err"
plain_code >c.py

# Choosing rules.
count() { wc -l <"$out" | tr -d ' '; }
# selected N ARGS...: that many findings.
selected() {
    n=$1
    shift
    run check --format concise -q "$@"
    check "$*: $(count) findings, not $n" test "$(count)" -eq "$n"
}
selected 4 .
selected 3 --select torch-cuda
selected 2 --select torch-cuda/availability
selected 1 --select torch-device
selected 3 --select torch-device,torch-cuda/availability
selected 1 --ignore torch-cuda
selected 2 --ignore torch-cuda/availability
selected 2 --select torch-cuda/availability --ignore torch-cuda
selected 1 --select torch-cuda --ignore torch-cuda/availability
selected 3 --ignore torch-cuda --extend-select torch-cuda/availability
selected 3 --select torch-device --extend-select torch-cuda/availability
run check --select torch-cda
exits 2 'unknown domain'
says "did you mean 'torch-cuda'" 'unknown domain'
run check --ignore torch-cuda/memry
exits 2 'unknown rule'
says "did you mean 'torch-cuda/memory'" 'unknown rule'

# Severities.
run check b.py --fail-on warning
exits 1 'a warning, and that is the threshold'
run check b.py
exits 1 'a warning, by default'
run check b.py --fail-on error
exits 0 'a warning below the threshold'
printf 'name = "cuda"\n' >note.py
run check note.py
exits 0 'a note, by default'
says ': 1 note' 'a note, by default'
run check note.py --fail-on note
exits 1 'a note, and that is the threshold'
run check a.py --fail-on never
exits 0 'never'
run check --statistics
exits 1 statistics
check 'statistics: the most frequent first' grep -q '^ *2  torch-cuda/availability ' "$out"
run check --statistics --format json
exits 2 'statistics are no JSON'

# Targets.
run check a.py --target rocm
exits 0 'runs unchanged on ROCm'
run check a.py --target ascend --format concise
prints 'torch.npu.is_available' ascend
run check a.py --target ascend,xpu --format concise -q
check 'two targets: two findings' test "$(count)" -eq 2
prints 'torch-cuda/availability, xpu' 'two targets'
run check a.py --target all
prints '= mlu: use `torch.mlu.is_available` for mlu' 'all targets'
run check a.py --target ascned
exits 2 'unknown target'
says "did you mean 'ascend'" 'unknown target'

# Several formats in one run.
run check --format concise --add-format json=all.json --add-format sarif=all.sarif -q
cmp -s "$out" expected || sed 's,^\./,,' "$out" >/dev/null
check 'both files are there' test -s all.json -a -s all.sarif
run check --format json -q --output-file out.json
silent out 'output file'
check 'output file: the same' cmp -s out.json all.json
run check --add-format jsn=x
exits 2 'unknown format'
says "did you mean 'json'" 'unknown format'
run check --add-format json
exits 2 'no file for the format'
run check --add-format json=x --output-file x
exits 2 'one file for two formats'

# Fixing.
mkdir fix
cp a.py b.py fix
run check fix --diff
exits 1 diff
check 'diff: is one' grep -q '^+ok = torch.accelerator.is_available()' "$out"
check 'diff: nothing written' cmp -s a.py fix/a.py
cp "$out" patch
if can patch 'diffs, applied'; then
    (cd fix && patch -s -p2 <../patch) 2>/dev/null
    cp fix/a.py patched.py
    cp a.py fix/a.py
fi
run check fix --fix
exits 1 'fix: one is left'
prints 'fix/b.py:4:5: warning' 'fix: what is left'
says '1 fixed' 'fix: summary'
[ ! -f patched.py ] || check 'fix: as the diff said' cmp -s fix/a.py patched.py
run check fix/a.py --fix
exits 0 'fix again'
cp a.py fix/a.py
run check fix --fix --select torch-device
check 'fix: only what is selected' cmp -s a.py fix/a.py
run check - --fix
exits 2 'fix standard input'
run check fix --fix --diff
exits 1 'fix and diff'
prints '+++ b/fix/a.py' 'fix and diff: shows'
check 'fix and diff: nothing written' cmp -s a.py fix/a.py
run check fix --fix --exit-non-zero-on-fix
says 'fix/a.py: 1 fixed: ' 'fix: what was fixed'
exits 1 'fix, and non-zero for it'
cp a.py fix/a.py
run check fix --fix-only
exits 0 'fix only'
silent out 'fix only'
says '1 fixed in 1 of 2 files' 'fix only: summary'
run check fix --max-warnings 1
exits 0 'one warning may be'
run check fix --max-warnings 0
exits 1 'and no warning may be'
run check fix --max-warnings x
exits 2 'max-warnings wants a number'
run check fix --exit-non-zero-on-fix
exits 2 'non-zero on fix without fix'
cp a.py fix/a.py
run check fix --fix --target ascend,xpu
exits 2 'fix for two targets'

run explain cuda-morph/unused-suppression
exits 0 'explain a rule of check'
prints 'silence' 'explain a rule of check'

done_testing
