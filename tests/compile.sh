#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compile.sh - ports the CUDA programs of tests/compile to HIP and compiles what came out.
#
#   tests/compile.sh                   all programs (make test SUITE=compile)
#   tests/compile.sh NAME...           only these, by the names of their files without .cu
#   tests/compile.sh --compiler        no programs: the command that type-checks with HIP 6.4
#
# Every program is ported with both launch syntaxes. With Debian 12's HIP 5.2, what keeps <<<>>> is
# compiled for gfx90a, for gfx1030 and for the host; with the HIP 6.4 headers of Debian unstable it
# is type-checked for gfx90a and for the host. What calls hipLaunchKernelGGL has the same device
# code, so of that the host code is compiled, with both; where a program launches nothing, both are
# one text, which is compiled once. The port to MUSA is type-checked as host code on
# stub headers that musa_stubs.awk makes of the rule tables; a program that includes what MUSA has
# no header for is listed with what the port says of it. Two comments of a program say less is
# asked of it, and why:
#   // hip: 6.4, REASON      HIP 5.2 lacks what it uses: only the newer headers are asked
#   // gfx90a: REASON        cannot be compiled for it: there it is type-checked only
#
# The compilers come from apt-get when root; otherwise what is missing is named. Library headers,
# which Debian 12 has few of, are unpacked below $BUILD/compile from the packages that the
# machine's own Debian mirror has, and nothing else is installed. Without them, and without a newer
# clang, fewer programs are compiled, and the last lines say so.
#
# The runtime header, which every port includes, is compiled once for each of these; only a port
# that does include it gets it so. What compiled is not compiled again until the ported text, a
# header or the compiler changes.
# BUILD is the build folder, JOBS the number of compilers at a time (default: the processors).
# Exit status: 0 all passed, 1 some failed; with --compiler 2: there is none.
set -u
cd "$(dirname "$0")/.." || exit 2
LC_ALL=C
export LC_ALL

