#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# llmc.sh - ports a checkout of llm.c to the CPU and runs its tests (make test SUITE=llmc
# CHECKOUT=DIR).
#
#   tests/real/llmc.sh CHECKOUT          every program of dev/cuda with each of its kernels, and
#   GPT-2
#   tests/real/llmc.sh CHECKOUT NAME...  only these programs
#
# A line for each kernel: "pass PROGRAM NUMBER" when the program compared its results with those of
# its plain loops and found them right; "absent" when the program has that kernel with cuDNN only;
# else "compile", "run" with the first reason, "slow" or "hangs". Their sizes are a GPU's: sizes()
# makes them smaller. Kernels that a program has for one precision only are run in that one (",
# fp32").
#
# test_gpt2_fp32 and test_gpt2 want GPT-2's weights and what PyTorch computed with them, which
# nobody has offline. tests/real/gpt2_state.c makes a small model of random weights instead, and
# lets llm.c's own train_gpt2.c, plain C, say what it should compute.
# tests/real/helper names the variables. Exit status: 0 all passed that are there, 1 not, 2 no
# checkout.
. "${0%/*}/helper"
[ $# -gt 0 ] && [ -d "$1/dev/cuda" ] || {
    echo 'llmc: name a checkout of llm.c: tests/real/llmc.sh CHECKOUT [NAME...]' >&2
    exit 2
}
OPT=${OPT:--O2}
begin llmc "$1"
shift
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-2}"

# sizes FILE: batches, sequences, vocabulary, layers, repetitions and buffers that a CPU does in
# seconds
sizes() {
    sed -E -i -e 's/\<B = (8|4|32);/B = 2;/' -e 's/\<T = 1024;/T = 128;/' \
        -e 's/\<V = 50257;/V = 5025;/' -e 's/int L = 12;/int L = 1;/' \
        -e 's/int repeat_times = [0-9]+;/int repeat_times = 1;/' \
        -e 's/= 32 \* 1024 \* 1024;/= 1024 * 1024;/' -e 's/int C = 1600;/int C = 1536;/' "$1"
    # A kernel of this one writes 256 entries of each row, however long the row is.
    case $1 in *attention_backward.cu) sed -i 's/int T = 128;/int T = 256;/' "$1" ;; esac
}

# build PROGRAM OUT FLAGS...: 1 where it cannot be
build() (
    from=$1 to=$2
    shift 2
    : >"$to.make"
    object "$from" "$to.o" "$to.make" "$@" && link_program "$to" "$to.make" "$to.o"
)

# try NAME LOG COMMAND...: runs a test and prints its line
try() {
    name=$1 log=$2
    shift 2
    rm -f "$log"
    limited "$work" "$log" "$@"
    bad=$(grep -m 1 -iE 'mismatch|not ok|error|assert|only supported' "$log")
    case $status in
    slow | hangs) answer "$status" "$name" ;;
    0)
        if [ -n "$bad" ]; then
            answer run "$name" "$bad"
        elif grep -qE 'match|OK|All good' "$log"; then
            answer pass "$name"
        else
            answer ends "$name"
        fi
        ;;
    *) answer run "$name" "status $status: ${bad:-$(tail -n 1 "$log")}" ;;
    esac
}

