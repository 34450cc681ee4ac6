# SPDX-License-Identifier: Apache-2.0
"""The text of random kernels, in CUDA C++. Most nodes can be spelled in several ways: rows of
tables, of which a node's `form` takes one that suits the type; the first row is the plain way.

In a row {v} is the variable, {t} its type, {e} the value (once, and always evaluated), {i} a
number that nothing else has."""
from kernels_tree import CLASSES, OPS

HEADER = """#pragma once
#include <cuda_morph/cuda.h>
#include <cuda_morph/cooperative_groups.h>
#include <cstdio>
#include <cstring>
#include <new>
"""

# What the ways of spelling need: a header of the program.
PREAMBLE = """#pragma once
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
namespace cg = cooperative_groups;

#define RANK (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))
#define SIZE (blockDim.x * blockDim.y * blockDim.z)
#define GET(a) (a)
#define PASS(a) GET((a))
#define SET(a, b) ((a) = (b))
#define ASSIGN(a) a =
#define DECLARE(t, a, b) t a = (b)
#define MEET __syncthreads()
#define SMALLER(a, b) smaller(a, b)
typedef int number_t;
typedef unsigned char byte_t;
typedef long long wide_t;

__device__ int larger(int a, int b) { return a > b ? a : b; }
__device__ int smaller(int a, int b) { return a < b ? a : b; }
__device__ int rank() { return RANK; }
__device__ void meet() { __syncthreads(); }
template <class T> __device__ T &same(T &a) { return a; }
template <class T> __device__ T value(const T &a) { return a; }
template <class T> __device__ T *address(T &a) { return &a; }
template <class T, class U> __device__ void set_to(T &a, U b) { a = b; }
template <class T, class U> __device__ T &exchanged(T &a, U b) {
    a = b;
    return a;
}
template <class T> struct Ref {
    T &to;
    template <class U> __device__ void operator=(U b) { to = b; }
    template <class U> __device__ void operator<<(U b) const { to = b; }
};
struct Box {
    int v;
    __device__ Box(int a) : v(a) {}
    __device__ operator int() const { return v; }
    __device__ int get() const { return v; }
    __device__ int &ref() { return v; }
    __device__ int &operator[](int) { return v; }
    __device__ int operator()() const { return v; }
    __device__ void set(int a) { v = a; }
    __device__ Box &operator<<=(int a) {
        v = a;
        return *this;
    }
};
typedef Box box_t;
struct Derived : Box {
    using Box::Box;
    int more = 7;
};
template <class T> struct Cell : Box {
    T other = 3;
    __device__ Cell() : Box(5) {}
    __device__ Cell(T a) : Box(a) {}
};
struct Loud : Box {
    __device__ Loud(int a) : Box(a) {}
    __device__ Loud(const Loud &o) : Box(o.v) {}
    __device__ Loud &operator=(const Loud &o) {
        v = o.v;
        return *this;
    }
    __device__ ~Loud() { v = 1000; }
};
struct Pair : Box {
    int first = 1;
    __device__ Pair(int a = 9) : Box(a), first(a + 1) {}
};
// One instantiation launches all kernels of a program.
inline void start(void (*k)(int *, const int *, int), dim3 g, dim3 b, int *out, const int *in,
                  int n) {
    k<<<g, b>>>(out, in, n);
}
struct Steps {
    int n;
    struct Iterator {
        int i;
        __device__ int operator*() const { return i; }
        __device__ void operator++() { i++; }
        __device__ bool operator!=(const Iterator &o) const { return i != o.i; }
    };
    __device__ Iterator begin() const { return {0}; }
    __device__ Iterator end() const { return {n}; }
};
"""
CLASS = "struct Own_{i} : Box {{"
OWNS = [  # of classes whose default constructor computes {e}
    CLASS + "\n    __device__ Own_{i}() : Box({e}) {{}}\n}};",
    CLASS + "\n    int mine = {e};\n    __device__ Own_{i}() : Box(0) {{ v = mine; }}\n}};",
    "struct Own_{i} {{\n    int v = {e};\n    __device__ operator int() const {{ return v; }}\n}};",
    "struct Own_{i} {{\n    int zero = 0;\n"
    "    __device__ operator int() const {{ return zero + ({e}); }}\n}};",
    "template <class T> struct Own_of_{i} {{\n    T v = {e};\n"
    "    __device__ operator T() const {{ return v; }}\n}};\ntypedef Own_of_{i}<int> Own_{i};",
    CLASS + "\n    __device__ Own_{i}(int a = {e}) : Box(a) {{}}\n}};",
    CLASS + "\n    __device__ Own_{i}() : Box(0) {{}}\n"
    "    __device__ operator int() const {{ return {e}; }}\n}};",
]
OWN_DECLS = ["Own_{i} {v};", "Own_{i} {v}{{}};", "auto {v} = Own_{i}();", "Own_{i} {v} = {{}};",
             "Own_{i} of_{v}[2]; Own_{i} &{v} = of_{v}[1];", "const Own_{i} {v};",
             "Own_{i} {v} = Own_{i}();"]

