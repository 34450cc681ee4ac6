#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Collectives between processes: a CUDA program that uses NCCL and MPI is ported to the CPU and run
# by mpirun, with MPI for any thread and with MPI for the program's own thread alone.
. "${0%/*}/../cli/helper"

needs c++ mpi
if nm "$build/libcmrt.a" | grep -qE ' U __(asan|tsan)_init$'; then
    skip everything 'MPI is not built with sanitizers'
    done_testing
fi
check 'the plug-in was built' test -f "$build/libcmrt_mpi.so"
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_CXX=${CXX:-c++}
CUDA_MORPH_MPI=$build/libcmrt_mpi.so
CUDA_MORPH_THREADS=2
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_CXX CUDA_MORPH_MPI \
    CUDA_MORPH_THREADS
unset CUDA_VISIBLE_DEVICES CUDA_MORPH_TARGET CUDA_MORPH_COMM

run port "$top/tests/vendors/ranks.cu" --target cpu --strict
exits 0 'port ranks.cu'
cp "$out" ranks.cc
check 'compile ranks.cc' mpicxx -std=c++17 -O1 -w -I "$top/runtime/include" ranks.cc \
    "$build/libcmrt.a" -pthread -lm -ldl -o ranks

run port "$top/tests/vendors/collectives.cu" --target cpu --strict
exits 0 'port collectives.cu'
cp "$out" collectives.cc
check 'compile collectives.cc' mpicxx -std=c++17 -O1 -w -DWITH_MPI -I "$top/runtime/include" \
    collectives.cc "$build/libcmrt.a" -pthread -lm -ldl -o collectives

# ranks NUMBER ARGUMENTS...
ranks() {
    number=$1
    shift
    timeout 60 mpirun --oversubscribe -np "$number" ./ranks "$@" >"$out" 2>"$err"
    status=$?
}
for number in 2 4; do
    for level in multiple single; do
        ranks "$number" "$level"
        exits 0 "$number ranks, MPI for $level"
        prints PASS "$number ranks, MPI for $level"
    done
done
# An odd number, where a ring and a split do not come out even.
ranks 3 multiple
prints PASS '3 ranks'

# Every function, type and operation; what NCCL refuses; what never ends is aborted.
for number in 1 2 3 4; do
    timeout 60 mpirun --oversubscribe -np "$number" ./collectives >"$out" 2>"$err"
    status=$?
    exits 0 "collectives, $number ranks"
    prints PASS "collectives, $number ranks"
done

# Two ranks in one process: an error on all of them, and no hang.
ranks 2 twice
exits 0 'two ranks in one process'
prints PASS 'two ranks in one process'

CUDA_MORPH_MPI=/none/libcmrt_mpi.so
ranks 2 without
exits 0 'without the plug-in'
prints 'PASS' 'without the plug-in'
done_testing
