# SPDX-License-Identifier: Apache-2.0
"""Trees of random kernels: what they are made of, how they are made and made smaller.

A node has a kind, data and children. Expressions are numbers of 0 to 255:

    const N | special NAME | var NAME | element ARRAY [index] | load SHARED [index]
    op ROW [operands] | pick [c a b] | both [a b] | either [a b]
    shuffle HOW [value by] | vote HOW [c] | count HOW [c] | call FUNCTION [arguments]

and statements

    decl (name, type) [e] | own (name, type) [e] | array NAME [e ...] | set NAME [e]
    put ARRAY [index e] | store SHARED [index e] | atomic SHARED [index e] | barrier | sync
    if [c then else] | switch [e block block block] | loop (name, type, again) [count body]
    stride (name, bound) [body] | bound (low, high) [body] | leave (low, high) [value]
    part (lanes, how, name) [value] | break [c] | continue [c]
    return [c value] | give [c value] (of a function) | block [statements]

`form` chooses how the text spells a node; 0 is the plain way. Control flow and values have levels:
0 the same for the block, 1 for the warp, 2 each thread's own. Barriers stand at level 0,
operations of warps at 1: the generator follows that, and kernels_run.py proves it."""
import random

# What operators are called by the text, and what they compute. {0} and {1} stand once each.
OPS = [
    ("(({0} + {1}) & 255)", lambda a, b: a + b & 255),
    ("(({0} + 3 * ({1})) & 255)", lambda a, b: a + 3 * b & 255),
    ("(({0} - {1}) & 255)", lambda a, b: a - b & 255),
    ("({0} ^ {1})", lambda a, b: a ^ b),
    ("({0} | {1})", lambda a, b: a | b),
    ("({0} & {1})", lambda a, b: a & b),
    ("({0} % ({1} + 1))", lambda a, b: a % (b + 1)),
    ("({0} / ({1} + 2))", lambda a, b: a // (b + 2)),
    ("({0} >> ({1} & 3))", lambda a, b: a >> (b & 3)),
    ("(({0} << ({1} & 3)) & 255)", lambda a, b: a << (b & 3) & 255),
    ("int({0} < {1})", lambda a, b: int(a < b)),
    ("int({0} == {1})", lambda a, b: int(a == b)),
    ("int({0} >= {1})", lambda a, b: int(a >= b)),
    ("larger({0}, {1})", max),
    ("SMALLER({0}, {1})", min),
]
CONDITIONS = (10, 11, 12)
NUMBERS = ["int", "int", "int", "unsigned", "short", "wide_t", "byte_t", "size_t", "float",
           "double", "T", "number_t"]
CLASSES = ["Box", "Derived", "Cell<int>", "Loud", "Pair", "box_t"]
# `common` is the same for all threads, which cannot be seen in the text.
LEVEL_OF = {"n": 0, "bid": 0, "size": 0, "common": 0, "warp": 1, "x": 2, "y": 2, "lane": 2, "rank": 2,
            "input": 2}
IN_MEMORY = ("common", "input")  # that functions are not given
SHARED = ("s0", "s1")


class Node:
    __slots__ = ("kind", "data", "kids", "form")

    def __init__(self, kind, data=None, kids=(), form=0):
        self.kind, self.data, self.kids, self.form = kind, data, list(kids), form

    def copy(self):
        return Node(self.kind, self.data, [k.copy() for k in self.kids], self.form)

    def walk(self):
        yield self
        for kid in self.kids:
            yield from kid.walk()


class Function:
    """name, parameters (name, type, is a reference), body; then what it returns, a node."""

    def __init__(self, name, level, parameters, body, result, template):
        self.name, self.level, self.parameters = name, level, parameters
        self.body, self.result, self.template = body, result, template

    def pure(self):
        return self.level == 2 and not any(reference for _, _, reference in self.parameters)


class Kernel:
    def __init__(self, shapes, n, template, functions, body):
        self.shapes, self.n, self.template = shapes, n, template
        self.functions, self.body = functions, body

    def parts(self):
        """All trees of it."""
        return [p for f in self.functions for p in (f.body, f.result)] + [self.body]

    def walk(self):
        for part in self.parts():
            yield from part.walk()


# ---- random ones ----

def random_kernel(seed):
    return Generator(random.Random(seed)).kernel()


class Generator:
    def __init__(self, rng):
        self.r = rng
        self.scopes = [{}]  # name -> (level, type, may be written)
        self.count = 0
        self.functions = []
        self.in_function = False
        self.flow = 0       # of the statement that is being made
        self.loops = []     # the levels of the loops around it
        self.budget = 0

    def chance(self, p):
        return self.r.random() < p

    def form(self):
        return self.r.randrange(1 << 20) if self.chance(0.45) else 0

    def name(self, prefix="v"):
        self.count += 1
        return f"{prefix}{self.count}"

    def variables(self, level, write=False, array=False):
        return [n for scope in self.scopes for n, (l, t, w) in scope.items()
                if (l == level or not write and l < level) and (t == "array") == array
                and (w or not write)]

    def inside(self, make, *arguments):
        self.scopes.append({})
        made = make(*arguments)
        self.scopes.pop()
        return made

    # -- expressions --

    def leaf(self, level):
        names = self.variables(level)
        if names and self.chance(0.65):
            # What is as varied as may be is what is worth being taken for something else.
            own = [n for n in names if self.find(n)[0] == level]
            return Node("var", self.r.choice(own or names), form=self.form())
        arrays = self.variables(level, array=True)
        if arrays and self.chance(0.3):
            return Node("element", self.r.choice(arrays), [self.expression(level, 0)])
        if self.chance(0.5):
            names = [s for s, l in LEVEL_OF.items() if l <= level
                     and not (self.in_function and s in IN_MEMORY)]
            return Node("special", self.r.choice(names), form=self.form())
        return Node("const", self.r.choice([0, 1, 1, 2, 3, 5, 7, 31, 32, 100, 255]))

    def find(self, name):
        for scope in self.scopes:
            if name in scope:
                return scope[name]
        raise KeyError(name)

    def expression(self, level, depth=2):
        if depth <= 0 or self.chance(0.25):
            return self.leaf(level)
        if self.flow <= 1 and level >= 1 and self.chance(0.22):
            return self.of_warp(level, depth)
        if level == 2 and self.chance(0.08):
            return Node("load", self.r.choice(SHARED), [Node("special", "rank")])
        pure = [f for f in self.functions if f.pure()]
        if pure and level == 2 and self.chance(0.15):
            return self.call(self.r.choice(pure))
        if self.chance(0.1):
            c = self.condition(min(level, self.flow), depth - 1)
            return Node("pick", None, [c, self.expression(level, depth - 1),
                                       self.expression(level, depth - 1)])
        return Node("op", self.r.randrange(len(OPS)),
                    [self.expression(level, depth - 1), self.expression(level, depth - 1)],
                    self.form())

    def whole(self, level, depth=2, target=None):
        """An expression that is all of a statement, or of a condition: its parts are evaluated in
        no order, so that what changes something stands alone."""
        if self.flow == 0 and self.chance(0.06):
            return Node("count", self.r.choice(["count", "or", "and"]), [self.condition(2)])
        usable = [f for f in self.functions if f.level >= self.flow]
        if usable and level == 2 and self.chance(0.3):
            return self.call(self.r.choice(usable), target)
        return self.expression(level, depth)

    def of_warp(self, level, depth):
        if self.chance(0.5):
            how = self.r.choice(["any", "all", "ballot"])
            return Node("vote", how, [self.condition(2, depth - 1)])
        value = self.expression(2, depth - 1)
        if level == 1:
            return Node("shuffle", "lane", [value, Node("const", self.r.randrange(4))], self.form())
        how = self.r.choice(["xor", "up", "down", "lane"])
        return Node("shuffle", how, [value, Node("const", self.r.choice([1, 2, 3, 8]))],
                    self.form())

    def condition(self, level, depth=1):
        if self.flow <= level and self.chance(0.12) and depth > 0:
            kind = self.r.choice(["both", "either"])
            return Node(kind, None, [self.condition(min(level, self.flow), depth - 1),
                                     self.condition(level, depth - 1)])
        if self.chance(0.15):
            return self.expression(level, depth)
        return Node("op", self.r.choice(CONDITIONS),
                    [self.expression(level, depth), self.leaf(level)], self.form())

    def call(self, function, target=None):
        arguments = []
        for name, kind, reference in function.parameters:
            names = [n for n in self.variables(2, write=True)
                     if self.find(n)[1] == kind and n != target]
            if reference and not names:
                return self.leaf(2)
            arguments.append(Node("var", self.r.choice(names)) if reference
                             else self.expression(2, 1))
        return Node("call", function.name, arguments, self.form())

    # -- statements --

    def block(self, length, first=()):
        made = list(first)
        for _ in range(length):
            made += self.statement()
        return Node("block", None, made)

    def statement(self):
        self.budget -= 1
        kinds = {"decl": 5, "set": 7, "array": 1, "put": 2, "own": 1}
        if self.budget > 0:
            kinds.update({"if": 4, "loop": 3, "switch": 1})
        if self.flow == 0:
            kinds.update({"exchange": 3, "barrier": 1, "atomics": 1, "stride": 1})
        if self.flow == 1:
            kinds.update({"exchange": 1, "sync": 1})
        if self.flow <= 1:
            kinds["part"] = 1
        if self.loops and self.loops[-1] >= self.flow:
            kinds.update({"break": 1, "continue": 1})
        if self.flow == 0 and not self.in_function:
            kinds["bound"] = 1
        if not self.in_function:
            kinds.update({"return": 1, "leave": 0.4})
        chosen = self.r.choices(list(kinds), kinds.values())[0]
        return getattr(self, "make_" + chosen)()

    def declare(self, level, kind, write=True, prefix="v"):
        name = self.name(prefix)
        self.scopes[-1][name] = (level, kind, write)
        return name

    def level(self):
        """Of something new here: at least what the flow has."""
        return self.r.choice([l for l in (0, 1, 1, 2) if l >= self.flow])

    def make_decl(self):
        level = self.level()
        kind = self.r.choice(CLASSES if self.chance(0.25) else NUMBERS)
        e = Node("const", 0) if self.chance(0.3) else self.whole(level)
        return [Node("decl", (self.declare(level, kind), kind), [e], self.form())]

    def make_own(self):
        """A class whose member initialiser, constructor or conversion is the expression."""
        names = [s for s, l in LEVEL_OF.items() if s != "n" and s not in IN_MEMORY]
        name = self.r.choice(names)
        flow, self.scopes, saved = self.flow, [{}], self.scopes
        self.flow = 2
        e = Node("op", self.r.randrange(len(OPS)), [Node("special", name), Node("const", 1)])
        self.flow, self.scopes = flow, saved
        level = max(LEVEL_OF[name], self.flow)
        return [Node("own", self.declare(level, "own", False), [e], self.form())]

    def make_array(self):
        level = self.level()
        values = [self.expression(level, 1) for _ in range(4)]
        name = self.declare(level, "array", prefix="a")
        return [Node("array", name, values, self.form())]

    def make_set(self):
        levels = [l for l in (0, 1, 2) if l >= self.flow and self.variables(l, write=True)]
        if not levels:
            return self.make_decl()
        level = self.r.choice(levels)
        name = self.r.choice(self.variables(level, write=True))
        return [Node("set", name, [self.whole(level, 3, name)], self.form())]

    def make_put(self):
        levels = [l for l in (0, 1, 2) if l >= self.flow and
                  [n for n in self.variables(l, array=True) if self.find(n)[0] == l]]
        if not levels:
            return self.make_array()
        level = self.r.choice(levels)
        names = [n for n in self.variables(level, array=True) if self.find(n)[0] == level]
        return [Node("put", self.r.choice(names), [self.expression(level, 1),
                                                   self.expression(level)], self.form())]

    def make_exchange(self):
        array = self.r.choice(SHARED)
        meet = "barrier" if self.flow == 0 else "sync"
        rank = Node("special", "rank")
        at = self.expression(2, 1) if self.flow == 0 else \
            Node("op", 3, [rank, Node("const", self.r.choice([1, 2, 3]))])
        names = self.variables(2, write=True)
        if not names:
            return self.make_decl()
        load = Node("load", array, [at])
        e = load if self.chance(0.6) else Node("op", 0, [load, self.leaf(2)])
        made = [Node("store", array, [rank, self.expression(2)], self.form()),
                Node(meet, None, [], self.form()),
                Node("set", self.r.choice(names), [e], self.form())]
        if self.chance(0.9):
            made.append(Node(meet, None, [], self.form()))
        return made

    def make_atomics(self):
        add = Node("atomic", self.r.choice(SHARED), [self.expression(2, 1), self.leaf(2)])
        if self.chance(0.4):
            self.flow = 2
            add = Node("if", None, [self.condition(2), Node("block", None, [add]),
                                    Node("block")])
            self.flow = 0
        return [self.make_barrier()[0], add, self.make_barrier()[0]]

    def make_barrier(self):
        return [Node("barrier", None, [], self.form())]

    def make_sync(self):
        return [Node("sync", None, [], self.form())]

    def make_if(self):
        level = self.level()
        c = self.whole(level) if self.chance(0.2) else self.condition(level)
        before, self.flow = self.flow, max(self.flow, level)
        then = self.inside(self.block, self.r.randint(1, 3))
        other = self.inside(self.block, self.r.choice([0, 0, 1, 2]))
        self.flow = before
        return [Node("if", None, [c, then, other], self.form())]

    def make_switch(self):
        level = self.level()
        e = self.expression(level, 1)
        before, self.flow = self.flow, max(self.flow, level)
        self.loops.append(-1)  # `break` would leave the switch
        cases = [self.inside(self.block, self.r.choice([0, 1, 1, 2])) for _ in range(3)]
        self.loops.pop()
        self.flow = before
        return [Node("switch", None, [e, *cases], self.form())]

    def make_stride(self):
        """All threads deal out the elements of an array among themselves."""
        array, bound = self.r.choice(SHARED), self.r.choice([1, 40, 64, 100, 200, 256])
        flow, self.flow = self.flow, 2
        self.scopes.append({})
        name = self.declare(2, "int", False, "i")
        index = Node("var", name)
        body = self.inside(self.block, self.r.choice([0, 0, 1]))
        value = Node("op", self.r.randrange(10), [index.copy(), self.expression(2, 1)])
        if self.chance(0.3):
            value = Node("op", 0, [Node("load", array, [index.copy()]), value])
        body.kids.append(Node("store", array, [index, value], self.form()))
        self.scopes.pop()
        self.flow = flow
        return [self.make_barrier()[0], Node("stride", (name, bound), [body], self.form()),
                self.make_barrier()[0]]

    def bounds(self):
        low = self.r.choice([0, 0, 0, 1, 2, 5])
        return low, low + self.r.choice([0, 1, 3, 15, 16, 28, 33, 60, 64, 200])

    def make_bound(self):
        """What threads do between barriers whose place in a row is within bounds."""
        flow, self.flow = self.flow, 2
        body = self.inside(self.block, self.r.randint(1, 3))
        self.flow = flow
        first = [self.make_decl()[0]] if self.chance(0.3) else []
        return [self.make_barrier()[0]] + first + [
            Node("bound", self.bounds(), [body], self.form()), self.make_barrier()[0]]

    def make_leave(self):
        """A return of those whose place in a row is not."""
        return [Node("leave", self.bounds(), [self.leaf(2)], self.form())]

    def make_part(self):
        """An operation of a warp that its first lanes go through alone."""
        names = self.variables(2, write=True)
        if not names:
            return self.make_decl()
        how = self.r.choice(["xor", "lane", "any", "all", "ballot"])
        lanes = self.r.choice([1, 2, 4, 8, 16])
        return [Node("part", (lanes, how, self.r.choice(names)), [self.expression(2, 1)],
                     self.form())]

    def make_loop(self):
        level = self.level()
        again = self.chance(0.4)
        kind = self.r.choice(["int", "int", "unsigned", "Box"])
        e = self.expression(level, 1)
        before, self.flow = self.flow, max(self.flow, level)
        self.loops.append(self.flow)
        self.scopes.append({})
        name = self.declare(self.flow, kind, False, "i")
        body = self.inside(self.block, self.r.randint(1, 3))
        self.scopes.pop()
        self.loops.pop()
        self.flow = before
        return [Node("loop", (name, kind, again), [e, body], self.form())]

    def make_break(self):
        return [Node("break", None, [self.condition(self.loops[-1])])]

    def make_continue(self):
        return [Node("continue", None, [self.condition(self.loops[-1])])]

    def make_return(self):
        return [Node("return", None, [self.condition(2), self.leaf(2)])]

    # -- wholes --

    def function(self):
        level = self.r.choice([0, 1, 2, 2])
        self.in_function, self.flow, self.scopes = True, level, [{}]
        parameters = []
        for _ in range(self.r.randint(1, 3)):
            kind = self.r.choice(["int", "int", "float", "Box"])
            reference = self.chance(0.3)
            parameters.append((self.declare(2, kind, reference, "given"), kind, reference))
        self.budget = 2
        body = self.block(self.r.randint(1, 3))
        if level == 2 and self.chance(0.4):
            body.kids.append(Node("give", None, [self.condition(2), self.leaf(2)]))
        name = self.name("f")
        made = Function(name, level, parameters, body, self.expression(2, 1), self.chance(0.3))
        self.in_function, self.flow, self.scopes = False, 0, [{}]
        return made

    def shape(self):
        x, y, z = self.r.choice([(1, 1, 1), (31, 1, 1), (32, 1, 1), (33, 1, 1), (64, 1, 1),
                                 (70, 1, 1), (96, 1, 1), (8, 4, 1), (16, 5, 1), (32, 2, 1),
                                 (4, 4, 5), (33, 2, 1), (128, 1, 1)])
        return (self.r.choice([1, 1, 2]), x, y, z)

    def kernel(self):
        for _ in range(self.r.choice([0, 0, 1, 1, 2])):
            self.functions.append(self.function())
        self.budget = self.r.randint(2, 8)
        body = self.block(self.r.randint(3, 9))
        shapes = [self.shape(), (1, self.r.choice([65, 70, 96, 128]), 1, 1)]
        return Kernel(shapes, self.r.randrange(9), self.chance(0.3), self.functions, body)


# ---- smaller ones ----

def size(kernel):
    return sum(10 + (node.form != 0) for node in kernel.walk()) + 10 * len(kernel.functions) + \
        len(kernel.shapes) + kernel.template


def reductions(kernel):
    """Smaller kernels, the boldest steps first; not all of them are valid."""
    for keep in range(len(kernel.shapes)) if len(kernel.shapes) > 1 else ():
        yield changed(kernel, lambda k: setattr(k, "shapes", [k.shapes[keep]]))
    for gone in range(len(kernel.functions)):
        yield changed(kernel, lambda k: k.functions.pop(gone))
    if kernel.template:
        yield changed(kernel, lambda k: setattr(k, "template", False))
    for step in (cut_block, simplify, plain):
        for number, node in enumerate(list(kernel.walk())):
            for which in range(step(node, None)):
                yield changed(kernel, lambda k: step(nth(k, number), which))


def closed(kernel):
    """Whether all names stand in the scope of what declares them: what does not run counts, too."""
    functions = set()
    for f in kernel.functions:
        if not names_known(f.body, {p[0] for p in f.parameters}, functions, f.result):
            return False
        functions.add(f.name)
    return names_known(kernel.body, set(), functions)


def names_known(block, scope, functions, result=None):
    scope = set(scope)
    for s in block.kids + ([result] if result else []):
        inner = {s.data[0]} if s.kind in ("loop", "stride") else set()
        for kid in s.kids if s.kind != "block" else [s]:
            if kid.kind == "block":
                known = names_known(kid, scope | inner, functions)
            else:
                known = all((e.data in scope if e.kind in ("var", "element") else
                             e.data in functions if e.kind == "call" else True)
                            for e in kid.walk())
            if not known:
                return False
        if s.kind in ("var", "element", "set", "put") and s.data not in scope or \
                s.kind == "part" and s.data[2] not in scope or \
                s.kind == "call" and s.data not in functions:
            return False
        if s.kind in ("decl", "own", "array"):
            scope.add(s.data[0] if s.kind == "decl" else s.data)
    return True


def changed(kernel, change):
    functions = [Function(f.name, f.level, f.parameters, f.body.copy(), f.result.copy(),
                          f.template) for f in kernel.functions]
    made = Kernel(kernel.shapes, kernel.n, kernel.template, functions, kernel.body.copy())
    change(made)
    return made


def nth(kernel, number):
    for i, node in enumerate(kernel.walk()):
        if i == number:
            return node
    raise IndexError(number)


def become(node, other):
    node.kind, node.data, node.kids, node.form = other.kind, other.data, other.kids, other.form


# Each step gives the number of its ways at a node, or takes one of them.

def cut_block(node, which):
    """Without half of its statements, or without one."""
    n = len(node.kids)
    if which is None:
        return (2 if n > 2 else 0) + n if node.kind == "block" else 0
    if n > 2 and which < 2:
        node.kids = node.kids[:n // 2] if which else node.kids[n // 2:]
    else:
        del node.kids[which - (2 if n > 2 else 0)]
    return 1


def simplify(node, which):
    """A statement by what is in it, an expression by an operand or a number."""
    first = {"if": 1, "loop": 1, "switch": 1}.get(node.kind, 0)
    expression = node.kind in EXPRESSIONS and node.kind != "const"
    if which is None:
        return len(node.kids) - first + expression if first or expression else 0
    become(node, node.kids[first + which] if first + which < len(node.kids) else Node("const", 1))
    return 1


EXPRESSIONS = {"const", "special", "var", "element", "load", "op", "pick", "both", "either",
               "shuffle", "vote", "count", "call"}


def plain(node, which):
    """Spelled in the plain way, of the plainest type."""
    typed = node.kind == "decl" and node.data[1] != "int"
    if which is None:
        return (node.form != 0) + typed
    if node.form and which == 0:
        node.form = 0
    else:
        node.data = (node.data[0], "int")
    return 1
