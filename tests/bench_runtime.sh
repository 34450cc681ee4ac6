#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bench_runtime.sh - measures libcmrt: kernels beside plain loops with OpenMP, launches, barriers;
# what a call costs (ABOVE: more than 200 ns); then the kernels of tests/bench/kernels.cu, ported.
# With HIP_CPU=DIR, a copy of HIP-CPU (which needs TBB), the same kernels ported to HIP run on it,
# too, turn about; medians are compared.
# It prints and asserts nothing; CXX and CXXFLAGS choose how the programs are compiled.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}
if ! command -v "${CXX:-c++}" >/dev/null; then
    echo 'bench: libcmrt is left out: there is no C++ compiler'
    exit
fi
flags="-std=c++17 ${CXXFLAGS:--O3 -march=native -fno-math-errno -fno-trapping-math}"
bench=$build/bench
mkdir -p "$bench"
# shellcheck disable=SC2086
"${CXX:-c++}" $flags -fopenmp -Iruntime/include tests/bench/runtime.cpp "$build/libcmrt.a" \
    -pthread -lm -o "$bench/runtime"
"$bench/runtime"
"${CC:-cc}" -std=c11 -D_GNU_SOURCE -O2 -Iruntime/include tests/bench/calls.c "$build/libcmrt.a" \
    -pthread -lm -ldl -o "$bench/calls"
"$bench/calls" 200 || :

"$build/cuda-morph" port -q tests/bench/loops.cu --target cpu >"$bench/loops.cc"
# shellcheck disable=SC2086
"${CXX:-c++}" $flags -fopenmp -w -Iruntime/include "$bench/loops.cc" "$build/libcmrt.a" -pthread \
    -lm -o "$bench/loops"
echo 'kernels and plain loops, processor time in milliseconds, and how many times the latter:'
CUDA_MORPH_THREADS=1 OMP_NUM_THREADS=1 "$bench/loops"

"$build/cuda-morph" port -q tests/bench/kernels.cu --target cpu >"$bench/kernels.cc"
# shellcheck disable=SC2086
"${CXX:-c++}" $flags -w -Iruntime/include "$bench/kernels.cc" "$build/libcmrt.a" -pthread -lm \
    -o "$bench/kernels"
if [ -z "${HIP_CPU:-}" ]; then
    echo 'kernels, in milliseconds (HIP_CPU=DIR compares with HIP-CPU):'
    "$bench/kernels"
    exit
fi
"$build/cuda-morph" port -q tests/bench/kernels.cu --target rocm --launch-syntax function \
    >"$bench/kernels_hip.cc"
# shellcheck disable=SC2086
"${CXX:-c++}" $flags -w -I"$HIP_CPU/include" "$bench/kernels_hip.cc" -ltbb -pthread \
    -o "$bench/kernels_hip"
for _ in 1 2 3; do
    "$bench/kernels" | sed 's/^/ours /'
    "$bench/kernels_hip" | sed 's/^/hip /'
done | sort -k2,2 -k1,1 -k3,3n | awk '
    { n[$2 $1]++; if (n[$2 $1] == 2) { took[$2 $1] = $3; if ($1 == "ours") names[++count] = $2 } }
    END {
        print "kernel          ours, ms   HIP-CPU, ms   times faster"
        for (i = 1; i <= count; i++) {
            k = names[i]; ratio = took[k "hip"] / took[k "ours"]
            printf "%-14s %9.3f %13.3f %14.2f\n", k, took[k "ours"], took[k "hip"], ratio
            if (k !~ /^launch/) { sum += log(ratio); kernels++ }
        }
        printf "geometric mean of the %d kernels: %.2f\n", kernels, exp(sum / kernels)
    }'
