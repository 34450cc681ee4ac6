#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# dist.sh - makes what people install, from one staged `make install`. See docs/packages.md.
#
#   tools/dist/dist.sh [source|tar|static|deb|wheel|npm|sbom|recipes|windows]...
#
# The default is all of them but `windows`, which wants gcc-mingw-w64-x86-64 and zip.
#
# They come to build/dist, with SHA256SUMS. All dates are that of the last commit (or of
# SOURCE_DATE_EPOCH), all orders are sorted and no path of this machine is inside: made twice, in
# two folders, with the same compiler, the files are the same to the byte. PCRE2 and cJSON are
# linked statically: the program needs libc alone. Their sources, where this system has no static
# library, are Debian's. `static` wants musl-gcc (Debian: musl-tools).
# Exit status: 0 all were made, 1 one could not be, which is named.
set -eu
cd "$(dirname "$0")/../.."
top=$PWD
dist=$top/build/dist
stage=$dist/stage # with /usr in it, as of a system's packages
moved=$dist/moved # what is in /usr, for any folder
version=$(sed -n 's/^#define CM_VERSION "\(.*\)"$/\1/p' src/cudamorph.h)
machine=$(uname -m)
name=cuda-morph-$version
date=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || cat .date)}
export SOURCE_DATE_EPOCH="$date" LC_ALL=C TZ=UTC
umask 022

say() { printf 'dist: %s\n' "$*" >&2; }
fail() {
    say "$*"
    exit 1
}
want() { command -v "$1" >/dev/null || tools/install.sh dist "$2" || fail "$1 is needed"; }

# tar_of FILE.tar.xz|tgz DIR MEMBER...: an archive in which nothing tells who made it, and when
tar_of() {
    file=$1 folder=$2
    shift 2
    case $file in
    *.xz) packer='xz -9e -T1' ;;
    *) packer='gzip -9n' ;;
    esac
    (cd "$folder" && tar --sort=name --mtime="@$date" --owner=0 --group=0 --numeric-owner \
        --mode=u+rw,go+r,go-w --format=ustar -cf - "$@") | $packer >"$file"
}

# ---- what is packed ----

# source_of NAME: the folder of a Debian source package
source_of() {
    sources=$dist/sources
    mkdir -p "$sources"
    if ! ls -d "$sources/$1"-*/ >/dev/null 2>&1; then
        # The machine's own lists name binary packages; the same places have the sources.
        cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
            sed -n 's/^deb /deb-src /p' >"$sources/list"
        sed -n '/^Types:/!p; s/^Types:.*/Types: deb-src/p' /etc/apt/sources.list.d/*.sources \
            >"$sources/list.sources" 2>/dev/null || :
        mkdir -p "$sources/parts" "$sources/lists"
        mv "$sources/list" "$sources/parts/all.list"
        mv "$sources/list.sources" "$sources/parts/all.sources"
        # The newest that the mirror has.
        apt() {
            program=$1
            shift
            "$program" -q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$sources/parts" \
                -o Dir::State::lists="$sources/lists" -o APT::Sandbox::User=root "$@"
        }
        want dpkg-source dpkg-dev
        (cd "$sources" && apt apt-get update && for is in $(apt apt-cache showsrc --only-source "$1" |
            sed -n 's/^Version: //p' | sort -ruV); do
            apt apt-get source "$1=$is" && exit
        done && exit 1) >"$dist/log" 2>&1 ||
            { tail -n 5 "$dist/log" >&2 && fail "the source of $1 could not be had"; }
    fi
    ls -d "$sources/$1"-*/ | head -n 1
}
# static_library NAME CC: its path; the system's own for CC=cc, where there is one
static_library() {
    for folder in "/usr/lib/$(uname -m)-linux-gnu" /usr/lib64 /usr/lib; do
        [ "$2" != cc ] || [ ! -f "$folder/lib$1.a" ] || { echo "$folder/lib$1.a" && return; }
    done
    library=$dist/lib/$2/lib$1.a
    [ ! -f "$library" ] || { echo "$library" && return; }
    objects=$dist/lib/$2/$1
    mkdir -p "$objects"
    case $1 in
    cjson)
        from=$(source_of cjson)
        "$2" -O2 -fPIC -ffile-prefix-map="$top=." -c "$from/cJSON.c" -o "$objects/cJSON.o"
        ar rcD "$library" "$objects/cJSON.o"
        mkdir -p "$dist/lib/$2/include/cjson"
        cp "$from/cJSON.h" "$dist/lib/$2/include/cjson"
        ;;
    pcre2-8)
        from=$(source_of pcre2)
        (cd "$objects" && "$from/configure" -q --host="$("$2" -dumpmachine)" CC="$2" CFLAGS="-O2 -fPIC -ffile-prefix-map=$top=." \
            --disable-shared --enable-static --enable-unicode && make -s libpcre2-8.la) \
            >"$dist/log" 2>&1 || { tail -n 5 "$dist/log" >&2 && fail "PCRE2 could not be built"; }
        cp "$objects/.libs/libpcre2-8.a" "$library"
        mkdir -p "$dist/lib/$2/include"
        cp "$objects/src/pcre2.h" "$dist/lib/$2/include" 2>/dev/null ||
            cp "$from/src/pcre2.h.generic" "$dist/lib/$2/include/pcre2.h"
        ;;
    esac
    echo "$library"
}

