# SPDX-License-Identifier: Apache-2.0
"""Writes C++ programs that hold each name of CUDA's in each place of the grammar: calls, constants,
types and what kernels call. `port --verify`, and the compiler, are the judges of their ports.

    cuda_matrix.py DIR      writes the programs, and prints how many cases they hold
"""

import os
import sys

CALLS = """
cudaDeviceSynchronize()
cudaGetLastError()
cudaMalloc(&p, 4)
cudaMalloc((void **)&p, sizeof(float))
cudaFree(p)
cudaMemcpy(p, p, 4, cudaMemcpyDeviceToDevice)
cudaMemcpyAsync(p, p, 4, cudaMemcpyDefault, s)
cudaMemset(p, 0, 4)
cudaStreamSynchronize(s)
cudaStreamCreate(&s)
cudaEventRecord(e, s)
cudaSetDevice(0)
cudaGetDeviceCount(&n)
cudaSuccess
cudaErrorMemoryAllocation
""".strip().split("\n")

CALL_PLACES = """
C;
(void)C;
(void)(C);
auto r = C; (void)r;
cudaError_t r = C; (void)r;
const cudaError_t r{C}; (void)r;
cudaError_t r[] = {C, C}; (void)r;
if (C != C) n++;
if (auto r = C; r != C) n++;
while (C != C) n++;
for (auto r = C; r != C;) n++;
do { C; } while (C != C);
switch (C) { default: break; }
n = (int)C;
n = static_cast<int>(C);
n = int(C);
n ? C : C;
n = (C, 1);
n += C == C;
n = !C;
take(C, C);
take(C, take(C, C));
twice<1>(C);
auto f = [&] { return C; }; f();
auto f = [&, r = C] { return r; }; f();
auto f = [=](cudaError_t r) mutable { return r == C; }; f(C);
n = sizeof(C);
decltype(C) r = C; (void)r;
std::vector<decltype(C)> v{C}; (void)v;
CHECK(C);
CHECK((C));
CHECK(take(C, C));
CHECK(
    C  /* a comment */
);
NESTED(CHECK(C));
AS_IS(C);
STATEMENT(C)
struct own { cudaError_t m; own(float *p, cudaStream_t s, cudaEvent_t e, int n) : m(C) { (void)p, (void)s, (void)e, (void)n; } }; own o(p, s, e, n); (void)o;
struct own { static cudaError_t f(float *p, cudaStream_t s, cudaEvent_t e, int n) { (void)p, (void)s, (void)e, (void)n; return C; } }; own::f(p, s, e, n);
try { C; } catch (...) { C; }
{ C; { C; } }
label: C; if (n > 1) goto label;
""".strip().replace("\nC  /*", " C  /*").split("\n")

TYPES = "cudaError_t cudaStream_t cudaEvent_t cudaDeviceProp cudaMemcpyKind dim3 cudaFuncAttributes".split()

TYPE_PLACES = """
void F(T x);
void F(const T &x);
void F(T *x, T **y);
void F(T &&x);
T F();
const T *F(const T *const x[2]);
auto F() -> T;
T F(T (*f)(T, T *));
struct F { T x; const T *y; T z[3]; };
struct F { T f(T x) const { return x; } static T s; };
typedef T F;
using F = T;
using F = T (*)(T);
using F = std::vector<T>;
using F = std::vector<std::vector<T>>;
using F = std::pair<T, std::vector<const T *>>;
template <class X = T> struct F { X x; };
template <class X> struct F { T x; X y; };
template <class X> T F(X x, T t) { (void)x; return t; }
template <> struct one<T> { T x; };
static T F[2];
extern T F[2];
inline size_t F() { return sizeof(T) + alignof(T); }
inline void F() { T x{}; (void)x; auto y = T{}; (void)y; T *z = new T(); delete z; }
inline void F() { auto f = [](T x, const T &y) -> T { (void)y; return x; }; (void)f; }
inline void F(void *x) { auto y = static_cast<T *>(x); auto z = (T *)x; auto w = reinterpret_cast<T *>(x); (void)y, (void)z, (void)w; }
inline void F() { for (T x : std::vector<T>()) (void)x; }
inline bool F() { return std::is_same<T, T>::value && noexcept(T()); }
class F { friend T own_function(T); };
namespace F { using t = T; }
extern "C" T F(T);
OF(T) F();
inline AS_IS(T) F();
static_assert(sizeof(T) > 0, "");
union F { T *x; int y; };
enum class F { a = sizeof(T *) };
""".strip().split("\n")

