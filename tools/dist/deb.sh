#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# deb.sh STAGE DIST VERSION DATE - makes Debian packages of what `make install` put below STAGE/usr:
# cuda-morph, libcmrt0, libcmrt-dev and python3-cuda-morph-rt. DATE: seconds since 1970.
#
# They are built without debhelper, from four lists of files: what a file belongs to is said here
# and nowhere else. A file that no list names is an error.
set -eu
stage=$1 dist=$2 version=$3 date=$4
arch=$(dpkg --print-architecture)
work=$dist/deb
rm -rf "$work"
mkdir -p "$work"
cp -a "$stage/usr" "$work/usr"
trap 'rm -rf "$work"' EXIT

# Libraries of several architectures lie side by side.
triplet=$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || echo "$(uname -m)-linux-gnu")
mkdir -p "$work/usr/lib/$triplet"
mv "$work"/usr/lib/libcmrt* "$work/usr/lib/pkgconfig" "$work/usr/lib/cmake" "$work/usr/lib/$triplet"
sed -i "s|/usr/lib\$|&/$triplet|" "$work/usr/lib/$triplet/pkgconfig/cmrt.pc"
sed -i "s|/usr/lib/|&$triplet/|" "$work/usr/lib/$triplet/cmake/CUDAMorph/CUDAMorphConfig.cmake"

# The interpreter's own search path: what the ported programs import.
mkdir -p "$work/usr/lib/python3/dist-packages"
cp -a "$work/usr/share/cuda-morph/python/cuda_morph_rt" "$work/usr/lib/python3/dist-packages"
mv "$work/usr/lib/$triplet/libcmrt.so" "$work/usr/lib/$triplet/libcmrt.so.0"
ln -s libcmrt.so.0 "$work/usr/lib/$triplet/libcmrt.so"

# control NAME ARCHITECTURE SECTION DEPENDS SUMMARY: the description comes from standard input
control() {
    size=$(du -sk --apparent-size "$work/$1" | cut -f 1)
    mkdir -p "$work/$1/DEBIAN" "$work/$1/usr/share/doc/$1"
    {
        printf 'Package: %s\nVersion: %s\nArchitecture: %s\nSection: %s\n' "$1" "$version" "$2" "$3"
        printf 'Priority: optional\nMaintainer: The cuda-morph authors <maintainers@cuda-morph.example>\n'
        printf 'Installed-Size: %s\nDepends: %s\nDescription: %s\n' "$size" "$4" "$5"
        sed 's/^$/./; s/^/ /'
    } >"$work/$1/DEBIAN/control"
    {
        printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\n'
        printf 'Files: *\nCopyright: 2026 The cuda-morph authors\nLicense: Apache-2.0\n'
        printf ' On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.\n'
    } >"$work/$1/usr/share/doc/$1/copyright"
    {
        printf 'cuda-morph (%s) stable; urgency=medium\n\n  * See the project'"'"'s CHANGELOG.\n\n' "$version"
        printf ' -- The cuda-morph authors <maintainers@cuda-morph.example>  %s\n' \
            "$(date -u -R -d "@$date")"
    } | gzip -9n >"$work/$1/usr/share/doc/$1/changelog.gz"
    (cd "$work/$1" && find usr -type f ! -path '*/DEBIAN/*' -print0 | sort -z |
        xargs -0 md5sum >DEBIAN/md5sums)
    find "$work/$1" -exec touch -h -d "@$date" {} +
    dpkg-deb --root-owner-group -Zxz --build "$work/$1" "$dist/$1_${version}_$2.deb" >/dev/null
}
# take PACKAGE PATH...: moves files below usr into a package
take() {
    package=$1
    shift
    for path in "$@"; do
        mkdir -p "$work/$package/usr/${path%/*}"
        mv "$work/usr/$path" "$work/$package/usr/${path%/*}"
    done
}