# flags_of CC...: for make; no debug information, and names of sources as they are in the tree
flags_of() {
    echo "-O2 -ffile-prefix-map=$top=. -ffile-prefix-map=$dist=."
}
# build_here WORD...: make, for this machine
build_here() {
    pcre=$(static_library pcre2-8 cc)
    cjson=$(static_library cjson cc)
    make -s -j"$(getconf _NPROCESSORS_ONLN)" BUILD=build/dist/build CC="${CC:-cc}" WERROR= \
        CFLAGS="$(flags_of)" LDFLAGS='-Wl,--build-id=none' PKG_LIBS="$pcre $cjson" "$@" >"$dist/log" 2>&1
}
staged=
staging() {
    [ -z "$staged" ] || return 0
    staged=yes
    rm -rf "$stage"
    say 'building what is packed'
    # The headers of MPI's library differ between systems: that part is for those who build.
    build_here MPICC= DESTDIR="$stage" PREFIX=/usr all install ||
        { tail -n 20 "$dist/log" >&2 && fail 'the build failed'; }
    cuda=lib/cuda-morph/cuda
    strip "$stage/usr/bin/cuda-morph"
    strip --strip-unneeded "$stage/usr/lib/cuda-morph/libcudamorph.so" "$stage/usr/lib/libcmrt.so" \
        "$stage/usr/$cuda/lib64/libcmrt.so.0"
    strip --strip-debug -D "$stage/usr/lib/libcmrt.a" "$stage/usr/$cuda/lib64/libcmrt_check.a"
    chmod 644 "$stage/usr/$cuda/lib64/libcmrt.so.0"
    rm -f "$stage/usr/$cuda/lib64/libcmrt_mpi.so"
    find "$stage/usr/share/man" -type f -exec gzip -9n {} +
    # The same for folders that are called otherwise: what names /usr finds itself.
    rm -rf "$moved"
    cp -a "$stage/usr" "$moved"
    sed -i 's|^prefix=.*|prefix=${pcfiledir}/../..|; s|^includedir=/usr|includedir=${prefix}|
        s|^libdir=/usr|libdir=${prefix}|; s|^Libs: -L${libdir} |&-Wl,-rpath,${libdir} |' "$moved/lib/pkgconfig/cmrt.pc"
    sed -i 's|"/usr/|"${CMAKE_CURRENT_LIST_DIR}/../../../|' \
        "$moved/lib/cmake/CUDAMorph/CUDAMorphConfig.cmake"
    # Wheels and npm's packages have no links, and no path is known where they go: programs become scripts that find the one
    # beside them, and headers copies.
    script() {
        rm -f "$moved/$1"
        printf '#!/bin/sh\n# Made by cuda-morph.\nexec "$(dirname "$(readlink -f "$0")")/%s" %s "$@"\n' "$2" "$3" >"$moved/$1"
        chmod 755 "$moved/$1"
    }
    script bin/cmcc cuda-morph cc
    for driver in nvcc cmcc; do script "$cuda/bin/$driver" ../../../../bin/cuda-morph cc; done
    script "$cuda/bin/cuda-morph" ../../../../bin/cuda-morph ''
    rm -f "$moved/$cuda/include/cuda_morph" "$moved/$cuda/lib"
    cp -a "$moved/include/cuda_morph" "$moved/$cuda/include/cuda_morph"
    find "$stage" "$moved" -exec touch -h -d "@$date" {} +
}

