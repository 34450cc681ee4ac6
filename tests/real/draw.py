# SPDX-License-Identifier: Apache-2.0
"""draw.py - projects and hunks drawn by a seed, for reading.

    tests/real/draw.py projects SEED [N]        N of tests/real/projects.txt that nobody has seen
    tests/real/draw.py ports SEED TREES OUT     ports each folder of TREES to six targets, and writes
                                                OUT/hunks.txt (300), OUT/missed.txt (200 lines with a
                                                CUDA word that have no token) and OUT/figures.txt

What is drawn depends on the seed and the names alone: a project's place is the hash of both. The
projects are fetched by whoever runs this, and never committed; `seen NAME` in the pool marks those
that were read, so that the next draw has others. Nothing is judged here: reading is for people.
"""
import hashlib
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TARGETS = ["ascend", "mlu", "musa", "xpu", "portable", "cpu"]
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
    return os.path.join(os.environ.get("BUILD", "build"), "cuda-morph")


def lines_without_token(tree, target):
    """Lines of Python outside of comments that carry a word and no token."""
    accounting = os.path.join(os.environ.get("TMPDIR", "/tmp"), "draw.accounting.json")
    subprocess.run([tool(), "port", tree, "--target", target, "-q", "--accounting", accounting],
                   capture_output=True, check=False)
    files, missed = json.load(open(accounting))["files"], []
    tokens = {f["path"]: {t["line"] + i for t in f["tokens"]
                          for i in range(t["end_line"] - t["line"] + 1)} for f in files}
    for folder, _, names in os.walk(tree):
        for path in (os.path.join(folder, n) for n in names if n.endswith(".py")):
            known = tokens.get(path, set())
            for number, line in enumerate(open(path, errors="replace"), 1):
                if WORD.search(line.split("#")[0]) and number not in known:
                    missed.append(f"{path}:{number}: {line.strip()}")
    return missed


def ports(seed, trees, out):
    hunks, missed, figures = [], [], []
    os.makedirs(out, exist_ok=True)
    for name in sorted(os.listdir(trees)):
        tree = os.path.join(trees, name)
        for target in TARGETS:
            r = subprocess.run([tool(), "port", tree, "--target", target, "--diff"],
                               capture_output=True, text=True, errors="replace", check=False)
            summary = [l for l in r.stderr.splitlines() if l.startswith(target + ": ")]
            figures.append(f"{name}: {summary[-1] if summary else 'no summary'}")
            hunks += [(target, f, h) for f, h in hunks_of(r.stdout)]
        missed += lines_without_token(tree, "ascend")
    hunks.sort(key=lambda h: place(seed, "\0".join(h)))
    missed.sort(key=lambda m: place(seed, m))
    with open(os.path.join(out, "hunks.txt"), "w") as f:
        for i, (target, path, hunk) in enumerate(hunks[:300], 1):
            f.write(f"==== {i} {target} {path}\n{hunk}\n")
    with open(os.path.join(out, "missed.txt"), "w") as f:
        f.write("\n".join(missed[:200]) + "\n")
    with open(os.path.join(out, "figures.txt"), "w") as f:
        f.write("\n".join(figures) + f"\n{len(hunks)} hunks, {len(missed)} lines\n")


if __name__ == "__main__":
    commands = {"projects": projects, "ports": ports}
    if len(sys.argv) < 3 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    commands[sys.argv[1]](*sys.argv[2:])
