#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# samples.sh - ports a checkout of NVIDIA's cuda-samples to the CPU, compiles and runs each sample.
#
#   tests/real/samples.sh CHECKOUT          all (make test SUITE=samples CHECKOUT=DIR)
#   tests/real/samples.sh CHECKOUT NAME...  only these
#
# One line for each: "pass NAME" when it said that it compared its results, and ended with status 0
# and no word of a failure; "ends NAME" when it ended so without a word of a comparison; "waived"
# when it says that this machine or device has not what it wants; else "compile", "run", "slow" or
# "hangs", its name and the first reason.
# tests/real/helper names the variables. Exit status: 0 at least 40 passed (or all that were asked
# for), 1 fewer, 2 no checkout.
. "${0%/*}/helper"
[ $# -gt 0 ] && [ -d "$1/Samples" ] || {
    echo 'samples: name a checkout of cuda-samples: tests/real/samples.sh CHECKOUT [NAME...]' >&2
    exit 2
}
begin samples "$1"
shift
mpi=$(mpicxx --showme:compile 2>/dev/null)
mpi_libraries=$(mpicxx --showme:link 2>/dev/null)

# What a sample says when its own comparison went wrong, or when it had nothing to compare.
failure='FAIL|Error|error:|rror code|mismatch|Unable|not supported|[Ww]aiv'
innocent='L1 [Ee]rror|([Aa]bsolute|[Rr]elative) error|0 mismatch|[Nn]o errors|rror checking|Error: 0|L2 [Ee]rror|error = [0-9.e-]*$'
innocent="$innocent|[Ee]rror.*(norm|tolerance|= *[0-9]|OK)"
# How they say that they compared anything.
compared='PASS|[Pp]assed|SUCCESS|[Ss]uccess|[Vv]erif|[Cc]orrect|L1 norm|[Mm]atch|OK|[Dd]ifference'
compared="$compared|[Cc]ompar|[Cc]heck|rror|CPU result|as expected|A[*]x"
absent='[Ww]aiv|not supported'

# sources PORT: the files that a sample is made of
sources() {
    made=$(find "$1" -maxdepth 2 \( -name '*.cu' -o -name '*.cpp' -o -name '*.c' \) |
        grep -v '_kernel\.cu$' | sort)
    [ -n "$made" ] || made=$(find "$1" -name '*.cu' | sort)
    # Kernels in a file of their own are included by some samples and compiled by others.
    for file in $(find "$1" -maxdepth 1 -name '*_kernel.cu'); do
        grep -rqs "include.*${file##*/}" "$1" || made="$made $file"
    done
    case $made in
    *multithreading.cpp*) ;;
    *)
        # shellcheck disable=SC2086
        ! grep -q multithreading.h $made || made="$made $work/tree/Common/multithreading.cpp"
        ;;
    esac
    # shellcheck disable=SC2086
    ! grep -q helper_multiprocess.h $made || made="$made $work/tree/Common/helper_multiprocess.cpp"
    echo "$made"
}

# modules PORT HERE: what nvcc makes a fatbin file of is a shared library here
modules() {
    for file in $(find "$1" -name '*_kernel.cu'); do
        # shellcheck disable=SC2086
        grep -qs fatbin $made || break
        object "$file" "$2/module.o" "$2/compile" -fPIC -DCM_MODULE
        module=${file##*/}
        "${CXX:-g++}" -shared -Wl,-Bsymbolic "$2/module.o" -o "$1/${module%.cu}64.fatbin" \
            >>"$2/compile" 2>&1
    done
    # Copied by the samples' own build files.
    cp "$include/cuda_morph/cooperative_groups.h" "$1"
}

# one FOLDER: prints the line of a sample
one() {
    sample=${1##*/}
    here=$work/$sample
    port=$work/tree/${1#"$checkout"/}
    mkdir -p "$here"
    made=$(sources "$port")
    : >"$here/compile"
    objects=''
    for source in $made; do
        objects="$objects $here/${source##*/}.o"
        # shellcheck disable=SC2086
        object "$source" "$here/${source##*/}.o" "$here/compile" -I "$work/tree/Common" \
            -I "$port" -I "$port/inc" -I "$port/common" -I "$port/src" $mpi || break
    done
    # shellcheck disable=SC2086
    if grep -qE 'error:' "$here/compile" ||
        ! link_program "$here/run" "$here/compile" $objects $mpi_libraries; then
        answer compile "$sample" "$(complaint "$here/compile")"
        return
    fi
    modules "$port" "$here"
    rm -f "$here/out"
    limited "$port" "$here/out" "$here/run"
    reason=$(grep -E "$failure" "$here/out" | grep -m 1 -vE "$innocent" | cut -c 1-160)
    if [ "$status" = slow ] || [ "$status" = hangs ]; then
        answer "$status" "$sample"
    elif [ "$status" = 2 ] || printf '%s' "$reason" | grep -qE "$absent"; then
        answer waived "$sample" "$reason"
    elif [ "$status" != 0 ] || [ -n "$reason" ]; then
        answer run "$sample" "status $status: ${reason:-$(tail -n 1 "$here/out")}"
    elif grep -qE "$compared" "$here/out"; then
        answer pass "$sample"
    else
        answer ends "$sample"
    fi
}

port_tree "$checkout"
# Those of libNVVM make PTX, and those of 8_Platform_Specific are for another machine.
find "$checkout/Samples" -mindepth 2 -maxdepth 2 -type d |
    grep -vE '/(7_libNVVM|8_Platform_Specific)/' |
    sort >"$work/folders"
if [ $# -gt 0 ]; then
    pattern=$(printf '%s|' "$@")
    grep -E "/(${pattern%|})\$" "$work/folders" >"$work/some"
    mv "$work/some" "$work/folders"
fi
while read -r folder; do
    one "$folder"
done <"$work/folders"
finish
[ "$(count pass)" -ge 40 ] || [ "$(grep -vcE '^(pass|ends) ' "$work/results")" -eq 0 ]