# ---- one function for each kind ----

# The sources with the grammars inside: what is compiled, and its licences.
make_source() {
    place=$dist/$name
    rm -rf "$place"
    mkdir -p "$place"
    git archive HEAD | tar -C "$place" -xf -
    echo "$date" >"$place/.date"
    (cd grammars/node_modules && find . -type f \( -path './tree-sitter/vendor/tree-sitter/lib/*' \
        -o -path './tree-sitter-python/src/*' -o -path './tree-sitter-cuda/src/*' \
        -o -path './@tree-sitter-grammars/tree-sitter-toml/src/*' -o -name 'LICENSE*' \
        -o -name package.json -o -name .lock-sha256 \) ! -path './node-*' ! -path './tree-sitter-c/*' \
        ! -path './tree-sitter-cpp/*' ! -name '*.wasm' ! -name '*.o') >"$dist/members"
    mkdir -p "$place/grammars/node_modules"
    tar -C grammars/node_modules -cf - -T "$dist/members" | tar -C "$place/grammars/node_modules" -xf -
    tar_of "$dist/$name.tar.xz" "$dist" "$name"
    rm -rf "$place"
}

make_tar() {
    staging
    place=$dist/$name-linux-$machine
    rm -rf "$place"
    cp -a "$moved" "$place"
    tar_of "$place.tar.xz" "$dist" "${place##*/}"
    rm -rf "$place"
}

# One file for any Linux: no libclang and no `run`, which need a loader.
make_static() {
    want musl-gcc musl-tools
    pcre=$(static_library pcre2-8 musl-gcc)
    cjson=$(static_library cjson musl-gcc)
    include=$dist/lib/musl-gcc/include
    make -s -j"$(getconf _NPROCESSORS_ONLN)" BUILD=build/dist/musl CC=musl-gcc WERROR= \
        CFLAGS="$(flags_of) -static -fno-pie -I$include" PKG_CFLAGS= PKG_LIBS="$pcre $cjson" \
        LDFLAGS='-no-pie -Wl,--build-id=none' build/dist/musl/cuda-morph >"$dist/log" 2>&1 ||
        { tail -n 20 "$dist/log" >&2 && fail 'the build with musl failed'; }
    place=$dist/$name-linux-$machine-static
    rm -rf "$place"
    mkdir -p "$place"
    cp LICENSE build/dist/musl/notices.txt build/dist/musl/cuda-morph "$place"
    strip "$place/cuda-morph"
    tar_of "$place.tar.xz" "$dist" "${place##*/}"
    rm -rf "$place"
}

