#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""frequency.py - how often each rule finds something in projects: makes docs/frequency.md.

    frequency.py PROGRAM DIR SINCE >docs/frequency.md

Each folder of DIR is a project, OWNER+NAME@COMMIT or any other name, that you have put there. SINCE: a
folder with the rules of version 0.1.0 (`git archive db4adedc rules`), whose rules are older than this
version. To be started where rules/ is. Counts what `check --target ascend,rocm` finds, of both targets
the larger number."""

import collections
import glob
import json
import os
import subprocess
import sys
import textwrap

HEAD = """# How often rules find something

How often each rule of `check --target ascend,rocm` finds something in public code, of both targets the larger number: {projects} projects, the first of
60 drawn by a seed (`2026-11-23 frequency 2`) from those that this project had fetched for any reason, but for one with more than 5,000 files and one
without a source, with {lines} million lines of Python, C and C++ (November 2026). `python3 tests/frequency.py build/cuda-morph DIR SINCE` writes
this page: DIR has a folder for each project that is named at the end, SINCE is `rules/` of commit {old}, the last one of version 0.1.0.
Since: the version that has the rule; {version} is in work. A rule that rarely finds anything is no worse for it: it is for those who have that library.

| rule | since | projects of {projects} | places |
|---|---|--:|--:|"""
OLD = "db4adedc"
SOURCES = (".py", ".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".cu", ".cuh", ".inl")


def ids(folder):
    """The ids of the rules in a folder: id -> the page that is about its file."""
    found = {}
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        with open(path, encoding="utf-8") as file:
            domain = json.load(file)
        found.update((rule["id"], domain["domain"]) for rule in domain.get("rules", []))
    return found


def places(program, project):
    """Rule -> places, of both targets the larger number; None where check fails."""
    counts = {}
    for target in ("ascend", "rocm"):
        command = [program, "check", ".", "--target", target, "--no-cache", "--isolated", "--exit-zero",
                   "--format", "json"]
        try:
            done = subprocess.run(command, cwd=project, capture_output=True, timeout=600, check=False)
            findings = json.loads(done.stdout)
        except (subprocess.TimeoutExpired, ValueError):
            return None
        found = collections.Counter()
        for finding in findings:
            for place in finding.get("places") or [finding]:
                found[place.get("rule", finding["rule"])] += 1
        for rule, n in found.items():
            counts[rule] = max(n, counts.get(rule, 0))
    return counts


def lines_of(project):
    """How many lines of source the project has."""
    count = 0
    for folder, _, files in os.walk(project):
        for name in files:
            path = os.path.join(folder, name)
            if name.endswith(SOURCES) and os.path.isfile(path):
                with open(path, "rb") as file:
                    count += file.read().count(b"\n")
    return count


def paragraph(text, **more):
    """Prints the text in lines of at most 150 columns."""
    print(textwrap.fill(text, 150, break_long_words=False, break_on_hyphens=False, **more))


def main():
    """Reads the arguments and prints the page."""
    program, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    older, rules = ids(sys.argv[3]), ids("rules")
    projects, total, read, lines = collections.Counter(), collections.Counter(), [], 0
    for name in sorted(os.listdir(folder), key=str.lower):
        counts = places(program, os.path.join(folder, name))
        if counts is None:
            print(f"frequency: {name}: left out", file=sys.stderr)
            continue
        read.append(name)
        lines += lines_of(os.path.join(folder, name))
        projects.update(counts.keys())
        total.update(counts)
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    since = {rule: "0.1.0" if rule in older else version for rule in rules}
    print(HEAD.format(projects=len(read), lines=round(lines / 1e6, 1), old=OLD, version=version))
    for rule in sorted(set(rules) & set(total), key=lambda r: (-projects[r], -total[r], r)):
        print(f"| [{rule}](rules/{rules[rule]}.md) | {since[rule]} | {projects[rule]} | {total[rule]} |")
    silent = collections.defaultdict(list)
    for rule in sorted(set(rules) - set(total), key=lambda r: (since[r] != "0.1.0", r)):
        new = "" if rule in older else f" ({version})"
        silent[rules[rule]].append(rule.split("/", 1)[1] + new)
    print(f"\nNone of them found anything in these projects, {sum(map(len, silent.values()))} rules:\n")
    for page, names in sorted(silent.items()):
        paragraph(f"- [{page}](rules/{page}.md): {', '.join(names)}", subsequent_indent="  ")
    print("\n## The projects\n")
    paragraph(", ".join(name.replace("+", "/", 1) for name in read))


if __name__ == "__main__":
    main()
