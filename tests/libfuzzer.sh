#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every reader under libFuzzer and ASan (clang): what it reaches decides what is tried next.
#
#     EACH=20 SEED=1 READERS="toml diff x.cu" KEEP=DIR tests/libfuzzer.sh
#
# Each reader has EACH seconds. It starts from tests/fuzz/corpus and, for programs and project
# files, from the fixtures; what is found on top stays in KEEP (default: a folder that goes), where
# the input that breaks something lies, too. A row is printed for each reader: executions, inputs.
top=$(cd "${0%/*}/.." && pwd)
cd "$top" || exit 2
. "$top/tests/helper"
needs clang

seconds=${EACH:-20}
seed=${SEED:-1}
keep=${KEEP:-$scratch/corpus}
fuzzers=$build/libfuzzer/fuzzers
configurations='toml rules baseline diff model compile_commands log messages'
programs='x.py x.cu x.cpp x.ipynb CMakeLists.txt requirements.txt Dockerfile x.yaml x.sh x.toml'

make --no-print-directory BUILD="$build/libfuzzer" CC=clang SAN=fuzzer fuzzers >"$out" 2>"$err"
check 'the readers build for libFuzzer' test -x "$fuzzers/fuzz_port" -a -x "$fuzzers/fuzz_readers"

# The fixtures that a name stands for, short ones.
fixtures() {
    case $1 in
    x.*) find tests/fixtures -type f -name "*.${1#x.}" ! -name 'expected*' -size -3k ;;
    *) find tests/fixtures -type f -name "$1" -size -3k ;;
    esac
}

# fuzz READER PROGRAM FOLDER
fuzz() {
    READER=$1 "$2" -max_total_time="$seconds" -seed="$seed" -max_len=1024 -timeout=20 \
        -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="$keep/found-$1-" "$3" \
        "tests/fuzz/corpus/$1" >"$out" 2>"$err"
}

n=0
mkdir -p "$keep"
for reader in ${READERS:-$configurations $programs}; do
    folder=$keep/$reader
    mkdir -p "$folder" "tests/fuzz/corpus/$reader"
    program=$fuzzers/fuzz_readers
    case " $configurations " in
    *" $reader "*) ;;
    *)
        program=$fuzzers/fuzz_port
        fixtures "$reader" | while read -r file; do
            cp "$file" "$folder/$(echo "$file" | tr / -)"
        done
        ;;
    esac
    check "$reader" fuzz "$reader" "$program" "$folder"
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$err")
    echo "$name: $reader: ${runs:-0} executions, $(ls "$folder" | wc -l) inputs, seed $seed"
    n=$((n + ${runs:-0}))
done
echo "$name: $n executions"
done_testing