take libcmrt0 "lib/$triplet/libcmrt.so.0"
printf 'activate-noawait ldconfig\n' >"$work/triggers"
mkdir -p "$work/libcmrt0/DEBIAN"
mv "$work/triggers" "$work/libcmrt0/DEBIAN/triggers"
printf 'libcmrt 0 libcmrt0 (>= %s)\n' "$version" >"$work/libcmrt0/DEBIAN/shlibs"
control libcmrt0 "$arch" libs 'libc6 (>= 2.34)' "CUDA runtime's interface on the CPU" <<'END'
Programs that cuda-morph ported to the CPU, or to the host side of a
vendor's accelerator, run on this library: memory, streams, events,
graphs and kernels.
END

take libcmrt-dev "lib/$triplet/libcmrt.a" "lib/$triplet/libcmrt.so" \
    "lib/$triplet/pkgconfig/cmrt.pc" "lib/$triplet/cmake/CUDAMorph" include/cuda_morph
# The flags that it names are the compiler's, and right.
mkdir -p "$work/libcmrt-dev/usr/share/lintian/overrides"
echo 'libcmrt-dev: pkg-config-bad-directive *' >"$work/libcmrt-dev/usr/share/lintian/overrides/libcmrt-dev"
control libcmrt-dev "$arch" libdevel "libcmrt0 (= $version)" "CUDA runtime's interface on the CPU, headers" <<'END'
Headers and static library for compiling what cuda-morph ported, with
files for pkg-config and CMake. The header for HIP that ports to ROCm
include is here, too.
END

take python3-cuda-morph-rt lib/python3/dist-packages/cuda_morph_rt
# As dh_python3 writes them: what Python compiles goes with the package.
mkdir -p "$work/python3-cuda-morph-rt/DEBIAN"
for script in postinst:py3compile prerm:py3clean; do
    program=${script#*:}
    printf '#!/bin/sh\nset -e\nif command -v %s >/dev/null 2>&1; then\n\t%s -p python3-cuda-morph-rt\nfi\n' \
        "$program" "$program" >"$work/python3-cuda-morph-rt/DEBIAN/${script%:*}"
    chmod 755 "$work/python3-cuda-morph-rt/DEBIAN/${script%:*}"
done
control python3-cuda-morph-rt all python 'python3:any' 'what Python programs ported by cuda-morph import' <<'END'
Replacements for flash_attn, xformers' attention and parts of apex, and
the small helpers that rewritten programs call. It needs PyTorch when it
is used.
END

take cuda-morph bin/cuda-morph bin/cmcc lib/cuda-morph share/cuda-morph share/man share/bash-completion \
    share/zsh share/fish share/doc/cuda-morph
rm -f "$work/cuda-morph/usr/share/doc/cuda-morph/LICENSE"
mkdir -p "$work/cuda-morph/usr/share/zsh"
mv "$work/cuda-morph/usr/share/zsh/site-functions" "$work/cuda-morph/usr/share/zsh/vendor-completions"
find "$work/cuda-morph/usr/share/cuda-morph" -name __pycache__ -prune -exec rm -rf {} +
ln -s cuda-morph-cc.1.gz "$work/cuda-morph/usr/share/man/man1/cmcc.1.gz"
# What builds take for NVIDIA's static libraries are scripts for the linker, not archives.
mkdir -p "$work/cuda-morph/usr/share/lintian/overrides"
echo 'cuda-morph: unpack-message-for-deb-data *' >"$work/cuda-morph/usr/share/lintian/overrides/cuda-morph"
control cuda-morph "$arch" devel 'libc6 (>= 2.34)' 'port CUDA code to other accelerators, source to source' <<'END'
Reads Python that uses PyTorch, CUDA C++ and project files, and writes
them for AMD ROCm, Huawei Ascend, Intel XPU, Cambricon MLU, Moore Threads
MUSA, a portable form of PyTorch, or the CPU. It accounts for every CUDA
token, and its check is a linter for what ties code to CUDA.
END

left=$(find "$work/usr" -type f -o -type l)
[ -z "$left" ] || { echo "deb.sh: in no package: $left" >&2 && exit 1; }
