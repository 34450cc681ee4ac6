#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Kernels written against the splitter (tests/kernels): each computes the same as loops, as fibers
# and as its expected.cc says, in blocks of several sizes, with warps of 32 and of 64; how it runs is
# what its strategy says. All are one program, so that few compilers run. A case with a file
# known-bug is a program of its own and has to fail: once it passes, the file goes. Those of
# refused/ are not run: what they say must be in the report of the port.
# ONLY="CASE ...": no others.
. "${0%/*}/../cli/helper"
. "$top/tests/cpu/programs.sh"
cases=$top/tests/kernels

run port "$cases" --target cpu --explain-kernels -q
cat "$out" "$err" >"$scratch/strategies"
run port "$cases" --target cpu -o "$scratch/ported"
cp "$err" "$scratch/report"

meant() { case " ${ONLY:-$1} " in *" $1 "*) ;; *) false ;; esac; }

# said CASE FILE: the lines of that file that are about the case's kernel, from its name on
said() { sed -n "s|^.*/kernels/$1/k\.cu:[0-9]*:[0-9]*: ||p" "$2" | sed -E 's/; [0-9]+:[0-9]+: /; /'; }

# strategy CASE: each line of its file begins one that --explain-kernels prints
strategy() {
    said "$1" "$scratch/strategies" >"$out"
    while read -r line; do
        check "$1: --explain-kernels does not say '$line'" begins "$line" "$out"
    done <"$cases/$1/strategy"
}
begins() { awk -v text="$1" 'index($0, text) == 1 { found = 1 } END { exit !found }' "$2"; }

# text CASE: what its ported text holds (+) and what not (-)
text() {
    cp "$scratch/ported/$1/k."* "$out"
    while read -r sign words; do
        if [ "$sign" = + ]; then prints "$words" "$1"; else
            check "$1: the text holds '$words'" not grep -qF -e "$words" "$out"
        fi
    done <"$cases/$1/text"
}

# part CASE: the case as a part of the program
part() {
    sizes=$(sed -n 's|^// threads: ||p' "$cases/$1/k.cu")
    echo "namespace $(echo "$1" | tr - _) {"
    echo "#include \"$(echo "$scratch/ported/$1/k."*)\""
    printf 'static inline\n#include "%s"\n' "$cases/$1/expected.cc"
    echo "CASE(\"$1\", $(echo ${sizes:-1 31 32 33 256} | sed 's/ /, /g'))"
    echo '}'
}

# compiled PROGRAM OPTION...: in/PROGRAM.cc becomes in/PROGRAM; the headers are compiled once
options="-std=c++17 -O0 -fstrict-aliasing -w $sanitize -I $top/runtime/include"
compiled() {
    program=$1
    shift
    # shellcheck disable=SC2086
    "${CXX:-c++}" $options "$@" "$scratch/in/$program.cc" "$build/libcmrt.a" -pthread \
        -rdynamic -lm -ldl -o "$scratch/in/$program" >"$out" 2>"$err"
}

cp "$cases/driver.hpp" "$scratch/in"
# shellcheck disable=SC2086
check 'the headers compile' "${CXX:-c++}" $options -x c++-header "$scratch/in/driver.hpp" -o \
    "$scratch/in/driver.hpp.gch"

# alone CASE: it is a program of its own, which fails in some way
alone() {
    { echo '#include "driver.hpp"' && part "$1"; } >"$scratch/in/alone.cc"
    compiled alone || return 0
    for warp in 32 64; do
        CUDA_MORPH_WARP_SIZE=$warp timeout 20 "$scratch/in/alone" >"$out" 2>"$err" || return 0
        grep -q ': right$' "$out" || return 0
    done
    return 1
}

echo '#include "driver.hpp"' >"$scratch/in/loops.cc"
good=''
for folder in "$cases"/*/; do
    case=${folder%/}
    case=${case##*/}
    [ "$case" != refused ] && meant "$case" || continue
    if [ -f "$folder/known-bug" ]; then
        check "$case passes: remove its known-bug" alone "$case"
        continue
    fi
    good="$good $case"
    strategy "$case"
    [ ! -f "$folder/text" ] || text "$case"
    part "$case" >>"$scratch/in/loops.cc"
done
cp "$scratch/in/loops.cc" "$scratch/in/fibers.cc"
check 'the cases compile' compiled loops
check 'the cases compile for fibers' compiled fibers -DCUDA_MORPH_FIBERS

for program in loops fibers; do
    for warp in 32 64; do
        CUDA_MORPH_WARP_SIZE=$warp timeout 100 "$scratch/in/$program" >"$scratch/ran" 2>"$err"
        for case in $good; do
            grep "^$case: " "$scratch/ran" >"$out"
            check "$case as $program, warps of $warp" grep -q ': right$' "$out"
        done
    done
done

# reported CASE: all that it has to say is there
reported() {
    while read -r line; do grep -qF -e "$line" "$out" || return; done <"$cases/$1/says"
}
for folder in "$cases"/refused/*/; do
    case=${folder%/}
    case=refused/${case##*/}
    meant "$case" || continue
    { said "$case" "$scratch/strategies" && said "$case" "$scratch/report"; } >"$out"
    if [ -f "$folder/known-bug" ]; then
        check "$case is reported: remove its known-bug" not reported "$case"
    else
        check "$case is not reported" reported "$case"
    fi
done
done_testing
