# SPDX-License-Identifier: Apache-2.0
"""Which tests run which function of src/, and which of its lines: for mutate.py.

A test that does not enter a function cannot notice what is changed in it. The copy of the tree is built
a second time with gcc's -fsanitize-coverage=trace-pc and trace.c, each test runs once in that, and what
it entered is kept below the build folder until the test itself is another; places count from the
function's first line, so that changes elsewhere in src/ keep them true.

Only an order and a limit come of it. What a script runs in an environment of its own, without CM_TRACE,
is not seen, and so a survivor is a question to a person, as it is anyhow.
"""

import hashlib
import os
import pickle
import re
import shutil
import subprocess
import time
from pathlib import Path

CASES = 4096  # MAX_CASES of trace.c


def functions(lines):
    """The functions of a C file as `make format` writes it: (name, first line, last line)."""
    first = name = None
    signature = ""
    for number, line in enumerate(lines, 1):
        if first is None and line and (line[0].isalpha() or line[0] == "_" or signature):
            if not signature:
                start = number
            signature += line
            if line.endswith((";", "}", "= {", ":")) or not line:
                signature = ""
            elif line.endswith("{"):
                if called := re.match(r"[\w\s*]*?(\w+)\(", signature):
                    first, name = start, called[1]
                signature = ""
        elif line == "}" and first is not None:
            yield name, first, number
            first, signature = None, ""


