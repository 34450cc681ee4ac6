#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random mutations of src/, and which suite of tests notices each (`make mutate`).

    tests/mutate.py [-n COUNT] [--seed SEED] [--build DIR] [FOLDER...]

A mutant is the program with one operator, condition, constant or statement changed. Tests that
pass with a mutant do not hold the line that was changed: each such survivor is printed with its
place and both lines, to get a test or, where no input can tell the two programs apart, a row in
tests/mutants.txt. Mutants that do not compile, or compile to the same code, do not count.

Numbers that have a name (`enum { FAR = 60 };`) bound how far a pass looks: choices, which no test should
hold to the last one, and they stay.

The work tree is copied below the build folder, and changed and built there; per mutant one file is
compiled anew. The suites of a folder (SUITES, names of tests/suites.txt or scripts) run in turn until
one fails. The same seed and sources give the same mutants. Statements are found by the layout that
`make format` gives them, not by a parser: what a mutation breaks, the compiler refuses.
Exit status: 0 at most one in ten survives in each folder, 1 more, 2 nothing could be tried.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

# By folder: what concerns it and is fast, the likeliest first. The others have what says "".
# "brief": the fixtures without their cuts, to the first that fails; "brief/DOMAIN": of one domain;
# "brief c++": of one language.
# "unit/NAME,NAME": these of the unit tests.
# "cli": the scripts of tests/cli, those first that share a word with the file or the folder, and of
# the slow ones no others.
SUITES = {
    "": ["rules", "brief", "unit", "docs"],
    "base": ["unit/base,json,glob,file", "rules", "brief", "tests/cli/limits.sh", "tests/cli/oom.sh"],
    "capi": ["unit/capi", "tests/cli/run.sh"],
    "commands": ["cli", "docs", "unit/cache"],
    "cli": ["cli", "docs"],
    "cuda": ["rules", "brief c++", "tests/cli/kernels.sh", "tests/cli/rename_ext.sh"],
    "diag": ["unit/diag,errors", "tests/cli/doctor.sh", "tests/cli/error.sh", "tests/cli/serving.sh",
             "tests/cli/compile.sh", "rules"],
    "discover": ["unit/discover", "tests/cli/port_input.sh", "tests/cli/check_config.sh"],
    "edit": ["unit/diff", "rules", "brief", "tests/cli/port_output.sh"],
    "engine": ["rules", "brief", "cli", "unit/notebook,names"],
    "kernels": ["tests/cli/kernels.sh", "brief c++", "tests/e2e/kernels.sh"],
    "lanes": ["rules", "precision", "brief c++"],
    "nvcc": ["tests/cli/cc.sh"],
    "python": ["rules", "brief python", "docs"],
    "report": ["cli", "docs"],
    "rules": ["rules", "unit/rules,template,words,sources,releases", "tests/cli/rules.sh", "brief", "tests/cli/docs_rules.sh"],
    "semantic": ["unit/semantic,flags", "tests/cli/semantic.sh", "tests/cli/semantic_flags.sh"],
    "sycl": ["brief/sycl"],
}
SLOW = {"cache_trust", "docs_install", "doctor", "limits", "oom", "python_matrix", "run", "scaffold",
        "semantic", "semantic_flags", "verify"}
SWAPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
         "+": "-", "-": "+", "++": "--", "--": "++", "+=": "-=", "-=": "+=", "true": "false",
         "false": "true"}
