# SPDX-License-Identifier: Apache-2.0
"""What a random kernel computes, and whether it is a valid one: all threads of a block take a
statement together, those that do not come to it wait.

Values are lists with one element per thread. Memory that threads share remembers who touched it
since they last met: a race, a barrier that not all living threads come to, an operation of a warp
without some of its living lanes, and a name that is not there make the kernel Invalid."""
from kernels_tree import OPS, closed

STEPS = 4000  # statements of a kernel, over all shapes


class Invalid(Exception):
    pass


def inputs(count):
    return [i * 37 % 101 for i in range(count)]


def answers(kernel, warp):
    """For each shape what the threads of all blocks leave in `out`; kept for the next call."""
    known = CACHE.setdefault(id(kernel), (kernel, {}))[1]
    if len(CACHE) > 400:
        CACHE.clear()
    if warp not in known:
        budget = [STEPS]
        known[warp] = [tuple(v for block in range(shape[0])
                             for v in Block(kernel, shape, block, warp, budget).run())
                       for shape in kernel.shapes]
    return known[warp]


CACHE = {}


def valid(kernel, warps):
    if not closed(kernel):
        return False
    try:
        for warp in warps:
            answers(kernel, warp)
    except Invalid:
        return False
    return True


def first_difference(wanted, got, warp):
    for shape, (want, have) in enumerate(zip(wanted, got)):
        if isinstance(have, str):
            return have
        for i, (a, b) in enumerate(zip(want, have)):
            if a != b:
                return f"warps of {warp}, shape {shape}: out[{i}] is {b}, expected {a}"
    return f"{got[-1]}"


