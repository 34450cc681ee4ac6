#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# libcmrt: the programs of tests/runtime, compiled as users compile theirs, and what it exports.
# With the library's own sanitizers. THOROUGH=1 tries more compilers and settings.
. "${0%/*}/../cli/helper"

sanitize=''
if nm "$build/libcmrt.a" 2>/dev/null | grep -q ' __tsan_init$'; then
    sanitize=-fsanitize=thread
elif nm "$build/libcmrt.a" 2>/dev/null | grep -q ' U __asan_init$'; then
    sanitize='-fsanitize=address,undefined'
fi
sources=$top/tests/runtime
include=$top/runtime/include
CUDA_MORPH_DEVICES=2
TSAN_OPTIONS=halt_on_error=1
export CUDA_MORPH_DEVICES TSAN_OPTIONS
unset CUDA_VISIBLE_DEVICES

needs c++

# compile PROGRAM SOURCE COMPILER FLAGS...
compile() {
    program=$1 source=$2
    shift 2
    # shellcheck disable=SC2086
    "$@" -Wall -Wextra -Werror $sanitize -I "$include" "$source" "$build/libcmrt.a" -pthread -lm \
        -o "$scratch/$program" >"$out" 2>"$err"
}

# try PROGRAM [VARIABLE=VALUE...]: runs it, at most a minute
try() {
    program=$1
    shift
    env "$@" timeout 60 "$scratch/$program" >"$out" 2>"$err"
}

# Which headers a program in C can include: what `port` knows of it stands in a list of words.
for header in "$include"/cuda_morph/*.h; do
    path=cuda_morph/${header##*/} found=C++
    printf '#include <%s>\nint main(void) { return 0; }\n' "$path" >"$scratch/header.c"
    ${CC:-cc} -std=c99 -D_GNU_SOURCE -I "$include" -idirafter "$top/tests/hip_ext/roctx" \
        -fsyntax-only "$scratch/header.c" 2>"$err" && found=C
    listed=C++
    sed -n '/"cuda.c_headers"/,/\]/p' "$top/rules/words.json" | grep -qF "\"$path\"" && listed=C
    check "$path is $found, and is listed as $listed" test "$found" = "$listed"
done

# Programs that draw bring X11's macros along, which have such names.
{
    printf '#define %s\n' 'Status int' 'Bool int' 'None 0L' 'True 1' 'False 0' 'Success 0' 'Always 2' \
        'Complex 0' 'Convex 2' 'Above 0' 'Below 1' 'Unsorted 0'
    for header in "$include"/cuda_morph/*.h; do
        case $header in */hip_* | */aten*.h) ;; *) echo "#include <cuda_morph/${header##*/}>" ;; esac
    done
} >"$scratch/x11.cpp"
check "headers behind X11's macros" ${CXX:-c++} -std=c++17 -fsyntax-only -I "$include" "$scratch/x11.cpp"

# CUDA's headers may be included within extern "C", and so may what a port includes in their place.
wrapped() {
    { echo 'extern "C" {'; printf '#include <cuda_morph/%s>\n' "$@"; echo '}'; } >"$scratch/wrapped.cpp"
}
wrapped cuda.h driver.h cub.h thrust.h blaslt.h fft.h rand.h sparse.h solver.h fp8.h mma.h comm.h
check 'headers for the CPU in extern "C"' ${CXX:-c++} -std=c++17 -fsyntax-only -I "$include" \
    "$scratch/wrapped.cpp"
wrapped sycl/driver.hpp sycl/cub.hpp sycl/thrust.hpp sycl/blaslt.hpp sycl/fft.hpp sycl/rand.hpp sycl/sparse.hpp
check 'headers for SYCL in extern "C"' ${CXX:-c++} -std=c++17 -fsyntax-only -w -I "$include" \
    -DCUDA_MORPH_SYCL_STAND_IN -I "$include/../../tests/sycl/include" "$scratch/wrapped.cpp"

