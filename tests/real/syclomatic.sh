#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# syclomatic.sh - ports programs of a checkout of SYCLomatic's tests to SYCL, compiles them with
# AdaptiveCpp (ACPP=DIR) and runs them; with TARGET=cpu, to the CPU, with the machine's compiler.
#
#   tests/real/syclomatic.sh CHECKOUT SEED COUNT [SKIP]    COUNT programs of one file, drawn by the
#                                                   seed, behind the first SKIP of that draw
#   tests/real/syclomatic.sh CHECKOUT FILE.cu...    these, named from the checkout
#
# A line for each: "pass NAME" when its exit status is 0; "announced" when it does not get so far
# and the port left something of it to a human or to verify; "library" the same where it includes a
# library's header (the CPU has those libraries: "announced" there); "parts" when other files define
# what it calls; "invalid" when BASELINE, a command that compiles one CUDA source (nvcc -c -o
# /dev/null), does not take the original either; else "compile", "run", "slow" or "hangs" with the
# first reason. Exit status: 0 all passed or are announced, 1 not, 2 no checkout.
. "${0%/*}/helper"
target=${TARGET:-xpu}
[ $# -gt 1 ] && [ -d "$1" ] && [ "$target${ACPP:-}" != xpu ] || {
    echo 'syclomatic: name a checkout of its tests, and AdaptiveCpp or the CPU:' \
        'ACPP=DIR (or TARGET=cpu) tests/real/syclomatic.sh CHECKOUT SEED COUNT' >&2
    exit 2
}
begin syclomatic "$1"
shift
libraries='cublas|cusparse|cufft|curand|cusolver|cudnn|nccl|nvml|nvjpeg|thrust/|cub/|cutlass|cuda/'
libraries="include *[<\"]($libraries)"

draw() {
    (cd "$checkout" && find . -name '*.cu') | while read -r file; do
        grep -qE '^ *(int|auto) +main *\(' "$checkout/$file" || continue
        echo "$(printf '%s' "$1 $file" | cksum | cut -d ' ' -f 1) ${file#./}"
    done | sort -n | tail -n +$((${3:-0} + 1)) | sed "$2q" | cut -d ' ' -f 2
}

# make_TARGET FOLDER FILE LOG: FOLDER/program of its port
make_xpu() (
    cd "$1" && ulimit -t 300 || exit 1
    # shellcheck disable=SC2086
    nice "$ACPP/bin/acpp" --acpp-targets=omp.library-only $flags -U_OPENMP -I . -x c++ "$2" -x none \
        -o program "$BUILD/libcmrt.a" -pthread -ldl >"$3" 2>&1
)
make_cpu() (
    cd "$1" && : >"$3" && ulimit -t 300 || exit 1
    object "$2" program.o "$3" -I . && link_program program "$3" program.o
)

# is_invalid FILE: nor does the original compile
is_invalid() (
    cd "$checkout/$(dirname "$1")" || exit 1
    [ -n "${BASELINE:-}" ] && ! nice $BASELINE -I . "$(basename "$1")" >"$log.baseline" 2>&1
)

# one FILE: prints its line
one() {
    folder=$work/tree/$(dirname "$1")
    log=$work/$(echo "$1" | tr / _)
    # its folder, once: what it includes
    mkdir -p "$folder"
    [ -e "$folder/ported" ] ||
        nice "$CUDA_MORPH" port "$checkout/$(dirname "$1")" --target "$target" --no-ignore \
            -o "$folder" >"$folder/ported" 2>&1
    word=
    "$CUDA_MORPH" port "$checkout/$1" --target "$target" 2>"$log.said" >/dev/null
    ! grep -qE ': (manual|to verify): ' "$log.said" || word=announced
    [ "$word$target" != announcedxpu ] || ! grep -qE "$libraries" "$checkout/$1" || word=library
    if ! "make_$target" "$folder" "$(basename "$1")" "$log.make"; then
        ! grep -q 'undefined reference' "$log.make" || word=parts
        [ "$word" = parts ] || ! is_invalid "$1" || word=invalid
        answer ${word:-compile} "$1" "$(complaint "$log.make")"
        return
    fi
    : >"$log.out"
    limited "$folder" "$log.out" ./program
    case $status in
    0) answer pass "$1" ;;
    slow | hangs) answer ${word:-$status} "$1" ;;
    *) answer ${word:-run} "$1" "status $status: $(tail -n 1 "$log.out" | cut -c 1-160)" ;;
    esac
}

case $1 in
*.cu) ;;
*) set -- $(draw "$@") ;;
esac
rm -rf "$work/tree"
for program; do one "$program"; done
finish
[ "$(grep -vcE '^(pass|announced|library|parts|invalid) ' "$work/results")" -eq 0 ]