DEVICE = """
threadIdx.x
blockDim.x * blockIdx.x + threadIdx.x
__shfl_xor_sync(0xffffffff, v, 1)
__shfl_down_sync(~0u, v, 2)
__ballot_sync(~0u, v > 0)
__any_sync(~0u, v)
__popc(v)
__ffs(v)
__ldg(p)
atomicAdd(p, v)
atomicCAS(p, 1, v)
__clz(v)
min(v, 1)
warpSize
""".strip().split("\n")

DEVICE_PLACES = """
v = C;
int r = C; v = r;
auto r = C; v = (int)r;
if (C) v++;
v = C ? C : C;
p[C] = C;
v += C + C * 2;
for (int i = C; i < 3; i++) v += i;
while (C > 100) v++;
v = mine(C, C);
v = AS_IS(C);
STATEMENT(v = C)
v = (int)(C);
v = (C, 1);
auto f = [=](int x) { return x + C; }; v = f(1);
switch (v) { case 1: v = C; break; default: v = C; }
do v = C; while (v > 1000);
int a[2] = {(int)C, (int)C}; v = a[0];
v = -C - ~(int)C;
{ { v = C; } }
""".strip().split("\n")

HEAD = """#include <cuda_runtime.h>
#include <stdio.h>
#include <type_traits>
#include <utility>
#include <vector>
#define CHECK(x) do { cudaError_t err = (x); if (err != cudaSuccess) printf("%s", cudaGetErrorString(err)); } while (0)
#define NESTED(x) x
#define AS_IS(x) x
#define OF(x) std::vector<x>
#define STATEMENT(x) x;
inline cudaError_t take(cudaError_t a, cudaError_t) { return a; }
template <int n, class X> void twice(X) {}
template <class X> struct one {};
__device__ inline int mine(int a, int b) { return a + b; }
"""


def calls():
    for number, place in enumerate(CALL_PLACES):
        for k, call in enumerate(CALLS):
            body = place.replace("C", "\1").replace("\1HE\1K", "CHECK").replace("\1ASE", "CASE")
            yield (f"inline void call_{number}_{k}(float *p, cudaStream_t s, cudaEvent_t e, int n) {{\n"
                   f"    (void)p, (void)s, (void)e, (void)n;\n    "
                   + body.replace("\1", call) + "\n}")


def types():
    for number, place in enumerate(TYPE_PLACES):
        for k, name in enumerate(TYPES):
            body = place.replace("OF(T)", "OF(\1)").replace("STATEMENT", "\2")
            text = "".join(name if c == "T" or c == "\1" else c for c in body).replace("\2", "STATEMENT")
            yield text.replace(" F", f" type_{number}_{k}").replace("(F", f"(type_{number}_{k}")


def device():
    for number, place in enumerate(DEVICE_PLACES):
        for k, call in enumerate(DEVICE):
            body = "".join("\1" if c == "C" else c for c in place)
            yield (f"__global__ void kernel_{number}_{k}(int *p, int v) {{\n    "
                   + body.replace("\1", call) + "\n    p[0] = v;\n}")


def main():
    folder, count = sys.argv[1], 0
    for name, cases in (("calls.cu", calls()), ("types.cu", types()), ("device.cu", device())):
        cases = list(cases)
        count += len(cases)
        with open(os.path.join(folder, name), "w", encoding="ascii") as f:
            f.write(HEAD + "\n".join(cases) + "\nint main() { return 0; }\n")
    print(count)


if __name__ == "__main__":
    main()
