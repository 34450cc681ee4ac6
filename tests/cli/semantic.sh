#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --semantic, --verify and -p: options, errors, and what libclang adds where it is installed.
. "${0%/*}/helper"

cat >c.cu <<'X'
#include <cuda_runtime.h>
#include "own.cuh"

int main() {
    float *p = 0;
    cudaMalloc(&p, 4);
    return use(p);
}
X
printf '#pragma once\ninline int use(float *p) { return p != 0; }\n' >own.cuh

# Without libclang: said, and nothing done.
CUDA_MORPH_LIBCLANG=/no/such/libclang.so
export CUDA_MORPH_LIBCLANG
run port c.cu --target rocm --verify
exits 2 'no libclang'
says '/no/such/libclang.so' 'no libclang'
silent out 'no libclang'
run port c.cu --target rocm --semantic
exits 2 'no libclang, --semantic'
run check c.cu --semantic
exits 2 'no libclang, check --semantic'
run port c.cu --target rocm
check 'without --semantic nobody asks for it' test "$status" -ne 2
unset CUDA_MORPH_LIBCLANG

# Options that do not go together.
run port c.cu --target rocm -p .
exits 2 '-p alone'
says 'goes with --semantic or --verify' '-p alone'
run check c.cu -p .
exits 2 'check -p alone'
run port --target rocm -- c.cu
check 'without --verify, paths stand behind --' test "$status" -ne 2

run port c.cu --target rocm --semantic
needs libclang
check 'libclang is found where it is' not grep -q 'libclang was not found' "$err"

run port c.cu --target rocm --semantic -p no/such/folder
exits 2 'no such compile_commands.json'
says no/such/folder 'no such compile_commands.json'
printf '[{]' >compile_commands.json
run port c.cu --target rocm --semantic -p .
exits 2 'damaged compile_commands.json'
says 'compile_commands.json:1:' 'damaged compile_commands.json'
printf '[{"directory": ".", "file": "c.cu", "command": "nvcc -arch=sm_80 -c c.cu"}]' \
    >compile_commands.json
run port c.cu --target rocm --semantic -p .
check 'compile_commands.json' test "$status" -ne 2
run check c.cu --semantic -p compile_commands.json
check 'the file itself' test "$status" -ne 2

# A target that says nothing about a compiler.
run port c.cu --target portable --verify -q
exits 2 '--verify for portable'
says 'compile_device' '--verify for portable'
# Those whose host part is libcmrt's have its headers beside the program.
cat >runtime.json <<'X'
{ "domain": "test-cuda", "language": "cuda", "title": "t", "rules": [
 {"id": "test-cuda/functions", "title": "t", "why": "w", "severity": "warning", "match": "name",
  "default": {"*": "manual"}, "rows": {"cudaMemset": {"cpu": "cmNoSuch", "ascend": "cmNoSuch"}},
  "examples": [{"target": "cpu", "before": "f();\n", "after": "f();\n"}],
  "references": [{"source": "made up", "checked": "2026-11"}]}]}
X
printf '#include <cuda_runtime.h>\nint f(void *p) {\n    return cudaFree(p);\n}\n' >free.cu
printf '#include <cuda_runtime.h>\nint f(void *p) {\n    return cudaMemset(p, 0, 4);\n}\n' >set.cu
for target in cpu ascend; do
    run port free.cu set.cu --target $target --verify -o verified --rules runtime.json
    exits 1 "--verify for $target"
    says "set.cu:3:12: error: would not compile for $target" "--verify for $target: the place"
    says "$target: of 2 files, 1 verified, 1 failing, 0 not verified" "--verify for $target: the sum"
    run port free.cu --target $target --verify -o verified -q
    exits 0 "--verify for $target: all is well"
    rm -r verified
    run report free.cu set.cu --target $target --verify --rules runtime.json
    prints '2 C++ files with CUDA: 1 verified, 1 failing, 0 not verified' "report: $target"
    prints '; 1 file would not compile' "report: the last line, $target"
done
run port free.cu --target xpu --verify -q -o verified
if [ "$status" -eq 2 ]; then
    says "'sycl/sycl.hpp' was not found" 'no headers of SYCL'
    check 'what our header lacks for it is no error' not grep -q 'would not compile' "$err"
fi
run report free.cu set.cu --target cpu --verify --rules runtime.json --format json
prints '"verification": {"files": 2, "verified": 1, "failing": 1, "not_verified": 0}' 'report: JSON'
run report free.cu set.cu --target cpu --verify --rules runtime.json --format markdown
prints '| verified | failing | not verified |' 'report: Markdown'
run report free.cu --target cpu -p .
exits 2 'report -p alone'
ROCM_PATH=$scratch/none
export ROCM_PATH
run port c.cu --target musa --verify -q
if [ "$status" -eq 2 ]; then says 'musa_runtime.h was not found' 'no headers of MUSA'; fi

