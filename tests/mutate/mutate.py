#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random mutations of src/, and which suite of tests notices each (`make mutate`).

    tests/mutate/mutate.py [-n COUNT] [--seed SEED] [--build DIR] [--each] [FOLDER...]
    tests/mutate/mutate.py --again FILE       the survivors that an earlier run printed into FILE
    tests/mutate/mutate.py --check            only whether each row of mutants.txt fits one place

A mutant is the program with one operator, condition, constant or statement changed. Tests that
pass with a mutant do not hold the line that was changed: each such survivor is printed with its
place and both lines, to get a test or, where no input can tell the two programs apart, a row in
mutants.txt. Mutants that do not compile, or compile to the same code, do not count.

Numbers that have a name (`enum { FAR = 60 };`) bound how far a pass looks: choices, which no test should
hold to the last one, and they stay.

The work tree is copied below the build folder, and changed and built there; per mutant one file is
compiled anew. Of the suites of a folder (SUITES, names of tests/suites.txt or scripts) those tests run,
one by one until one fails, that enter the changed function (reach.py): first what enters the line.
COUNT mutants in all, or with --each in each folder. The same seed and sources give the same mutants.
Statements are found by the layout that `make format` gives them, not by a parser: what a mutation
breaks, the compiler refuses.
Exit status: 0 at most one in ten survives in each folder, 1 more or a row of mutants.txt that fits no
place or several, 2 nothing could be tried.
"""

import argparse
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

from reach import Reach, functions

# By folder: what concerns it and is fast. The others have what says "".
# "brief": the fixtures without their cuts, to the first that fails. "unit": the unit tests.
# "cli": the scripts of tests/cli that enter the function, and of the slow ones those that share a
# word with the file or the folder, too. "kernels": of tests/e2e/kernels.sh the cases of which the
# program says, or writes, something else than without the mutant.
SUITES = {
    "": ["rules", "brief", "unit", "docs"],
    "base": ["rules", "brief", "unit", "tests/cli/limits.sh", "tests/cli/oom.sh"],
    "capi": ["unit", "tests/cli/run.sh"],
    "commands": ["cli", "docs", "unit"],
    "cli": ["cli", "docs", "unit"],
    "cuda": ["rules", "brief", "unit", "tests/cli/kernels.sh", "tests/cli/rename_ext.sh"],
    "diag": ["unit", "rules", "tests/cli/doctor.sh", "tests/cli/error.sh", "tests/cli/serving.sh"],
    "discover": ["unit", "tests/cli/port_input.sh", "tests/cli/check_config.sh", "tests/cli/check_folds.sh"],
    "edit": ["unit", "rules", "brief", "tests/cli/port_output.sh"],
    "engine": ["rules", "brief", "unit", "cli"],
    "kernels": ["brief", "kernels", "tests/cli/kernels.sh"],
    "lanes": ["rules", "brief", "precision"],
    "nvcc": ["unit", "brief", "tests/cli/cc.sh"],
    "python": ["rules", "brief", "docs"],
    "report": ["cli", "docs", "unit"],
    "rules": ["rules", "brief", "unit", "tests/cli/new_target.sh", "tests/cli/rules.sh",
              "tests/cli/docs_rules.sh"],
    "semantic": ["unit", "tests/cli/semantic.sh", "tests/cli/semantic_flags.sh",
                 "tests/cli/semantic_limits.sh"],
    "sycl": ["brief", "rules", "unit"],
    "text": ["brief", "rules", "unit", "tests/cli/check_config.sh", "tests/cli/report.sh"],
}
SLOW = {"attacks", "cache_trust", "docs_install", "doctor", "limits", "oom", "run", "scaffold",
        "semantic", "semantic_flags", "verify"}
MEMORY = 6 << 30
NEVER = {"python_matrix", "suites"}  # minutes each
SWAPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
         "+": "-", "-": "+", "++": "--", "--": "++", "+=": "-=", "-=": "+=", "true": "false",
         "false": "true"}
OPERATOR = re.compile(r"(?<= )([<>]=?|[=!]=|&&|\|\||[+-]=?)(?= |$)|(\+\+|--)|\b(true|false)\b")
NUMBER = re.compile(r"(?<![\w.])(?<!\{(?=0\}))(\d+)(?![\w.])")  # {0} is the empty one of any type
CONDITION = re.compile(r"\b(if|while) \(")
STATEMENT = re.compile(r"(?!return\b|goto\b|static\b|struct\b|const\b|extern\b|typedef\b)"
                       r"([A-Za-z_*(][^;{}]*[^;{} ];|continue;|break;)$")
QUIET = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])+\'|/\*.*?\*/|//.*')


def negated(line, start):
    """The condition whose parenthesis opens at start - 1, negated; None where another line has its end."""
    depth = 1
    for end in range(start, len(line)):
        depth += {"(": 1, ")": -1}.get(line[end], 0)
        if depth == 0:
            return line[:start] + "!(" + line[start:end] + ")" + line[end:]
    return None


def mutations(line):
    """The ways to change a line: (kind, changed line)."""
    bare = QUIET.sub(lambda m: " " * len(m[0]), line)
    for m in OPERATOR.finditer(bare):
        yield "operator", line[: m.start()] + SWAPS[m[0]] + line[m.end():]
    for m in NUMBER.finditer(bare):
        yield "constant", line[: m.start()] + str(int(m[0]) + 1) + line[m.end():]
    for m in CONDITION.finditer(bare):
        if changed := negated(line, m.end()):
            yield "condition", changed
    text = bare.strip()
    if STATEMENT.match(text) and text.count("(") == text.count(")"):
        yield "statement", line[: len(line) - len(line.lstrip())] + ";"


def candidates(root, folders):
    """Every mutation of the folders' functions, by kind: (file, number of the line, line, changed)."""
    found = defaultdict(list)
    for file in sorted(f for folder in folders for f in (root / folder).rglob("*.c")):
        lines = file.read_text().splitlines()
        for _, first, last in functions(lines):
            comment = body = False
            for number in range(first, last):
                line = lines[number - 1]
                comment = comment or line.lstrip().startswith("/*")
                # Tables and declarations begin with static, or with an enum.
                if body and not comment and not line.lstrip().startswith(("#", "static ", "enum {")):
                    for kind, changed in mutations(line):
                        found[kind].append((file.relative_to(root), number, line, changed))
                comment = comment and "*/" not in line
                body = body or line.endswith("{")
    return found


