#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# packages.sh - what `make dist` makes is installed, each kind in a folder of its own and without
# network, and used there: port, check, run, a CUDA program on the CPU. See docs/packages.md.
#
#   BUILD=DIR tests/packages.sh     takes what is in build/dist; makes what is not there
#
# With THOROUGH=1 the sources' archive is built with nothing from a registry, and all is made a
# second time in another folder: the checksums have to be the same.
set -u
top=$(cd "${0%/*}/.." && pwd)
name=packages
. "$top/tests/helper"
cd "$top" || exit 2
needs git python3
dist=$top/build/dist
version=$(sed -n 's/^#define CM_VERSION "\(.*\)"$/\1/p' src/cudamorph.h)
rm -f "$dist"/*.tar.xz "$dist"/*.tgz "$dist"/*.deb "$dist"/*.whl "$dist"/*.json
tools/dist/dist.sh >"$out" 2>"$err"
check 'all kinds are made' test $? -eq 0
for file in "cuda-morph-$version.tar.xz" "cuda-morph-$version-linux-*64.tar.xz" \
    "cuda-morph-$version-linux-*-static.tar.xz" "cuda-morph_${version}_*.deb" \
    "libcmrt0_${version}_*.deb" "libcmrt-dev_${version}_*.deb" "python3-cuda-morph-rt_${version}_all.deb" \
    "cuda_morph-$version-py3-none-manylinux_*.whl" "cuda-morph-$version-npm-*.tgz" \
    "cuda-morph-$version.spdx.json"; do
    # shellcheck disable=SC2086
    check "$file" test -s "$(echo "$dist"/$file)"
done
for recipe in cuda-morph.rb meta.yaml; do
    check "$recipe has version and checksum" grep -q "$(sha256sum "$dist/cuda-morph-$version.tar.xz" | cut -d ' ' -f 1)" \
        "$dist/$recipe"
    check "$recipe: nothing is left to fill in" not grep -q '@[A-Z0-9]*@' "$dist/$recipe"
done
printf 'packages: KB:' # what docs/packages.md says of sizes
(cd "$dist" && for file in *.tar.xz *.deb *.whl *.tgz; do printf ' %s %s;' "$file" $(($(wc -c <"$file") / 1000)); done)
echo
check 'the checksums' sh -c "cd '$dist' && sha256sum --quiet -c SHA256SUMS"
check 'the changes begin with this version' test \
    "$(sed -n 's/^## \([0-9.]*\).*/\1/p' CHANGELOG.md | head -n 1)" = "$version"

# works KIND PROGRAM: what needs the program alone
works() {
    kind=$1 program=$2
    "$program" --version --verbose >"$out" 2>"$err"
    check "$kind: the version" grep -qx "cuda-morph $version" "$out"
    check "$kind: the licences" grep -q 'tree-sitter' "$out"
    "$program" port docs/examples/quickstart.py --target ascend >"$out" 2>"$err"
    check "$kind: port" grep -q 'torch.npu.is_available' "$out"
    "$program" check docs/examples/quickstart.py --no-cache >"$out" 2>"$err"
    check "$kind: check" test $? -eq 1
}
# runs KIND PROGRAM PC: what needs the parts beside it, too
runs() {
    works "$1" "$2"
    "$2" run --target cpu -c 'import cuda_morph_rt; print(6 * 7)' >"$out" 2>"$err"
    check "$1: run" grep -qx 42 "$out"
    can c++ "$1: a program on the CPU" || return
    "$2" port docs/examples/reduce.cu --target cpu >"$scratch/reduce.cc" 2>"$err"
    # shellcheck disable=SC2046
    ${CXX:-c++} -std=c++17 -O1 "$scratch/reduce.cc" $(pkg-config --cflags --libs "$3") \
        -o "$scratch/reduce" >"$out" 2>"$err" && "$scratch/reduce" >"$out" 2>"$err"
    check "$1: a program on the CPU" grep -qx 1024 "$out"
    rm -f "$scratch/reduce"
    "${2%/*}/cmcc" docs/examples/reduce.cu -o "$scratch/reduce" >"$out" 2>"$err" && "$scratch/reduce" >"$out" 2>>"$err"
    check "$1: cmcc" grep -qx 1024 "$out"
    "${2%/*}/cuda-morph" env --target cpu >"$scratch/env" 2>"$err"
    (eval "$(cat "$scratch/env")" && "$NVCC" --version) >"$out" 2>"$err"
    check "$1: the nvcc of cuda-morph env" grep -q 'release' "$out"
    can cmake "$1: a program by CMake" || return
    mkdir "$scratch/project"
    cp docs/examples/reduce.cu "$scratch/project"
    printf '%s\n' 'cmake_minimum_required(VERSION 3.18)' 'project(reduce LANGUAGES CXX CUDA)' \
        'add_executable(reduce reduce.cu)' >"$scratch/project/CMakeLists.txt"
    cmake -S "$scratch/project" -B "$scratch/project/b" -DCMAKE_CUDA_COMPILER="${2%/*}/cmcc" >"$out" 2>"$err" &&
        cmake --build "$scratch/project/b" >"$out" 2>>"$err" && "$scratch/project/b/reduce" >"$out" 2>>"$err"
    check "$1: a program by CMake" grep -qx 1024 "$out"
    rm -r "$scratch/project"
}

