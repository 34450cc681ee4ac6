#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# torch.sh - what was ported runs, and computes the same (`make test SUITE=torch`).
#
# The programs of tests/e2e/programs run as they are, after `port --target cpu`, and under `run
# --target cpu`: all three must print the same numbers. tests/e2e/shims holds the tests of
# cuda_morph_rt. BUILD is the build folder; PYTHON names the interpreters to test with (default:
# the first of python3 and /usr/bin/python3 that has torch). Without torch nothing is tested, and
# it says so. E2E_ONLY is a word that the names of the tests to run contain.
set -u
top=$(cd "${0%/*}/.." && pwd)
. "$top/tests/helper"
cd "$top" || exit 2
OMP_NUM_THREADS=1
PYTHONDONTWRITEBYTECODE=1
PYTHONWARNINGS=ignore
export OMP_NUM_THREADS PYTHONDONTWRITEBYTECODE PYTHONWARNINGS
runtime=$top/runtime/python
wanted() { case $1 in *"${E2E_ONLY-}"*) true ;; *) false ;; esac }

python_with_torch() {
    for python in python3 /usr/bin/python3; do
        if "$python" -c 'import torch' >/dev/null 2>&1; then
            command -v "$python"
            return
        fi
    done
}

# The three ways to run one program. Losses that are printed must be equal, digit by digit.
one_program() {
    program=tests/e2e/programs/$1.py
    arguments=$(sed -n "s/^$1 //p" tests/e2e/arguments)
    # shellcheck disable=SC2086
    timeout 120 "$python" "$program" $arguments >"$scratch/want" 2>"$scratch/err"
    check "$1 as it is" test $? -eq 0 -a -s "$scratch/want"
    "$tool" port "$program" --target cpu >"$scratch/$1.py" 2>"$scratch/err"
    check "port $1" test $? -eq 0
    if grep -q '^# e2e: manual on [a-z,]*\<cpu\>' "$program"; then
        check "$1 has something left for a human" grep -q ' [1-9][0-9]* manual' "$scratch/err"
        return
    fi
    check "$1 has nothing left for a human" grep -q ' 0 manual' "$scratch/err"
    PYTHONPATH=$runtime timeout 120 "$python" "$scratch/$1.py" >"$scratch/got" 2>"$scratch/err"
    check "$1 after port" cmp "$scratch/want" "$scratch/got"
    timeout 120 "$tool" run --target cpu --python "$python" "$program" >"$scratch/got" \
        2>"$scratch/err"
    check "$1 under run" cmp "$scratch/want" "$scratch/got"
}

# Whether the program can run here as it is: tests/emulated.sh has accelerators for the others.
here() {
    if grep -q '^""".*Needs a GPU' "$1"; then return 1; fi
    ! grep -q '^# e2e: needs torch 2' "$1" || "$python" -c "$torch_2" 2>/dev/null
}
torch_2='import sys, torch; sys.exit(tuple(map(int, torch.__version__.split(".")[:2])) < (2, 6))'

# A program that knows nothing but NCCL, started by torchrun, on two processes without a GPU.
torchrun() {
    cd tests/e2e/launch || return
    timeout 120 "$tool" run --target cpu --python "$python" torchrun.py --nproc_per_node 2 \
        ranks.py \
        >"$scratch/got" 2>"$scratch/err"
    cd "$top" || exit 2
    cat "$scratch/got" >>"$scratch/err"
    check 'torchrun: both ranks' test "$(grep -o 'gloo 3.0 2' "$scratch/got" | wc -l)" -eq 2
}

# Extensions whose C++ files ask for CUDA's tensors, built as they are.
extension() {
    "$python" -c 'import os, sys; from torch.utils.cpp_extension import include_paths as paths
sys.exit(not any(os.path.exists(p + "/torch/extension.h") for p in paths()))' 2>/dev/null || {
        skip 'an extension' 'the headers of PyTorch are not here (Debian: libtorch-dev)'
        return
    }
    TORCH_EXTENSIONS_DIR=$scratch/extensions timeout 900 "$tool" run --target cpu \
        --python "$python" tests/e2e/extension/use.py >"$scratch/out" 2>"$scratch/err"
    check 'load() of a .cpp and a .cu: it runs' test $? -eq 0
    check 'load() of a .cpp and a .cu: what it refuses' grep -qx True "$scratch/out"
    for program in tests/e2e/embedded/inline_*.py tests/e2e/embedded/load_*.py; do
        built_as_it_is "$program" "$(basename "$program" .py)"
    done
    for program in tests/e2e/embedded/setup_*.py; do
        title=$(basename "$program" .py)
        rm -rf "$scratch/${title#setup_}"
        cp -r "tests/e2e/embedded/${title#setup_}" "$scratch"
        (cd "$scratch/${title#setup_}" && timeout 900 "$tool" run --target cpu --python "$python" \
            setup.py build_ext --inplace) >"$scratch/out" 2>"$scratch/err"
        check "$title: python setup.py build_ext" test $? -eq 0
        PYTHONPATH=$scratch/${title#setup_} built_as_it_is "$program" "$title"
    done
}

# An extension that its program compiles, or imports: it compares with PyTorch's own operators,
# and prints its name at its end.
built_as_it_is() {
    TORCH_EXTENSIONS_DIR=$scratch/extensions timeout 900 "$tool" run --target cpu \
        --python "$python" "$1" >"$scratch/out" 2>"$scratch/err"
    check "$2: it runs" test $? -eq 0
    check "$2: it is right" grep -qx "$2" "$scratch/out"
}

PYTHON=${PYTHON-$(python_with_torch)}
[ -n "$PYTHON" ] || needs torch
for python in $PYTHON; do
    "$python" -c 'import sys, torch; print("torch: Python", sys.version.split()[0], "torch", torch.__version__)'
    for test in tests/e2e/shims/*.py; do
        wanted "$test" || continue
        PYTHONPATH=$runtime "$python" "$test" >"$scratch/out" 2>"$scratch/err"
        check "$test" test $? -eq 0
        tail -n 4 "$scratch/out"
    done
    wanted torchrun && torchrun
    wanted extension && extension
    for program in tests/e2e/programs/*.py; do
        wanted "${program%.py}" && here "$program" && one_program "$(basename "$program" .py)"
    done
done
done_testing
