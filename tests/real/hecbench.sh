#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# hecbench.sh - ports programs of a checkout of HeCBench to the CPU, builds them with their own
# build files and runs them with small arguments (make test SUITE=hecbench CHECKOUT=DIR). With
# ACPP=DIR, where AdaptiveCpp is installed, it ports them to SYCL and builds them with that.
#
#   tests/real/hecbench.sh CHECKOUT                   the programs that hecbench.txt lists
#   tests/real/hecbench.sh CHECKOUT NAME...           only these, with its arguments if it lists
#   them
#   tests/real/hecbench.sh CHECKOUT draw SEED COUNT prints COUNT others, drawn among those that
#   check
#                                                     themselves (print PASS) and have a `run` in
#                                                     their Makefile
#
# A line for each program: "pass NAME" when it printed PASS and no word of a failure in each of its
# runs; "ends" without either; "absent" when a file of data is not in the checkout; "announced" when
# it does not compile or fails, and the port of its code left something to a human or to verify; else
# "compile", "run", "slow" or "hangs" with the first reason. tests/real/helper names the variables.
# Exit status: 0 all passed that are there, 1 not, 2 no checkout.
. "${0%/*}/helper"
[ $# -gt 0 ] && [ -d "$1/src" ] || {
    echo 'hecbench: name a checkout of HeCBench: tests/real/hecbench.sh CHECKOUT [NAME...]' >&2
    exit 2
}
OPT=${OPT:--O2}
target=cpu
[ -z "${ACPP:-}" ] || target=xpu CXX=$ACPP/bin/acpp FLAGS="--acpp-targets=omp.library-only ${FLAGS:-}"
begin hecbench "$1"
shift
list=$real/hecbench.txt
export CUDA_MORPH_NVCC_FLAGS="$flags" CUDA_MORPH_NVCC_LIBRARY="$BUILD/libcmrt.a"
export CXX_OF_MACHINE="${CXX:-g++}" CUDA_MORPH_NVCC_TARGET="$target"
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-2}"
failure='FAIL|rror:|[Mm]ismatch|ERROR|NaN|nan\>'
innocent='L[12]-Error: 0$|([Mm]ax(imum)?|[Aa]verage|[Rr]elative|[Aa]bsolute|[Mm]ean|[Ss]quared?|[Nn]orm|RMS)[A-Za-z _]* [Ee]rror'

# draw SEED COUNT: by the checksum of the seed and the name, so that everyone draws the same
draw() {
    for folder in "$checkout"/src/*-cuda; do
        program=${folder##*/}
        program=${program%-cuda}
        grep -q '^run:' "$folder/Makefile" 2>/dev/null || continue
        grep -rqs '"[^"]*PASS' "$folder" || continue
        ! grep -qE "^$program( |\$)" "$list" || continue
        echo "$(printf '%s' "$1 $program" | cksum | cut -d ' ' -f 1) $program"
    done | sort -n | sed "$2q" | cut -d ' ' -f 2
}

# runs NAME FOLDER: the command lines, one a line: of the list or, without one, of the Makefile
runs() {
    if grep -qE "^$1( [^@]|\$)" "$list"; then
        sed -nE "s/^$1(\$| ([^@].*))/.\/main \2/p" "$list"
    else
        make -n -C "$2" run CC=: NVCC=: CXX=: CUDA_CC=: 2>/dev/null | grep -E '(^| )\./' |
            grep -v '^:'
    fi
}