READS = {
    "number": ["{v}", "({v})", "GET({v})", "same({v})", "int({v})", "static_cast<int>({v})",
               "[&] {{ return {v}; }}()", "*&{v}", "PASS({v})", "(0, {v})", "value({v})",
               "*address({v})", "(n >= 0 ? {v} : 0)", "[&](int a) {{ return a; }}({v})",
               "int{{static_cast<int>({v})}}", "[{v}] {{ return {v}; }}()",
               "[=] {{ return {v}; }}()",
               "([&, {v}]() mutable {{ return {v}++; }}())"],
    "class": ["{v}.v", "int({v})", "{v}.get()", "+{v}", "(&{v})->v", "{v}[0]", "{v}()",
              "static_cast<int>({v})", "GET({v}).v", "same({v}).ref()", "int(value({v}))",
              "[&] {{ return {v}.v; }}()", "{v}.Box::v", "(*address({v}))()",
              "[{v}] {{ return {v}.v; }}()"],
    "own": ["int({v})", "static_cast<int>({v})", "(0 + {v})", "int(GET({v}))", "int(same({v}))",
            "[&] {{ return int({v}); }}()"],
}
WRITES = {
    "number": ["{v} = {e};", "({v}) = {e};", "SET({v}, {e});", "set_to({v}, {e});",
               "same({v}) = {e};", "[&] {{ {v} = {e}; }}();", "*&{v} = {e};",
               "{{ auto &r{i}_ = {v}; r{i}_ = {e}; }}", "(0, {v}) = {e};",
               "{{ auto *p{i}_ = &{v}; *p{i}_ = {e}; }}", "(n >= 0 ? {v} : {v}) = {e};",
               "({v} = 1) = {e};", "[&r{i}_ = {v}](int a) {{ r{i}_ = a; }}({e});",
               "int c{i}_ = [c{i}_ = {e}] {{ return c{i}_; }}(); {v} = c{i}_;",
               "auto set{i}_ = [&](int a) {{ {v} = a; }}; set{i}_({e});",
               "{{ auto r{i}_ = Ref<{t}>{{{v}}}; r{i}_ = {e}; }}", "Ref<{t}>{{{v}}} << ({e});",
               "for (auto *p{i}_ = &{v}; p{i}_; p{i}_ = nullptr) *p{i}_ = {e};",
               "if (auto &r{i}_ = {v}; true) r{i}_ = {e};", "set_to<{t}, int>({v}, {e});",
               "do {v} = {e}; while (0);", "switch (0) default: {v} = {e};",
               "{v} = [&]() -> int {{ return {e}; }}();", "{v} = (n, {e});", "ASSIGN({v}) {e};",
               "int w{i}_ = {e}; {v} = w{i}_;", "exchanged({v}, 0) = {e};", "*address({v}) = {e};",
               "if (n >= 0) {v} = {e}; else {v} = 3;", "auto &&r{i}_ = {v}; r{i}_ = {e};",
               "{v} = {e}, (void)0;", "{{ {v} = {e}; }}",
               "{t} *p{i}_[] = {{&{v}, nullptr}}; *p{i}_[0] = {e};",
               "struct W{i}_ {{ {t} &to; }} w{i}_{{{v}}}; w{i}_.to = {e};",
               "{{ {t} w{i}_[2] = {{{v}, {v}}}; auto &[o{i}_, u{i}_] = w{i}_; u{i}_ = {e}; "
               "{v} = u{i}_; }}",
               "exchanged({v}, {e});"],
    "int": ["reinterpret_cast<unsigned &>({v}) = {e};", "(unsigned &){v} = {e};",
            "{{ int w{i}_ = {e}; memcpy(&{v}, &w{i}_, sizeof w{i}_); }}", "new (&{v}) int({e});",
            "{v} ^= {v} ^ ({e});", "{v} -= {v} - ({e});", "({v}) += ({e}) - {v};",
            "const_cast<int &>(const_cast<const int &>({v})) = {e};",
            "{v} xor_eq {v} xor ({e});", "*reinterpret_cast<int *>(&{v}) = {e};"],
    "class": ["{v} = {e};", "{v}.v = {e};", "{v}.set({e});", "{v}[0] = {e};", "{v} <<= {e};",
              "{v}.ref() = {e};", "(&{v})->v = {e};", "{v} = {t}({e});", "set_to({v}.v, {e});",
              "SET({v}.v, {e});", "{v}.v -= {v}.v - ({e});", "same({v}).v = {e};",
              "[&] {{ {v}.set({e}); }}();", "{{ auto &r{i}_ = {v}; r{i}_.v = {e}; }}",
              "int Box::*m{i}_ = &Box::v; {v}.*m{i}_ = {e};", "set_to({v}, {t}({e}));",
              "{{ int &r{i}_ = {v}.v; r{i}_ = {e}; }}", "static_cast<Box &>({v}).v = {e};"],
}
DECLS = {
    "number": ["{t} {v} = {e};", "{t} {v}(({e}));", "{t} {v}; {v} = {e};",
               "{t} {v} = {e}, o{i}_ = 3;", "DECLARE({t}, {v}, {e});",
               "[[maybe_unused]] {t} {v} = {e};",
               "auto {v} = static_cast<{t}>({e});", "{t} {v}{{static_cast<{t}>({e})}};",
               "alignas(16) {t} {v} = {e};", "{t} b{i}_ = {e}; auto &{v} = b{i}_;",
               "{t} a{i}_[2] = {{3, {t}({e})}}; {t} &{v} = a{i}_[1];", "{t} {v} = 7; {v} = {e};",
               "decltype({t}(0)) {v} = {e};", "{t} o{i}_ = 1, {v} = {e}, *p{i}_ = &{v};",
               "auto {v} = [&] {{ return static_cast<{t}>({e}); }}();",
               "{t} a{i}_[2] = {{1, {t}({e})}}; auto [o{i}_, b{i}_] = a{i}_; {t} {v} = b{i}_;",
               "struct M{i}_ {{ int a = 5; {t} b = 2; }} m{i}_; m{i}_.b = {e}; "
               "{t} {v} = m{i}_.b;",
               "struct M{i}_ {{ {t} b; int a = 5; }} m{i}_{{{t}({e})}}; auto &{v} = m{i}_.b;"],
    "class": ["{t} {v} = {e};", "{t} {v}(({e}));", "{t} {v}{{{e}}};", "auto {v} = {t}({e});",
              "{t} {v} = {t}({e});", "{t} {v}(1); {v} = {e};",
              "{t} a{i}_[2] = {{{t}(4), {t}({e})}}; {t} &{v} = a{i}_[1];"],
}
BARRIERS = ["__syncthreads();", "MEET;", "{{ __syncthreads(); }}", "meet();",
            "cg::this_thread_block().sync();", "if (n >= 0) __syncthreads();",
            "__syncthreads_or(0);", "do __syncthreads(); while (0);", "MEET, (void)0;",
            "cg::sync(cg::this_thread_block());", "[&] {{ __syncthreads(); }}();",
            "switch (n) default: __syncthreads();"]
