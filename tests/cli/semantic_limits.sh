#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What libclang does with a text, it does in a child that has limits: a text that keeps it busy,
# takes all memory or crashes it is told of, status 2, and every other file gets its answer. The
# child writes nothing.
. "${0%/*}/helper"
needs libclang

mkdir tree headers
cat >headers/musa_runtime.h <<'X'
typedef int musaError_t;
template <class T> musaError_t musaMalloc(T **p, unsigned long n);
X
printf 'auto v = 0u;\nvoid f() { v = __ballot_sync(~0u, v); }\n' >tree/a.cpp
cp tree/a.cpp tree/z.cpp
printf '#include <cuda_runtime.h>\nint h(float **p) { return cudaMalloc(p, 4); }\n' >tree/h.cpp

# What the good files get of libclang, seen in what check prints of them.
run check tree --semantic --target rocm --format concise
check 'the good files are checked' test "$status" -ne 2
grep '^tree/' "$out" >alone

# hostile NAME EXPECT [FLAG...]: tree/m.cpp, with the flags behind --, in every command that asks
# libclang. Within $limits.
hostile() {
    case=$1 expect=$2
    shift 2
    run check tree --semantic --semantic-limits "$limits" --target rocm --format concise -- "$@"
    exits 2 "check: $case"
    says 'tree/m.cpp: note: done without --semantic: libclang ' "check: $case"
    check "check: $case: says '$expect'" grep -q "$expect" "$err"
    grep '^tree/[^m]' "$out" >others
    check "check: $case: the other files are as they are alone" cmp -s others alone
    run port tree --target musa --verify --semantic-limits "$limits" -o out -- -I headers "$@"
    exits 2 "port --verify: $case"
    says 'tree/m.cpp: error: not verified: libclang ' "port --verify: $case"
    check "port --verify: $case: the file is ported" grep -q musaMalloc out/m.cpp
    check "port --verify: $case: the others are verified" \
        test "$(grep -c 'error: not verified' "$err")" = 1
    says '1 verified, 0 failing, 1 not verified' "port --verify: $case: counted"
    rm -rf out
}

mkfifo pipe
code='#include <cuda_runtime.h>
int g(float **p) { return cudaMalloc(p, 4); }
__global__ void k() {}'

limits=1
printf '#include "../pipe"\n%s\n' "$code" >tree/m.cpp
hostile 'a pipe is included' 'takes more than 1 second'
run check tree -q --semantic --semantic-limits 1 --target rocm
exits 2 'check -q'
says 'done without --semantic' 'check -q'
run port tree --target musa --semantic --semantic-limits 1 -o out
exits 2 'port --semantic'
says 'tree/m.cpp: note: done without --semantic: libclang takes more than' 'port --semantic'
check 'port --semantic: the other files are ported' grep -q musaMalloc out/h.cpp
check 'port --semantic: so is this one' grep -q musaMalloc out/m.cpp
rm -rf out
printf '%s\nconstexpr int f() { int n = 0; for (;;) n = (n + 1) & 7; return n; }\nstatic_assert(f(), "");\n' \
    "$code" >tree/m.cpp
hostile 'an endless constant' 'takes more than 1 second' -fconstexpr-steps=2000000000
printf '%s\ntemplate <int n, int m> struct T { typename T<n - 1, 2 * m>::t a; typename T<n - 1, 2 * m + 1>::t b; typedef int t; };\ntemplate <int m> struct T<0, m> { typedef int t; };\nT<22, 0> x;\n' \
    "$code" >tree/m.cpp
hostile 'a template that doubles' 'takes more than 1 second'

limits=20,300
printf '#include "/dev/zero"\n%s\n' "$code" >tree/m.cpp
hostile 'a file without end' 'too little memory\|needs more than 300 MB'

# A front end that crashes in spite of its own guard against that: a library that is none.
cat >traps.c <<'X'
#include "semantic/clang_api.h"
#define TRAP(name, result, parameters) \
    __attribute__((weak)) result clang_##name parameters { __builtin_trap(); }
CLANG_FUNCTIONS(TRAP)
X
cat >crash.c <<'X'
#include "semantic/clang_api.h"
CXString clang_getClangVersion(void) { return (CXString){0}; }
void clang_disposeString(CXString s) { (void)s; }
const char *clang_getCString(CXString s) { (void)s; return "clang version 14.0.6"; }
CXIndex clang_createIndex(int x, int y) { (void)x, (void)y; return 0; }
X
if ${CC:-cc} -shared -fPIC -w -I "$top/src" traps.c crash.c -o crash.so 2>"$err"; then
    CUDA_MORPH_LIBCLANG=$PWD/crash.so
    export CUDA_MORPH_LIBCLANG
    run check tree --semantic --target rocm --format concise
    exits 2 'a crash'
    check 'a crash: each file is told of' test "$(grep -c 'libclang crashed (signal' "$err")" = 4
    prints 'tree/z.cpp:2:16' 'a crash: what is found without it is said'
    run port tree --target musa --verify -o out -- -I headers
    exits 2 'port --verify: a crash'
    check 'port --verify: a crash: the files are ported' grep -q musaMalloc out/h.cpp
    rm -rf out
    unset CUDA_MORPH_LIBCLANG
else
    skip 'a front end that crashes' 'there is no C compiler'
fi

# Many at once: children of several threads do not keep each other's pipes open.
rm tree/m.cpp
mkdir many
for i in 1 2 3 4 5 6; do printf '#include "../pipe"\n%s\n' "$code" >"many/$i.cpp"; done
start=$(date +%s)
run check many --semantic --semantic-limits 1 -j6 --target rocm --format concise
exits 2 'six at once'
check 'six at once: each is told of' test "$(grep -c 'takes more than 1 second' "$err")" = 6
check 'six at once take about one second' test $(($(date +%s) - start)) -lt 6

for bad in 0 x 1, ,5 1,0 1,x 10000000 -1 '' 1,2,3; do
    run check tree --semantic --semantic-limits="$bad"
    exits 2 "--semantic-limits '$bad'"
    says 'is not SECONDS or SECONDS,MEGABYTES' "--semantic-limits '$bad'"
done
done_testing
