#!/bin/sh
# `make install` puts the program, the manual page and the completions where shells and man look,
# and `make uninstall` takes all of them away.
. "${0%/*}/helper"

if ! command -v make >/dev/null || [ -n "${CUDA_MORPH-}" ]; then
    echo 'docs_install: skipped, this is not a build folder'
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
check 'the licence' cmp -s "$top/LICENSE" "$place/share/doc/cuda-morph/LICENSE"
check 'the header for HIP' cmp -s "$top/runtime/include/cuda_morph/hip_ext.h" \
    "$place/include/cuda_morph/hip_ext.h"
check 'the Python part of the runtime' test -f \
    "$place/share/cuda-morph/python/cuda_morph_rt/boot.py"
# A program with a sanitizer has a library that python3 cannot load.
if command -v python3 >/dev/null && ! grep -q __asan_init \
    "$place/lib/cuda-morph/libcudamorph.so"; then
    "$place/bin/cuda-morph" run -c 'import cuda_morph_rt; print(cuda_morph_rt.__file__)' >"$out"
    prints "$place/share/cuda-morph/python/cuda_morph_rt" 'run finds what was installed'
fi
check 'the manual page' grep -q '^\.TH CUDA' "$place/share/man/man1/cuda-morph.1"
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

done_testing
