#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bench_watched.sh - what docs/cc.md says of programs that run under the runtime's checks: which of
# the programs of tests/compile and tests/cpu are reported, and what being watched costs.
#
#   tests/bench_watched.sh programs [PATTERN...]   a line for each program: its reports, by kind
#   tests/bench_watched.sh cost                    the kernels of tests/bench/kernels.cu, processor time in ms
#
# It asserts nothing; the programs take half an hour. BUILD is the build folder (default: build).
set -eu
cd "$(dirname "$0")/.."
name=bench_watched
top=$PWD
. "$top/tests/helper"
nvcc=$build/cuda/bin/nvcc

# reports PROGRAM.cu: "NAME: 2 race, 1 memory", "NAME: none", or why it does not run
reports() {
    base=${1##*/}
    base=${base%.cu}
    reason=$(sed -n 's|^// cpu: ||p' "$1")
    if [ -n "$reason" ]; then
        echo "$base: does not run here: $reason"
    elif ! "$nvcc" -w -O1 -std=c++17 -sanitize memcheck "$1" -o "$scratch/program" >"$out" 2>"$err"; then
        echo "$base: does not compile"
    else
        : >"$scratch/reports"
        timeout 600 "$tool" sanitize --reports "$scratch/reports" "$scratch/program" >"$out" 2>"$err" || :
        grep -q PASS "$out" || echo "$base: prints no PASS"
        echo "$base: $(sed 's/.*"kind": "\([a-z]*\)".*/\1/' "$scratch/reports" | sort | uniq -c |
            awk '{ printf "%s%s %s", n++ ? ", " : "", $1, $2 } END { if (!n) printf "none" }')"
    fi
}

# cost WHAT FLAGS...: one column of the table, "KERNEL WHAT MILLISECONDS"
cost() {
    what=$1
    shift
    "$nvcc" -w -O2 -std=c++17 -DPROCESSOR_TIME "$@" tests/bench/kernels.cu -o "$scratch/kernels"
    CUDA_MORPH_THREADS=1 "$scratch/kernels" 3 2>"$err" | awk -v what="$what" '{ print $1, what, $2 }'
}

case ${1-} in
programs)
    shift
    for program in tests/compile/*.cu tests/cpu/*.cu; do
        base=${program##*/}
        for pattern in "${@:-*}"; do
            # shellcheck disable=SC2254
            case ${base%.cu} in $pattern) reports "$program" ;; esac
        done
    done
    ;;
cost)
    cost plain
    CUDA_MORPH_CHECK=memory cost memory -sanitize memcheck
    CUDA_MORPH_CHECK=all cost all -sanitize memcheck
    ;;
*)
    sed -n 's/^# \{0,1\}//; 3,9p' "$0"
    exit 2
    ;;
esac
