#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# syclomatic.sh - ports programs of a checkout of SYCLomatic's tests to SYCL, compiles them with
# AdaptiveCpp (ACPP=DIR) and runs them.
#
#   tests/real/syclomatic.sh CHECKOUT SEED COUNT    COUNT programs of one file, drawn by the seed
#   tests/real/syclomatic.sh CHECKOUT FILE.cu...    these, named from the checkout
#
# A line for each: "pass NAME" when its exit status is 0; "announced" when it does not get so far
# and the port left something of it to a human or to verify; "library" the same where it includes a
# library's header; "parts" when other files define what it calls; else "compile", "run", "slow" or
# "hangs" with the first reason. Exit status: 0 all passed or are announced, 1 not, 2 no checkout.
. "${0%/*}/helper"
[ $# -gt 1 ] && [ -d "$1" ] && [ -n "${ACPP:-}" ] || {
    echo 'syclomatic: name a checkout of its tests, and AdaptiveCpp:' \
        'ACPP=DIR tests/real/syclomatic.sh CHECKOUT SEED COUNT' >&2
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
    done | sort -n | sed "$2q" | cut -d ' ' -f 2
}

# one FILE: prints its line
one() {
    folder=$work/tree/$(dirname "$1")
    log=$work/$(echo "$1" | tr / _)
    rm -rf "$folder"
    mkdir -p "$folder"
    # its folder: what it includes
    nice "$CUDA_MORPH" port "$checkout/$(dirname "$1")" --target xpu --no-ignore -o "$folder" \
        >"$log.port" 2>&1
    word=
    "$CUDA_MORPH" port "$checkout/$1" --target xpu 2>"$log.said" >/dev/null
    ! grep -qE ': (manual|to verify): ' "$log.said" || word=announced
    [ -z "$word" ] || ! grep -qE "$libraries" "$checkout/$1" || word=library
    # shellcheck disable=SC2086
    if ! (cd "$folder" && ulimit -t 300 && nice "$ACPP/bin/acpp" \
        --acpp-targets=omp.library-only $flags -U_OPENMP -I . -x c++ "$(basename "$1")" -x none \
        -o program "$BUILD/libcmrt.a" -pthread -ldl) >"$log.make" 2>&1; then
        ! grep -q 'undefined reference' "$log.make" || word=parts
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
*) set -- $(draw "$1" "$2") ;;
esac
for program; do one "$program"; done
finish
[ "$(grep -vcE '^(pass|announced|library|parts) ' "$work/results")" -eq 0 ]