OPERATOR = re.compile(r"(?<= )([<>]=?|[=!]=|&&|\|\||[+-]=?)(?= |$)|(\+\+|--)|\b(true|false)\b")
NUMBER = re.compile(r"(?<![\w.])(\d+)(?![\w.])")
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
        inside = comment = False
        for number, line in enumerate(file.read_text().splitlines(), 1):
            comment = comment or line.lstrip().startswith("/*")
            # A function's body; tables and declarations stand outside, or begin with static.
            if not comment and inside and not line.lstrip().startswith(("#", "static ", "enum {")):
                for kind, changed in mutations(line):
                    found[kind].append((file.relative_to(root), number, line, changed))
            comment = comment and "*/" not in line
            inside = line.endswith(") {") if not line[:1].isspace() and line != "}" and line else \
                inside and line != "}"
    return found


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

    def run(self, *command, limit=900):
        """The exit status; 124 where it took too long."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
        environment.update(BUILD="build", INSTALL="no")
        process = subprocess.Popen(command, cwd=self.root, env=environment, start_new_session=True,
                                   stdin=subprocess.DEVNULL, stdout=open(self.root / "log", "wb"),
                                   stderr=subprocess.STDOUT)
        try:
            return process.wait(limit)
        except subprocess.TimeoutExpired:
            return 124
        finally:
            try:
                os.killpg(process.pid, 9)
            except ProcessLookupError:
                pass

    def make(self, *goals):
        return self.run("make", f"-j{os.cpu_count()}", "CFLAGS=-O1 -w", *goals)

    def object(self, file):
        return (self.objects / "obj" / file).with_suffix(".o").read_bytes()

    def passes(self, suite, limit):
        if not (self.root / suite).is_file() and suite.startswith("tests/"):
            return True
        if suite.startswith("brief"):
            only = ["--only", suite[6:]] if suite.startswith("brief/") else suite.split()[1:]
            return self.run("build/tests/run_fixtures", "tests/fixtures", "--brief", *only, limit=limit) == 0
        if suite.startswith("unit/"):
            programs = [f"build/tests/test_{name}" for name in suite[5:].split(",")]
            return self.make(*programs) == 0 and all(self.run(p, limit=limit) == 0 for p in programs)
        if suite == "unit" and self.make("test", "SUITE=rules"):  # builds the programs, too
            return False
        return self.run("sh", "tests/run.sh", suite, limit=limit) == 0


def suites_of(tree, file):
    parts = file.parts
    folder = parts[1] if len(parts) > 2 else ""
    words = set(file.stem.split("_")) | {folder}
    shared = {script.stem: len(words & set(script.stem.split("_")))
              for script in (tree.root / "tests/cli").glob("*.sh")}
    for suite in SUITES.get(folder, SUITES[""]):
        if suite != "cli":
            yield suite
            continue
        for stem in sorted(shared, key=lambda stem: (-shared[stem], stem)):
            if shared[stem] or stem not in SLOW:
                yield f"tests/cli/{stem}.sh"


def try_one(tree, file, number, changed, limits):
    """`no code`, `same code`, the suite that noticed, or None: nothing did."""
    path = tree.root / file
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
        for suite in suites_of(tree, file):
            if not tree.passes(suite, limits[suite]):
                return suite
        return None
    finally:
        path.write_text(whole)


def known(source):
    """The mutants that no input can tell from the program: (file, changed line)."""
    rows = (source / "tests/mutants.txt").read_text().splitlines()
    cells = [row.split(" | ") for row in rows if row and not row.startswith("#")]
    return {(file.strip(), line.strip()) for file, line, *_ in cells}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("-n", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--build", default="build")
    parser.add_argument("folders", nargs="*", default=["src"])
    options = parser.parse_args()
    source = Path(__file__).resolve().parent.parent
    tree = Tree(source, Path(options.build).resolve())
    if tree.make("all", "build/tests/run_fixtures"):
        sys.exit(f"mutate: the tree does not build: {tree.root}/log")
    equivalent, counts, killers, limits = known(source), defaultdict(Counter), Counter(), {}
    found = candidates(tree.root, [f.rstrip("/") for f in options.folders])
    todo = options.n
    for file, number, line, changed in drawn(found, options.seed):
        if todo == 0:
            break
        if (str(file), changed.strip()) in equivalent:
            continue
        for suite in suites_of(tree, file):
            if suite not in limits:  # the program itself, and how long it takes
                start = time.monotonic()
                if not tree.passes(suite, 3600):
                    sys.exit(f"mutate: {suite} fails without a mutation: {tree.root}/log")
                limits[suite] = 30 + 5 * (time.monotonic() - start)
        start = time.monotonic()
        by = try_one(tree, file, number, changed, limits)
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
