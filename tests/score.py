#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ports public projects in memory for seven targets and writes a table: `make score CHECKOUT=DIR`.

    score.py CUDA-MORPH DIR [HIPIFY-PERL]      Markdown on standard output, docs/score.svg with --svg FILE

DIR holds clones, as OWNER/NAME, OWNER+NAME or NAME; tests/score.tsv names them with the commits of the published table, and nothing
here fetches them. A clone at another commit is marked. Tokens are what `report` counts: ported, kept, to verify, manual.
With hipify-perl, C++ files are ported by both to HIP, and CUDA's names that are left in the code are counted: fewer is not
always better, as a name may be right to stay.
"""
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

TARGETS = ("rocm", "ascend", "xpu", "mlu", "musa", "cpu", "portable")
CUDA_FILES = (".cu", ".cuh")
LEFT = re.compile(r"\b(?:cuda|cu|cublas|cufft|curand|cusparse|cusolver|cudnn|nccl)[A-Z][A-Za-z0-9_]*\b")
PROSE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)


def find(folder, project):
    owner, name = project.split("/")
    for way in (project, owner + "+" + name, name):
        path = os.path.join(folder, way)
        if os.path.isdir(path):
            return path
    return None


def title(project):
    """name (owner): with a slash it could be taken for a rule's id."""
    return "%s (%s)" % tuple(reversed(project.split("/")))


def head(path):
    done = subprocess.run(["git", "-C", path, "rev-parse", "--show-toplevel", "HEAD"], capture_output=True, text=True)
    lines = done.stdout.split()
    return lines[1] if len(lines) == 2 and os.path.realpath(lines[0]) == os.path.realpath(path) else ""


def survey(tool, path):
    start = time.perf_counter()
    done = subprocess.run([tool, "report", ".", "--target", ",".join(TARGETS), "--format", "json", "-q"], cwd=path,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode not in (0, 1, 2) or not done.stdout:
        sys.exit("score: %s: %s" % (path, done.stderr[:200]))
    return json.loads(done.stdout)["targets"], time.perf_counter() - start


def left_over(folder):
    names = 0
    for root, _, files in os.walk(folder):
        for name in files:
            if name.endswith(CUDA_FILES):
                with open(os.path.join(root, name), encoding="latin-1") as f:
                    names += len(LEFT.findall(PROSE.sub(" ", f.read())))
    return names


def beside_hipify(tool, hipify, path):
    """Names of CUDA's in the C++ files: before, after cuda-morph, after hipify-perl; None without such files."""
    with tempfile.TemporaryDirectory() as scratch:
        copies = [os.path.join(scratch, n) for n in ("before", "ours", "theirs")]
        for root, _, files in os.walk(path):
            for name in files:
                if name.endswith(CUDA_FILES) and not os.path.islink(os.path.join(root, name)):
                    for copy in copies:
                        to = os.path.join(copy, os.path.relpath(os.path.join(root, name), path))
                        os.makedirs(os.path.dirname(to), exist_ok=True)
                        shutil.copyfile(os.path.join(root, name), to)
        if not os.path.isdir(copies[0]):
            return None
        subprocess.run([tool, "port", "-q", "--target", "rocm", "--in-place", copies[1]], capture_output=True)
        theirs = [os.path.join(r, n) for r, _, f in os.walk(copies[2]) for n in f]
        subprocess.run(["perl", hipify, "-quiet-warnings", "-inplace"] + theirs, capture_output=True)
        return [left_over(c) for c in copies]


def svg(sums, projects):
    """A bar per target: ported and kept, to verify, manual."""
    width, colors = 640, (("done", "#2a8a64"), ("to verify", "#d9a441"), ("manual", "#c2554d"))
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 840 %d" font-family="system-ui, sans-serif" font-size="14">'
           % (70 + 30 * len(TARGETS)), '<rect width="100%" height="100%" rx="6" fill="#fff"/>',
           '<text x="16" y="26" font-size="16" font-weight="600" fill="#222">CUDA tokens of %d public projects, by target</text>' % projects]
    for k, (word, color) in enumerate(colors):
        out.append('<rect x="%d" y="38" width="12" height="12" fill="%s"/><text x="%d" y="49" fill="#444">%s</text>'
                   % (96 + 150 * k, color, 114 + 150 * k, {"done": "ported or kept"}.get(word, word)))
    for i, target in enumerate(TARGETS):
        c, x, y = sums[target], 96.0, 62 + 30 * i
        total = max(1, sum(c.values()))
        parts = (c["ported"] + c["kept"], c["to verify"], c["manual"])
        out.append('<text x="16" y="%d" fill="#222">%s</text>' % (y + 16, html.escape(target)))
        for part, (_, color) in zip(parts, colors):
            out.append('<rect x="%.1f" y="%d" width="%.1f" height="22" fill="%s"/>' % (x, y, width * part / total, color))
            x += width * part / total
        out.append('<text x="%d" y="%d" fill="#222">%.1f %%</text>' % (750, y + 16, 100.0 * parts[0] / total))
    return "\n".join(out + ["</svg>"]) + "\n"


