#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Where `port` puts its results.
. "${0%/*}/helper"

tree() {
    rm -rf tree && mkdir -p tree/sub
    cuda_code >tree/a.py
    manual_code >tree/sub/m.py
    plain_code >tree/sub/p.py
    printf 'find_package(CUDA)\n' >tree/k.cmake
    printf 'data\000\n' >tree/sub/data.bin
    chmod 755 tree/sub/p.py
}
sum() { (cd "$1" && find . -type f -exec cksum {} + | sort); }

# One file: the text to standard output, the summary to standard error.
tree
run port tree/a.py --target ascend
exits 0 'one file'
prints 'torch.npu.is_available()' 'one file'
says 'ascend: 1 file, 1 changed; 1 CUDA token: 1 ported, 0 kept, 0 manual, 0 suppressed' 'one file'
check 'the file is as it was' cmp -s tree/a.py "$(cuda_code >same; echo same)"
cp "$out" ported
run port tree/a.py --target ascend -q
silent err 'quiet'
"$tool" port - --target ascend <tree/a.py >"$out" 2>"$err"
check 'standard input gives the same' cmp -s ported "$out"
"$tool" port --target ascend --stdin-filename x/a.py - <tree/a.py >"$out" 2>"$err"
check '--stdin-filename gives the same' cmp -s ported "$out"
printf 'line\n' | "$tool" port --target ascend --stdin-filename x.zzz - >"$out" 2>"$err"
check 'an unknown language on standard input' test $? -eq 2
run port tree/k.cmake --target ascend
exits 0 'a build file'
says 'tree/k.cmake:1:14: manual:' 'a build file'
check 'its text is unchanged' cmp -s tree/k.cmake "$out"
run port tree/sub/m.py --target ascend
says 'tree/sub/m.py:4:' 'manual: place'
says 'manual: ' 'manual'
says '[torch-cuda/jiterator]' 'manual: rule'
exits 0 'manual without --strict'
run port tree/sub/m.py --target ascend --strict
exits 1 'manual with --strict'
run port tree/a.py --target ascend,xpu
exits 0 'one file, two targets'
silent out 'one file, two targets'
says 'xpu: 1 file, 1 changed' 'one file, two targets'

# A directory without an output option: nothing is written, and it says how.
before=$(sum tree)
run port tree --target ascend,rocm
exits 0 'directory'
silent out 'directory'
says 'ascend: 4 files, 1 changed' 'directory'
says 'rocm: 4 files, 0 changed' 'directory'
says '-o DIR' 'directory'
check 'directory: untouched' test "$before" = "$(sum tree)"

# -o: a mirror.
run port tree --target ascend -o new/out
exits 0 'mirror'
check 'mirror: the same files' test "$(cd tree && find . | sort)" = \
    "$(cd new/out && find . | sort)"
check 'mirror: ported' cmp -s ported new/out/a.py
for f in sub/m.py sub/p.py k.cmake sub/data.bin; do check "mirror: copies $f" cmp -s "tree/$f" \
    "new/out/$f"; done
check 'mirror: mode' test -x new/out/sub/p.py
check 'mirror: the input is untouched' test "$before" = "$(sum tree)"
run port tree --target ascend -o new/out
exits 0 'mirror again'
run port tree --target ascend,xpu -o several
check 'mirror: one folder per target' cmp -s ported several/ascend/a.py
check 'mirror: the other target' grep -q torch.xpu several/xpu/a.py
run port tree --target ascend -o tree/ported
run port tree --target ascend -o tree/ported
exits 0 'output inside the input'
check 'output inside the input is not read again' test ! -e tree/ported/ported
rm -rf tree/ported
"$tool" port - --target ascend --stdin-filename x/s.py -o from-stdin <tree/a.py 2>"$err"
check 'standard input below -o' cmp -s ported from-stdin/s.py

# -o: refusals.
run port tree --target ascend -o tree
exits 2 'output is the input'
check 'output is the input: untouched' test "$before" = "$(sum tree)"
run port tree/a.py --target ascend -o tree
exits 2 'output over the input'
check 'output over the input: untouched' test "$before" = "$(sum tree)"
mkdir -p other && plain_code >other/a.py
run port tree other --target ascend -o meet
exits 2 'two inputs for one output'
says 'tree/a.py and other/a.py' 'two inputs for one output'
check 'two inputs for one output: nothing written' test ! -e meet
mkdir -p trap outside && ln -s ../outside trap/sub
run port tree --target ascend -o trap
exits 2 'symbolic link in the output tree'
check 'symbolic link in the output tree is not followed' test -z "$(ls outside)"
check 'symbolic link in the output tree: the others are written' cmp -s ported trap/a.py
plain_code >file
run port tree --target ascend -o file
exits 2 'output is a file'