SYNCS = ["__syncwarp();", "__syncwarp(~0u);", "{{ __syncwarp(); }}"]
SPECIALS = {
    "n": ["n", "int(n)"], "bid": ["int(blockIdx.x)"], "size": ["int(blockDim.x * blockDim.y * "
                                                               "blockDim.z & 255)"],
    "rank": ["rank()", "int(RANK)", "RANK"], "x": ["int(threadIdx.x)", "threadIdx.x"],
    "y": ["int(threadIdx.y)"], "lane": ["int(RANK % warpSize)", "(rank() % warpSize)"],
    "warp": ["int(RANK / warpSize)", "(rank() / warpSize)"],
    "common": ["in[3]", "*(in + 3)", "[&] {{ return in[3]; }}()"],
    "input": ["in[blockIdx.x * (blockDim.x * blockDim.y * blockDim.z) + RANK]"],
}
IFS = ["if ({c}) {{", "if (int c{i}_ = {c}) {{", "if (bool c{i}_ = {c}; c{i}_) {{",
       "if (({c}) != 0) {{", "switch (int(({c}) != 0)) {{ case 1:"]
# k is how often; those behind | do not read it again in each turn.
# A row that has ... in it says how the loop ends.
LOOPS = ["for ({t} {v}(0); {v} < {k}; {v}{inc}) {{", "for ({t} {v}(-1); ++{v}{m} < {k};) {{",
         "{t} {v}(-1); while (++{v}{m} < {k}) {{",
         "|for ({t} {v}(0), e{i}_({k}); {v} < e{i}_; {v}{inc}) {{",
         "|{t} {v}(0); do {{ ... }} while (++{v}{m} < {k});"]