def main():
    words = sys.argv[1:]
    picture = words.pop(words.index("--svg") + 1) if "--svg" in words else None
    words = [w for w in words if w != "--svg"]
    tool, folder, hipify = os.path.abspath(words[0]), words[1], words[2] if len(words) > 2 else None
    listed = [line.split() for line in open(os.path.join(os.path.dirname(__file__), "score.tsv")) if line[0] != "#"]
    keys = ("ported", "kept", "to verify", "manual")
    sums = {t: dict.fromkeys(keys, 0) for t in TARGETS}
    rows, beside, seen, files = [], [], 0, 0
    for project, commit in listed:
        path = find(folder, project)
        if not path:
            print("score: %s is not there" % project, file=sys.stderr)
            continue
        seen += 1
        targets, seconds = survey(tool, path)
        files += targets[0]["files_read"]
        cells = []
        for t in targets:
            for k in keys:
                sums[t["target"]][k] += t["counts"][k]
            total = sum(t["counts"][k] for k in keys)
            cells.append("%.0f %%" % (100.0 * (t["counts"]["ported"] + t["counts"]["kept"]) / total) if total else "-")
        other = head(path)
        mark = "" if other in ("", commit) else " (%s)" % other[:10]
        rows.append("| %s%s | %d | %d | %s | %.1f |" % (title(project), mark, targets[0]["files_with_cuda"],
                    sum(targets[0]["counts"][k] for k in keys), " | ".join(cells), seconds))
        names = hipify and beside_hipify(tool, hipify, path)
        if names:
            beside.append((title(project), names))
    out = ["| project | files with CUDA | tokens | " + " | ".join(TARGETS) + " | seconds for all seven |", "|---" * (len(TARGETS) + 4) + "|"]
    out += rows
    out += ["", "%d projects, %d files read. All of them together:" % (seen, files), "",
            "| target | ported | kept | to verify | manual | ported or kept |", "|---|--:|--:|--:|--:|--:|"]
    for t in TARGETS:
        c = sums[t]
        out.append("| %s | %d | %d | %d | %d | %.1f %% |" % ((t,) + tuple(c[k] for k in keys)
                   + (100.0 * (c["ported"] + c["kept"]) / max(1, sum(c.values())),)))
    if beside:
        out += ["", "Names of CUDA's in the code of .cu and .cuh files, for HIP:", "", "| project | before | cuda-morph leaves | hipify-perl leaves |",
                "|---|--:|--:|--:|"]
        out += ["| %s | %d | %d | %d |" % ((p,) + tuple(n)) for p, n in beside]
        total = [sum(n[i] for _, n in beside) for i in range(3)]
        out.append("| all | %d | %d | %d |" % tuple(total))
    print("\n".join(out))
    if picture:
        with open(picture, "w") as f:
            f.write(svg(sums, seen))


main()