case ${BUILD:=build} in
/*) ;;
*) BUILD=$PWD/$BUILD ;;
esac
export BUILD
work=$BUILD/compile
tool=$BUILD/cuda-morph
programs=tests/compile
headers=$work/headers
bitcode=/usr/lib/x86_64-linux-gnu/amdgcn/bitcode

say() { printf 'compile: %s\n' "$*"; }
have() { command -v "$1" >/dev/null 2>&1; }

# ---- one compilation: a line of the list, run by xargs ----

# compile_one VARIANT PASS NAME COMMAND...: leaves a result in $work/out/VARIANT.PASS.NAME, empty
# when it passed.
compile_one() {
    variant=$1 pass=$2 name=$3
    shift 3
    source=$work/port/$variant/$name.cu
    result=$work/out/$variant.$pass.$name
    # What the result depends on: the text, the headers it may include, the command.
    key=$({
        cat "$source" "$work/port/$variant"/*.cuh "$work/compilers"
        echo "$*"
    } | sha256sum | cut -c 1-32)
    if [ ! -f "$work/cache/$key" ]; then
        header=$work/header/${variant%.*}.$pass.pch
        if [ -f "$header" ] && grep -q "^#include <$(runtime_header "$variant")>" "$source"; then
            set -- "$@" -Xclang -include-pch -Xclang "$header"
        fi
        log=$result.log
        if "$@" -o "$result.o" "$source" >"$log" 2>&1; then
            : >"$work/cache/$key"
        else
            cp "$log" "$result"
            return
        fi
    fi
    : >"$result"
}

runtime_header() {
    case $1 in musa*) echo musa_runtime.h ;; *) echo hip/hip_runtime.h ;; esac
}

# precompile VERSION PASS COMMAND...: the runtime header, for the ports that include it.
precompile() {
    header=$work/header/$1.$2
    echo "#include <$(runtime_header "$1")>" >"$header.cu"
    shift 2
    for word; do
        shift
        case $word in -c) word=-fsyntax-only ;; esac
        set -- "$@" "$word"
    done
    if ! "$@" -Xclang -emit-pch -Xclang -o -Xclang "$header.pch" "$header.cu" >"$header.log" 2>&1
    then
        rm -f "$header.pch"
        say "not precompiled: $(head -n 1 "$header.log")"
    fi
}

if [ "${1-}" = --one ]; then
    shift
    # shellcheck disable=SC2086
    compile_one $1
    exit 0
fi

if [ "${1-}" = --precompile ]; then
    shift
    # shellcheck disable=SC2086
    precompile $1
    exit 0
fi

# ---- compilers and headers ----

# install WHAT-IT-IS FILE PACKAGE...: sees to it that FILE exists.
install() {
    what=$1 file=$2
    shift 2
    [ -e "$file" ] && return
    tools/install.sh compile "$@" && [ -e "$file" ] && return
    say "without $what"
    return 1
}

# unpack FOLDER PACKAGE...: the packages' files, below the folder; nothing is installed. APT_CONFIG
# may point to the lists of another release.
unpack() {
    folder=$1
    shift
    [ -f "$folder/.complete" ] && return
    rm -rf "$folder"
    mkdir -p "$folder/deb" || return
    # An empty package would be a failure of the mirror's, so each is asked for by itself.
    for package in "$@"; do
        (cd "$folder/deb" && apt-get download -qq "$package") >"$folder/log" 2>&1 || {
            say "$package cannot be had: $(grep -m 1 '^E:' "$folder/log")"
            return 1
        }
    done
    for deb in "$folder"/deb/*.deb; do dpkg-deb -x "$deb" "$folder" || return; done
    rm -rf "$folder/deb" "$folder/log"
    : >"$folder/.complete"
}

# apt's configuration for Debian unstable, below $work and on the mirror that this machine uses.
unstable_lists() {
    lists=$work/unstable
    APT_CONFIG=$lists/apt.conf
    mkdir -p "$lists/state/lists/partial" "$lists/cache/archives/partial" \
        "$lists/etc/preferences.d"
    . tests/mirror.sh
    keys=/usr/share/keyrings/debian-archive-keyring.gpg
    if [ -z "$mirror" ] || [ ! -f "$keys" ]; then
        say 'this machine has no Debian mirror'
        return 1
    fi
    echo "deb [signed-by=$keys] $mirror sid main" >"$lists/etc/sources.list"
    : >"$lists/state/status"
    cat >"$APT_CONFIG" <<END
Dir::State "$lists/state";
Dir::State::status "$lists/state/status";
Dir::Cache "$lists/cache";
Dir::Etc "$lists/etc";
Dir::Etc::sourcelist "$lists/etc/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::parts "/dev/null";
Acquire::Check-Valid-Until "false";
Acquire::Languages "none";
APT::Sandbox::User "";
END
    export APT_CONFIG
    apt-get update -qq >"$lists/log" 2>&1 || {
        say "no lists of Debian unstable: $(grep -m 1 '^E:' "$lists/log")"
        return 1
    }
}

unpack_unstable() {
    [ -f "$headers/unstable/.complete" ] && return
    (unstable_lists && unpack "$headers/unstable" libamdhip64-dev libhipblas-dev \
        libhipblas-common-dev libhipsparse-dev libhiprand-dev librocrand-dev libhipfft-dev \
        libhipcub-dev librocprim-dev librocthrust-dev libhipsolver-dev librccl-dev libroctx-dev)
}

newest_clang() {
    for version in 22 21 20 19 18 17; do
        have "clang++-$version" && echo "clang++-$version" && return
    done
    return 1
}

prepare() {
    hip52='' hip64='' musa=''
    if install 'the compiler for AMD GPUs' /usr/bin/clang++-15 clang-15 libstdc++-12-dev &&
        install 'the linker for AMD GPUs' /usr/bin/lld-15 lld-15 clang-tools-15 &&
        install 'the device libraries' $bitcode/ockl.bc rocm-device-libs &&
        install 'the headers of HIP 5.2' /usr/include/hip/hip_runtime.h libamdhip64-dev; then
        hip52="clang++-15 -c -std=c++17 -x hip --rocm-path=/usr --rocm-device-lib-path=$bitcode"
        hip52="$hip52 -Iruntime/include"
    fi
    unpack "$headers/12" libhiprand-dev librocrand-dev libhipsparse-dev &&
        hip52="$hip52 -isystem $headers/12/usr/include"
    if unpack_unstable; then
        # Libraries that Debian 12 lacks, without the newer HIP itself.
        mkdir -p "$headers/libraries"
        for part in hipblas hipblas-common hipfft hipcub rocprim thrust hipsolver rccl roctracer; \
            do
            ln -sfn "$headers/unstable/usr/include/$part" "$headers/libraries/$part"
        done
        hip52="$hip52 -isystem $headers/libraries"
        newest_clang >/dev/null ||
            install 'a newer compiler, for the headers of HIP 6.4' /usr/bin/clang++-19 clang-19
        if clang=$(newest_clang); then
            hip64="$clang -std=c++17 -x hip --rocm-path=$headers/unstable/usr -nogpulib"
            hip64="$hip64 -isystem $headers/unstable/usr/include -Iruntime/include"
            hip64="$hip64 -Wno-unused-result -fsyntax-only"
            musa="$hip64 -I$work/musa"
        fi
    fi
    [ -n "$hip52$hip64" ]
}

# What every result depends on: compilers, packages, the runtime's headers and the stubs.
say_compilers() {
    clang++-15 --version
    "$(newest_clang || echo true)" --version
    find "$headers"/*/.complete -printf '%p %T@\n'
    find runtime/include/cuda_morph "$work/musa" -type f | sort | xargs cat | sha256sum
}

# ---- the list of compilations ----

# port VARIANT SYNTAX VERSION
port() {
    variant=$1
    "$tool" port "$programs" --target rocm --launch-syntax "$2" --target-version "rocm=$3" -q \
        -o "$work/port/$variant" >"$work/port.$variant.out" 2>"$work/port.$variant.err"
    status=$?
    if [ $status -ge 2 ]; then
        say "porting with $2 ended with status $status: $(head -n 1 "$work/port.$variant.err")"
        failed=$((failed + 1))
    fi
}

