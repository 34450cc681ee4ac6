#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# windows.sh - the program for Windows: compiled with Debian's MinGW, and run with wine. Unit tests,
# the rules' examples and fixtures, and what only Windows has: drives, backslashes, names beyond a
# code page, files that replace others. See docs/packages.md.
#
#   tests/windows.sh                the last line is "windows: N passed, N failed"
#   ONLY=torch tests/windows.sh     fixtures whose name holds it; default: some of each kind
#   PROGRAM=FILE tests/windows.sh   this program, and not one that is made here; no C tests then
set -u
top=$(cd "${0%/*}/.." && pwd)
. "$top/tests/helper"
cd "$top" || exit 2
needs mingw wine
unset CPATH LIBRARY_PATH

there=build/windows
if [ -z "${PROGRAM-}" ]; then
    tools/dist/dist.sh windows-programs >"$out" 2>"$err"
    check 'it compiles' test $? -eq 0
fi
# Names of files are UTF-8 to wine where the locale says so.
WINEDEBUG=-all WINEPREFIX=$scratch/wine LC_ALL=C.UTF-8
export WINEDEBUG WINEPREFIX LC_ALL
wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
"$wine" wineboot -i >"$out" 2>"$err"
program=${PROGRAM:-$top/$there/cuda-morph.exe}
cm() { "$wine" "$program" "$@" >"$out" 2>"$err" </dev/null; }
# What the same arguments give here, byte for byte.
same() {
    what=$1
    shift
    "$tool" "$@" >"$scratch/out.here" 2>"$scratch/err.here" </dev/null
    here=$?
    cm "$@"
    check "$what: status" test $? -eq $here
    check "$what: output" cmp "$out" "$scratch/out.here"
    check "$what: messages" cmp "$err" "$scratch/err.here"
}

# ---- C tests ----

if [ -z "${PROGRAM-}" ]; then
    for test in "$there"/tests/test_*.exe; do
        "$wine" "$test" >"$out" 2>"$err" </dev/null
        check "${test##*/}" test $? -eq 0
    done
    for part in ${ONLY:-cuda-runtime torch-cuda project cuda-launch}; do
        "$wine" "$there/tests/run_fixtures.exe" tests/fixtures --only "$part" >"$out" 2>"$err"
        check "fixtures: $part" test $? -eq 0
        echo "windows: $part: $(grep -a passed "$out" | tail -n 1)"
    done
fi
cm rules test
check "the rules' examples" grep -q ' 0 failed' "$out" "$err"

# ---- as on Linux ----

same 'port, Python' port docs/examples/quickstart.py --target ascend
same 'port, CUDA' port docs/examples/reduce.cu --target cpu
same 'check' check docs/examples --isolated --no-cache
same 'check as SARIF' check docs/examples --isolated --no-cache --format sarif
same 'report' report docs/examples --target all --format markdown --isolated
same 'explain' explain torch-cuda/amp
same 'error' error 100 --target rocm
same 'a usage error' port --no-such-option
same 'no such file' check nowhere.py

# ---- what Windows has ----

cd "$scratch" || exit 2
mkdir -p src/deep base elsewhere
printf 'import torch\r\nx = torch.zeros(2).cuda()\r\n' >src/a.py
printf 'import torch\nx = torch.zeros(2).cuda()\n' >'src/deep/日本 é.py'
cp src/a.py before.py
cm check 'src\a.py' --isolated --no-cache
check 'backslashes' grep -q '^src/a.py:2:' "$out"
cm port 'src\deep\日本 é.py' --target ascend
check 'names beyond a code page' grep -q '\.npu()' "$out"
cm port src --target ascend -o 'made\ported'
check 'a tree: status' test $? -eq 0
check 'a tree: the file' test -s 'made/ported/deep/日本 é.py'
check 'line ends stay' sh -c "tr -d '\n' <made/ported/a.py | tr '\r' '\n' | grep -c . | grep -qx 3"
cm port src --target ascend -o 'made\ported'
check 'over files that are there' test $? -eq 0
cm port 'src\a.py' --target ascend --in-place --backup=.bak
check 'in place: status' test $? -eq 0
check 'in place: the backup' cmp -s src/a.py.bak before.py
check 'in place: the file' grep -q '\.npu()' src/a.py
check 'in place: no temporary file stays' sh -c '! ls -a src | grep -q cuda-morph-'
cm port 'src\a.py' --target ascend --in-place
check 'a second time: nothing changes' grep -q '0 changed' "$err"
cm undo
check 'undo' cmp -s src/a.py before.py
chmod a-w src/a.py
cm port src/a.py --target ascend --in-place
check 'a file that is write-protected: status' test $? -ne 0
check 'a file that is write-protected: it stays' cmp -s src/a.py before.py
chmod u+w src/a.py
cd elsewhere || exit 2
cm check "Z:$(echo "$scratch" | tr / '\\')\\src\\a.py" --isolated --no-cache --format sarif
cd .. || exit 2
check 'a drive, in an address' grep -q -E '"uri": "file:///Z(:|%3A)/' "$out"
cm check src --isolated --write-baseline 'base\line.json'
check 'a baseline' test -s base/line.json
cm check src --isolated --baseline 'base\line.json'
check 'a baseline: nothing is new' test $? -eq 0
cm check src --isolated
cm check src --isolated
check 'a second check, with the cache' test $? -eq 1
printf 'target = ["musa"]\r\n' >cuda-morph.toml
cm check src --no-cache
check 'settings are found' grep -q 'musa' "$out"
printf 'a.py\n' >src/.gitignore
git init -q . 2>/dev/null
cm check src --isolated --no-cache
check 'ignored files' sh -c "! grep -q 'src/a.py' '$out'"
cm init --yes --target ascend
check 'init' test -s .pre-commit-config.yaml
"$wine" "$program" port - --stdin-filename a.py --target ascend <before.py >"$out" 2>"$err"
check 'standard input and output' sh -c "grep -q 'npu()' '$out' && grep -q '\r' '$out'"
for command in 'run a.py' 'cc a.cu' 'sanitize a' 'verify' 'doctor' 'check src --watch'; do
    # shellcheck disable=SC2086
    cm $command
    check "$command: status" test $? -eq 2
    check "$command: one sentence" sh -c "test \$(wc -l <'$err') -eq 1 && grep -q 'on Windows' '$err'"
done
"${wine%/*}/wineserver" -k 2>/dev/null || wineserver -k 2>/dev/null
done_testing