# Rules of our own, so that the built-in ones may change.
cat >rules.json <<'X'
{ "domain": "test-cuda", "language": "cuda", "title": "t", "rules": [
 {"id": "test-cuda/functions", "title": "t", "why": "w", "severity": "warning", "match": "name",
  "default": {"*": "manual"},
  "rows": {"cudaFree": {"rocm": "hipFree"}, "cudaMalloc": {"rocm": "hipMalloc"},
           "cudaMemset": {"rocm": "hipNoSuchMemset"}, "cudaThing": {"rocm": "hipThing"}},
  "examples": [{"target": "rocm", "before": "f();\n", "after": "f();\n"}],
  "references": [{"source": "made up", "checked": "2026-11"}]},
 {"id": "test-cuda/headers", "title": "t", "why": "w", "severity": "warning", "match": "include",
  "default": {"*": "manual"},
  "rows": {"cuda_runtime.h": {"rocm": "hip/hip_runtime.h"}, "thing.h": {"rocm": "hip/no_such.h"}},
  "examples": [{"target": "rocm", "before": "f();\n", "after": "f();\n"}],
  "references": [{"source": "made up", "checked": "2026-11"}]},
 {"id": "test-cuda/ballot", "title": "t", "why": "w", "severity": "warning", "match": "tokens",
  "declared": {"v": "^unsigned int$"}, "default": {"*": "manual"},
  "rows": {"$v = __ballot_sync(": {}},
  "examples": [{"target": "rocm", "before": "f();\n", "after": "f();\n"}],
  "references": [{"source": "made up", "checked": "2026-11"}]}
]}
X

# Whose a name is: those of the program stay, also where its headers declare them.
printf '#pragma once\nnamespace app { int cudaFree(int); }\nvoid cudaThing(float *p);\n' >names.h
cat >names.cu <<'X'
#include <cuda_runtime.h>
#include "names.h"
void f(float *p) {
    { using app::cudaFree; cudaFree(3); }
    cudaThing(p);
    cudaFree(p);
}
X
sed 's|cuda_runtime.h|hip/hip_runtime.h|; s|^    cudaFree|    hipFree|' names.cu >expected
run port names.cu --target rocm --rules rules.json --semantic
exits 0 'names of the program'
check 'names of the program stay' cmp -s expected "$out"
run port names.cu --target rocm --rules rules.json --semantic -- -I elsewhere -DX=1 -arch=sm_80
check 'flags behind --' cmp -s expected "$out"
mkdir sub && mv names.h sub
printf '[{"directory": "%s", "file": "names.cu", "arguments": ["nvcc", "-Isub", "names.cu"]}]' \
    "$PWD" >compile_commands.json
run port names.cu --target rocm --rules rules.json --semantic -p .
check 'flags of compile_commands.json' cmp -s expected "$out"
run port names.cu --target rocm --rules rules.json --semantic
check 'without them the header is not found' not cmp -s expected "$out"
cp sub/names.h .

# The declared type of a variable, where the text does not say it.
cat >types.cu <<'X'
#include <cuda_runtime.h>
typedef unsigned int lanes_t;
__global__ void k(unsigned long long *o, int n) {
    auto a = 0u;
    a = __ballot_sync(~0u, n);
    unsigned long long b;
    b = __ballot_sync(~0u, n);
    *o = a + b;
}
X
run check types.cu --target rocm --rules rules.json --select test-cuda/ballot --format concise
check 'auto says nothing' not grep -q 'test-cuda/ballot' "$out"
run check types.cu --target rocm --rules rules.json --select test-cuda/ballot --format concise \
    --semantic
check 'libclang knows it' test "$(grep -c 'test-cuda/ballot' "$out")" = 1
prints 'types.cu:5:' 'libclang knows it'

# Headers of MUSA's kind: enough to parse.
mkdir musa
cat >musa/musa_runtime.h <<'X'
typedef int musaError_t;
struct dim3 { unsigned x, y, z; dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {} };
#define __global__ __attribute__((global))
template <class T> musaError_t musaMalloc(T **p, unsigned long n);
X
cat >m.cu <<'X'
#include <musa_runtime.h>
__global__ void k(float *p) { *p = 1; }
int main() {
    float *p;
    musaMalloc(&p, 4);
    k<<<1, 32>>>(p);
    k<<<dim3(1), dim3(2), 0, 0>>>(p);
    return 0;
}
X
run port m.cu --target musa --verify -q -- -I musa
exits 0 'what compiles'
silent err 'what compiles'
sed -i 's/musaMalloc(&p, 4)/no_such_function(p)/' m.cu
run port m.cu --target musa --verify -q -- -I musa
exits 0 'what the original has wrong, too, is not the port'\''s doing'

# HIP itself, where Debian's headers are.
unset ROCM_PATH
cat >v.cu <<'X'
#include <cuda_runtime.h>
#include <math.h>
#include <stdlib.h>
#include "v.cuh"

float host(float x) { return sqrtf(x) + expf(fabs(x)) + abs((int)x); }
__global__ void k(float *p) { p[threadIdx.x] = sqrtf(p[1]) + __expf(p[0]); }

