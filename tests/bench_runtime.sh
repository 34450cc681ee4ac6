#!/bin/sh
# bench_runtime.sh - measures libcmrt: kernels beside plain loops with OpenMP, launches, barriers.
# It prints and asserts nothing; CXX and CXXFLAGS choose how the program is compiled.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}
if ! command -v "${CXX:-c++}" >/dev/null; then
    echo 'bench: libcmrt is left out: there is no C++ compiler'
    exit
fi
mkdir -p "$build/bench"
# shellcheck disable=SC2086
"${CXX:-c++}" -std=c++17 ${CXXFLAGS:--O3 -march=native} -fopenmp -Iruntime/include \
    tests/bench/runtime.cpp "$build/libcmrt.a" -pthread -lm -o "$build/bench/runtime"
"$build/bench/runtime"
