#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""frequency.py - how often each rule finds something in projects, as the table of docs/frequency.md.

    frequency.py PROGRAM DIR [SINCE]

Each folder of DIR is a project. SINCE: a folder with the rules of the version before, whose rules are
older than this version. Prints Markdown: the rule, the version that it is in since, in how many of
the projects `check --target ascend,rocm` finds it, at how many places."""

import collections
import glob
import json
import os
import subprocess
import sys


def ids(folder):
    """The ids of the rules in a folder."""
    found = set()
    for path in glob.glob(os.path.join(folder, "*.json")):
        with open(path, encoding="utf-8") as file:
            found.update(rule["id"] for rule in json.load(file).get("rules", []))
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


def main():
    """Reads the arguments and prints the table."""
    program, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    older = ids(sys.argv[3]) if len(sys.argv) > 3 else None
    projects, total, read = collections.Counter(), collections.Counter(), 0
    for name in sorted(os.listdir(folder)):
        counts = places(program, os.path.join(folder, name))
        if counts is None:
            print(f"frequency: {name}: left out", file=sys.stderr)
            continue
        read += 1
        projects.update(counts.keys())
        total.update(counts)
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    print(f"Of {read} projects:\n\n| rule | since | projects | places |\n|---|---|--:|--:|")
    for rule in sorted(ids("rules"), key=lambda rule: (-projects[rule], -total[rule], rule)):
        since = "" if older is None else "0.1.0" if rule in older else version
        print(f"| {rule} | {since} | {projects[rule]} | {total[rule]} |")


if __name__ == "__main__":
    main()