# Where blocks have one dimension, and where they have more.
STRIDES = [["for (int {v} = threadIdx.x; {v} < {k}; {v} += blockDim.x) {{",
            "for (unsigned {v} = threadIdx.x; {v} < {k}; {v} += blockDim.x) {{",
            "for (size_t {v} = threadIdx.x; {v} < {k}; {v} += blockDim.x) {{"],
           ["for (int {v} = RANK; {v} < {k}; {v} += blockDim.x * blockDim.y * blockDim.z) {{",
            "int {v} = rank() - int(SIZE); while (({v} += SIZE) < {k}) {{"]]
BOUNDS = ["if (threadIdx.x >= {l} && threadIdx.x < {h}) {{",
          "if (int(threadIdx.x) >= {l} && {h} > int(threadIdx.x)) {{",
          "const int {v} = threadIdx.x; if ({v} > {l} - 1 && {v} < {h}) {{",
          "unsigned {v} = threadIdx.x - {l}; if ({v} < {h} - {l}) {{",
          "unsigned {v} = threadIdx.x - {h}; if ({v} > 0u - {h} + {l} - 1u) {{",
          "const size_t {v} = 7 + threadIdx.x; if ((7 + {l} <= {v}) && {v} <= 6 + {h}) {{",
          "int {v} = threadIdx.x; if (!({v} < {l} || {v} >= {h})) {{",
          "int {v} = blockIdx.x * blockDim.x + threadIdx.x, {v}e = blockIdx.x * blockDim.x + {h}; "
          "if ({v} < {v}e && {v} + {h} >= {v}e + {l}) {{"]
LEAVES = ["if (threadIdx.x < {l} || threadIdx.x >= {h}) return;",
          "const int {v} = threadIdx.x; if ({v} >= {h} || {l} > {v}) {{ return; }}",
          "unsigned {v} = threadIdx.x - {l}; if ({v} >= {h} - {l}) return;",
          "int {v} = blockIdx.x * blockDim.x + threadIdx.x; "
          "if ({v} >= blockIdx.x * blockDim.x + {h}) return; "
          "if ({v} < blockIdx.x * blockDim.x + {l}) return;"]
