#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# CUDA programs ported to the CPU, compiled with the machine's own compiler and run: each prints
# PASS when its results are those of a plain loop. `make test SUITE=cpu` takes those of tests/compile,
# too.
. "${0%/*}/../cli/helper"
. "$top/tests/cpu/programs.sh"

# whole_way PROGRAM.cu: ported, compiled, run
whole_way() {
    ported "$1"
    compiled "$base" "$base"
    runs "$base"
    prints PASS "run $base"
}

for program in "$top"/tests/cpu/*.cu; do
    case ${program##*/} in beyond.cu | nobody.cu) continue ;; esac # below
    beyond "$program" || whole_way "$program"
done
# Some of the libraries' shims; the others with SUITE=cpu.
for shim in cublas_level3 cufft_2d_batched thrust_sets cub_block_items; do
    program=$top/tests/compile/$shim.cu
    beyond "$program" || whole_way "$program"
done

# both_tiers PROGRAM.cu: kernels as loops and as fibers compute the same, bit for bit, with warps
# of 32 and of 64
both_tiers() {
    folder=${1%/*}
    base=${1##*/}
    base=${base%.cu}
    compiled "$base" "$base.fibers" -DCUDA_MORPH_FIBERS
    for warp in 32 64; do
        CUDA_MORPH_WARP_SIZE=$warp timeout 100 "$scratch/in/$base" >"$scratch/loops" 2>"$err"
        CUDA_MORPH_WARP_SIZE=$warp timeout 100 "$scratch/in/$base.fibers" >"$out" 2>"$err"
        check "$base: loops and fibers differ with warps of $warp" cmp "$scratch/loops" "$out"
    done
}
both_tiers "$top/tests/cpu/tiers.cu"
both_tiers "$top/tests/cpu/forms.cu"
both_tiers "$top/tests/cpu/reduction.cu"

# Checked mode says where a kernel went astray, also in one that runs a block at a time.
if [ -z "$sanitize" ]; then
    CUDA_MORPH_CHECK=1
    export CUDA_MORPH_CHECK
    whole_way "$top/tests/cpu/beyond.cu"
    unset CUDA_MORPH_CHECK
    says 'stray' 'a bad access names the kernel'
    says 'block (1, 0, 0), thread (3, 2, 0)' 'a bad access names block and thread'
    prints IllegalAddress 'a bad access is an error of the program'
fi

# A kernel may wait for the host for as long as it wants, for nobody not: it ends, and says why.
ported "$top/tests/cpu/nobody.cu"
compiled "$base" "$base"
CUDA_MORPH_WAIT=2 runs "$base"
prints '42, cmSuccess' 'a kernel waits for the host'
prints 'cmErrorLaunchTimeout' 'a kernel that waits for nobody ends'
says 'kernel for_nobody: for 2 seconds' 'and it is said why'
says 'CUDA_MORPH_WAIT' 'and what to do'

# Written for warps of 32, it goes wrong where warps have 64 lanes, and check had said so.
base=warp_votes
whole_way "$top/tests/compile/$base.cu"
CUDA_MORPH_WARP_SIZE=64 runs "$base"
check "$base goes wrong with warps of 64" not grep -q PASS "$out"
run check "$top/tests/compile/$base.cu" --target rocm --select cuda-silent --format concise
prints 'cuda-silent/' "check says of $base that it counts on 32 lanes"
# What the binary says that the headers declare, they do: names of the libraries' namespaces.
sed -n 's/^    "\(\(cub\|thrust\|cooperative_groups\)::[A-Za-z_0-9][A-Za-z_0-9]*\)",$/\1/p' \
    "$build/runtime_names.c" >"$scratch/in/declared"
{
    printf '#include <cuda_morph/%s>\n' cub.h thrust.h cooperative_groups.h
    sed 's/.*/namespace { using &; }/' "$scratch/in/declared"
} >"$scratch/in/declared.cc"
check "there are names: $(wc -l <"$scratch/in/declared")" \
    test "$(wc -l <"$scratch/in/declared")" -gt 200
"${CXX:-c++}" -std=c++17 -fsyntax-only -w -I "$top/runtime/include" "$scratch/in/declared.cc" \
    >"$out" 2>"$err"
check 'names that headers are said to declare are there' test ! -s "$err"

# Every name that the rules write for the CPU is there.
# A header for another library's users is left out where that library is not: one `#include` of a
# file that is not here would take the names of all others along.
lacking() {
    echo "#include \"$1\"" |
        "${CXX:-c++}" -std=c++17 -E -x c++ -I "$top/runtime/include" - >"$out" 2>"$err" && return
    sed -n 's|.*fatal error: \([^:]*\): No such file.*|\1|p' "$err" | grep -v '^cuda_morph/'
}
for header in "$top"/runtime/include/cuda_morph/*.h; do
    case $header in */hip_*.h | */kernel.h) continue ;; esac
    lacks=$(lacking "$header")
    if [ -n "$lacks" ]; then
        skip "the names that ${header##*/} has" "$lacks is not here"
        continue
    fi
    echo "#include \"$header\"" >>all.cc
done
"${CXX:-c++}" -std=c++17 -E -dD -I "$top/runtime/include" all.cc >"$scratch/all.i" 2>"$err"
check 'the headers can be read' test $? -eq 0
grep -oE '[A-Za-z_][A-Za-z0-9_]*' "$scratch/all.i" | sort -u >"$scratch/there"
cat "$top"/rules/cu*.json "$top"/rules/nccl.json "$top"/rules/nv*.json |
    grep -oE '"cpu": "[A-Za-z_][A-Za-z0-9_]*"' | sed 's/.*: "//; s/"//' |
    grep -vxE 'keep|manual|none' | sort -u >"$scratch/written"
check 'the rules write several hundred names' test "$(wc -l <"$scratch/written")" -gt 400
comm -23 "$scratch/written" "$scratch/there" >"$out"
check "names that libcmrt lacks: $(tr '\n' ' ' <"$out")" test ! -s "$out"
done_testing
