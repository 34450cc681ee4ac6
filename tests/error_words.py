#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""error_words.py - the words of an error family whose messages name no vendor.

`words` keep patterns away from lines that cannot match, so each match of each pattern has to hold
one. For a family that any line may be of (its `named` only leaves out lines of INFO) nothing else but the patterns says which words these are:
this reads them out of the patterns, the longest text that every match has. Without an option it
tells what is missing, with --write it writes the lists, and with --examples TOOL it asks the tool
for each row's example and tells which row is not the answer."""
import glob
import json
import os
import re
import subprocess
import sys
import warnings

warnings.simplefilter("ignore")
import sre_parse  # noqa: E402 (the parser of re; its name moved, and the old one warns)

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "rules", "errors")


def better(a, b):
    """The list whose shortest word is longer; of equals, the shorter list."""
    if a is None or b is None:
        return b if a is None else a
    key = lambda words: (min(map(len, words)), -len(words))  # noqa: E731
    return a if key(a) >= key(b) else b


def needs(seq):
    """Words of which each match of this sequence has one, or None."""
    best, run = None, ""
    for op, arg in list(seq) + [(None, None)]:
        name = str(op)
        if name == "LITERAL":
            run += chr(arg)
            continue
        if len(run) >= 2:
            best = better(best, [run])
        run, inner = "", None
        if name == "SUBPATTERN":
            inner = needs(arg[-1])
        elif name == "BRANCH":
            parts = [needs(x) for x in arg[1]]
            inner = None if None in parts else sum(parts, [])
        elif name in ("MAX_REPEAT", "MIN_REPEAT") and arg[0] > 0:
            inner = needs(arg[2])
        elif name == "IN" and all(str(o) == "LITERAL" for o, _ in arg):
            inner = None
        best = better(best, inner)
    return best


def words_of(pattern):
    pattern = re.sub(r"\(\?-i:", "(?:", pattern)
    found = needs(sre_parse.parse(pattern))
    return None if found is None else [w.lower() for w in found]


def minimal(words):
    kept = []
    for w in sorted(set(words), key=lambda w: (len(w), w)):
        if not any(k in w for k in kept):
            kept.append(w)
    return sorted(kept)


def examples(tool):
    bad = 0
    for path in sorted(glob.glob(os.path.join(ROOT, "*.json"))):
        data = json.load(open(path, encoding="utf-8"))
        for row in data["rows"]:
            if "example" not in row:
                continue
            out = subprocess.run([tool, "error", "-", "--format", "json"], check=True,
                                 input=row["example"], capture_output=True, text=True).stdout
            found = [(e["family"], e["name"]) for e in json.loads(out)["entries"]]
            if (data["family"], row["name"]) not in found:
                print("%s: %r is answered by %s" % (row["name"], row["example"], found))
                bad = 1
    return bad


def main():
    bad = 0
    if sys.argv[1:2] == ["--examples"]:
        return examples(sys.argv[2])
    for path in sorted(glob.glob(os.path.join(ROOT, "*.json"))):
        text = open(path, encoding="utf-8").read()
        data = json.loads(text)
        if not data.get("neutral"):
            continue
        needed = []
        for row in data["rows"]:
            found = words_of(row["pattern"])
            if found is None or min(map(len, found)) < 2:
                print("%s: %s: an alternative has no text of its own" % (path, row["name"]))
                bad = 1
                continue
            needed += found
        if "--write" in sys.argv:
            old = re.search(r'"words": \[(?:[^"\]]|"(?:[^"\\]|\\.)*")*\]', text).group(0)
            lines, line = [], "   "
            for word in minimal(needed):
                item = " " + json.dumps(word, ensure_ascii=False) + ","
                if len(line) + len(item) > 140:
                    lines.append(line)
                    line = "   "
                line += item
            new = '"words": [\n' + "\n".join(lines + [line.rstrip(",")]) + "\n  ]"
            open(path, "w", encoding="utf-8").write(text.replace(old, new))
            continue
        for word in needed:
            if not any(w.lower() in word for w in data["words"]):
                print('%s: "words" lacks "%s"' % (path, word))
                bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())