for cc in ${CC:-cc} ${THOROUGH:+clang}; do
    command -v "$cc" >/dev/null || continue
    check "api.c with $cc" compile api "$sources/api.c" "$cc" -std=c11 -D_GNU_SOURCE -O1 -g
    check "api with $cc" try api
    check "api with $cc, one thread" try api CUDA_MORPH_THREADS=1
    check "comm.c with $cc" compile comm "$sources/comm.c" "$cc" -std=c11 -D_GNU_SOURCE -O1 -g
    check "comm with $cc" try comm
    check "allocations.c with $cc" compile allocations "$sources/allocations.c" "$cc" -std=c11 \
        -O1 -g
    check "allocations with $cc" try allocations
done
for cxx in "${CXX:-c++} -O1" ${THOROUGH:+"${CXX:-c++} -O3"} ${THOROUGH:+"clang++ -O2"}; do
    command -v "${cxx%% *}" >/dev/null || continue
    # shellcheck disable=SC2086
    {
        check "kernels.cpp with $cxx" compile kernels "$sources/kernels.cpp" $cxx -std=c++17 -g
        check "kernels with $cxx" try kernels
        check "kernels with $cxx, 64 lanes" try kernels CUDA_MORPH_WARP_SIZE=64
        check "kernels with $cxx, 5 threads" try kernels CUDA_MORPH_THREADS=5
        for source in "$sources"/more_*.cpp; do
            [ -f "$source" ] || continue
            base=${source##*/}
            check "$base with $cxx" compile "${base%.cpp}" "$source" $cxx -std=c++17 -g
            check "${base%.cpp} with $cxx" try "${base%.cpp}"
        done
    }
done

if [ -z "$sanitize" ]; then
    check bad_access.cpp compile bad_access "$sources/bad_access.cpp" "${CXX:-c++}" -std=c++17 -O2
    check 'bad access in checked mode' try bad_access CUDA_MORPH_CHECK=1
    prints cmErrorIllegalAddress 'bad access'
    says 'block (4, 0, 0), thread (0, 0, 0)' 'bad access names its place'
    says beyond 'bad access names the kernel'
    for how in write:before free:freed; do
        env CUDA_MORPH_CHECK=1 timeout 60 "$scratch/bad_access" "${how%%:*}" >"$out" 2>"$err"
        status=$?
        exits 0 "bad access in checked mode: $how"
        says "kernel ${how#*:}, block (0, 0, 0), thread (" "bad access: $how"
    done
    says 'thread (0, 0, 0)' 'use of freed memory names the thread'
    # Without checks: one line, then what the signal does; a program's own handler comes first.
    (
        ulimit -c 0
        timeout 60 "$scratch/bad_access" go-wild
        exit $? # else the shell outside tells of the signal
    ) >"$out" 2>"$err"
    status=$?
    exits 139 'a wild store'
    says 'cuda-morph: kernel wild, block (2, 0, 0): bad access to address 0x' 'a wild store'
    says 'run it with CUDA_MORPH_CHECK=1' 'a wild store'
    check 'a wild store: the line is said once' test "$(grep -c cuda-morph "$err")" = 1
    timeout 60 "$scratch/bad_access" handler >"$out" 2>"$err"
    status=$?
    exits 7 'a wild store in a program with a handler'
    check 'a wild store in a program with a handler: nothing of ours' not grep -q cuda-morph "$err"
    check 'kernels in checked mode' try kernels CUDA_MORPH_CHECK=1
    # Ten times what `make bench-runtime` asks for: a machine under load is none of our business.
    check calls.c compile calls "$top/tests/bench/calls.c" "${CC:-cc}" -std=c11 -D_GNU_SOURCE -O2
    check "calls are cheap: $(grep ABOVE "$out")" timeout 60 "$scratch/calls" 2000
    nm -D --defined-only "$build/libcmrt.so" | awk '{print $3}' | grep -v '^cm[A-Z]' >"$out"
    check 'libcmrt.so exports only cm*' test ! -s "$out"
fi
sh "$top/tests/cycles.sh" "$build/libcmrt.a" >"$out"
check 'no files of libcmrt need each other in a circle' test ! -s "$out"
done_testing