class Memory:
    """An array that a block shares, and who has touched its elements since the last barrier."""

    def __init__(self, block):
        self.block = block
        self.values = list(range(256))
        self.readers = [{} for _ in range(256)]  # of an element: thread -> when
        self.writers = [{} for _ in range(256)]
        self.adders = [{} for _ in range(256)]

    def touch(self, thread, at, mine, others):
        b = self.block
        now = (b.meetings, b.warp_meetings[thread // b.warp])
        for who in others:
            for other, (meeting, warp_meeting) in who[at].items():
                if other == thread or meeting != now[0]:
                    continue
                if other // b.warp != thread // b.warp or warp_meeting == now[1]:
                    raise Invalid("race")
        mine[at][thread] = now

    def load(self, thread, at):
        self.touch(thread, at, self.readers, (self.writers, self.adders))
        return self.values[at] & 255

    def store(self, thread, at, value):
        self.touch(thread, at, self.writers, (self.readers, self.writers, self.adders))
        self.values[at] = value

    def add(self, thread, at, value):
        self.touch(thread, at, self.adders, (self.readers, self.writers))
        self.values[at] += value


class Block:
    def __init__(self, kernel, shape, number, warp, budget):
        self.kernel, self.warp, self.budget = kernel, warp, budget
        _, self.nx, self.ny, self.nz = shape
        self.size = self.nx * self.ny * self.nz
        self.meetings = 0
        self.warp_meetings = [0] * (self.size // warp + 1)
        self.memory = {"s0": Memory(self), "s1": Memory(self)}
        self.values = {}
        self.living = set(range(self.size))
        self.loops = []    # of each: the threads that have left it, those that go on with it
        self.gave = []     # of each function that runs: what it has given to which thread
        self.out = [None] * self.size
        self.functions = {f.name: f for f in kernel.functions}
        ranks = range(self.size)
        self.special = {
            "n": [kernel.n] * self.size, "bid": [number] * self.size,
            "size": [self.size & 255] * self.size, "rank": list(ranks),
            "x": [t % self.nx for t in ranks], "y": [t // self.nx % self.ny for t in ranks],
            "lane": [t % warp for t in ranks], "warp": [t // warp for t in ranks],
            "input": inputs(2 * self.size)[number * self.size:],
            "common": [inputs(4)[3]] * self.size,
        }

    def run(self):
        rest = self.execute(self.kernel.body, list(range(self.size)))
        for t in rest:
            self.out[t] = self.sum_up(t)
        return self.out

    def sum_up(self, thread):
        total = 0
        for statement in self.kernel.body.kids:
            if statement.kind in ("decl", "own"):
                name = statement.data if statement.kind == "own" else statement.data[0]
                total = (total * 5 + self.values[name][thread]) & 0xffffff
            elif statement.kind == "array":
                for value in self.values[statement.data][thread]:
                    total = (total * 5 + value) & 0xffffff
        return total

    # -- statements: each gives the threads that go on behind it --

    def execute(self, block, threads):
        for statement in block.kids:
            if not threads:
                break
            self.budget[0] -= 1
            if self.budget[0] < 0:
                raise Invalid("too long")
            threads = getattr(self, "do_" + statement.kind)(statement, threads)
        return threads

    def write(self, name, threads, values):
        variable = self.values.setdefault(name, [None] * self.size)
        for t, value in zip(threads, values):
            variable[t] = value

    def do_block(self, s, threads):
        return self.execute(s, threads)

    def do_decl(self, s, threads):
        self.values.pop(s.data[0], None)
        self.write(s.data[0], threads, self.value(s.kids[0], threads))
        return threads

    def do_own(self, s, threads):
        self.write(s.data, threads, self.value(s.kids[0], threads))
        return threads

    def do_array(self, s, threads):
        elements = [self.value(e, threads) for e in s.kids]
        self.write(s.data, threads, [list(four) for four in zip(*elements)])
        return threads

    def do_set(self, s, threads):
        values = self.value(s.kids[0], threads)
        self.write(s.data, threads, values)
        return threads

    def do_put(self, s, threads):
        at, values = self.value(s.kids[0], threads), self.value(s.kids[1], threads)
        for t, i, value in zip(threads, at, values):
            self.values[s.data][t][i & 3] = value
        return threads

    def do_store(self, s, threads):
        at, values = self.value(s.kids[0], threads), self.value(s.kids[1], threads)
        for t, i, value in zip(threads, at, values):
            self.memory[s.data].store(t, i, value)
        return threads

    def do_atomic(self, s, threads):
        at, values = self.value(s.kids[0], threads), self.value(s.kids[1], threads)
        for t, i, value in zip(threads, at, values):
            self.memory[s.data].add(t, i, value)
        return threads

    def do_barrier(self, s, threads):
        self.all_here(threads)
        return threads

    def all_here(self, threads):
        if set(threads) != self.living:
            raise Invalid("a barrier without some threads")
        self.meetings += 1

    def do_sync(self, s, threads):
        for warp in self.whole_warps(threads):
            self.warp_meetings[warp] += 1
        return threads

    def whole_warps(self, threads):
        warps = {t // self.warp for t in threads}
        if sum(1 for t in self.living if t // self.warp in warps) != len(threads):
            raise Invalid("an operation of a warp without some lanes")
        return warps

    def do_if(self, s, threads):
        yes, no = self.split(s.kids[0], threads)
        return sorted(self.execute(s.kids[1], yes) + self.execute(s.kids[2], no))

    def split(self, condition, threads):
        values = self.value(condition, threads)
        return ([t for t, v in zip(threads, values) if v],
                [t for t, v in zip(threads, values) if not v])

    def do_loop(self, s, threads):
        name, _, again = s.data
        behind, step = [], 0
        counts = dict(zip(threads, self.value(s.kids[0], threads)))
        while threads:
            if again and step:
                counts = dict(zip(threads, self.value(s.kids[0], threads)))
            behind += [t for t in threads if step >= (counts[t] & 3) + 1]
            threads = [t for t in threads if step < (counts[t] & 3) + 1]
            self.write(name, threads, [step] * len(threads))
            self.loops.append(([], []))
            threads = self.execute(s.kids[1], threads)
            left, on = self.loops.pop()
            behind += left
            threads = sorted(threads + on)
            step += 1
        return sorted(behind)

    def do_switch(self, s, threads):
        values = self.value(s.kids[0], threads)
        return sorted(t for case in range(3) for t in self.execute(
            s.kids[1 + case], [t for t, v in zip(threads, values) if v % 3 == case]))

    def do_stride(self, s, threads):
        name, bound = s.data
        behind, at = [], 0
        while threads:
            behind += [t for t in threads if t + at >= bound]
            threads = [t for t in threads if t + at < bound]
            self.write(name, threads, [t + at for t in threads])
            self.loops.append(([], []))
            threads = self.execute(s.kids[0], threads)
            left, on = self.loops.pop()
            behind += left
            threads = sorted(threads + on)
            at += self.size
        return sorted(behind)

    def do_bound(self, s, threads):
        yes, no = self.within(s, threads)
        return sorted(self.execute(s.kids[0], yes) + no)

    def within(self, s, threads):
        low, high = s.data
        return ([t for t in threads if low <= t % self.nx < high],
                [t for t in threads if not low <= t % self.nx < high])

    def do_leave(self, s, threads):
        rest, gone = self.within(s, threads)
        for t, value in zip(gone, self.value(s.kids[0], gone)):
            self.out[t] = value
        self.living -= set(gone)
        return rest

    def do_part(self, s, threads):
        lanes, how, name = s.data
        here = [t for t in threads if t % self.warp < lanes]
        warps = {t // self.warp for t in here}
        if sum(1 for t in self.living if t // self.warp in warps and t % self.warp < lanes) \
                != len(here):
            raise Invalid("an operation of a warp without some lanes")
        offered = dict(zip(here, self.value(s.kids[0], here)))
        if how in ("xor", "lane"):
            by = lanes - 1 if how == "xor" else 0
            got = [self.shuffled(how, t, by, offered) for t in here]
        else:
            got = [self.votes(how, t // self.warp, offered) for t in here]
        self.write(name, here, got)
        return threads

    def do_break(self, s, threads):
        gone, rest = self.split(s.kids[0], threads)
        self.loops[-1][0].extend(gone)
        return rest

    def do_continue(self, s, threads):
        gone, rest = self.split(s.kids[0], threads)
        self.loops[-1][1].extend(gone)
        return rest

    def do_return(self, s, threads):
        gone, rest = self.split(s.kids[0], threads)
        for t, value in zip(gone, self.value(s.kids[1], gone)):
            self.out[t] = value
        self.living -= set(gone)
        return rest

    def do_give(self, s, threads):
        gone, rest = self.split(s.kids[0], threads)
        self.gave[-1].update(zip(gone, self.value(s.kids[1], gone)))
        return rest

    # -- expressions: each gives the threads' values, in their order --

    def value(self, e, threads):
        if not threads:
            return []
        return getattr(self, "value_" + e.kind)(e, threads)

    def value_const(self, e, threads):
        return [e.data] * len(threads)

    def value_special(self, e, threads):
        values = self.special[e.data]
        return [values[t] for t in threads]

    def value_var(self, e, threads):
        values = [self.values[e.data][t] for t in threads]
        if None in values:
            raise Invalid("no value yet")
        return values

    def value_element(self, e, threads):
        at = self.value(e.kids[0], threads)
        return [self.values[e.data][t][i & 3] for t, i in zip(threads, at)]

    def value_load(self, e, threads):
        at = self.value(e.kids[0], threads)
        return [self.memory[e.data].load(t, i) for t, i in zip(threads, at)]

    def value_op(self, e, threads):
        return list(map(OPS[e.data][1], self.value(e.kids[0], threads),
                        self.value(e.kids[1], threads)))

    def value_pick(self, e, threads):
        yes, no = self.split(e.kids[0], threads)
        of = dict(zip(yes, self.value(e.kids[1], yes)))
        of.update(zip(no, self.value(e.kids[2], no)))
        return [of[t] for t in threads]

    def value_both(self, e, threads):
        yes, _ = self.split(e.kids[0], threads)
        of = dict(zip(yes, self.value(e.kids[1], yes)))
        return [int(bool(of.get(t))) for t in threads]

    def value_either(self, e, threads):
        yes, no = self.split(e.kids[0], threads)
        of = dict(zip(no, self.value(e.kids[1], no)))
        return [int(bool(of.get(t, 1))) for t in threads]

    def value_shuffle(self, e, threads):
        offered = dict(zip(threads, self.value(e.kids[0], threads)))
        by = self.value(e.kids[1], threads)
        self.whole_warps(threads)
        return [self.shuffled(e.data, t, n, offered) for t, n in zip(threads, by)]

    def shuffled(self, how, thread, by, offered):
        lane = thread % self.warp
        source = {"lane": by, "xor": lane ^ by, "up": lane - by, "down": lane + by}[how]
        if not 0 <= source < self.warp:
            return offered[thread]
        return offered.get(thread - lane + source, 0)  # of a lane that is not there

    def value_vote(self, e, threads):
        values = dict(zip(threads, self.value(e.kids[0], threads)))
        said = {warp: self.votes(e.data, warp, values) for warp in self.whole_warps(threads)}
        return [said[t // self.warp] for t in threads]

    def votes(self, how, warp, values):
        votes = [bool(v) for t, v in values.items() if t // self.warp == warp]
        return {"any": int(any(votes)), "all": int(all(votes)), "ballot": sum(votes)}[how]

    def value_count(self, e, threads):
        votes = [bool(v) for v in self.value(e.kids[0], threads)]
        self.all_here(threads)
        said = {"count": sum(votes) & 255, "or": int(any(votes)), "and": int(all(votes))}[e.data]
        return [said] * len(threads)

    def value_call(self, e, threads):
        function = self.functions[e.data]
        given = [None if reference else self.value(kid, threads)  # before a parameter is written:
                 for (_, _, reference), kid in zip(function.parameters, e.kids)]  # f(f(x))
        for (name, _, reference), kid, values in zip(function.parameters, e.kids, given):
            if reference:
                self.values[name] = self.values[kid.data]
            else:
                self.values[name] = [None] * self.size
                self.write(name, threads, values)
        self.gave.append({})
        rest = self.execute(function.body, threads)
        given = dict(zip(rest, self.value(function.result, rest)))
        given.update(self.gave.pop())
        return [given[t] for t in threads]