# kernels PROGRAM.cu: each of its kernels
kernels() {
    base=${1##*/}
    base=${base%.cu}
    sizes "$1"
    sed 's|^#define ENABLE_BF16|//&|' "$1" >"${1%.cu}_fp32.cu"
    numbers=$(awk '/switch *\(kernel_num\)/ { on = 1 } /default:/ { on = 0 } on && /^ *case [0-9]+:/ {
        sub(/^ *case /, ""); sub(/:.*/, ""); print }' "$1" | sort -nu)
    if ! build "$1" "$work/$base"; then
        answer compile "$base" "$(complaint "$work/$base.make")"
        return
    fi
    for number in ${numbers:-''}; do
        log=$work/$base.$number
        "$work/$base" "$number" </dev/null 2>&1 | sed 5q >"$log.head" # refusals come at once
        if grep -qE 'Invalid kernel|only supported' "$log.head"; then
            if grep -q '^//#define ENABLE_BF16' "${1%.cu}_fp32.cu" &&
                build "${1%.cu}_fp32.cu" "$work/${base}_fp32" &&
                ! "$work/${base}_fp32" "$number" </dev/null 2>&1 | sed 5q |
                    grep -q 'Invalid kernel'; then
                try "$base $number, fp32" "$log" "$work/${base}_fp32" "$number"
            else
                answer absent "$base $number" \
                    'the program refuses it: it is compiled in with cuDNN only'
            fi
        else
            try "$base${number:+ $number}" "$log" "$work/$base" $number
        fi
    done
}

# losses FILE SOURCE: the ten losses that a test expects become those of FILE
losses() {
    awk -v from="$1" '
        /expected_losses\[10\] = \{/ { print; while ((getline loss < from) > 0) print loss ","; skip = 1; next }
        skip && /\};/ { skip = 0 }
        !skip' "$2" >"$2.new" && mv "$2.new" "$2"
}

# gpt2 NAME OUT LOSSES FLAGS...: test_gpt2_fp32 and its like, in a folder with the small model
gpt2() {
    program=$2
    [ "$1" = "$program" ] || cp "$work/tree/$1.cu" "$work/tree/$program.cu"
    losses "$work/$3" "$work/tree/$program.cu"
    shift 3
    if build "$work/tree/$program.cu" "$work/$program" -I "$work/tree" "$@"; then
        try "$program" "$work/$program.out" "$work/$program"
    else
        answer compile "$program" "$(complaint "$work/$program.make")"
    fi
}

# The small model, what it should compute, and the folder of the data that test_gpt2 reads
model() {
    nice "${CC:-gcc}" -O2 -fopenmp -w -I "$checkout" "$real/gpt2_state.c" -lm -o \
        "$work/gpt2_state" || return
    mkdir -p "$work/dev/data/tinyshakespeare"
    (cd "$work" && ./gpt2_state >losses_fp32 && ./gpt2_state clip >losses) || return
    for part in train val; do
        cp "$work/tokens.bin" "$work/dev/data/tinyshakespeare/tiny_shakespeare_$part.bin"
    done
    # The token that samples begin with is beyond the small vocabulary.
    sed -i 's/GPT2_EOT 50256/GPT2_EOT 249/' "$work/tree/train_gpt2_fp32.cu"
}

# wanted NAME: was it asked for?
wanted() {
    [ -z "$only" ] || case " $only " in *" $1 "*) ;; *) return 1 ;; esac
}

port_tree "$checkout"
only="$*"
for file in "$work"/tree/dev/cuda/*.cu; do
    base=${file##*/}
    case ${base%.cu} in nccl_all_reduce) continue ;; esac
    ! wanted "${base%.cu}" || kernels "$file"
done
if wanted nccl_all_reduce; then
    file=$work/tree/dev/cuda/nccl_all_reduce
    sizes "$file.cu"
    : >"$work/nccl_all_reduce.make"
    # shellcheck disable=SC2046
    if object "$file.cu" "$work/nccl_all_reduce.o" "$work/nccl_all_reduce.make" \
        $(mpicxx --showme:compile 2>/dev/null) &&
        link_program "$work/nccl_all_reduce" "$work/nccl_all_reduce.make" \
            "$work/nccl_all_reduce.o" \
            $(mpicxx --showme:link 2>/dev/null); then
        export CUDA_MORPH_MPI="$BUILD/libcmrt_mpi.so"
        try nccl_all_reduce "$work/nccl_all_reduce.out" mpirun --allow-run-as-root \
            --oversubscribe -n 2 \
            "$work/nccl_all_reduce"
    else
        answer compile nccl_all_reduce "$(complaint "$work/nccl_all_reduce.make")"
    fi
fi
if wanted test_gpt2_fp32 || wanted test_gpt2 || wanted train_gpt2_fp32; then
    if model; then
        ! wanted test_gpt2_fp32 || gpt2 test_gpt2_fp32 test_gpt2_fp32 losses_fp32
        ! wanted test_gpt2 || gpt2 test_gpt2 test_gpt2_as_fp32 losses -DENABLE_FP32
        ! wanted test_gpt2 || gpt2 test_gpt2 test_gpt2_as_bf16 losses -DENABLE_BF16
    else
        answer run gpt2 'the small model could not be made'
    fi
fi
finish
[ "$(grep -vcE '^(pass|absent) ' "$work/results")" -eq 0 ]
