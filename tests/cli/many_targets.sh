#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# many_targets.sh - what is written, said and reported for a target is the same whether it is asked
# for alone or with all others: a file is read and parsed once for all of them, and nothing of one
# target may reach the next one's result.
. "${0%/*}/helper"

cp -r "$top/docs/examples" "$top/tests/fixtures/torch-device" "$top/tests/fixtures/silent" \
    "$top/tests/fixtures/notebook" . 2>/dev/null
# Only some targets have a word of these rules: what they ask for has no error, the rest has one.
{ cuda_code && printf 'def broken(:\n    pass\n'; } >broken.py
{ cuda_code && printf 'def f(x):\n    return torch.npu_format_cast(x, 2\n'; } >half.py
# C++ is lexed once, with its headers: names that line splices cut, and kernels in strings.
mkdir lexed
cat >lexed/own.cuh <<'CUDA'
#pragma once
#define WIDTH 32
template <int N> __device__ __forceinline__ float sum(float x) {
    for (int n = N / 2; n > 0; n /= 2) x += __shfl_down_sync(0xffffffffu, x, n);
    return x;
}
CUDA
cat >lexed/main.cu <<'CUDA'
#include "own.cuh"
#include <nvrtc.h>
static const char *text = "extern \"C\" __global__ void f(float *x) { x[threadIdx.x] = __shfl_sync(~0u, 1.f, 0); }";
__global__ void k(float *x) { x[0] = sum<WIDTH>(x[threadIdx.x]); }
int main() {
    float *x;
    nvrtcProgram p;
    nvrtcCreateProgram(&p, text, "f.cu", 0, nullptr, nullptr);
    cuda\
Malloc(&x, 4);
    k<< <1, WIDTH>>>(x);
    return cudaDeviceSynchronize() != cudaSuccess;
}
CUDA
printf 'import torch\r\rok = torch.cuda.is_available()\r' >lines.py
printf 'import torch\n\n\ndef f(a, n):\n    return a, *(torch.cuda.device_count(),) * n\n' >stars.py

targets=$(cd "$top/rules/targets" && echo *.json | sed 's/\.json//g')

mkdir ../out && mv ../in ../tree && mkdir ../in
cd ../in || exit 2
# What is reported of files, line by line, without what joins and ends the list.
files_of() { sed -e '1,/^"files"/d' -e '/^\],$/,$d' -e 's/,$//' "$1"; }

"$tool" port ../tree --target all -q --report ../out/all.json 2>/dev/null
"$tool" port ../tree --target all --check -j1 -q --report ../out/again.json >/dev/null 2>/dev/null
check 'one thread reports something else than several' cmp ../out/all.json ../out/again.json
"$tool" check ../tree --target all --no-cache --format concise >../out/all.check 2>/dev/null
"$tool" report ../tree --target all --format csv >../out/all.csv 2>/dev/null
for t in $targets; do
    "$tool" port ../tree --target "$t" -q --report ../out/one.json 2>/dev/null
    files_of ../out/one.json >>../out/each
    "$tool" report ../tree --target "$t" --format csv >>../out/each.csv 2>/dev/null
done
# The targets' own order is not that of the names.
files_of ../out/all.json | sort >../out/all.sorted
sort ../out/each >../out/each.sorted
check 'a target is ported otherwise with all others than alone' \
    cmp ../out/all.sorted ../out/each.sorted
check 'something is reported' test -s ../out/each
sort -u ../out/all.csv >../out/all.sorted
sort -u ../out/each.csv >../out/each.sorted
check 'a target is counted otherwise with all others than alone' \
    cmp ../out/all.sorted ../out/each.sorted
"$tool" port ../tree/examples --target ascend,rocm,cpu -q -o ../out/tree 2>/dev/null
for t in ascend rocm cpu; do
    "$tool" port ../tree/examples --target "$t" -q -o "../out/alone/$t" 2>/dev/null
    check "$t: a tree of its own differs from that beside others" \
        diff -r "../out/tree/$t" "../out/alone/$t"
done

# Many targets stay readable: sums, a family after the other; the places of few, or with -v.
families() { sed -n 's/^ *"family": *"\(.*\)",$/\1/p' "$1"; }
wanted=$(for t in $targets; do families "$top/rules/targets/$t.json"; done | sort -u)
n=$(echo $targets | wc -w)
"$tool" port ../tree --target all >/dev/null 2>../out/port
"$tool" report ../tree --target all -q >../out/report 2>/dev/null
for it in port report; do
    sed 's/^ *//' ../out/$it | grep -Fx "$wanted" | sort >../out/families
    check "$it: a family is not named, or twice" test "$(cat ../out/families)" = "$wanted"
done
check 'report of all targets has more than a screen and a half' \
    test "$(wc -l <../out/report)" -lt $((3 * n))
check 'port to all targets lists places' sh -c "! grep -q ': manual: ' ../out/port"
"$tool" port ../tree --target all -v >/dev/null 2>../out/port
check 'port -v lists no places' grep -q ': manual: ' ../out/port
"$tool" report ../tree --target all -v -q >../out/report 2>/dev/null
check 'report -v lists no places' grep -q 'manual: how often' ../out/report
"$tool" port ../tree --target ascend,mps >/dev/null 2>../out/port
check 'port to two targets lists no places' grep -q ': manual: ' ../out/port

done_testing