class Reach:
    def __init__(self, tree):
        self.tree, self.kept = tree, tree.root.parent / "mutate-reach.pickle"
        self.folder = tree.root / "trace-maps"
        self.items = pickle.loads(self.kept.read_bytes()) if self.kept.is_file() else {}
        self.spans, self.at, self.built, self.current = {}, {}, False, False

    def span(self, file, number):
        """The function that has the line: (name, its first line); None outside of functions."""
        if file not in self.spans:
            lines = (self.tree.root / file).read_text().split("\n")
            self.spans[file] = list(functions(lines))
        return next(((n, a) for n, a, b in self.spans[file] if a <= number <= b), None)

    # ---- running a test in the traced program ----

    def build(self):
        self.built = True
        hook = self.tree.root / "trace.o"
        subprocess.run([os.environ.get("CC", "gcc"), "-O2", "-fPIC", "-D_GNU_SOURCE", "-c", "-o", hook,
                        self.tree.root / "tests/mutate/trace.c"], check=True)
        if self.tree.run("make", f"-j{os.cpu_count()}", "BUILD=trace", f"LDLIBS={hook}",
                         "CFLAGS=-O0 -g -w -fsanitize-coverage=trace-pc", "all", "trace/tests/run_fixtures",
                         *self.units("trace"), limit=3600):
            raise SystemExit(f"mutate: the traced tree does not build: {self.tree.root}/log")

    def units(self, build):
        return [f"{build}/tests/{f.stem}" for f in sorted((self.tree.root / "tests/unit").glob("*.c"))]

    def traced(self, *command):
        if not self.built:
            self.build()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        start = time.monotonic()
        status = self.tree.run(*command, BUILD="trace", CM_TRACE=str(self.folder))
        return time.monotonic() - start, status

    def lines(self, program, places):
        """By place of a program's code: (file, function, line in the function)."""
        cache = self.at.setdefault(program, {})
        if new := [p for p in places if p not in cache]:
            text = "".join(f"{p - 1:x}\n" for p in new)
            said = subprocess.run(["addr2line", "-e", program], input=text, text=True, check=True,
                                  stdout=subprocess.PIPE).stdout.split("\n")
            for place, line in zip(new, said):
                found = re.search(r"(?:^|/)(src/[\w/]+\.c):(\d+)", line)
                span = found and self.span(found[1], int(found[2]))
                cache[place] = span and (found[1], span[0], int(found[2]) - span[1])
        return [cache[p] for p in places]

    def entered(self):
        """What the programs entered since the folder was empty."""
        seen = set()
        programs = {}
        for file in [self.tree.root / "trace/cuda-morph", *(self.tree.root / "trace/tests").iterdir()]:
            programs[file.name] = file
        for file in self.folder.iterdir():
            data = file.read_bytes()
            program = programs.get(file.name)
            if file.name == "cases" or file.name.endswith(".so") or program is None:
                if file.name == "cases" or "." in file.name:
                    continue
                program = programs["cuda-morph"]  # under another name
            places = [m.start() for m in re.finditer(b"\1", data)]
            seen.update(x for x in self.lines(program, places) if x)
        return seen

    # ---- what is kept ----

    def key(self, *paths):
        digest = hashlib.sha256()
        for path in paths:
            path = self.tree.root / path
            for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
                if file.is_file():
                    digest.update(str(file).encode() + file.read_bytes())
        return digest.hexdigest()

    def have(self, item, key, make):
        if self.items.get(item, {}).get("key") != key:
            self.items[item] = {"key": key, **make()}
            self.kept.write_bytes(pickle.dumps(self.items))
        return self.items[item]

    def test(self, item, path, *command):
        """A program or script: how long it takes and what it enters."""
        def make():
            seconds, _ = self.traced(*command)
            return {"seconds": seconds, "entered": self.entered()}
        return self.have(item, self.key(path), make)

    def fixtures(self):
        """The cases' names and, by function and line, a bit for each case; the first is the start. Only
        cases that are new run."""
        kept = self.items.setdefault("fixtures", {"names": [""], "keys": {}, "by": {}})
        if self.current:
            return kept
        self.current = True
        root = self.tree.root / "tests/fixtures"
        keys = {f"{d.name}/{c.name}": self.key(c) for d in sorted(root.iterdir()) if d.is_dir()
                for c in sorted(d.iterdir()) if c.is_dir() and c.name[0] != "."}
        new = sorted((name for name, key in keys.items() if kept["keys"].get(name) != key),
                     key=lambda name: name.split("/"))
        kept["names"] = ["", *(n if keys.get(n) and n not in new else None for n in kept["names"][1:])]
        kept["keys"] = keys
        if new:
            self.trace_cases(kept, new)
        self.kept.write_bytes(pickle.dumps(self.items))
        return kept

    def trace_cases(self, kept, new):
        (self.tree.root / "cases").write_text("".join(f"{case}\n" for case in new))
        self.traced("taskset", "-c", str(min(os.sched_getaffinity(0))), "trace/tests/run_fixtures",
                    "tests/fixtures", "--brief", "--only", "@cases")
        data = (self.folder / "cases").read_bytes()
        step = 4 + CASES // 8
        rows = [data[i:i + step] for i in range(0, len(data), step)]
        places = [int.from_bytes(row[:4], "little") for row in rows]
        at = len(kept["names"]) - 1  # the start's bit stays the first
        for row, place in zip(rows, self.lines(self.tree.root / "trace/tests/run_fixtures", places)):
            if place:
                mask = int.from_bytes(row[4:], "little")
                of = kept["by"].setdefault(place[:2], {})
                of[place[2]] = of.get(place[2], 0) | (mask & 1) | (mask >> 1 << 1 + at)
        kept["names"] += new

    def cases(self, file, number):
        """The fixtures that enter the line, and the others that enter its function."""
        span = self.span(str(file), number)
        kept = self.fixtures()
        of = kept["by"].get((str(file), span[0]), {}) if span else {}
        near = max((line for line in of if line <= number - span[1]), default=None) if span else None
        here, all_of = of.get(near, 0), 0
        for mask in of.values():
            all_of |= mask
        if all_of & 1 and span:  # before the first case: it may matter to each
            all_of = (1 << len(kept["names"])) - 2
        named = lambda mask: [n for i, n in enumerate(kept["names"]) if n and mask >> i & 1]
        return named(here), named(all_of & ~here)

    def enters(self, kept, file, number):
        """Whether a test enters the function: 2 the line, too, 1 the function, 0 neither."""
        span = self.span(str(file), number)
        lines = [x[2] for x in kept["entered"] if span and x[:2] == (str(file), span[0])]
        return 0 if not lines else 2 if number - span[1] in lines else 1