mkdir "$scratch/tar" "$scratch/static" "$scratch/deb"
tar -C "$scratch/tar" -xf "$(echo "$dist/cuda-morph-$version"-linux-*64.tar.xz)" --strip-components=1
runs tar "$scratch/tar/bin/cuda-morph" "$scratch/tar/lib/pkgconfig/cmrt.pc"
tar -C "$scratch/static" -xf "$(echo "$dist"/*-static.tar.xz)" --strip-components=1
works static "$scratch/static/cuda-morph"
check 'static: it needs no library' sh -c "! ldd '$scratch/static/cuda-morph'"

# docs/ci.md's hook that takes the wheel: nothing is compiled, and the first run takes seconds.
hook_of_wheel() {
    if ! command -v pre-commit >/dev/null || ! command -v git >/dev/null; then
        skip "wheel: pre-commit's hook" 'pre-commit is not here (Debian: pre-commit)'
        return
    fi
    mkdir "$scratch/hooked"
    sed -n '/^- repo: local/,/^```$/p' docs/ci.md | grep -v '^```' | sed '1i repos:' \
        >"$scratch/hooked/.pre-commit-config.yaml"
    check "wheel: docs/ci.md's version" grep -q "cuda-morph==$version" "$scratch/hooked/.pre-commit-config.yaml"
    (
        cd "$scratch/hooked" && git init -q . &&
            printf 'import torch\nx = torch.zeros(2).cuda()\n' >a.py && git add . &&
            before=$(date +%s) &&
            PRE_COMMIT_HOME=$scratch/hooks PIP_NO_INDEX=1 PIP_FIND_LINKS=$dist \
                pre-commit run --all-files >"$out" 2>"$err"
        echo "packages: the hook's first run took $(($(date +%s) - before)) s"
    )
    check 'wheel: the hook finds what is there' grep -q 'a.py:2:20: error' "$out"
}

if python3 -m venv "$scratch/venv" >"$out" 2>"$err"; then
    "$scratch/venv/bin/pip" install -q --no-index --disable-pip-version-check "$dist"/*.whl \
        >"$out" 2>"$err"
    check 'wheel: pip installs it' test $? -eq 0
    runs wheel "$scratch/venv/bin/cuda-morph" "$scratch/venv/lib/pkgconfig/cmrt.pc"
    "$scratch/venv/bin/python" -c 'import cuda_morph_rt' >"$out" 2>"$err"
    check 'wheel: ported programs find the package' test $? -eq 0
    hook_of_wheel
    "$scratch/venv/bin/pip" uninstall -q -y cuda-morph >"$out" 2>"$err"
    find "$scratch/venv" -name '*cuda*' ! -path '*/pip/*' >"$out"
    check 'wheel: nothing stays' test ! -s "$out"
else
    skip wheel 'python3 -m venv does not work here (Debian: python3-venv)'
fi

if command -v npm >/dev/null; then
    npm install --silent --offline --prefix "$scratch/npm" "$dist"/*.tgz >"$out" 2>"$err"
    runs npm "$scratch/npm/node_modules/.bin/cuda-morph" \
        "$scratch/npm/node_modules/cuda-morph/lib/pkgconfig/cmrt.pc"
else
    skip npm 'npm is not here'
fi

if command -v dpkg-deb >/dev/null; then
    for package in "$dist"/*.deb; do dpkg-deb -x "$package" "$scratch/deb"; done
    works deb "$scratch/deb/usr/bin/cuda-morph"
    check 'deb: the link to the library' sh -c "test -e '$scratch'/deb/usr/lib/*/libcmrt.so"
    check 'deb: what Python programs import' test -e \
        "$scratch/deb/usr/lib/python3/dist-packages/cuda_morph_rt/__init__.py"
    if command -v lintian >/dev/null; then
        lintian --fail-on error,warning "$dist"/*.deb >"$out" 2>"$err"
        check 'deb: lintian' test $? -eq 0
    else
        skip 'deb: lintian' 'lintian is not here (Debian: lintian)'
    fi
fi

if [ -n "${THOROUGH-}" ]; then
    tar -C "$scratch" -xf "$dist/cuda-morph-$version.tar.xz"
    mkdir "$scratch/bin" # a system without node and npm
    for program in node npm; do printf '#!/bin/sh\nexit 1\n' >"$scratch/bin/$program"; done
    chmod +x "$scratch"/bin/*
    (cd "$scratch/cuda-morph-$version" && PATH=$scratch/bin:$PATH make -s INSTALL=no all) >"$out" 2>"$err"
    works source "$scratch/cuda-morph-$version/build/cuda-morph"
    cp "$dist/SHA256SUMS" "$scratch/first"
    git clone -q "$top" "$scratch/again/deeper"
    cp -a grammars/node_modules "$scratch/again/deeper/grammars"
    (cd "$scratch/again/deeper" && tools/dist/dist.sh) >"$out" 2>"$err"
    cp "$scratch/again/deeper/build/dist/SHA256SUMS" "$out"
    check 'made twice: the same to the byte' cmp -s "$scratch/first" "$out"
fi
done_testing