# one NAME: prints the line of a program
one() {
    folder=$work/tree/src/$1-cuda
    log=$work/$1
    [ -d "$folder" ] || {
        answer absent "$1" 'no such program in the checkout'
        return
    }
    # NAME @FILE EXPRESSION: a constant of the program, made smaller
    sed -nE "s/^$1 @//p" "$list" >"$log.edits"
    while read -r file expression; do
        sed -i -E "$expression" "$folder/$file"
    done <"$log.edits"
    word=
    # of its code, and of headers that it takes from others: not of project files
    ! grep -E ': (manual|to verify): ' "$log.port" | grep -E "/$1-cuda/|\.(h|hpp|cuh):" |
        grep -qvE '\[project/|CMakeLists.txt:|/Makefile:' || word=announced
    if ! (cd "$folder" && ulimit -t 400 && nice make -s CC="$real/nvcc" NVCC="$real/nvcc" \
        CXX="$real/nvcc" CUDA_CC="$real/nvcc") >"$log.make" 2>&1 </dev/null; then
        answer "${word:-compile}" "$1" "$(complaint "$log.make")"
        return
    fi
    runs "$1" "$folder" >"$log.runs"
    # Data of another folder's, which was not ported.
    for other in $(grep -oE '\.\./[A-Za-z0-9_-]+' "$log.runs" | sort -u); do
        [ -e "$folder/$other" ] || [ ! -d "$checkout/src/${other#../}" ] ||
            ln -s "$checkout/src/${other#../}" "$work/tree/src/${other#../}"
    done
    rm -f "$log.out"
    touch "$log.out"
    status=0
    while read -r command; do
        # shellcheck disable=SC2086
        limited "$folder" "$log.out" $command
        [ "$status" = 0 ] || break
    done <"$log.runs"
    verdict "$1"
}

verdict() {
    reason=$(grep -aE "$failure" "$log.out" | grep -av -m 1 -E "$innocent" | cut -c 1-160)
    case $status in
    slow | hangs) answer "$status" "$1" ;;
    0)
        if [ -n "$reason" ]; then
            answer "${word:-run}" "$1" "$reason"
        elif grep -aq PASS "$log.out"; then
            answer pass "$1"
        else
            answer ends "$1" "$(tail -n 1 "$log.out" | cut -c 1-160)"
        fi
        ;;
    *)
        # Data that the checkout has packed, or elsewhere.
        if grep -aqiE 'open.* file|no such file|cannot open' "$log.out"; then
            answer absent "$1" "$(tail -n 1 "$log.out" | cut -c 1-160)"
            return
        fi
        answer "${word:-run}" "$1" "status $status: ${reason:-$(tail -n 1 "$log.out" | cut -c 1-160)}"
        ;;
    esac
}

if [ "${1:-}" = draw ]; then
    draw "$2" "$3"
    exit
fi
[ $# -gt 0 ] || set -- $(sed -E '/^(#|$)/d; s/ .*//' "$list" | sort -u)
rm -rf "$work/tree"
mkdir -p "$work/tree/src"
# port NAME: with the folders that its Makefile takes headers from, in one run
port() (
    cd "$checkout/src" || exit
    set -- "$1" $(grep -hoE '\.\./[A-Za-z0-9_-]*-(cuda|sycl)' "$1-cuda/Makefile" 2>/dev/null | sort -u)
    rm -rf "$work/from" "$work/ported"
    mkdir -p "$work/from"
    name=$1
    shift
    for folder in "../$name-cuda" "$@"; do
        [ ! -d "${folder#../}" ] || cp -r "${folder#../}" "$work/from/"
    done
    "$CUDA_MORPH" port "$work/from" --target $target --no-ignore -o "$work/ported" \
        >"$work/$name.port" 2>&1
    for folder in "../$name-cuda" "$@"; do
        [ -e "$work/tree/src/${folder#../}" ] || [ ! -d "$work/ported/${folder#../}" ] ||
            mv "$work/ported/${folder#../}" "$work/tree/src/"
    done
    rm -rf "$work/from" "$work/ported"
)
# Those that take headers from others are ported first, as the others alone would be another tree.
for program; do
    ! grep -qsE '\.\./[A-Za-z0-9_-]*-(cuda|sycl)' "$checkout/src/$program-cuda/Makefile" || port "$program"
done
for program; do
    [ -e "$work/tree/src/$program-cuda" ] || [ ! -d "$checkout/src/$program-cuda" ] ||
        port "$program"
done
for shared in include data; do # what programs share
    [ ! -d "$checkout/src/$shared" ] || "$CUDA_MORPH" port "$checkout/src/$shared" --target \
        $target --no-ignore -o "$work/tree/src/$shared" >"$work/$shared.port" 2>&1
done
for program; do
    one "$program"
done
finish
[ "$(grep -vcE '^(pass|absent) ' "$work/results")" -eq 0 ]
