#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# toolkit.sh - makes the folder that stands for NVIDIA's toolkit: what `cuda-morph cc` needs, and
# what build systems look for in CUDA_HOME. Its library is linked by runtime/runtime.mk.
#
#   tools/toolkit.sh DIR FINAL PROGRAM INCLUDE LIB HEADERS
#
# DIR      where it is made
# FINAL    the path that it will have (DIR without DESTDIR)
# PROGRAM  cuda-morph as it will be called, INCLUDE where the folder cuda_morph of headers will be,
#          LIB where libcmrt's plug-in will be
# HEADERS  build/toolkit_headers
set -eu
dir=$1 final=$2 program=$3 include=$4 lib=$5 headers=$6
top=$(cd "${0%/*}/.." && pwd)
table=$top/rules/data/nvcc-options.json

# link TARGET NAME: NAME below DIR leads to TARGET, by a way that stays right when the whole prefix is moved.
link() {
    way=$(realpath -ms --relative-to="$final/${2%/*}" "$1" 2>/dev/null) || way=$1
    ln -sfn "$way" "$dir/$2"
}

mkdir -p "$dir/bin" "$dir/include" "$dir/lib64" "$dir/nvvm/libdevice"
for name in nvcc cmcc cuda-morph; do link "$program" "bin/$name"; done
ln -sfn lib64 "$dir/lib"
link "$include/cuda_morph" include/cuda_morph
link "$lib/libcmrt_mpi.so" lib64/libcmrt_mpi.so
"$headers" cpu "$dir/include"
# CUDA 13 has these a folder deeper; builds copy them from there.
mkdir -p "$dir/include/cccl" "$dir/include/nv"
for name in cub cuda nv thrust; do ln -sfn "../$name" "$dir/include/cccl/$name"; done
echo 'What nvcc looks for here is not needed.' >"$dir/nvvm/libdevice/README"

# Libraries that the runtime answers are one library.
answer() { echo 'INPUT(libcmrt.so.0)' >"$dir/lib64/$1"; } # linkers look beside the file that says so
answer libcmrt.so
sed -n '/^ *"libraries": {/{s/^[^{]*{//; s/}.*//; p; q}' "$table" | tr ',' '\n' |
    sed -n 's/^ *"\([^"]*\)": "" *$/\1/p' | while read -r name; do
    case $name in
    *_static* | cudadevrt | culibos) answer "lib$name.a" ;;
    *) answer "lib$name.so" ;;
    esac
done

# Libraries of NVIDIA's toolkit that nothing answers are there for build systems, which else configure
# none of a project for the sake of one program: what calls them fails by its header, by name.
mkdir -p "$dir/nvvm/lib64" "$dir/nvvm/include"
sed -n '/^ *"unanswered": \[/{s/^[^[]*\[//; s/\].*//; p; q}' "$table" | tr ',' '\n' |
    sed -n 's/^ *"\([^"]*\)" *$/\1/p' | while read -r name; do
    echo '/* nothing: no shim answers this library */' >"$dir/lib64/lib$name.so"
done
echo '/* nothing: there is no NVVM on a processor */' >"$dir/nvvm/lib64/libnvvm.so"
echo '#error "libNVVM makes code of NVIDIA'"'"'s GPUs: cuda-morph has no answer to it for the CPU"' \
    >"$dir/nvvm/include/nvvm.h"

cat >"$dir/toolchain.cmake" <<END
# For cmake -DCMAKE_TOOLCHAIN_FILE: CUDA is compiled by cuda-morph for this machine's processor.
set(CMAKE_CUDA_COMPILER "\${CMAKE_CURRENT_LIST_DIR}/bin/nvcc" CACHE FILEPATH "")
set(CUDAToolkit_ROOT "\${CMAKE_CURRENT_LIST_DIR}" CACHE PATH "")
set(CUDA_TOOLKIT_ROOT_DIR "\${CMAKE_CURRENT_LIST_DIR}" CACHE PATH "")
END

version=$(sed -n 's/.*release [0-9.]*, V\([0-9.]*\).*/\1/p' "$table")
printf '{"cuda": {"name": "CUDA SDK", "version": "%s"}}\n' "$version" >"$dir/version.json"
