#!/bin/sh
# Every CUDA program of tests/compile and tests/cpu on the CPU, with the compiler CXX and the
# sanitizers that libcmrt was built with: kernels as loops and as fibers, warps of 32 and 64 lanes.
# A program that is written for 32 says so in its first lines:
#   // warp 32: REASON
# With 64 it fails, as it would on such hardware, and `check` had said so; all others pass.
# One with a race of its own, which ThreadSanitizer reports (its status is not looked at then):
#   // race: REASON
# Without sanitizers both ways of running a kernel are compared after each launch, bit by bit,
# with the program's shapes and with random ones (tests/cpu/trace.c).
#
# Variables: WARP="32 64", SEEDS="1 2" of random shapes, ONLY="PATTERN..." of programs' names.
. "${0%/*}/../cli/helper"
. "$top/tests/cpu/programs.sh"
set -f # patterns are for the names of programs

trace=$scratch/trace.o
if [ -z "$sanitize" ]; then
    check 'compile trace.c' "${CC:-cc}" -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror \
        -I "$top/runtime/include" -c "$top/tests/cpu/trace.c" -o "$trace"
    wrap=-Wl,--wrap=cmKernelLaunch,--wrap=cm_memory_insert
fi

launches=0 # whose results were compared

# What `check` says of waves that do not have 32 lanes.
waves='cuda-silent/(warp-|full-mask|lane-|mask-bits|cooperative-groups)'

# verdict PROGRAM.cu WHAT WARP: after a run
verdict() {
    reason=$(sed -n 's|^// warp 32: ||p' "$1")
    if [ "$3" = 64 ] && [ -n "$reason" ]; then
        check "$2 goes wrong with warps of 64: $reason" not grep -q PASS "$out"
        check "$2 ends with warps of 64" test "$status" -ne 124
    else
        prints PASS "run $2 with warps of $3"
        case $sanitize$status in
        *thread66) grep -q '^// race: ' "$1" && return ;;
        esac
        check "run $2 with warps of $3: status $status" test "$status" -eq 0
    fi
}

# traced WHAT TRACE WARP SEED
traced() {
    CUDA_MORPH_THREADS=1 CUDA_MORPH_WARP_SIZE=$3 TRACE=$2 SHAPES=$4 LIMIT=20 runs "$1"
    printf 'status %s\n' "$status" >>"$2"
    cat "$out" >>"$2"
}

# same NAME WARP SEED: both ways of running kernels leave the same in memory
same() {
    traced "$1" "$scratch/loops" "$2" "$3"
    traced "$1.fibers" "$scratch/fibers" "$2" "$3"
    launches=$((launches + $(grep -c ': [0-9a-f]\{16\}$' "$scratch/loops")))
    cmp -s "$scratch/loops" "$scratch/fibers" && return
    grep -q 'clock' "$program" && return # it differs from itself, too
    diff "$scratch/loops" "$scratch/fibers" >"$out"
    check "$1: loops and fibers differ with warps of $2, shapes $3" false
}

whole() {
    ported "$1"
    compiled "$base" "$base"
    compiled "$base" "$base.fibers" -DCUDA_MORPH_FIBERS
    grep -q PASS "$1" || return # it is there to be compiled
    if grep -q '^// warp 32: ' "$1"; then
        run check "$1" --target rocm --select cuda-silent --format concise
        check "check says of $base that it counts on 32 lanes" grep -qE "$waves" "$out"
    fi
    for warp in ${WARP:-32 64}; do
        for tier in "$base" "$base.fibers"; do
            CUDA_MORPH_WARP_SIZE=$warp runs "$tier"
            verdict "$1" "$tier" "$warp"
        done
    done
    [ -z "$sanitize" ] || return
    compiled "$base" "$base" "$wrap" "$trace"
    compiled "$base" "$base.fibers" -DCUDA_MORPH_FIBERS "$wrap" "$trace"
    for warp in ${WARP:-32 64}; do
        for seed in 0 ${SEEDS:-1 2}; do same "$base" "$warp" "$seed"; done
    done
    rm -f "$base" "$base.fibers"
}

find "$top/tests/compile" "$top/tests/cpu" -name '*.cu' | sort >"$scratch/programs"
while read -r program; do
    base=${program##*/}
    base=${base%.cu}
    if [ -n "${ONLY:-}" ]; then
        chosen=''
        # shellcheck disable=SC2254
        for pattern in $ONLY; do case $base in $pattern) chosen=1 ;; esac done
        [ -n "$chosen" ] || continue
    fi
    case $base in beyond | nobody) continue ;; esac # of tests/e2e/cpu.sh
    beyond "$program" || whole "$program"
done <"$scratch/programs"
[ -n "$sanitize" ] ||
    echo "$name: $launches launches of kernels compared"
done_testing
