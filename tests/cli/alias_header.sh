#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# alias-header: the #defines that the sources need, and drift.
. "${0%/*}/helper"

# Rules of our own, so that the built-in ones may change.
cat >rules.json <<'X'
{ "domain": "test-cuda", "language": "cuda", "title": "t", "rules": [
 {"id": "test-cuda/functions", "title": "t", "why": "w", "severity": "warning", "match": "name",
  "default": {"*": "manual"},
  "rows": {"cudaFree": {"rocm": "hipFree", "musa": "musaFree"},
           "cudaGraphX": {"rocm": "none"},
           "cudaHostAlloc": {"rocm": "keep"},
           "cudaMalloc": {"rocm": "hipMalloc", "musa": "musaMalloc"},
           "cudaPrefetch": {"rocm": {"call": "hipPrefetch({0}, 1)"}},
           "cudaUnused": {"rocm": "hipUnused"},
           "libx": {"rocm": "hiplibx"}},
  "examples": [{"target": "rocm", "before": "f();\n", "after": "f();\n"}],
  "references": [{"source": "made up", "checked": "2026-11"}]},
 {"id": "test-cuda/headers", "title": "t", "why": "w", "severity": "warning", "match": "include",
  "default": {"*": "manual"},
  "rows": {"cuda_runtime.h": {"rocm": "hip/hip_runtime.h", "musa": "musa_runtime.h"}},
  "examples": [{"target": "rocm", "before": "f();\n", "after": "f();\n"}],
  "references": [{"source": "made up", "checked": "2026-11"}]}
]}
X
mkdir src
cat >src/a.cpp <<'X'
#include <cuda_runtime.h>
// cudaUnused
int main() {
    float *p;
    cudaMalloc(&p, 4); // twice
    cudaMalloc(&p, 8);
    cudaHostAlloc(&p);
    libx::Thing t;
    return cudaPrefetch(p, 2) + cudaGraphX();
}
X
printf '#include <cuda_runtime.h>\ninline void drop(float *p) { cudaFree(p); }\n' >src/b.h

run alias-header src --target rocm --rules rules.json
exits 0 rocm
cat >expected <<'X'
#include <hip/hip_runtime.h>

#define cudaFree hipFree
#define cudaMalloc hipMalloc
X
sed -n '/^#include/,/^$/p; /^#define cudaF/,/^$/p' "$out" | sed '/^$/{N;}' | head -n 4 >body
check 'one line for each name, sorted' cmp -s expected body
prints 'namespace libx = hiplibx;' 'a namespace'
check 'names that no source uses are not in it' not grep -q cudaUnused "$out"
check 'names that stay are not in it' not grep -q cudaHostAlloc "$out"
says 'src/a.cpp:9: note: no alias can stand for `cudaPrefetch`' 'another shape'
says 'no alias can stand for `cudaGraphX`' 'no counterpart'
if command -v "${CC:-cc}" >/dev/null; then
    grep -v '^#include' "$out" >only.h
    check 'it compiles' "${CC:-cc}" -fsyntax-only -x c only.h
fi
run alias-header src --target musa --rules rules.json -q
prints '#define cudaMalloc musaMalloc' musa
silent err '--quiet'

run alias-header src --target rocm --rules rules.json -o aliases.h
exits 0 -o
silent out -o
run alias-header src --target rocm --rules rules.json --check aliases.h
exits 0 'no drift'
silent out 'no drift'
printf 'void g() { cudaUnused(); }\n' >src/c.cpp
rm src/b.h
run alias-header src --target rocm --rules rules.json --check aliases.h
exits 1 drift
prints 'aliases.h: is missing: #define cudaUnused hipUnused' drift
prints 'aliases.h: is not needed: #define cudaFree hipFree' drift
check 'and nothing else' test "$(wc -l <"$out")" = 2
sed -i 's/hipMalloc$/hipMallocX/; s/^#define cudaFree.*/#define cudaUnused\t hipUnused/; s/^\/\*.*/\/* edited/' aliases.h
run alias-header src --target rocm --rules rules.json --check aliases.h
exits 1 'another name'
prints 'is missing: #define cudaMalloc hipMalloc' 'another name'
prints 'is not needed: #define cudaMalloc hipMallocX' 'another name'
check 'blanks and comments do not count' test "$(wc -l <"$out")" = 2
run alias-header src --target rocm --check no/such.h
exits 2 'no such header'

run alias-header src --target rocm --rules rules.json -o src/compat.h
exits 0 'a header among the sources'
cp src/compat.h compat.first
run alias-header src --target rocm --rules rules.json --check src/compat.h
exits 0 'a header among the sources is no source'
run alias-header src --target rocm --rules rules.json -o src/compat.h
check 'a header among the sources: written again' cmp -s compat.first src/compat.h

run alias-header src --target ascend
exits 2 'a target with another language'
says 'rocm and musa' 'a target with another language'
run alias-header src --target rocm,musa
exits 2 'two targets'
run alias-header src
exits 2 'no target'
done_testing
