#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Kernels in Python's strings, run by `run --target cpu` from files as they are: CuPy's, PyCUDA's and
# NVIDIA's bindings against what NumPy computes; numba and Triton get their simulator and interpreter.
. "${0%/*}/../cli/helper"

needs c++ python3
unset CUDA_MORPH_TARGET NUMBA_ENABLE_CUDASIM TRITON_INTERPRET
programs=$top/tests/e2e/python_kernels

# ---- what is set up, with packages that only say what they see ----

cat >numba.py <<'PY'
import os
print("simulator", os.environ.get("NUMBA_ENABLE_CUDASIM"))
PY
cat >triton.py <<'PY'
import os
print("interpreter", os.environ.get("TRITON_INTERPRET"))
PY
printf 'import numba\nimport triton\n' >both.py
run run --target cpu both.py
exits 0 'numba and Triton'
prints 'simulator 1' 'numba.cuda is simulated'
prints 'interpreter 1' 'Triton is interpreted'
says "numba.cuda's kernels run in numba's simulator (NUMBA_ENABLE_CUDASIM=1)" 'numba is said'
says "Triton's kernels run in its interpreter (TRITON_INTERPRET=1)" 'Triton is said'
NUMBA_ENABLE_CUDASIM=0 run run --target cpu both.py
prints 'simulator 0' 'what the user has set counts'
run run --target cpu --skip numba,triton both.py
prints 'simulator None' '--skip leaves numba alone'
silent err '--skip says nothing'
printf 'import triton\n' >absent.py
rm numba.py triton.py
run run --target cpu absent.py
exits 1 'Triton is not there'
says 'ModuleNotFoundError' 'and Python says so'

# ---- a module of the user's that is called cuda ----

echo 'here = "mine"' >cuda.py
echo 'import cuda; print(cuda.here)' >own.py
run run --target cpu own.py
prints mine 'a module `cuda` of the user'"'"'s is left alone'
rm cuda.py

# ---- kernels ----

for python in python3 /usr/bin/python3 none; do
    [ "$python" = none ] && break
    "$python" -c 'import numpy' 2>/dev/null && break
done
if [ "$python" = none ]; then
    skip 'kernels in strings' 'NumPy is not here (Debian: python3-numpy)'
    done_testing
fi
# kernels NAME LINES: the program ends well, has said what stands for the package, and named so many
kernels() {
    run run --target cpu --python "$python" "$programs/$1_kernels.py"
    exits 0 "$1"
    says "cuda-morph: ${2} on the CPU" "$1: what stands for it is said"
    check "$1: $(grep -c . "$out") lines, not $3" test "$(grep -c . "$out")" -eq "$3"
}
kernels cupy cupy 18
prints 'refused: True' 'a number of no type is refused'
prints 'True True' 'the module of an array'
kernels pycuda pycuda 13
for line in 'int TypeError' 'host TypeError' 'name LogicError' 'shape LaunchError'; do
    prints "$line" "pycuda refuses: $line"
done
kernels bindings cuda 6
prints 'broken NVRTC_ERROR_COMPILATION' 'what does not compile is said'
prints 'log True' 'and why'
prints 'PTX CUDA_ERROR_NO_BINARY_FOR_GPU' 'PTX is refused'

# ---- programs as people write them; each prints its name at its end ----

for program in "$top"/tests/e2e/embedded/*.py; do
    title=$(basename "$program" .py)
    case $title in
    inline_* | load_* | setup_*) continue ;; # of PyTorch's: tests/torch.sh
    esac
    run run --target cpu --python "$python" "$program"
    exits 0 "$title"
    prints "$title" "$title: it is right"
done
done_testing
