#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/cookbook.md: pairs of before and after, out of the fixtures that the tests hold the program to.

    tools/cookbook.py [--check]      --check: exit status 1 if the page would change

docs/cookbook.json lists [title, fixture, target, sentence]. What the pairs show cannot drift from what the program does: a
fixture that fails fails `make test`. Lines that the tests read (`want:`, `more:`, `ok:`) are left out, and what both sides share is
cut down to three lines around each change.
"""
import difflib
import glob
import json
import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LANGUAGE = {".py": "python", ".cu": "cpp", ".cpp": "cpp", ".mk": "make", ".Dockerfile": "docker", ".sh": "sh"}


def read(path):
    lines = open(path, encoding="utf-8").read().split("\n")
    mark = re.compile(r"^\s*(#|//|/\*)\s*(want|more|ok)\b.*$")
    return [x for x in lines if not mark.match(x)]


def options(fixture, target):
    """The options of the test case, but versions of other targets."""
    path = os.path.join(TOP, "tests/fixtures", fixture, "args")
    words = open(path, encoding="utf-8").read().split() if os.path.exists(path) else []
    words = [x for x in words if not x.startswith("--target-version=") or "=" + target + "=" in x]
    return " with `%s`" % " ".join(words) if words else ""


def pair(fixture, target):
    base = os.path.join(TOP, "tests/fixtures", fixture)
    after = glob.glob(os.path.join(base, "expected.%s.*" % target))[0]
    ending = after[after.index("expected.") + len("expected." + target):]
    old, new = read(os.path.join(base, "input" + ending)), read(after)
    left, right = [], []
    groups = list(difflib.SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(3))
    for n, group in enumerate(groups):
        for side, lines, a, b in ((left, old, 1, 2), (right, new, 3, 4)):
            if n:
                side.append("")
            side += lines[group[0][a]:group[-1][b]]
    strip = lambda side: "\n".join(side).strip("\n")
    return LANGUAGE.get(ending, "text"), strip(left), strip(right)


def main():
    rows = json.load(open(os.path.join(TOP, "docs/cookbook.json"), encoding="utf-8"))
    out = ["<!-- Made by tools/cookbook.py of docs/cookbook.json and tests/fixtures; edits here are lost. -->", "# Cookbook", "",
           "%d pairs, before and after, each for one target. They are cut out of the test cases in `tests/fixtures`, so that" % len(rows),
           "they show what the program does today; only the lines around each change are shown. Try one with your own file:", "",
           "    cuda-morph port your.py --target ascend --diff", ""]
    for title, fixture, target, sentence in rows:
        language, old, new = pair(fixture, target)
        if old == new:
            sys.exit("cookbook: %s does not change for %s" % (fixture, target))
        out += ["## " + title, "", "%s (`tests/fixtures/%s`)" % (sentence, fixture), "", "Before:", "", "```" + language, old, "```", "",
                "For `%s`%s:" % (target, options(fixture, target)), "", "```" + language, new, "```", ""]
    text = "\n".join(out).rstrip("\n") + "\n"
    path = os.path.join(TOP, "docs/cookbook.md")
    if "--check" in sys.argv:
        if not os.path.exists(path) or open(path, encoding="utf-8").read() != text:
            print("docs/cookbook.md: make docs writes something else")
            return 1
        return 0
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return 0


sys.exit(main())