def survivors(root, log):
    """Those that an earlier run printed into the file, where the line is still there."""
    said = re.findall(r"^(\S+):(\d+): SURVIVED.*\n +- (.*)\n +\+ (.*)$", Path(log).read_text(), re.M)
    for file, number, line, changed in said:
        lines = (root / file).read_text().splitlines()
        at = [i for i, text in enumerate(lines, 1) if text.strip() == line]
        if at:
            number = min(at, key=lambda i: abs(i - int(number)))
            yield Path(file), number, lines[number - 1], changed


def drawn(found, seed):
    """All of them in an order of their own; kinds take turns."""
    draw = random.Random(seed)
    piles = [draw.sample(found[kind], len(found[kind])) for kind in sorted(found)]
    while piles := [pile for pile in piles if pile]:
        for pile in piles:
            yield pile.pop()


class Tree:
    """The copy that is changed, built and tested."""

    def __init__(self, source, build):
        self.root = build / "mutate"
        self.objects = self.root / "build"
        self.sound = set()  # what passed without a mutation
        self.kept = {}
        self.root.mkdir(parents=True, exist_ok=True)
        files = subprocess.run(["git", "-C", source, "ls-files", "-z", "--cached", "--others",
                                "--exclude-standard"], check=True, stdout=subprocess.PIPE).stdout
        kept = {f for f in files.decode().split("\0") if f and (source / f).is_file()}
        for file in kept:  # what is the same keeps its time, so that little is compiled
            to, text = self.root / file, (source / file).read_bytes()
            if not to.is_file() or to.read_bytes() != text:
                to.parent.mkdir(parents=True, exist_ok=True)
                to.write_bytes(text)
                to.chmod((source / file).stat().st_mode)
        for folder in ("src", "rules", "runtime", "tests", "tools"):
            for file in (self.root / folder).rglob("*"):
                if file.is_file() and str(file.relative_to(self.root)) not in kept:
                    file.unlink()
        modules = self.root / "grammars/node_modules"
        if not modules.exists():
            modules.symlink_to(source / "grammars/node_modules")

    def run(self, *command, limit=900, **more):
        """The exit status; 124 where it took too long."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
        environment.update({"BUILD": "build", "INSTALL": "no", **more})

        def bounded():  # what a mutant may take, each of its processes: some allocate, or run, for ever
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 1))

        process = subprocess.Popen(command, cwd=self.root, env=environment, start_new_session=True,
                                   preexec_fn=bounded, stdin=subprocess.DEVNULL, stdout=open(self.root / "log", "wb"),
                                   stderr=subprocess.STDOUT)
        try:
            return process.wait(limit)
        except subprocess.TimeoutExpired:
            return 124
        finally:
            for other in os.listdir("/proc"):  # scripts give their jobs process groups, but no session
                try:
                    if other.isdigit() and os.getsid(int(other)) == process.pid:
                        os.kill(int(other), 9)
                except ProcessLookupError:
                    pass

    def make(self, *goals):
        return self.run("make", f"-j{os.cpu_count()}", "CFLAGS=-O1 -w", *goals)

    def object(self, file):
        return (self.objects / "obj" / file).with_suffix(".o").read_bytes()

    def carried(self):
        """What the program carries that programs of its own sources have made."""
        return [(self.objects / f).read_bytes() for f in ("rules_blob.c", "embedded.c", "runtime_names.c")]

    def fixtures(self, cases, limit, program="build/tests/run_fixtures"):
        """Whether the cases pass."""
        (self.root / "cases").write_text("".join(f"{case}\n" for case in cases))
        return self.run(program, "tests/fixtures", "--brief", "--only", "@cases",
                        limit=limit) == 0

    def kernels(self):
        """What the program makes of tests/kernels: its outputs, and what it says, by case."""
        made, at = defaultdict(str), self.root / "kernels"
        shutil.rmtree(at, ignore_errors=True)
        self.run("build/cuda-morph", "port", "tests/kernels", "--target", "cpu", "-o", str(at), limit=60)
        for file in sorted(at.rglob("k.*")):
            made[str(file.parent.relative_to(at))] += file.read_text()
        said = (self.root / "log").read_text()
        self.run("build/cuda-morph", "port", "tests/kernels", "--target", "cpu", "--explain-kernels", "-q")
        for line in (said + (self.root / "log").read_text()).split("\n"):
            if place := re.match(r"\S*kernels/([\w/-]+)/k\.\w+:", line):
                made[place[1]] += line
        return made

    def demand(self, test, limit):
        """Ends it all when what noticed the mutant fails without it, too."""
        if test == "fixtures":
            failed = re.findall(r"^FAILED (.*)|^fixtures: crashed in (.*?),", (self.root / "log").read_text(), re.M)
            cases = sorted({a or b for a, b in failed} - self.sound)
            fine = not cases or self.fixtures(cases, limit, "build/run_fixtures.kept")
            self.sound |= set(cases)
        else:
            fine = test in self.sound or (self.make("all") == 0 and self.passes(test, limit))
            self.sound.add(test)
        if not fine:
            sys.exit(f"mutate: {test} fails without a mutation: {self.root}/log")

    def passes(self, test, limit):
        """Whether a unit test, a suite or a script does."""
        if test.startswith("unit/"):
            program = f"build/tests/{test[5:]}"
            return self.make(program) == 0 and self.run(program, limit=limit) == 0
        if test == "kernels":
            made = self.kernels()
            other = [c for c in made | self.kept if made.get(c) != self.kept.get(c)]
            return not other or self.run("sh", "tests/run.sh", "tests/e2e/kernels.sh", ONLY=" ".join(other),
                                         limit=limit + 300) == 0
        return self.run("sh", "tests/run.sh", test, limit=limit) == 0


def tests_of(tree, reach, file, number, everything):
    """What may notice a change of the line, the likeliest first: (name, cases or None, seconds)."""
    folder = file.parts[1] if len(file.parts) > 2 else ""
    words = set(file.stem.split("_")) | {folder}
    suites = SUITES.get(folder, SUITES[""])
    here, beside = reach.cases(file, number) if "brief" in suites else ([], [])
    if everything:
        here, beside = [name for name in reach.fixtures()["names"] if name], []
    others = []
    if "unit" in suites:
        for program in reach.units("trace"):
            name = Path(program).name
            kept = reach.test(name, f"tests/unit/{name}.c", program)
            others.append((reach.enters(kept, file, number), kept["seconds"], f"unit/{name}"))
    for suite in suites:
        if suite == "cli":
            for script in sorted((tree.root / "tests/cli").glob("*.sh")):
                path = f"tests/cli/{script.name}"
                if script.stem in NEVER:
                    continue
                if script.stem not in SLOW:
                    kept = reach.test(path, path, "sh", "tests/run.sh", path)
                    others.append((reach.enters(kept, file, number), kept["seconds"], path))
                elif words & set(script.stem.split("_")):
                    others.append((1, 100, path))
        elif suite not in ("brief", "unit"):
            others.append((1, 30 + suites.index(suite), suite))
    quick = [x for x in others if x[0] == 2 and x[1] < 5]
    if here:
        yield "fixtures", here[:: max(1, len(here) // 30)], 6
    for which in (quick, None, [x for x in others if x not in quick]):
        if which is None:
            if here or beside:
                yield "fixtures", here + beside, 200
            continue
        for enters, seconds, test in sorted(which, key=lambda x: (-x[0], x[1])):
            if enters or (everything and not test.startswith("tests/")):
                yield test, None, seconds


def try_one(tree, reach, file, number, changed, carried):
    """`no code`, `same code`, the test that noticed, or None: nothing did."""
    path, tests = tree.root / file, list(tests_of(tree, reach, file, number, False))
    whole, before = path.read_text(), tree.object(file)
    lines = whole.split("\n")
    lines[number - 1] = changed
    path.write_text("\n".join(lines))
    try:
        if tree.run("make", "CFLAGS=-O1 -w", f"build/obj/{file.with_suffix('.o')}"):
            return "no code"
        if tree.object(file) == before:
            return "same code"
        if tree.make("all", "build/tests/run_fixtures"):
            return "the build"  # the rules are compiled by what was changed
        if tree.carried() != carried:
            tests = tests_of(tree, reach, file, number, True)
        for test, cases, seconds in tests:
            limit = 30 + 10 * seconds
            if not (tree.fixtures(cases, limit) if cases else tree.passes(test, limit)):
                path.write_text(whole)
                tree.demand(test, limit)
                return test
        return None
    finally:
        path.write_text(whole)


def known(root):
    """The mutants that no input can tell from the program: ({(file, number of the line, changed)}, complaints).

    A row of mutants.txt that fits no place, or several, is a complaint: what it said is no longer known."""
    row = re.compile(r"(\S+), (\w+): .+\n    - (.*)\n    \+ (.*)\n")
    text = re.sub(r"(?m)^#.*\n", "", (root / "tests/mutate/mutants.txt").read_text())
    places, complaints = set(), [f"not as the head says: {rest}" for rest in row.sub("", text).split("\n") if rest]
    for file, function, line, changed in row.findall(text):
        lines = (root / file).read_text().split("\n") if (root / file).is_file() else []
        fits = [number for name, first, last in functions(lines) if name == function
                for number in range(first, last) if lines[number - 1].strip() == line
                and any(way.strip() == changed for _, way in mutations(lines[number - 1]))]
        if len(fits) == 1:
            places.add((file, fits[0], changed))
        else:
            complaints.append(f"{file}, {function}: {len(fits)} places for this row: {changed}")
    return places, complaints


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("-n", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--build", default="build")
    parser.add_argument("--each", action="store_true")
    parser.add_argument("--again", metavar="FILE")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("folders", nargs="*", default=["src"])
    options = parser.parse_args()
    source = Path(__file__).resolve().parent.parent.parent
    equivalent, complaints = known(source)
    if options.check or complaints:
        sys.exit("\n".join(f"mutants.txt: {c}" for c in complaints) or 0)
    tree = Tree(source, Path(options.build).resolve())
    if tree.make("all", "build/tests/run_fixtures"):
        sys.exit(f"mutate: the tree does not build: {tree.root}/log")
    shutil.copy(tree.root / "build/tests/run_fixtures", tree.root / "build/run_fixtures.kept")
    tree.kept = tree.kernels()
    counts, killers = defaultdict(Counter), Counter()
    reach, carried = Reach(tree), tree.carried()
    folders = [f.rstrip("/") for f in options.folders]
    for group in [[f] for f in folders] if options.each else [folders]:
        todo = options.n
        mutants = drawn(candidates(tree.root, group), options.seed)
        for file, number, line, changed in survivors(tree.root, options.again) if options.again else mutants:
            if todo == 0:
                break
            if (str(file), number, changed.strip()) in equivalent:
                continue
            start = time.monotonic()
            by = try_one(tree, reach, file, number, changed, carried)
            if by in ("no code", "same code"):
                continue
            todo -= 1
            killers[by] += 1
            counts[str(file.parent)][by is not None] += 1
            print(f"{file}:{number}: {'killed by ' + by if by else 'SURVIVED'}"
                  f" ({time.monotonic() - start:.0f} s)", flush=True)
            if by is None:
                print(f"    - {line.strip()}\n    + {changed.strip()}", flush=True)
    if not counts:
        sys.exit(2)
    print("\nfolder              mutants  survived")
    for folder, count in sorted(counts.items()):
        print(f"{folder:<20} {sum(count.values()):6} {count[False]:6} {count[False] / sum(count.values()):6.0%}")
    print("killed by: " + ", ".join(f"{by} {n}" for by, n in killers.most_common() if by))
    return any(10 * count[False] > sum(count.values()) for count in counts.values())


if __name__ == "__main__":
    sys.exit(main())
