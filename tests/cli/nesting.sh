#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Rewrites inside rewrites: a sequence and a name at one call, calls in arguments, kernels of
# launches.
. "${0%/*}/helper"

cat >rules.json <<'EOF'
{"domain": "mine", "language": "cuda", "title": "Rewrites that meet", "rules": [
 {"id": "mine/sequences", "title": "sequences", "why": "a test", "severity": "warning",
  "match": "tokens", "default": {},
  "rows": {
   "left, right": {"rocm": "LEFT, RIGHT"},
   "outer(swap($a..., $b...))": {"rocm": "inside({a}, {b})"},
   "wrap($a..., $b...)": {"rocm": "wrapped({b}, {a})"}},
  "examples": [{"target": "rocm", "before": "a", "after": "a"}],
  "references": [{"source": "none", "checked": "2026-11"}]},
 {"id": "mine/names", "title": "names", "why": "a test", "severity": "warning",
  "match": "name", "default": {},
  "rows": {"swap": {"rocm": {"call": "swapped({1}, {0})"}},
           "wrap": {"rocm": {"call": "named({1}, 7, {0})", "include": "named.h"}}},
  "examples": [{"target": "rocm", "before": "a", "after": "a"}],
  "references": [{"source": "none", "checked": "2026-11"}]}
]}
EOF

# port NAME TEXT...: ports these lines, each a statement
port() {
    {
        echo '#include <cuda_runtime.h>'
        echo 'void f() {'
        printf '  %s;\n' "$@"
        echo '}'
    } >a.cu
    run port a.cu --target rocm --rules rules.json --launch-syntax function
}

port 'wrap(cudaMalloc(&p, 4), cudaFree(q))'
prints '  wrapped(hipFree(q), hipMalloc(&p, 4));' 'the arguments of a sequence are ported'
check 'the name waits for the sequence: no header of its own' not grep -q named.h "$out"
port 'wrap(swap(cudaMalloc(&p, 4), cudaSuccess), 2)'
prints '  wrapped(2, swapped(hipSuccess, hipMalloc(&p, 4)));' \
    'a call in the argument of a sequence'
port 'outer(swap(cudaSuccess, cudaMalloc(&x, 3)))'
prints '  inside(hipSuccess, hipMalloc(&x, 3));' 'a sequence of two calls'
port 'swap(swap(left, cudaSuccess), cudaFree)'
prints '  swapped(hipFree, swapped(hipSuccess, left));' 'a call in its like'

port 'swap(left, right)'
prints '  swap(LEFT, RIGHT);' 'of two rewrites that cut each other one is made'
says 'the rewrite of `left, right` changes a part of it, too' 'and the other says why it is not'
port 'wrap(cudaMalloc(&p, 1) /* why */, 4)'
prints '  wrap(hipMalloc(&p, 1) /* why */, 4);' \
    'what a comment prevents leaves the arguments ported'

port 'k<cudaError_t, cudaSuccess><<<swap(1, cudaSuccess), 2>>>(wrap(cudaSuccess, 4))'
prints 'HIP_KERNEL_NAME(k<hipError_t, hipSuccess>)' 'names in the template arguments of a kernel'
prints 'dim3(swapped(hipSuccess, 1)), dim3(2), 0, 0, wrapped(4, hipSuccess));' 'and in its launch'

port 'KERNEL<<<1, 2>>>(x)'
prints 'hipLaunchKernelGGL(KERNEL, dim3(1), dim3(2), 0, 0, x)' 'a macro that is a name is launched so'

done_testing
