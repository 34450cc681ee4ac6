#!/bin/sh
# CUDA programs ported to the CPU, compiled with the machine's own compiler and run: each prints
# PASS when its results are those of a plain loop. With CUDA_MORPH_E2E also those of tests/compile.
. "${0%/*}/../cli/helper"

case ${BUILD:-build} in
/*) build=$BUILD ;;
*) build=$top/${BUILD:-build} ;;
esac
if ! command -v "${CXX:-c++}" >/dev/null; then
    echo 'cpu: skipped, there is no C++ compiler'
    done_testing
fi
sanitize=''
if nm "$build/libcmrt.a" 2>/dev/null | grep -q ' __asan_init$'; then
    sanitize='-fsanitize=address,undefined'
fi

# Programs of tests/compile that need what libcmrt lacks: libraries, the driver's interface.
beyond() {
    grep -qE '(cub|thrust)/|cufft|curand\.h|cusolver|cusparse|nvrtc|nvToolsExt' "$1" ||
        grep -qE 'cuda\.h|cuda_pipeline|cudaFree\(\) const' "$1"
}

# whole_way PROGRAM.cu: ported, compiled, run
whole_way() {
    base=${1##*/}
    base=${base%.cu}
    run port "$1" --target cpu
    exits 0 "port $base"
    cp "$out" "$scratch/in/$base.cc"
    # shellcheck disable=SC2086
    check "compile $base" "${CXX:-c++}" -std=c++17 -O1 -w $sanitize -I "$top/runtime/include" \
        -I "${1%/*}" "$scratch/in/$base.cc" "$build/libcmrt.a" -pthread -lm -o "$scratch/in/$base"
    timeout 60 "$scratch/in/$base" >"$out" 2>"$err"
    prints PASS "run $base"
}

for program in "$top"/tests/cpu/*.cu; do
    whole_way "$program"
done
# Every name that the rules write for the CPU is there.
for header in "$top"/runtime/include/cuda_morph/*.h; do
    case $header in */hip_ext.h | */kernel.h) continue ;; esac
    echo "#include \"$header\""
done >all.cc
"${CXX:-c++}" -std=c++17 -E -dD -I "$top/runtime/include" all.cc | grep -oE '[A-Za-z_][A-Za-z0-9_]*' |
    sort -u >"$scratch/there"
cat "$top"/rules/cu*.json "$top"/rules/nccl.json |
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
