#!/bin/sh
# CUDA programs ported to the CPU, compiled with the machine's own compiler and run: each prints
# PASS when its results are those of a plain loop. With CUDA_MORPH_E2E also those of tests/compile.
. "${0%/*}/../cli/helper"

if ! command -v "${CXX:-c++}" >/dev/null; then
    echo 'cpu: skipped, there is no C++ compiler'
    done_testing
fi
sanitize=''
if nm "$build/libcmrt.a" 2>/dev/null | grep -q ' U __asan_init$'; then
    sanitize='-fsanitize=address,undefined'
fi

# nvrtc programs port and compile kernels while they run.
export CUDA_MORPH="$build/cuda-morph" CUDA_MORPH_FLAGS="-I$top/runtime/include"

# A program of tests/compile that does not run on the CPU says why in its first lines:
#   // cpu: REASON
# A library that the machine lacks: only the programs that need it are skipped.
beyond() {
    reason=$(sed -n 's|^// cpu: ||p' "$1")
    if [ -z "$reason" ] && grep -q 'cufft' "$1"; then
        ldconfig -p | grep -q 'libfftw3f.so.3 ' ||
            reason='FFTW is missing: apt-get install libfftw3-single3 libfftw3-double3'
    fi
    if [ -z "$reason" ] && grep -q 'cusolver' "$1"; then
        ldconfig -p | grep -qE 'lib(lapack|openblas)' ||
            reason='LAPACK is missing: apt-get install liblapack3'
    fi
    [ -n "$reason" ] && echo "cpu: ${1##*/} is skipped: $reason"
}

# whole_way PROGRAM.cu: ported, compiled, run
whole_way() {
    base=${1##*/}
    base=${base%.cu}
    run port "$1" --target cpu
    exits 0 "port $base"
    cp "$out" "$scratch/in/$base.cc"
    for header in "${1%/*}"/*.cuh; do # what programs of that folder include
        [ -f "$header" ] && "$tool" port "$header" --target cpu -q >"$scratch/in/${header##*/}"
    done
    # shellcheck disable=SC2086
    check "compile $base" "${CXX:-c++}" -std=c++17 -O1 -fstrict-aliasing -w $sanitize -I "$top/runtime/include" \
        -I "${1%/*}" "$scratch/in/$base.cc" "$build/libcmrt.a" -pthread -rdynamic -lm \
        -o "$scratch/in/$base"
    timeout 60 "$scratch/in/$base" >"$out" 2>"$err"
    prints PASS "run $base"
}

for program in "$top"/tests/cpu/*.cu; do
    case $program in */beyond.cu) ;; *) whole_way "$program" ;; esac
done
# Some of the libraries' shims; the others with CUDA_MORPH_E2E.
for shim in cublas_level3 cufft_2d_batched thrust_sets cub_block_items; do
    program=$top/tests/compile/$shim.cu
    beyond "$program" || whole_way "$program"
done

# both_tiers PROGRAM.cu: kernels as loops and as fibers compute the same, bit for bit, with warps of
# 32 and of 64
both_tiers() {
    base=${1##*/}
    base=${base%.cu}
    # shellcheck disable=SC2086
    check "compile $base as fibers" "${CXX:-c++}" -std=c++17 -O1 -fstrict-aliasing -w $sanitize -DCUDA_MORPH_FIBERS \
        -I "$top/runtime/include" -I "${1%/*}" "$scratch/in/$base.cc" "$build/libcmrt.a" \
        -pthread -lm -o "$scratch/in/$base.fibers"
    for warp in 32 64; do
        CUDA_MORPH_WARP_SIZE=$warp timeout 100 "$scratch/in/$base" >"$scratch/loops" 2>"$err"
        CUDA_MORPH_WARP_SIZE=$warp timeout 100 "$scratch/in/$base.fibers" >"$out" 2>"$err"
        check "$base: loops and fibers differ with warps of $warp" cmp "$scratch/loops" "$out"
    done
}
both_tiers "$top/tests/cpu/tiers.cu"
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

# Written for warps of 32, they go wrong where warps have 64 lanes, and check had said so.
for base in matvec_warp warp_match warp_votes; do
    whole_way "$top/tests/compile/$base.cu"
    CUDA_MORPH_WARP_SIZE=64 timeout 60 "$scratch/in/$base" >"$out" 2>"$err"
    check "$base goes wrong with warps of 64" not grep -q PASS "$out"
    run check "$top/tests/compile/$base.cu" --target rocm --select cuda-silent --format concise
    prints 'cuda-silent/' "check says of $base that it counts on 32 lanes"
done
# Every name that the rules write for the CPU is there.
for header in "$top"/runtime/include/cuda_morph/*.h; do
    case $header in */hip_*.h | */kernel.h) continue ;; esac
    echo "#include \"$header\""
done >all.cc
"${CXX:-c++}" -std=c++17 -E -dD -I "$top/runtime/include" all.cc | grep -oE '[A-Za-z_][A-Za-z0-9_]*' |
    sort -u >"$scratch/there"
cat "$top"/rules/cu*.json "$top"/rules/nccl.json "$top"/rules/nv*.json |
    grep -oE '"cpu": "[A-Za-z_][A-Za-z0-9_]*"' | sed 's/.*: "//; s/"//' |
    grep -vxE 'keep|manual|none' | sort -u >"$scratch/written"
check 'the rules write several hundred names' test "$(wc -l <"$scratch/written")" -gt 400
comm -23 "$scratch/written" "$scratch/there" >"$out"
check "names that libcmrt lacks: $(tr '\n' ' ' <"$out")" test ! -s "$out"

if [ -n "${CUDA_MORPH_E2E:-}" ]; then
    for program in "$top"/tests/compile/*.cu; do
        [ -f "$program" ] && ! beyond "$program" && whole_way "$program"
    done
fi
done_testing