# --in-place.
tree
chmod 640 tree/a.py
touch -t 200001010000 tree/a.py tree/sub/p.py
run port tree --target ascend --in-place
exits 0 'in place'
check 'in place: ported' cmp -s ported tree/a.py
check 'in place: mode' test "$(stat -c %a tree/a.py)" = 640
check 'in place: unchanged files keep their time' test \
    "$(find tree/sub/p.py -newermt 2001-01-01)" = ''
touch -t 200001010000 tree/a.py
run port tree --target ascend --in-place
exits 0 'in place again'
check 'in place again: nothing is written' test "$(find tree/a.py -newermt 2001-01-01)" = ''
check 'in place: no other files' test "$(find tree -type f | wc -l)" -eq 5
tree
run port tree/a.py --target ascend --in-place --backup
cuda_code >original
check 'backup' cmp -s original tree/a.py.orig
cuda_code | sed 's/ok/again/' >tree/a.py
run port tree/a.py --target ascend --in-place --backup
exits 0 'backup, second run'
check 'the first original stays' cmp -s original tree/a.py.orig
run port tree/sub/p.py --target ascend --in-place --backup=.bak
check 'no backup of what did not change' test ! -e tree/sub/p.py.bak
cuda_code >tree/a.py
run port tree/a.py --target ascend --in-place --backup=.bak
check 'backup with a suffix of its own' cmp -s original tree/a.py.bak
run port tree/a.py --target ascend --in-place --backup=a/b
exits 2 'a suffix with a slash'
ln -s a.py tree/link.py
cuda_code >tree/a.py
run port tree/link.py --target ascend --in-place
check 'a link stays a link' test -L tree/link.py
check 'its file is ported' cmp -s ported tree/a.py

# --diff, --check.
tree
printf 'import torch\r\nx = torch.cuda.is_available()' >tree/crlf.py
run port tree --target ascend --diff
exits 0 'diff'
prints '+++ b/tree/a.py' 'diff'
check 'diff: untouched' test -z "$(diff "$(cuda_code >same; echo same)" tree/a.py)"
"$tool" port tree --target ascend -o want -q
cp "$out" patch
if can patch 'diffs, applied'; then
    check 'patch -p1 applies it' patch -s --binary -p1 -i patch
    check 'patch: ported' cmp -s want/a.py tree/a.py
    check 'patch: line ends and no final newline' cmp -s want/crlf.py tree/crlf.py
fi
tree
mkdir above
(cd above && "$tool" port ../tree/./a.py --target ascend --diff -q) >patch 2>"$err"
check 'diff: a name that patch takes' grep -q '^+++ b/tree/a.py$' patch
if can patch 'a diff of a file above, applied'; then
    check 'patch -p1 applies it from above' patch -s --binary -p1 -i patch
    check 'patch: ported from above' cmp -s want/a.py tree/a.py
    tree
fi
run port tree --target ascend --check
exits 1 'check'
prints 'tree/a.py' 'check'
check 'check: untouched' cmp -s same tree/a.py
run port tree --target rocm --check
exits 0 'check without change'
silent out 'check without change'
run port tree --target ascend --check --diff
exits 1 'check and diff'
prints '+++ b/tree/a.py' 'check and diff'

# Order does not depend on threads.
run port tree tree/sub --target ascend -v -j 1
cp "$out" out1 && cp "$err" err1
run port tree tree/sub --target ascend -v -j 8
check 'threads: same output' cmp -s out1 "$out"
check 'threads: same messages' cmp -s err1 "$err"

# Reports.
run port tree --target ascend,rocm --report r.json --accounting a.json
exits 0 'reports'
if can python3 'the report adds up'; then
    check 'the report is JSON and adds up' python3 - <<'PY'
import json
r, a = json.load(open("r.json")), json.load(open("a.json"))
assert r["version"] == 1 and r["targets"] == ["ascend", "rocm"]
assert len(r["files"]) == len(a["files"]) == 8
for target in r["targets"]:
    mine = [f for f in r["files"] if f["target"] == target]
    assert r["totals"][target]["files"] == len(mine) == 4
    for outcome, n in r["totals"][target]["counts"].items():
        assert n == sum(f["counts"][outcome] for f in mine)
        assert n == sum(x["outcome"] == outcome for f in mine for x in f["findings"])
