# SPDX-License-Identifier: Apache-2.0
"""Runs check over labelled programs and counts what it finds, misses and should not have found.

A program names its target in a comment, `# target: rocm` (in C++ `// target: rocm`), and maybe a
version of the target's software, `# target-version: rocm=6.3`, or the rules that it is about,
`// select: cuda-silent`: the others' findings don't count then. Its labels are those of the fixtures, on lines above the one
they speak of: `# want: rule, rule` (once for each finding) and `# ok: rule` (a near miss). A
finding that no label wants is a false one, whatever its rule.
"""
import json
import os
import re
import subprocess
import sys
from collections import Counter

GOAL = 0.95
LABEL = re.compile(r"\s*(?:#|//) (want|ok|target|target-version|select): (.*)")


def read_labels(path):
    """Returns the settings, and Counters of the wanted (line, rule) and of the near misses."""
    settings, wanted, near = {}, Counter(), Counter()
    waiting = []
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            match = LABEL.match(line)
            if match and match[1] in ("want", "ok"):
                counter = wanted if match[1] == "want" else near
                waiting += [(counter, rule.strip()) for rule in match[2].split(",")]
            elif match:
                settings[match[1]] = match[2].strip()
            else:
                for counter, rule in waiting:
                    counter[number, rule] += 1
                waiting = []
    if waiting or "target" not in settings:
        sys.exit(f"{path}: {'labels without a line' if waiting else 'no target'}")
    return settings, wanted, near


def findings(tool, settings, paths):
    """Runs check once over programs that have the same settings; a Counter for each path."""
    command = [tool, "check", "--isolated", "--quiet", "--exit-zero", "--format=jsonl"]
    command += [f"--{key}={value}" for key, value in settings]
    done = subprocess.run(command + paths, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stderr}")
    found = {path: Counter() for path in paths}
    for line in done.stdout.splitlines():
        finding = json.loads(line)
        for place in finding.get("places", [finding]):
            found[finding["path"]][place["line"], place["rule"]] += 1
    return found


def share(part, whole):
    return part / whole if whole else 1.0


class Score:
    def __init__(self):
        self.right = self.false = self.missed = self.near = self.near_found = 0

    def add(self, other):
        for key in vars(self):
            setattr(self, key, getattr(self, key) + getattr(other, key))

    def precision(self):
        return share(self.right, self.right + self.false)

    def recall(self):
        return share(self.right, self.right + self.missed)

    def row(self, name):
        row = f"{name:34} {self.right + self.missed:5} {self.near:5}"
        row += f"   {self.precision():9.1%} {self.recall():8.1%}"
        return row + (f"   {self.near_found} near misses found" if self.near_found else "")


def score(path, wanted, near, found, scores):
    """Adds a program's counts to `scores`, by rule, and tells where they differ."""
    for key in sorted(set(wanted) | set(near) | set(found)):
        line, rule = key
        one = scores.setdefault(rule, Score())
        right = min(wanted[key], found[key])
        false, missed = found[key] - right, wanted[key] - right
        one.right += right
        one.false += false
        one.missed += missed
        one.near += near[key]
        one.near_found += near[key] if near[key] and false else 0
        if false:
            print(f"{path}:{line}: {rule}: {'near miss ' if near[key] else ''}found")
        if missed:
            print(f"{path}:{line}: {rule}: not found")


def main(tool, folder):
    programs, groups, total = {}, {}, Score()
    languages = {"Python": (".py",), "C++": (".cu", ".h")}
    of_language = {language: {} for language in languages}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        settings, wanted, near = programs[path] = read_labels(path)
        groups.setdefault(tuple(sorted(settings.items())), []).append(path)
    for settings, paths in sorted(groups.items()):
        for path, found in findings(tool, settings, paths).items():
            for language, extensions in languages.items():
                if path.endswith(extensions):
                    score(path, *programs[path][1:], found, of_language[language])
    print(f"{'rule':34} {'want':>5} {'ok':>5}   {'precision':>9} {'recall':>8}")
    subtotals = {}
    for language, scores in of_language.items():
        subtotals[language] = Score()
        for rule in sorted(scores):
            print(scores[rule].row(rule))
            subtotals[language].add(scores[rule])
    for language, subtotal in subtotals.items():
        print(subtotal.row(f"all of {language}"))
        total.add(subtotal)
    print(total.row(f"all, {len(programs)} programs"))
    good = total.precision() >= GOAL and total.recall() >= GOAL and total.near_found == 0
    labels = total.right + total.missed + total.near
    failed = total.false + total.missed
    passed = labels - total.missed - total.near_found
    print(f"precision: {passed} passed, {0 if good else failed} failed")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