# The stub headers, the port, and the programs that cannot be: "NAME WHY" in $work/musa.cannot.
port_musa() {
    # shellcheck disable=SC2046
    awk -v out="$work/musa" -f tests/musa_stubs.awk runtime/include/cuda_morph/hip_ext.h \
        $(grep -l '"language": "cuda"' rules/*.json)
    "$tool" port "$programs" --target musa -o "$work/port/musa" >"$work/port.musa.out" \
        2>"$work/port.musa.err"
    why='s/^.*\/\([a-z0-9_]*\)\.cu:[0-9:]* manual: \(.*\) \[cuda-headers\/[a-z]*\]$/\1 \2/p'
    sed -n "$why" "$work/port.musa.err" | sort -u -k 1,1 >"$work/musa.cannot"
}

# names: of all programs, or of those asked for
names() {
    if [ $# -gt 0 ]; then
        printf '%s\n' "$@"
    else
        (cd "$programs" && printf '%s\n' *.cu) | sed 's/\.cu$//'
    fi
}

# passes VERSION SYNTAX NAME: lists "PASS FLAGS" for each time that a compiler reads the port
passes() {
    case $1.$2 in
    5.2.chevron)
        echo 'gfx1030 --offload-device-only --offload-arch=gfx1030'
        grep -q '^// gfx90a: ' "$programs/$3.cu" ||
            echo 'gfx90a --offload-device-only --offload-arch=gfx90a'
        ;;
    6.4.chevron) echo 'gfx90a --offload-device-only --offload-arch=gfx90a' ;;
    esac
    echo 'host --offload-host-only'
}

# compilations NAME...: lists "VARIANT PASS NAME COMMAND..." for each
compilations() {
    for name; do
        for variant in 5.2.chevron 5.2.function 6.4.chevron 6.4.function musa; do
            case $variant in
            5.2.*)
                command=$hip52
                ! grep -q '^// hip: 6' "$programs/$name.cu" || continue
                ;;
            6.4.*) command=$hip64 ;;
            musa)
                command=$musa
                ! grep -q "^$name " "$work/musa.cannot" || continue
                ;;
            esac
            [ -n "$command" ] || continue
            # Nothing is launched: one text.
            [ "${variant##*.}" != function ] || ! cmp -s "$work/port/$variant/$name.cu" \
                "$work/port/${variant%.*}.chevron/$name.cu" || continue
            passes "${variant%.*}" "${variant##*.}" "$name" | while read -r pass flags; do
                echo "$variant $pass $name $command $flags"
            done
        done
    done
}

# What to precompile of that list: "VERSION PASS COMMAND...", each once. For a few programs
# nothing.
headers_of() {
    [ "$(wc -l <"$1")" -lt 100 ] ||
        sed -E 's/^([^ ]*)\.[a-z]+ |^(musa) /\1\2 /; s/^([^ ]+ [^ ]+) [^ ]+/\1/' "$1" | sort -u
}

top=$PWD
. tests/helper
mkdir -p "$work/cache" "$headers"
if [ "${1-}" = --compiler ]; then
    prepare >&2 || exit 2
    [ -n "$hip64" ] || exit 2
    echo "$hip64 -I$PWD/runtime/include --offload-arch=gfx90a"
    exit 0
fi
prepare || {
    skip everything 'there is no compiler with headers of HIP'
    done_testing
}
rm -rf "$work/out" "$work/port" "$work/musa" "$work/header" "$work/tmp"
mkdir -p "$work/out" "$work/port" "$work/header" "$work/tmp"
export TMPDIR="$work/tmp"
for version in 5.2 6.4; do
    for syntax in chevron function; do port $version.$syntax $syntax $version; done
done
port_musa
say_compilers >"$work/compilers" 2>&1
# shellcheck disable=SC2046
compilations $(names "$@") >"$work/list"
JOBS=${JOBS:-$(nproc)}
headers_of "$work/list" | xargs -r -P "$JOBS" -d '\n' -n 1 sh tests/compile.sh --precompile
xargs -P "$JOBS" -d '\n' -n 1 sh tests/compile.sh --one <"$work/list"
rm -rf "$work/tmp" "$work/header" "$work"/out/*.o

# ---- what came out ----

while read -r variant pass name rest; do
    result=$work/out/$variant.$pass.$name
    if [ -f "$result" ] && [ ! -s "$result" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        error=$(grep -m 1 'error' "$result" 2>/dev/null || head -n 1 "$result")
        echo "FAILED $variant $pass $name: ${error##*/port/}"
    fi
done <"$work/list"
[ -n "$hip52" ] || skip 'compiling with HIP 5.2' 'its compiler or headers are missing'
[ -n "$hip64" ] ||
    skip 'type checks with HIP 6.4, and on stub headers of MUSA' 'compiler or headers are missing'
sed 's/^/compile: not for MUSA: /' "$work/musa.cannot"
done_testing
