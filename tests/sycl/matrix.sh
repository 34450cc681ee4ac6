#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# CUDA programs that check themselves, ported with --target xpu --kernels sycl: each of
# tests/compile and tests/cpu runs and is right, or the port says what of it stays for a human.
#
# It runs on a stand-in for SYCL (include/sycl/sycl.hpp: fibers, sub-groups of 32), or, where ACPP
# names the folder that AdaptiveCpp is installed in, on that: --acpp-targets=omp.library-only.
# What is undefined in SYCL a program says in its first lines:
#   // sycl: REASON
# One that is to be right as DPC++ compiles it, too, whose cuBLAS is oneMKL's or a kernel:
#   // sycl, onemkl: REASON
# (there include/oneapi/math.hpp declares what it does not call).
#
# Variables: ACPP=DIR, ONLY="PATTERN..." of programs' names, WHOLE=1: none of them may stay for a
# human.
. "${0%/*}/../cli/helper"
needs c++
set -f # patterns are for the names of programs

right=0
announced=0

# compiled PROGRAM.cu: in/NAME.cc becomes in/NAME
compiled() {
    # shellcheck disable=SC2086
    set -- -std=c++17 -O1 -w $flags -I "$top/runtime/include" -I "${1%/*}" "in/$base.cc" \
        -o "in/$base"
    if [ -n "${ACPP:-}" ]; then
        check "compile $base" "$ACPP/bin/acpp" --acpp-targets=omp.library-only "$@"
    else
        # shellcheck disable=SC2086
        check "compile $base" ${CXX:-c++} -DCUDA_MORPH_SYCL_STAND_IN \
            -I "$top/tests/sycl/include" "$@"
    fi
}

whole() {
    run port "$1" --target xpu --kernels sycl
    check "port $base: status $status" test "$status" -eq 0
    if grep -q ': manual: ' "$err"; then
        check "$base is ported whole" test -z "${WHOLE:-}"
        announced=$((announced + 1))
        return
    fi
    cp "$out" "in/$base.cc"
    for header in $(find "${1%/*}" -maxdepth 1 -name '*.cuh'); do # what its programs include
        "$tool" port "$header" --target xpu --kernels sycl -q >"in/${header##*/}"
    done
    flags=
    ! grep -q nccl "$1" || flags="-I $top/tests/sycl/include/oneccl -pthread"
    if grep -q cusolver "$1" && ! can lapack "$base"; then return; fi
    if ! grep -q cufft "$1" || can fftw "$base"; then runs "$1"; fi
    grep -q '^// sycl, onemkl: ' "$1" || return 0
    flags="-DCUDA_MORPH_SYCL_ONEMKL -I $top/tests/sycl/include/onemkl"
    runs "$1"
}

# runs PROGRAM.cu: in/NAME.cc with $flags
runs() {
    compiled "$1"
    [ -x "in/$base" ] || return
    grep -q PASS "$1" || return # it is there to be compiled
    timeout "${LIMIT:-60}" "in/$base" >"$out" 2>"$err"
    status=$?
    prints PASS "run $base"
    exits 0 "run $base"
    [ "$status" -ne 0 ] || right=$((right + 1))
    rm -f "in/$base"
}

cd "$scratch" || exit 2
find "$top/tests/compile" "$top/tests/cpu" -name '*.cu' | sort >programs
while read -r program; do
    base=${program##*/}
    base=${base%.cu}
    if [ -n "${ONLY:-}" ]; then
        chosen=''
        # shellcheck disable=SC2254
        for pattern in $ONLY; do case $base in $pattern) chosen=1 ;; esac done
        [ -n "$chosen" ] || continue
    fi
    grep -qE '^// (sycl|cpu): ' "$program" || [ "$base" = beyond ] || whole "$program"
done <programs
echo "$name: $right programs run and are right, $announced are announced"
done_testing
