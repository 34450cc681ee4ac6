#!/bin/sh
# samples.sh - ports a checkout of NVIDIA's cuda-samples to the CPU, compiles and runs each sample.
#
#   tests/samples.sh CHECKOUT          all samples (make test-samples SAMPLES=CHECKOUT)
#   tests/samples.sh CHECKOUT NAME...  only these
#
# One line for each: "pass NAME" when it said that it compared its results, and ended with status 0
# and no word of a failure; "ends NAME" when it ended so without a word of a comparison; else
# "compile", "run" or "slow", its name and the first reason. What came out lies in $BUILD/samples.
# BUILD is the build folder, SECONDS_EACH how long one sample may run (60).
# Exit status: 0 at least 40 passed (or all that were asked for), 1 fewer, 2 no checkout.
set -u
cd "$(dirname "$0")/.." || exit 2
LC_ALL=C
export LC_ALL
[ $# -gt 0 ] && [ -d "$1/Samples" ] || {
    echo 'samples: name a checkout of cuda-samples: tests/samples.sh CHECKOUT [NAME...]' >&2
    exit 2
}
case ${BUILD:=build} in
/*) ;;
*) BUILD=$PWD/$BUILD ;;
esac
work=$BUILD/samples
include=$PWD/runtime/include
# Some ask for a second device.
export CUDA_MORPH_DEVICES="${CUDA_MORPH_DEVICES:-2}"
export CUDA_MORPH="$BUILD/cuda-morph" CUDA_MORPH_FLAGS="-I$include"
mkdir -p "$work"
checkout=$(cd "$1" && pwd)
shift

# What a sample says when its own comparison went wrong, or when it had nothing to compare.
failure='FAIL|Error|error:|rror code|mismatch|Unable|not supported|[Ww]aiv'
innocent='L1 [Ee]rror|([Aa]bsolute|[Rr]elative) error|0 mismatch|[Nn]o errors|rror checking|Error: 0|L2 [Ee]rror|error = [0-9.e-]*$'
innocent="$innocent|[Ee]rror.*(norm|tolerance|= *[0-9])"
# How they say that they compared anything.
compared='PASS|[Pp]assed|SUCCESS|[Ss]uccess|[Vv]erif|[Cc]orrect|L1 norm|[Mm]atch|OK|[Dd]ifference'
compared="$compared|[Cc]ompar|[Cc]heck|rror|CPU result|as expected|A[*]x"

# one FOLDER: prints the line of a sample
one() {
    folder=$1
    name=${folder##*/}
    here=$work/$name
    port=$work/tree/${folder#"$checkout"/}
    mkdir -p "$here"
    sources=$(find "$port" -maxdepth 2 \( -name '*.cu' -o -name '*.cpp' -o -name '*.c' \) |
        grep -v '_kernel\.cu$' | sort)
    [ -n "$sources" ] || sources=$(find "$port" -name '*.cu' | sort)
    extra=$(find "$port" -maxdepth 1 -name '*_kernel.cu')
    # Kernels in a file of their own are included by some samples and compiled by others.
    for file in $extra; do
        grep -rqs "include.*${file##*/}" "$port" || sources="$sources $file"
    done
    case $sources in
    *multithreading.cpp*) ;;
    *)
        # shellcheck disable=SC2086
        ! grep -q multithreading.h $sources || sources="$sources $work/tree/Common/multithreading.cpp"
        ;;
    esac
    case $(cat $sources) in
    *helper_multiprocess.h*) sources="$sources $work/tree/Common/helper_multiprocess.cpp" ;;
    esac
    : >"$here/compile"
    objects=''
    for file in $sources; do
        object=$here/${file##*/}.o
        objects="$objects $object"
        # shellcheck disable=SC2086
        nice ${CXX:-g++} -std=c++17 ${OPT:--O1} -w -fopenmp -I "$include" -include cuda_morph/cuda.h \
            -I "$work/tree/Common" -I "$port" -I "$port/inc" -I "$port/common" -I "$port/src" \
            -x c++ -c "$file" -o "$object" >>"$here/compile" 2>&1 || break
    done
    # shellcheck disable=SC2086
    if grep -qE 'error:' "$here/compile" ||
        ! ${CXX:-g++} -fopenmp $objects "$BUILD/libcmrt.a" -pthread -rdynamic -lm -ldl -lrt \
            -o "$here/run" >>"$here/compile" 2>&1; then
        reason=$(grep -m 1 -E 'error:|undefined reference|cannot find' "$here/compile")
        echo "compile $name ${reason##*/}"
        return
    fi
    # What nvcc makes a fatbin file of is a shared library here.
    for file in $(find "$port" -name '*_kernel.cu'); do
        # shellcheck disable=SC2086
        grep -qs fatbin $sources || break
        module=${file##*/}
        nice ${CXX:-g++} -std=c++17 ${OPT:--O1} -w -shared -fPIC -Wl,-Bsymbolic -DCM_MODULE -I "$include" \
            -include cuda_morph/cuda.h -x c++ "$file" -o "$port/${module%.cu}64.fatbin" \
            >>"$here/compile" 2>&1
    done
    # Copied by the samples' own build files.
    cp "$include/cuda_morph/cooperative_groups.h" "$port"
    (cd "$port" && timeout "${SECONDS_EACH:-60}" nice "$here/run" ${arguments-} \
        </dev/null >"$here/out" 2>&1)
    status=$?
    if [ $status = 124 ]; then
        echo "slow $name"
    elif [ $status != 0 ] || grep -E "$failure" "$here/out" | grep -qvE "$innocent"; then
        reason=$(grep -E "$failure" "$here/out" | grep -m 1 -vE "$innocent")
        echo "run $name status $status: ${reason:-$(tail -n 1 "$here/out")}"
    elif grep -qE "$compared" "$here/out"; then
        echo "pass $name"
    else
        echo "ends $name"
    fi
}

rm -rf "$work/tree"
"$BUILD/cuda-morph" port "$checkout" --target cpu -q --no-ignore \
    -o "$work/tree" >"$work/port.out" 2>&1
find "$checkout/Samples" -mindepth 2 -maxdepth 2 -type d | sort >"$work/folders"
if [ $# -gt 0 ]; then
    pattern=$(printf '%s|' "$@")
    grep -E "/(${pattern%|})\$" "$work/folders" >"$work/some"
    mv "$work/some" "$work/folders"
fi
: >"$work/results"
while read -r folder; do
    one "$folder" | tee -a "$work/results"
done <"$work/folders"
passed=$(grep -c '^pass ' "$work/results")
ended=$(grep -c '^ends ' "$work/results")
failed=$(grep -vcE '^(pass|ends) ' "$work/results")
echo "samples: $passed passed, $ended ended without a word of a comparison, $failed failed"
[ "$passed" -ge 40 ] || [ "$failed" -eq 0 ]
