#!/bin/sh
# What cuda_morph/hip_ext.h computes on waves of 32 and of 64 lanes, emulated by threads of the
# host (tests/hip_ext). It needs a C++ compiler (CXX, default c++) and is skipped without one.
# `make test-compile` compiles the header for the GPUs.
cd "${0%/*}/../.." || exit 2
CXX=${CXX:-c++}

if ! echo '#include <cstdio>' | $CXX -x c++ -fsyntax-only - 2>/dev/null; then
    echo "hip_ext: skipped, no C++ compiler ($CXX)"
    echo 'hip_ext: 0 passed, 0 failed'
    exit 0
fi
scratch=$(mktemp -d "${TMPDIR:-/tmp}/cm-hip-ext.XXXXXX") || exit 2
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
passed=0
failed=0
for lanes in 32 64; do
    if $CXX -std=c++11 -O1 -Wall -Wextra -Werror "-DWAVE=$lanes" -Itests/hip_ext \
        -Iruntime/include \
        -o "$scratch/lanes" tests/hip_ext/lanes.cpp -pthread && timeout 60 "$scratch/lanes"; then
        passed=$((passed + 1))
    else
        echo "hip_ext: FAILED: waves of $lanes lanes" >&2
        failed=$((failed + 1))
    fi
done
echo "hip_ext: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
