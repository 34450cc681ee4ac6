# SPDX-License-Identifier: Apache-2.0
"""draw.py - projects, hunks and answers of rules drawn by a seed, for reading.

    tests/real/draw.py projects SEED [N]      N of tests/real/projects.txt that nobody has seen
    tests/real/draw.py ports SEED TREES OUT   ports each folder of TREES to six targets, and writes
                                              OUT/hunks.txt (300), OUT/quiet.txt (200 lines with a
                                              word of CUDA's, neither ported nor reported) and
                                              OUT/figures.txt (tokens, the manual share, its rules)
    tests/real/draw.py rows SEED [N [EACH]]   N (300) answers that write something, of all rows of
                                              all rules: EACH (30) of every target of LEAST, the
                                              rest of any; one a line: rule, row, target, verdict,
                                              what is written, the source, with tabs between

What is drawn depends on the seed and the names alone: a project's place is the hash of both. The
projects are fetched by whoever runs this, and never committed; `seen NAME` in the pool marks those
that were read, so that the next draw has others. Nothing is judged here: reading is for people.
"""
import collections
import hashlib
import io
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import tokenize

HERE = os.path.dirname(os.path.abspath(__file__))
TARGETS = ["ascend", "mlu", "musa", "xpu", "portable", "cpu"]
LEAST = ["rocm", "ascend", "xpu", "mlu", "musa", "portable", "cpu", "hpu"]
ANSWER = re.compile(r"    (\S+) +(exact|close|shim|unverified|manual|none|same)( .*)?$")
SOURCE = "               source: "
WORD = re.compile("cuda|nccl|cudnn", re.I)


def place(seed, name):
    return hashlib.sha256(f"{seed}\0{name}".encode()).hexdigest()


def projects(seed, n=12):
    pool = [line.strip() for line in open(os.path.join(HERE, "projects.txt"))]
    fresh = [p for p in pool if p and not p.startswith(("#", "seen "))]
    for name in sorted(fresh, key=lambda p: place(seed, p))[: int(n)]:
        print(name)


def hunks_of(diff):
    """The hunks of a unified diff, each with the name of its file."""
    name, hunk, out = "", [], []
    for line in diff.splitlines():
        if line.startswith(("--- ", "+++ ", "@@")):
            if hunk:
                out.append((name, "\n".join(hunk)))
            hunk = [line] if line.startswith("@@") else []
            name = line[4:] if line.startswith("+++ ") else name
        elif hunk:
            hunk.append(line)
    return out + [(name, "\n".join(hunk))] if hunk else out


def tool():
    return os.environ.get("MORPH") or os.path.join(os.environ.get("BUILD", "build"), "cuda-morph")


def answers(rule):
    """The answers of a rule as `explain` shows them: (row, target, verdict, what, source)."""
    text = subprocess.run([tool(), "explain", "-v", rule], capture_output=True, text=True,
                          check=True).stdout
    rows, out = [], []  # names in consecutive lines share the answers below them
    for line in text.splitlines():
        answer = ANSWER.match(line)
        if answer:
            target, verdict, what = answer.groups()
            out += [[row, target, verdict, (what or "").strip(), ""] for row in rows]
        elif line.startswith(SOURCE):
            for one in out[-len(rows):]:
                one[4] = line[len(SOURCE):]
        elif re.match(r"  \S", line):
            rows = rows + [line.strip()]
        elif not line:
            rows = []
    return out


def rows(seed, n=300, each=30):
    listed = subprocess.run([tool(), "rules", "list", "--format", "json"], capture_output=True,
                            check=True).stdout
    cells = [(rule["id"], *answer) for rule in json.loads(listed)["rules"]
             for answer in answers(rule["id"]) if answer[2] in ("exact", "close", "shim")]
    cells.sort(key=lambda cell: place(seed, "\t".join(cell[:3])))
    drawn = []
    for target in LEAST:
        drawn += [cell for cell in cells if cell[2] == target][: int(each)]
    drawn += [cell for cell in cells if cell not in drawn][: int(n) - len(drawn)]
    print(f"{len(cells)} answers write something", file=sys.stderr)
    for cell in drawn:
        print(*cell, sep="\t")


def port(tree, target, *options):
    return subprocess.run([tool(), "port", tree, "--target", target, *options],
                          capture_output=True, text=True, errors="replace", check=False)