int main() {
    float *p;
    cudaMalloc(&p, 4);
    k<<<1, 32>>>(p);
    release(p);
    return 0;
}
X
printf \
    '#pragma once\n#include <cuda_runtime.h>\ninline void release(float *p) { cudaFree(p); }\n' \
    >v.cuh
cp v.cu v.before
run port v.cu --target rocm --rules rules.json --verify -q
if grep -q 'hip/hip_runtime.h was not found' "$err"; then
    can hip '--verify with HIP' || done_testing
fi
exits 0 'HIP: it compiles, with the header that is ported only in memory'
silent err 'HIP: it compiles'
check 'nothing is written' cmp -s v.cu v.before
printf '#include <cuda_runtime.h>\n#ifdef __HIP__\n#error device code\n#endif\nint main() { float *p; return cudaMalloc((void **)&p, 4); }\n' \
    >host.cpp
run port host.cpp --target rocm --verify -q
exits 0 'HIP: a file without kernels is compiled as C++'
printf '#include <hip/hip_runtime.h>\n#include <cuda_morph/hip_ext.h>\nint x = CM_NO_SUCH_MACRO;\n__global__ void k() {}\n' >e.cu
run port e.cu --target rocm --rules rules.json --verify -q
check 'the headers of runtime/ are there, installed or not' not grep -q 'hip_ext.h' "$err"
sed -i 's|    release|    cudaMemset(p, 0,\n        4);\n    release|' v.cu
sed -i 's|cudaFree(p)|cudaFree(p), cudaMemset(p, 0, 1)|' v.cuh
run port v.cu --target rocm --rules rules.json --verify -q
exits 1 'HIP: it would not compile'
says "v.cu:13:5: error: would not compile for rocm: use of undeclared identifier 'hipNoSuchMemset'" \
    'the line is that of the user'
says 'v.cuh:3:' 'in the header, too'
check 'each is said once' test "$(wc -l <"$err")" = 2
run port v.cu --target rocm --rules rules.json --verify -q --report report.json
check '--report has it, too' grep -q '"line": 13, .*would not compile for rocm' report.json
mkdir many && for i in 1 2 3; do cp v.cu "many/$i.cu"; done && cp v.cuh many
run port many --target rocm --rules rules.json --verify -q -j3
exits 1 'several threads'
check 'several threads: the same answers' test "$(grep -c 'would not compile' "$err")" = 4
# A header that no one named is ported for each thread that reads it.
mkdir apart && mv many/v.cuh apart
run port many --target rocm --rules rules.json --verify -q -j3 -- -I apart
check 'several threads: a header of another folder' test "$(grep -c 'would not compile' "$err")" \
    = 4
check 'several threads: it is ported for each' not grep -q "'cudaFree'" "$err"
run port v.cu --target rocm --rules rules.json --verify -q -o out
exits 1 'HIP: -o'
check '-o writes all the same' grep -q hipNoSuchMemset out/v.cu
sed 's|"v.cuh"|<thing.h>|; /math.h/d; /stdlib.h/d; /^float host/d; /release/d' v.before >t.cu
run port t.cu --target rocm --rules rules.json --verify -q
exits 2 'a header that the target lacks here'
says "t.cu:2:10: error: 'hip/no_such.h' was not found" 'a header that the target lacks here'
sed 's|"v.cuh"|<no/such/header.h>|; /math.h/d; /stdlib.h/d; /^float host/d; /release/d' v.before \
    >t.cu
run port t.cu --target rocm --rules rules.json --verify
exits 0 'a header that was missing before'
says "t.cu:2:10: note: 'no/such/header.h' was not found" 'a header that was missing before'

# The target's header is read once for the files that begin with it, and for no others: one whose
# own header comes first has to include what that uses.
mkdir alike tmp
for i in 1 2 3 4; do
    printf '// %d\n#include <vector>\n#include <cuda_runtime.h>\n__global__ void k() {}\ncudaStream_t s;\n' \
        $i >alike/$i.cu
done
printf '#pragma once\nstatic dim3 size;\n' >alike/uses.h
{ echo '#include "uses.h"' && cat alike/1.cu; } >alike/late.cu
TMPDIR=$PWD/tmp run port alike --target rocm --verify -q -j2
exits 1 'alike: one would not compile'
says "alike/uses.h:2:8: error: would not compile for rocm: unknown type name 'dim3'" \
    'alike: what comes before the header'
check 'alike: nothing else is said' test "$(wc -l <"$err")" = 1
echo 'hipStream_t s = 1;' >>alike/4.cu
TMPDIR=$PWD/tmp run port alike/1.cu alike/2.cu alike/3.cu alike/4.cu --target rocm --verify -q
says "alike/4.cu:6:13: error: would not compile for rocm: redefinition of 's'" 'alike: the place'
check 'alike: nothing is left' test -z "$(ls tmp)"
done_testing
