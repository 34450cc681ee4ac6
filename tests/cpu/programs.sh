# Sourced, after tests/cli/helper, by the tests that port CUDA programs to the CPU and run them.
#
# beyond PROGRAM.cu         it does not run here, and the reason is printed
# ported PROGRAM.cu         in/NAME.cc, and $base is NAME
# compiled NAME WHAT ...    in/NAME.cc becomes in/WHAT; more options of the compiler
# runs WHAT                 into $out and $err

needs c++
sanitize=''
if nm "$build/libcmrt.a" 2>/dev/null | grep -q ' U __asan_init$'; then
    sanitize='-fsanitize=address,undefined'
elif nm "$build/libcmrt.a" 2>/dev/null | grep -q ' U __tsan_init$'; then
    sanitize='-fsanitize=thread'
fi

# nvrtc programs port and compile kernels while they run.
export CUDA_MORPH="$tool" CUDA_MORPH_FLAGS="-I$top/runtime/include"

# A program of tests/compile that does not run on the CPU says why in its first lines:
#   // cpu: REASON
# A library that the machine lacks: only the programs that need it are skipped.
beyond() {
    reason=$(sed -n 's|^// cpu: ||p' "$1")
    if [ -n "$reason" ]; then
        echo "$name: ${1##*/} is none for the CPU: $reason"
    elif grep -q 'cufft' "$1"; then
        ! can fftw "${1##*/}"
    else
        grep -q 'cusolver' "$1" && ! can lapack "${1##*/}"
    fi
}

ported() {
    folder=${1%/*}
    base=${1##*/}
    base=${base%.cu}
    run port "$1" --target cpu
    exits 0 "port $base"
    cp "$out" "$scratch/in/$base.cc"
    for header in $(find "$folder" -maxdepth 1 -name '*.cuh'); do # what its programs include
        "$tool" port "$header" --target cpu -q >"$scratch/in/${header##*/}"
    done
}

compiled() {
    source=$1 program=$2
    shift 2
    # shellcheck disable=SC2086
    check "compile $program" "${CXX:-c++}" -std=c++17 -O1 -fstrict-aliasing -w $sanitize \
        -I "$top/runtime/include" -I "$folder" "$scratch/in/$source.cc" "$@" "$build/libcmrt.a" \
        -pthread -rdynamic -lm -ldl -o "$scratch/in/$program"
}

runs() {
    timeout "${LIMIT:-60}" "$scratch/in/$1" >"$out" 2>"$err"
    status=$?
}