def accounting(tree, target):
    """What became of each token, by file."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "accounting.json")
        port(tree, target, "-q", "--accounting", path)
        return json.load(open(path))["files"]


def spoken_lines(path):
    """The lines of a Python file that carry a word outside of comments and docstrings."""
    text = open(path, errors="replace").read()
    silent, fresh = set(), True  # a string where a statement begins is a docstring
    try:
        for t in tokenize.generate_tokens(io.StringIO(text).readline):
            if t.type == tokenize.STRING and fresh:
                silent.update(range(t.start[0], t.end[0] + 1))
            if t.type not in (tokenize.COMMENT, tokenize.NL):
                fresh = t.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    except (tokenize.TokenError, SyntaxError):
        pass
    for number, line in enumerate(text.splitlines(), 1):
        if number not in silent and WORD.search(line.split("#")[0]):
            yield number, line.strip()


def quiet_lines(tree, files):
    """Lines of Python with a word of CUDA's where nothing is ported and nothing is reported, each
    with the reason that the accounting gives."""
    spoken, why, quiet = {}, {}, []
    for f in files:
        for t in f["tokens"]:
            lines = range(t["line"], t["end_line"] + 1)
            if t["outcome"] != "kept":
                spoken.setdefault(f["path"], set()).update(lines)
            why.setdefault(f["path"], {}).update((i, "kept: " + t["rule"]) for i in lines)
        for t in f["words"]:
            lines = range(t["line"], t["end_line"] + 1)
            why.setdefault(f["path"], {}).update((i, t["reason"]) for i in lines)
    for folder, _, names in os.walk(tree):
        for path in (os.path.join(folder, n) for n in names if n.endswith(".py")):
            if os.path.islink(path):
                continue  # the file that it leads to is read where it lies
            for number, line in spoken_lines(path):
                if number not in spoken.get(path, ()):
                    reason = why.get(path, {}).get(number, "-")
                    quiet.append(f"{path}:{number}: {line} [{reason}]")
    return quiet


def in_turn(seed, by_project, n):
    """n things, one of each project after the other: no large project speaks for all."""
    rows = [sorted(v, key=lambda x: place(seed, str(x))) for _, v in sorted(by_project.items())]
    return [x for turn in itertools.zip_longest(*rows) for x in turn if x is not None][:n]


def count(files, target, sums, manual):
    """Adds a project's tokens: of Python and project files, and of C++ by itself."""
    for f in files:
        kind = "C++" if f["language"] in ("cuda", "c++") else "Python"
        for t in f["tokens"]:
            sums[target, kind, t["outcome"]] += 1
            if t["outcome"] == "manual":
                manual[target, kind, t["rule"]] += 1


def ports(seed, trees, out):
    hunks, quiet, figures = {}, {}, []
    sums, manual = collections.Counter(), collections.Counter()
    os.makedirs(out, exist_ok=True)
    for name in sorted(os.listdir(trees)):
        tree = os.path.join(trees, name)
        for target in TARGETS:
            r = port(tree, target, "--diff")
            summary = [l for l in r.stderr.splitlines()
                       if l.startswith(target + ": ") and "CUDA token" in l]
            files = accounting(tree, target)
            count(files, target, sums, manual)
            figures.append(f"{name}: {summary[0] if summary else target + ': no summary'}")
            hunks.setdefault(name, []).extend((target, f, h) for f, h in hunks_of(r.stdout))
            if target == "ascend":
                quiet[name] = quiet_lines(tree, files)
    with open(os.path.join(out, "hunks.txt"), "w") as f:
        for i, (target, path, hunk) in enumerate(in_turn(seed, hunks, 300), 1):
            f.write(f"==== {i} {target} {path}\n{hunk}\n")
    with open(os.path.join(out, "quiet.txt"), "w") as f:
        f.write("\n".join(in_turn(seed, quiet, 200)) + "\n")
    for target, kind in itertools.product(TARGETS, ["Python", "C++"]):
        total = sum(n for (t, k, _), n in sums.items() if (t, k) == (target, kind))
        left = sums[target, kind, "manual"]
        figures.append(f"all: {target}, {kind}: {total} tokens, {left} manual, "
                       f"{100 * left / total if total else 0:.1f} %")
    figures += [f"manual: {t}, {k}: {n} {rule}" for (t, k, rule), n in manual.most_common()]
    with open(os.path.join(out, "figures.txt"), "w") as f:
        f.write("\n".join(figures) + f"\n{sum(map(len, hunks.values()))} hunks, "
                f"{sum(map(len, quiet.values()))} quiet lines\n")


if __name__ == "__main__":
    commands = {"projects": projects, "ports": ports, "rows": rows}
    if len(sys.argv) < 3 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    commands[sys.argv[1]](*sys.argv[2:])