SHUFFLES = {"lane": "__shfl_sync", "xor": "__shfl_xor_sync", "up": "__shfl_up_sync",
            "down": "__shfl_down_sync"}


# What begins so is a known bug: a case of tests/kernels that has a file known-bug.
KNOWN_BUGS = {}


def way(rows, form):
    rows = [row for row in rows if not row.startswith(tuple(KNOWN_BUGS))]
    return rows[form % len(rows)]


def leaves(s):
    """Whether a `break` in the statement leaves a loop around it."""
    return s.kind == "break" or s.kind not in ("loop", "stride", "switch") and any(
        leaves(kid) for kid in s.kids)


class Writer:
    def __init__(self, kernel, name):
        self.kernel, self.name = kernel, name
        self.lines, self.before, self.count, self.depth = [], [], 0, 0
        self.types = {}
        for f in kernel.functions:
            self.types.update({p: t for p, t, _ in f.parameters})
        for node in kernel.walk():
            if node.kind in ("decl", "loop"):
                self.types[node.data[0]] = node.data[1]
            elif node.kind == "stride":
                self.types[node.data[0]] = "int"
            elif node.kind == "own":
                self.types[node.data] = "own"
        self.number_t = "T" if kernel.template else "int"

    def kind(self, name):
        kind = self.types[name]
        return "own" if kind == "own" else "class" if kind in CLASSES else "number"

    def type(self, name):
        return self.number_t if self.types[name] == "T" else self.types[name]

    def fill(self, row, **values):
        self.count += 1
        return row.format(i=self.count, **values)

    def say(self, line):
        self.lines.append("    " * (self.depth + 1) + line)

    # -- expressions --

    def text(self, e):
        return getattr(self, "text_" + e.kind)(e)

    def text_const(self, e):
        return str(e.data)

    def text_special(self, e):
        return way(SPECIALS[e.data], e.form)

    def condition(self, e):
        """In a condition g++ tries `int(f(int(v), int(v)) == 1)` as a declaration, and fails."""
        text = self.text(e)
        return f"({text})" if text.startswith("int(") else text

    def text_var(self, e):
        kind = self.kind(e.data)
        text = self.fill(way(READS[kind], e.form), v=e.data)
        whole = self.types[e.data] not in ("float", "double")
        return text if whole else f"static_cast<int>({text})"

    def text_element(self, e):
        return f"{e.data}[({self.text(e.kids[0])}) & 3]"

    def text_load(self, e):
        return f"({e.data}[({self.text(e.kids[0])})] & 255)"

    def text_op(self, e):
        return OPS[e.data][0].format(*map(self.text, e.kids))

    def text_pick(self, e):
        return "({} ? int({}) : int({}))".format(*map(self.text, e.kids))

    def text_both(self, e):
        return "({} && {})".format(*map(self.text, e.kids))

    def text_either(self, e):
        return "({} || {})".format(*map(self.text, e.kids))

    def text_shuffle(self, e):
        value = self.text(e.kids[0])
        if e.form % 3 == 0:
            value = f"int({value})"
        return f"{SHUFFLES[e.data]}(~0u, {value}, {self.text(e.kids[1])})"

    def text_vote(self, e):
        c = self.text(e.kids[0])
        if e.data == "ballot":
            return f"__popcll(__ballot_sync(~0u, {c}))"
        return f"int(__{e.data}_sync(~0u, {c}) != 0)"

    def text_count(self, e):
        call = f"__syncthreads_{e.data}({self.text(e.kids[0])})"
        return f"({call} & 255)" if e.data == "count" else f"int({call} != 0)"

    def text_call(self, e):
        f = next(f for f in self.kernel.functions if f.name == e.data)
        arguments = ", ".join(["s0", "s1", "n"] + [
            k.data if reference else self.text(k)
            for (_, _, reference), k in zip(f.parameters, e.kids)])
        rows = ["{name}({given})", "({name})({given})"] + ["{name}<int>({given})"] * f.template
        return way(rows, e.form).format(name=f"{self.name}_{f.name}", given=arguments)

    # -- statements --

    def block(self, block):
        self.depth += 1
        for s in block.kids:
            getattr(self, "say_" + s.kind)(s)
        self.depth -= 1

    def say_block(self, s):
        self.say("{")
        self.block(s)
        self.say("}")

    def say_decl(self, s):
        name, e = s.data[0], self.text(s.kids[0])
        self.say(self.fill(way(DECLS[self.kind(name)], s.form), v=name, t=self.type(name), e=e))

    def say_own(self, s):
        e = self.text(s.kids[0])
        own = f"{self.name}_{s.data}"
        self.before.append(way(OWNS, s.form).format(i=own, e=e))
        self.say(way(OWN_DECLS, s.form // 7).format(i=own, v=s.data))

    def say_array(self, s):
        values = ", ".join(f"int({self.text(e)})" for e in s.kids)
        self.say(way(["int {v}[4] = {{{e}}};", "int {v}[] = {{{e}}};", "int {v}[4]{{{e}}};"],
                     s.form).format(v=s.data, e=values))

    def say_set(self, s):
        kind = self.kind(s.data)
        rows = WRITES[kind] + (WRITES["int"] if self.types[s.data] == "int" else [])
        self.say(self.fill(way(rows, s.form), v=s.data, t=self.type(s.data),
                           e=self.text(s.kids[0])))

    def say_put(self, s):
        at, e = self.text(s.kids[0]), self.text(s.kids[1])
        self.say(way(["{v}[({at}) & 3] = {e};", "*({v} + (({at}) & 3)) = {e};",
                      "SET({v}[({at}) & 3], {e});", "(({at}) & 3)[{v}] = {e};",
                      "set_to({v}[({at}) & 3], {e});"], s.form).format(v=s.data, at=at, e=e))

    def say_store(self, s):
        at, e = self.text(s.kids[0]), self.text(s.kids[1])
        self.say(way(["{v}[({at})] = {e};", "*({v} + {at}) = {e};", "SET({v}[({at})], {e});",
                      "set_to({v}[({at})], {e});"], s.form).format(v=s.data, at=at, e=e))

    def say_atomic(self, s):
        self.say(f"atomicAdd(&{s.data}[({self.text(s.kids[0])})], {self.text(s.kids[1])});")

    def say_barrier(self, s):
        self.say(way(BARRIERS, s.form).format())

    def say_sync(self, s):
        self.say(way(SYNCS, s.form).format())

    def say_if(self, s):
        row = way(IFS[:-1] if leaves(s) else IFS, s.form)
        self.say(self.fill(row, c=self.condition(s.kids[0])))
        if row.startswith("switch"):
            self.cases(["", "} break; default: "], s.kids[1:])
            return
        self.block(s.kids[1])
        if s.kids[2].kids:
            self.say("} else {")
            self.block(s.kids[2])
        self.say("}")

    def cases(self, heads, blocks):
        for head, block in zip(heads, blocks):
            self.say(head + "{")
            self.block(block)
        self.say("}}")

    def say_switch(self, s):
        self.say("switch (int({}) % 3) {{".format(self.text(s.kids[0])))
        rows = [(["case 0: ", "} break; case 1: ", "} break; default: "], (1, 2, 3)),
                (["default: ", "} break; case 1: ", "} break; case 0: "], (3, 2, 1)),
                (["case 1: ", "} break; case 2: ", "} break; case 3: case 0: "], (2, 3, 1))]
        heads, order = rows[s.form % len(rows)]
        self.cases(heads, [s.kids[i] for i in order])

    def say_stride(self, s):
        name, bound = s.data
        flat = all(y * z == 1 for _, _, y, z in self.kernel.shapes)
        self.say(self.fill(way(STRIDES[0] + STRIDES[1] if flat else STRIDES[1], s.form), v=name,
                           k=bound))
        self.block(s.kids[0])
        self.say("}")

    def bounds(self, rows, s):
        self.count += 1
        low, high = s.data
        return way(rows, s.form).format(l=low, h=high, v=f"at{self.count}_")

    def say_bound(self, s):
        self.say(self.bounds(BOUNDS, s))
        self.block(s.kids[0])
        self.say("}")

    def say_leave(self, s):
        low, high = s.data
        self.say(f"if (!(threadIdx.x >= {low} && threadIdx.x < {high}))")
        self.say(f"    out[blockIdx.x * (blockDim.x * blockDim.y * blockDim.z) + RANK] = "
                 f"{self.text(s.kids[0])};")
        self.say(self.bounds(LEAVES, s))

    def say_part(self, s):
        lanes, how, name = s.data
        mask, value = f"0x{(1 << lanes) - 1:x}u", self.text(s.kids[0])
        if how in SHUFFLES:
            e = f"{SHUFFLES[how]}({mask}, {value}, {lanes - 1 if how == 'xor' else 0})"
        elif how == "ballot":
            e = f"__popcll(__ballot_sync({mask}, {value}))"
        else:
            e = f"int(__{how}_sync({mask}, {value}) != 0)"
        self.say(way([f"if (RANK % warpSize < {lanes}) {{", f"if (!(RANK % warpSize >= {lanes})) {{",
                      f"for (int o = RANK % warpSize; o < {lanes}; o += 64) {{"], s.form))
        self.say(f"    {name} = {e};")
        self.say("}")

    def say_loop(self, s):
        name, kind, again = s.data
        count = f"(({self.text(s.kids[0])}) & 3) + 1"
        rows = [r for r in LOOPS if not again or r[0] != "|"]
        if not again:
            rows = rows + ["|for (int {v}_ : Steps{{{k}}}) {{ {t} {v}({v}_);"]
            self.count += 1
            self.say(f"const int k{self.count}_ = {count};")
            count = f"k{self.count}_"
        member = ".v" if kind in CLASSES else ""
        head, _, end = self.fill(way(rows, s.form).lstrip("|"), t=kind, v=name, k=f"({count})",
                                 inc=member + "++", m=member).partition("...")
        self.say(head)
        self.block(s.kids[1])
        self.say(end or "}")

    def say_break(self, s):
        self.say(f"if ({self.condition(s.kids[0])}) break;")

    def say_continue(self, s):
        self.say(f"if ({self.condition(s.kids[0])}) continue;")

    def say_return(self, s):
        self.say(f"if ({self.condition(s.kids[0])}) {{")
        self.say(f"    out[blockIdx.x * (blockDim.x * blockDim.y * blockDim.z) + RANK] = "
                 f"{self.text(s.kids[1])};")
        self.say("    return;")
        self.say("}")

    def say_give(self, s):
        self.say(f"if ({self.condition(s.kids[0])}) return {self.text(s.kids[1])};")

    # -- wholes --

    def function(self, f):
        parameters = ", ".join(["int *s0", "int *s1", "int n"] + [
            f"{t} {'&' if r else ''}{p}" for p, t, r in f.parameters])
        result = "V" if f.template else "int"
        template = "template <class V = int> " if f.template else ""
        begun, self.depth, number_t = len(self.lines), -1, self.number_t
        self.number_t = result
        self.say(f"{template}__device__ {result} {self.name}_{f.name}({parameters}) {{")
        self.block(f.body)
        self.depth = 0
        self.say(f"return {self.text(f.result)};")
        self.depth = -1
        self.say("}")
        made, self.lines, self.number_t = self.lines[begun:], self.lines[:begun], number_t
        self.before += made

    def sum_up(self):
        self.say("int sum = 0;")
        for s in self.kernel.body.kids:
            if s.kind in ("decl", "own"):
                name = s.data if s.kind == "own" else s.data[0]
                self.say(f"sum = (sum * 5 + int({name})) & 0xffffff;")
            elif s.kind == "array":
                self.say(f"for (int i = 0; i < 4; i++) sum = (sum * 5 + {s.data}[i]) & 0xffffff;")
        self.say("out[blockIdx.x * (blockDim.x * blockDim.y * blockDim.z) + RANK] = sum;")

    def whole(self):
        for f in self.kernel.functions:
            self.function(f)
        self.depth = 0
        used = {n.data for n in self.kernel.walk() if n.kind in ("load", "store", "atomic")}
        if used or self.kernel.functions:
            self.say("__shared__ int s0[256], s1[256];")
            self.say("for (int i = RANK; i < 256; i += blockDim.x * blockDim.y * blockDim.z) "
                     "s0[i] = i, s1[i] = i;")
            self.say("__syncthreads();")
        self.depth = -1
        self.block(self.kernel.body)
        self.depth = 0
        self.sum_up()
        template = "template <class T> " if self.kernel.template else ""
        of = "<int>" if self.kernel.template else ""
        return "\n".join([
            *self.before,
            f"{template}__global__ void {self.name}(int *out, const int *in, int n) {{",
            *self.lines, "}",
            f"static void {self.name}_launch(int *out, const int *in, dim3 g, dim3 b) {{",
            f"    {self.name}{of}<<<g, b>>>(out, in, {self.kernel.n});" if self.kernel.n % 4 == 0
            else f"    start({self.name}{of}, g, b, out, in, {self.kernel.n});", "}", ""])


STUB = "static void %s_launch(int *, const int *, dim3, dim3) {}\n"
MAIN = """struct Shape { int blocks, x, y, z; };
struct Test {
    const char *name;
    void (*launch)(int *, const int *, dim3, dim3);
    Shape shapes[2];
};
static const Test tests[] = {
%s
};

static void run(const Test &t, int *out, const int *in) {
    printf("%%s", t.name);
    for (const Shape &s : t.shapes) {
        const int count = s.blocks * s.x * s.y * s.z;
        if (!count) continue;
        memset(out, 0, count * sizeof *out);
        t.launch(out, in, dim3(s.blocks), dim3(s.x, s.y, s.z));
        if (cudaDeviceSynchronize() != cudaSuccess) {
            puts(" launch-failure"); // it stays: the program begins anew behind this kernel
            exit(0);
        }
        for (int i = 0; i < count; i++) printf("%%c%%d", i ? ',' : ' ', out[i]);
    }
    printf("\\n");
    fflush(stdout);
}

int main(int, char **names) {
    int *in, *out;
    cudaMallocManaged(&in, 1024 * sizeof *in);
    cudaMallocManaged(&out, 1024 * sizeof *out);
    for (int i = 0; i < 1024; i++) in[i] = i * 37 %% 101;
    while (*++names)
        for (const Test &t : tests)
            if (!strcmp(t.name, *names)) run(t, out, in);
    return 0;
}
"""


def main_text(kernels):
    """A program that runs the kernels whose names it is given."""
    rows = []
    for name, kernel in kernels:
        shapes = ", ".join("{%d, %d, %d, %d}" % s for s in kernel.shapes)
        rows.append(f'    {{"{name}", {name}_launch, {{{shapes}}}}},')
    return MAIN % "\n".join(rows)


def files(kernels):
    """The program's files: (name, text) each."""
    yield "forms.cuh", PREAMBLE
    for name, kernel in kernels:
        yield f"{name}.cu", '#include "forms.cuh"\n\n' + Writer(kernel, name).whole()
    yield "main.cu", '#include "forms.cuh"\n\n' + main_text(kernels)


def whole(kernels):
    """The same as one file, for people."""
    return "\n".join([PREAMBLE.replace("#pragma once\n", ""),
                      *(Writer(k, n).whole() for n, k in kernels), main_text(kernels)])
