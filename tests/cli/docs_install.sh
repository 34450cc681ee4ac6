#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `make install` puts the program, the manual page and the completions where shells and man look,
# and `make uninstall` takes all of them away.
. "${0%/*}/helper"

if ! command -v make >/dev/null || [ -n "${CUDA_MORPH-}" ]; then
    skip everything 'this is no build folder'
    done_testing
fi
# What was built is tested as it is: nothing is compiled anew.
mkdir "$scratch/build"
ln -s "$tool" "$scratch/build/cuda-morph"
ln -s "$(dirname "$tool")/libcudamorph.so" "$scratch/build/libcudamorph.so"
goal() {
    make -C "$top" -s -o all -o "$scratch/build/cuda-morph" -o "$scratch/build/libcudamorph.so" \
        BUILD="$scratch/build" DESTDIR="$scratch/a b" PREFIX=/opt "$@" \
        >"$out" 2>"$err" </dev/null
    status=$?
}
place="$scratch/a b/opt"

goal install
exits 0 install
silent err install
check 'the program runs' "$place/bin/cuda-morph" --version
check 'the examples' cmp -s "$top/docs/examples/reduce.cu" "$place/share/doc/cuda-morph/examples/reduce.cu"
check 'the licence' cmp -s "$top/LICENSE" "$place/share/doc/cuda-morph/LICENSE"
check 'the header for HIP' cmp -s "$top/runtime/include/cuda_morph/hip_ext.h" \
    "$place/include/cuda_morph/hip_ext.h"
check 'the Python part of the runtime' test -f \
    "$place/share/cuda-morph/python/cuda_morph_rt/boot.py"
# A program with a sanitizer has a library that python3 cannot load.
if can python3 "run, installed" && ! grep -q __asan_init \
    "$place/lib/cuda-morph/libcudamorph.so"; then
    "$place/bin/cuda-morph" run -c 'import cuda_morph_rt; print(cuda_morph_rt.__file__)' >"$out"
    prints "$place/share/cuda-morph/python/cuda_morph_rt" 'run finds what was installed'
fi
check 'the manual page' grep -q '^\.TH CUDA' "$place/share/man/man1/cuda-morph.1"
check 'the manual page of a command' grep -q '^\.TH CUDA' "$place/share/man/man1/cuda-morph-port.1"
check 'the completion for powershell' grep -q '^Register-ArgumentCompleter' \
    "$place/share/cuda-morph/completion.ps1"
for shell in bash:bash-completion/completions/cuda-morph zsh:zsh/site-functions/_cuda-morph \
    fish:fish/vendor_completions.d/cuda-morph.fish; do
    "$tool" completion "${shell%%:*}" >expected
    check "the completion for ${shell%%:*}" cmp -s expected "$place/share/${shell#*:}"
done
goal install
exits 0 'install again'
goal uninstall
exits 0 uninstall
check 'nothing is left' test -z "$(find "$scratch/a b" -type f)"
goal uninstall
exits 0 'uninstall again'

# ---- what the README and docs/cpu.md say a newcomer types, in a folder that nobody knows of ----

unset CPATH LIBRARY_PATH LD_LIBRARY_PATH CUDA_MORPH CUDA_MORPH_FLAGS
if ! command -v g++ >/dev/null || nm "$build/libcmrt.a" | grep -qE ' U __(asan|tsan)_init$'; then
    echo 'docs_install: compiling is skipped, there is no g++, or sanitizers are on'
    done_testing
fi
prefix=$scratch/prefix
goal install DESTDIR= PREFIX="$prefix"
exits 0 'install to a folder'
PATH=$prefix/bin:$PATH
tool=$prefix/bin/cuda-morph
# ported NAME.cu: NAME.cc
ported() {
    run port "$1" --target cpu
    exits 0 "port $1"
    base=${1##*/}
    cp "$out" "${base%.cu}.cc"
}
ported "$top/docs/examples/reduce.cu"
# The commands of the documents, as they stand there; cmrt.pc by its path for the folder.
for page in README.md docs/cpu.md; do
    command=$(sed -n 's/^    \(g++ .*pkg-config.*\)/\1/p' "$top/$page" | head -n 1)
    check "$page says how to compile" test -n "$command"
    printf '%s\n' "$command" |
        sed "s|libs cmrt|libs $prefix/lib/pkgconfig/cmrt.pc|; s/app/reduce/g" >command
    check "the command of $page: $command" sh ./command
    rm -f reduce
done
sh ./command >"$out" 2>"$err"
prints 1024 'the program of the README'
cmcc "$top/docs/examples/reduce.cu" -o cmcc_reduce >"$out" 2>"$err"
check 'cmcc, installed, builds a program' test "$(./cmcc_reduce 2>"$err")" = 1024
check 'C++14 is refused in words' not g++ -std=c++14 -I "$prefix/include" -c reduce.cc -o old.o
g++ -std=c++14 -I "$prefix/include" -c reduce.cc -o old.o 2>"$err"
says 'compile with -std=c++17' 'C++14 is refused in words'
# NVRTC finds the program and the headers by itself.
ported "$top/tests/compile/nvrtc_saxpy.cu"
# shellcheck disable=SC2046
check 'compile nvrtc_saxpy' g++ -std=c++17 -w nvrtc_saxpy.cc \
    $(pkg-config --cflags --libs "$prefix/lib/pkgconfig/cmrt.pc") -ldl -o nvrtc_saxpy
PATH=/usr/bin:/bin ./nvrtc_saxpy >"$out" 2>"$err"
prints PASS 'a program that uses NVRTC'
if command -v cmake >/dev/null; then
    mkdir project
    cp reduce.cc project
    cat >project/CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.10)
project(reduce CXX)
find_package(CUDAMorph REQUIRED)
add_executable(reduce reduce.cc)
target_link_libraries(reduce CUDAMorph::cmrt)
EOF
    cmake -S project -B project/build -DCMAKE_PREFIX_PATH="$prefix" >"$out" 2>"$err"
    check 'find_package(CUDAMorph)' cmake --build project/build
    project/build/reduce >"$out" 2>"$err"
    prints 1024 'what CMake has built'
fi

done_testing