# The program for Windows, whose sources are written with the programs of a build for this machine.
mingw=x86_64-w64-mingw32
windows_build() {
    want $mingw-gcc gcc-mingw-w64-x86-64
    here=build/dist/build
    build_here $here/rulec $here/embed $here/header_names ||
        { tail -n 20 "$dist/log" >&2 && fail 'the build failed'; }
    pcre=$(static_library pcre2-8 $mingw-gcc)
    cjson=$(static_library cjson $mingw-gcc)
    make -s -j"$(getconf _NPROCESSORS_ONLN)" BUILD=build/windows TOOLS=$here CC=$mingw-gcc \
        AR=$mingw-ar WERROR= CFLAGS="$(flags_of) -I$dist/lib/$mingw-gcc/include" PKG_CFLAGS= \
        PKG_LIBS="$pcre $cjson" LDFLAGS='-Wl,--no-insert-timestamp' "$@" >"$dist/log" 2>&1 ||
        { tail -n 20 "$dist/log" >&2 && fail 'the build for Windows failed'; }
}
make_windows() {
    want zip zip
    windows_build build/windows/cuda-morph.exe
    place=$dist/$name-windows-x86_64
    rm -rf "$place" "$place.zip"
    mkdir -p "$place"
    cp LICENSE build/windows/notices.txt build/windows/cuda-morph.exe "$place"
    $mingw-strip "$place/cuda-morph.exe"
    find "$place" -exec touch -d "@$date" {} +
    (cd "$dist" && find "${place##*/}" | sort | zip -q -9 -X "$place.zip" -@)
    rm -rf "$place"
}
# For tests/windows.sh.
make_windows_programs() { windows_build test-programs; }

make_deb() {
    staging
    want dpkg-deb dpkg
    sh tools/dist/deb.sh "$stage" "$dist" "$version" "$date"
}

make_wheel() {
    staging
    python3 tools/pip/cuda_morph_backend.py "$moved" "$dist"
}

make_npm() {
    staging
    place=$dist/npm/package
    rm -rf "$dist/npm"
    mkdir -p "$place"
    cp -a "$moved/." "$place"
    cp "$top/LICENSE" "$place"
    # npm drops links.
    cp --remove-destination "$place/lib/libcmrt.so" "$place/lib/libcmrt.so.0"
    sed -e "s/@VERSION@/$version/" -e "s/@CPU@/$(echo "$machine" |
        sed 's/x86_64/x64/; s/aarch64/arm64/')/" tools/dist/package.json.in >"$place/package.json"
    tar_of "$dist/$name-npm-linux-$machine.tgz" "$dist/npm" package
    rm -rf "$dist/npm"
}

make_sbom() { sh tools/dist/sbom.sh "$version" "$date" >"$dist/$name.spdx.json"; }

# Homebrew's formula and conda's recipe, of the sources' archive; DIST_URL: the folder where it will lie.
make_recipes() {
    [ -s "$dist/$name.tar.xz" ] || make_source
    sum=$(sha256sum "$dist/$name.tar.xz" | cut -d ' ' -f 1)
    for recipe in cuda-morph.rb meta.yaml; do
        sed -e "s|@URL@|${DIST_URL:-https://cuda-morph.example/releases/v$version}|" -e "s|@VERSION@|$version|" \
            -e "s|@SHA256@|$sum|" "tools/dist/$recipe.in" >"$dist/$recipe"
    done
}

# PCRE2 and cJSON alone, for another compiler: CC=s390x-linux-gnu-gcc tools/dist/dist.sh libraries
make_libraries() {
    for library in pcre2-8 cjson; do static_library $library "${CC:-cc}"; done
}

mkdir -p "$dist"
for what in ${*:-source tar static deb wheel npm sbom recipes}; do
    case $what in
    source | tar | static | deb | wheel | npm | sbom | recipes | libraries | windows | windows-programs)
        "make_$(echo "$what" | tr - _)"
        say "$what is made"
        ;;
    *) fail "there is no '$what'; it is one of source, tar, static, deb, wheel, npm, sbom, recipes, windows, libraries" ;;
    esac
done
(cd "$dist" && sha256sum -- *.tar.xz *.zip *.tgz *.deb *.whl *.spdx.json 2>/dev/null >SHA256SUMS) || :