for f in r["files"]:
    data = open(f["path"], "rb").read()
    for x in f["findings"]:
        assert data[x["start"]:x["end"]].decode() == x["before"]
    edits = f["edits"] + [e for x in f["findings"] for e in x["edits"]]
    for e in sorted(edits, key=lambda e: (e["start"], e["end"]), reverse=True):
        data = data[:e["start"]] + e["text"].encode() + data[e["end"]:]
    if f["path"] == "tree/a.py" and f["target"] == "ascend":
        assert f["changed"] and data == open("ported", "rb").read()
assert [t["outcome"] for f in a["files"] for t in f["tokens"]] == \
    [x["outcome"] for f in r["files"] for x in f["findings"]]
PY
fi
run port tree --target ascend --report no/such/folder/r.json
exits 2 'a report that cannot be written'
i=0
echo 'import torch' >many.py
while [ $i -lt 60 ]; do
    echo 'f = torch.cuda.jiterator._create_jit_fn("")' >>many.py
    i=$((i + 1))
done
run port many.py --target ascend --stdout
says '    and 59 more: many.py:3:5, many.py:4:5, many.py:5:5, ...' 'long lists are folded'
says '60 places by 1 rule; --report FILE.json lists them all' 'and counted'
run port a.py many.py --target ascend --stdout
exits 2 '--stdout takes one file'

# An import that stays, for a use that is left to a human, binds no package: its other uses stay.
cat >stays.py <<'END'
from lightning.pytorch.accelerators import CUDAAccelerator

def is_there():
    return CUDAAccelerator.is_available()

def kind(a):
    return isinstance(a, CUDAAccelerator) or (isinstance(a, str) and a in ("cuda", "gpu"))
END
run port stays.py --target cpu --stdout
prints 'return CUDAAccelerator.is_available()' 'no name that nothing binds'
says 'the import stays for another use of its name' 'why'

# What the result imports of our own is said, and can be put beside it: with what that imports, and
# nothing else.
rm -rf out shim.py && printf 'import torch\nprint(torch.cuda.get_device_capability())\n' >shim.py
run port shim.py --target portable
says 'the result imports cuda_morph_rt (devices); -o DIR --with-runtime puts it into the tree' \
    'the runtime is named'
cat >needs.cu <<'END'
#include <cuda_runtime.h>
__global__ void f(int *p) { p[threadIdx.x] = __shfl_sync(0xffffffffu, p[0], 0); }
int main() { f<<<1, 32>>>(nullptr); return cudaDeviceSynchronize(); }
END
run port needs.cu --target cpu
says 'cpu: the result includes cuda_morph/cuda.h; compile and link it with $(pkg-config --cflags --libs cmrt)' \
    'a header with a library behind it'
run port needs.cu --target xpu
says 'cuda_morph/sycl.hpp; compile it with $(pkg-config --cflags cmrt)' 'a header that is whole'
run port needs.cu --target musa
check 'nothing of ours is included' not grep -q 'the result includes' "$err"
run port shim.py --target portable --with-runtime
exits 2 '--with-runtime without -o'
run port shim.py --target portable,ascend -o out --with-runtime
exits 0 '--with-runtime'
check 'the part' test -f out/portable/cuda_morph_rt/devices.py
check 'what the part imports' test -f out/portable/cuda_morph_rt/cpu.py
check 'no other part' test ! -e out/portable/cuda_morph_rt/graphs.py
check 'nothing where nothing is imported' test ! -e out/ascend/cuda_morph_rt
printf 'from cuda_morph_rt import (apex, nvtx as marks)\n' >shim.py
run port shim.py --target portable -o out --with-runtime
says 'imports cuda_morph_rt (apex, nvtx), which was put into the tree' 'imported parts'
check 'a package among the parts' test -f out/cuda_morph_rt/apex/amp.py

# Columns count characters, in every command.
printf '\357\273\277import torch\nprint("\346\227\245\346\234\254\350\252\236", torch.cuda.foo())\n' >wide.py
run port wide.py --target ascend --report wide.json
says 'wide.py:2:14: manual' 'a column behind wide characters'
check 'a column in a report' grep -q '"line": 2, "column": 14' wide.json
run check wide.py --target ascend --format concise
prints 'wide.py:2:14: ' 'the same column from check'

done_testing
