# SPDX-License-Identifier: Apache-2.0
"""Faults by number: every command with its n-th call of each kind failing, and ended there.

faults.py TOOL PRELOAD FOLDER [--runs N] [--only SCENARIO] [--part I/N] [--broad] [--count]
          [--show]
    TOOL is cuda-morph, PRELOAD what tests/faults/preload.c is compiled to; FOLDER is worked in. At
    most N runs, evenly chosen of all (default: all). --part 2/8: the second eighth of them.
    --broad: each target and format, too. --count: how many faults each scenario has, and no more.

Laws, for each call that fails with each error:
- the status is 0, 1 or 2, and with 2 there is a reason on standard error;
- with any other status than 2, standard output and all files are as without the fault;
- with 2, each file is as it was or as it would have become, and no other file is there;
- the next run without a fault ends as if nothing had been (where the fault left everything as it
  was before, or as it is after a run without one, that is so, and it is not run).
For a process that is killed at a call: each file is as it was or as it would have become, beside
temporary files; and the next run ends as if nothing had been.
"""

import argparse
import errno
import os
import pathlib
import shutil
import subprocess
import sys

ERRORS = {
    "open": ["EIO", "EACCES", "EMFILE", "ENOSPC", "EROFS", "EINTR"],
    "read": ["EIO", "EINTR", "short"],
    "write": ["ENOSPC", "EIO", "EINTR", "short"],
    "fsync": ["EIO", "ENOSPC", "EINTR"],
    "close": ["EIO", "ENOSPC", "EINTR"],
    "rename": ["EIO", "ENOSPC", "EACCES", "EROFS"],
    "link": ["EIO", "ENOSPC", "EPERM", "EROFS"],
    "unlink": ["EIO", "EACCES", "EROFS"],
    "mkdir": ["EIO", "ENOSPC", "EACCES", "EROFS"],
    "opendir": ["EIO", "EACCES", "EMFILE"],
    "readdir": ["EIO"],
    "stat": ["EIO", "EACCES"],
    "realpath": ["EIO", "EACCES"],
    "chmod": ["EIO", "EPERM", "EROFS"],
    "chown": ["EIO", "EPERM"],
    "times": ["EIO", "EPERM"],
    "all": ["kill", "killed"],
}

PYTHON = """import torch
from torch.cuda.amp import autocast


def train(x):
    # {n}
    torch.cuda.synchronize()
    return x.cuda().to("cuda:0")
"""
CUDA = """#include <cuda_runtime.h>
#include "own.cuh"
__global__ void k(float *p) { p[threadIdx.x] = half_of(p[0]); }
int main() {
    float *p;
    cudaMalloc(&p, 128);
    k<<<1, 32>>>(p);
    return cudaFree(p);
}
"""
HEADER = "#pragma once\n__device__ float half_of(float x) { return x / 2; }\n"
NOTEBOOK = (
    '{"cells": [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": null,'
    ' "source": ["import torch\\n", "torch.cuda.synchronize()\\n"]}], "metadata": {},'
    ' "nbformat": 4, "nbformat_minor": 5}\n'
)
FILES = {
    "tree/a.py": PYTHON.format(n=1),
    "tree/sub/b.py": PYTHON.format(n=2),
    "tree/sub/deep/c.cu": CUDA,
    "tree/sub/deep/own.cuh": HEADER,
    "tree/n.ipynb": NOTEBOOK,
    "tree/plain.py": "print(1)\n",
    "tree/skipped.py": PYTHON.format(n=3),
    "tree/requirements.txt": "torch==2.6.0+cu124\nnvidia-cublas-cu12\n",
    "tree/.gitignore": "skipped.py\n",
    "tree/cuda-morph.toml": 'ignore = ["torch-device"]\n',
    "tree/.git/config": "",
    "rules.json": None,
    # What the larger commands have on top.
    "more/CMakeLists.txt": "project(x LANGUAGES CXX CUDA)\nfind_package(CUDAToolkit)\n"
                           "target_link_libraries(x CUDA::cublas)\n",
    "more/Dockerfile": "FROM nvidia/cuda:12.4.1-devel\nRUN pip install torch\n",
    "more/setup.py": "from torch.utils.cpp_extension import CUDAExtension\n"
                     "e = CUDAExtension('x', ['x.cu'])\n",
    "more/pkg/__init__.py": "import torch\nD = torch.device('cuda')\n",
    "more/pkg/net.py": PYTHON.format(n=4) + "\n\ndef seed():\n    torch.cuda.manual_seed(1)\n",
    "more/pkg/crlf.py": PYTHON.format(n=5).replace("\n", "\r\n"),
    "more/lib/x.cu": CUDA,
    "more/lib/own.cuh": HEADER,
    "more/lib/blas.cpp": "#include <cublas_v2.h>\nvoid f(cublasHandle_t *h) { cublasCreate(h); }\n",
    "more/env/run.sh": "CUDA_VISIBLE_DEVICES=0 python train.py\n",
    "model/config.json": '{"quantization_config": {"quant_method": "gptq", "bits": 4}}\n',
    "root/etc/os-release": 'ID=debian\nVERSION_ID="12"\n',
    "root/usr/local/Ascend/driver/version.info": "Version=24.1.rc2\n",
    "job.log": "RuntimeError: ACL stream synchronize failed, error code: 507018\n",
}
RULES = """{ "domain": "own-names", "language": "cuda", "title": "t", "rules": [
 {"id": "own-names/functions", "title": "t", "why": "w", "severity": "warning", "match": "name",
  "default": {"*": "manual"}, "rows": {"ownRun": {"rocm": "hipRun"}},
  "examples": [{"target": "rocm", "before": "f();\\n", "after": "f();\\n"}],
  "references": [{"source": "made up", "checked": "2026-11"}]}]}
"""


class Scenario:
    """A command, what ran before it, and which of its files say what could be read: they may say
    something else when the status is 2. heals: a run of the same command mends what this one left."""

    def __init__(self, name, args, before=(), stdin=b"", derived=(), heals=True):
        self.name, self.args, self.before, self.stdin = name, args, before, stdin
        self.derived, self.heals = derived, heals


LSP = b"".join(
    b"Content-Length: %d\r\n\r\n%s" % (len(m), m)
    for m in (
        b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri":null,"capabilities":{}}}',
        b'{"jsonrpc":"2.0","method":"initialized","params":{}}',
        b'{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":'
        b'"file:///x/a.py","languageId":"python","version":1,"text":"import torch\\nx = '
        b'torch.cuda.is_available()\\n"}}}',
        b'{"jsonrpc":"2.0","id":2,"method":"shutdown"}',
        b'{"jsonrpc":"2.0","method":"exit"}',
    )
)

IN_PLACE = ["port", "tree", "--target", "ascend", "--in-place", "-j1"]
CHECK = ["check", "tree", "--target", "ascend", "-j1"]
SCENARIOS = [
    Scenario("in-place", IN_PLACE + ["--backup"]),
    Scenario("in-place-reports", IN_PLACE + ["--report", "r.json", "--accounting", "a.json"],
             derived=["r.json", "a.json"]),
    Scenario("output", ["port", "tree", "--target", "ascend", "-o", "out", "-j1"]),
    Scenario("outputs", ["port", "tree", "--target", "cpu,rocm", "-o", "out", "--with-runtime", "-j2"]),
    Scenario("over", ["port", "tree", "--target", "ascend", "-o", "out", "-j1"],
             before=[["port", "tree", "--target", "cpu", "-o", "out", "-q"]]),
    Scenario("stdout", ["port", "tree/sub/deep/c.cu", "--target", "rocm"]),
    Scenario("diff", ["port", "tree", "--target", "musa", "--diff", "-j1"]),
    Scenario("would-change", ["port", "tree", "--target", "ascend", "--check", "-j1"]),
    Scenario("check", CHECK + ["--format", "concise"]),
    Scenario("check-cached", CHECK + ["--format", "concise"], before=[CHECK + ["--format", "concise"]]),
    Scenario("check-formats", CHECK + ["--format", "sarif", "--output-file", "s.json",
                                       "--add-format", "json=j.json"],
             derived=["s.json", "j.json"]),
    Scenario("fix", CHECK + ["--fix", "-q"]),
    Scenario("write-baseline", CHECK + ["--write-baseline", "b.json"], derived=["b.json"]),
    Scenario("baseline", CHECK + ["--baseline", "b.json", "--prune-baseline"],
             before=[CHECK + ["--write-baseline", "b.json"], ["port", "tree/a.py", "--target", "ascend",
                                                              "--in-place", "-q"]]),
    Scenario("report", ["report", "tree", "--target", "all", "-o", "r.html", "-j1"], derived=["r.html"]),
    Scenario("undo", ["undo"], before=[IN_PLACE]),
    Scenario("alias-header", ["alias-header", "tree", "--target", "rocm", "-o", "compat.h"], derived=["compat.h"]),
    Scenario("scaffold", ["scaffold", "FusedGelu", "--pattern", "elementwise", "--target", "ascend", "-o", "op"],
             heals=False),  # it writes over nothing
    Scenario("rules-check", ["rules", "check", "rules.json"]),
    Scenario("show", ["check", "tree", "--show-settings"]),
    Scenario("files", ["check", "tree", "--show-files"]),
    Scenario("lsp", ["lsp"], stdin=LSP),
    Scenario("error-log", ["error", "-"], stdin=FILES["job.log"].encode()),
    Scenario("explain", ["explain", "torch-cuda/amp", "--rules", "rules.json"]),
    Scenario("doctor", ["doctor", "--root", "root", "--target", "ascend", "--full"]),
    Scenario("info", ["info", "--root", "root", "--full", "--format", "json"]),
    Scenario("quant", ["quant", "model"]),
    Scenario("rules-names", ["rules", "names", "--rules", "rules.json", "--target", "ascend"]),
    Scenario("rules-test", ["rules", "test", "rules.json"]),
    Scenario("new-target", ["rules", "new-target", "foo", "--like", "ascend"], heals=False),
    Scenario("completion", ["completion", "bash"]),
    Scenario("stdin", ["port", "-", "--stdin-filename", "x.py", "--target", "mlu"],
             stdin=PYTHON.format(n=6).encode()),
    Scenario("dump", ["port", "tree/sub/b.py", "--target", "xpu", "--dump=matches"]),
    Scenario("explain-kernels", ["port", "tree/sub/deep/c.cu", "--target", "cpu", "--explain-kernels"]),
    Scenario("files-from", ["check", "--files-from", "-", "--no-cache", "-j1"],
             stdin=b"tree/a.py\nmore/pkg/net.py\n"),
    Scenario("report-json", ["report", "more", "--target", "rocm,ascend", "--format", "json", "-j1",
                             "--badge", "badge.json"], derived=["badge.json"]),
    Scenario("run", ["run", "-c", "print(1)"]),
    Scenario("fix-diff", ["check", "more", "--fix", "--diff", "--target", "musa", "-j1"]),
    Scenario("undo-fix", ["undo"], before=[["check", "more", "--fix", "-q", "--target", "musa"]]),
    Scenario("rename", ["port", "more", "--target", "rocm", "-o", "out", "--rename-ext", "-j1"]),
    Scenario("init", ["init", "--yes", "--target", "ascend"], heals=False),
]
# Each target's own way through files in place, of both trees; and what a check of them prints.
TARGETS = ("rocm ascend xpu mlu musa cpu flagos portable gcu hpu mps maca corex dtk kunlunxin ppu "
           "privateuse1").split()
FORMATS = "full concise json jsonl sarif github gitlab junit rdjson sonar markdown".split()
BROAD = [Scenario("in-place-" + t, ["port", "tree", "more", "--target", t, "--in-place", "-j1",
                                         "--accounting", "a.json"], derived=["a.json"])
              for t in TARGETS]
BROAD += [Scenario("output-" + t, ["port", "more", "--target", t, "-o", "out", "--with-runtime",
                                       "-j1"]) for t in TARGETS]
BROAD += [Scenario("format-" + f, ["check", "more", "--target", "mlu", "-j1", "--format", f,
                                       "--output-file", "o.txt"], derived=["o.txt"])
              for f in FORMATS]




class Lab:
    """A folder that is made again for each run, and what is seen in it afterwards."""

    def __init__(self, tool, preload, folder):
        self.tool, self.preload = os.path.abspath(tool), os.path.abspath(preload)
        self.folder = os.path.abspath(folder)
        self.work, self.home = self.folder + "/work", self.folder + "/home"
        self.counts = self.folder + "/counts"
        self.runs = 0
        self.filled_for = None  # the case whose files lie there

    def run(self, args, stdin=b"", fault=None, count=False):
        env = {"PATH": os.environ["PATH"], "HOME": self.home, "LC_ALL": "C",
               "TMPDIR": self.folder + "/tmp", "TZ": "UTC"}
        if fault or count:
            env["LD_PRELOAD"] = self.preload
        if fault:
            env["CM_FAULT"] = fault
        if count:
            env["CM_FAULT_COUNTS"] = self.counts
            if os.path.exists(self.counts):
                os.remove(self.counts)
        self.runs += 1
        return subprocess.run([self.tool] + args, cwd=self.work, env=env, input=stdin,
                              capture_output=True, timeout=60, check=False)

    def fill(self, files):
        """Makes the work folder hold exactly these: name -> (mode, bytes)."""
        shutil.rmtree(self.work, ignore_errors=True)
        for name, (mode, data) in files.items():
            path = self.work + "/" + name
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as f:
                f.write(data)
            os.chmod(path, mode)

    def look(self, root=None):
        root = root or self.work
        seen = {}
        for folder, _, names in os.walk(root):
            for name in names:
                path = os.path.join(folder, name)
                with open(path, "rb") as f:
                    seen[path[len(root) + 1:]] = (os.stat(path).st_mode & 0o7777, f.read())
        return seen

    def fill_home(self, files):
        work, self.work = self.work, self.home
        self.fill(files)
        self.work = work
        os.makedirs(self.home, exist_ok=True)
        shutil.rmtree(self.folder + "/tmp", ignore_errors=True)
        os.makedirs(self.folder + "/tmp")


def is_temporary(name):
    base = os.path.basename(name)
    return base.startswith(".cuda-morph-") and base.endswith(".tmp")


class Case:
    """A scenario with what it does when nothing fails."""

    def __init__(self, lab, scenario):
        self.lab, self.s = lab, scenario
        start = {name: (0o644, text.encode()) for name, text in FILES.items() if text is not None}
        start["rules.json"] = (0o644, RULES.encode())
        lab.fill(start)
        lab.fill_home({})
        for args in scenario.before:
            lab.run(args)
        self.before, self.home = lab.look(), lab.look(lab.home)
        self.whole = lab.run(scenario.args, scenario.stdin, count=True)
        self.after, self.home_after = lab.look(), lab.look(lab.home)
        with open(lab.counts, encoding="ascii") as f:
            self.counts = dict((k, int(n)) for k, n in (line.split() for line in f))
        self.lab.filled_for = None
        self.reset()
        # Once more from the state that it leaves: what "the next run" of a heal ends with.
        lab.run(scenario.args, scenario.stdin)
        self.next = lab.run(scenario.args, scenario.stdin)
        self.last = lab.look()
        lab.filled_for = None

    def reset(self):
        """Nothing to do where the last run has left everything as it was."""
        if self.lab.filled_for is self:
            return
        self.lab.fill(self.before)
        self.lab.fill_home(self.home)
        self.lab.filled_for = self

    def look(self):
        """Files and home of now; notes whether they are those of before."""
        seen, home = self.lab.look(), self.lab.look(self.lab.home)
        if (seen, home) != (self.before, self.home):
            self.lab.filled_for = None
        return seen, home

    def faults(self):
        for kind, errors in ERRORS.items():
            for n in range(1, self.counts[kind] + 1):
                for error in errors:
                    yield kind, n, error

    def try_one(self, kind, n, error):
        """What is wrong, or None."""
        what = str(getattr(errno, error)) if error.startswith("E") else error
        self.reset()
        got = self.lab.run(self.s.args, self.s.stdin, fault=f"{kind}:{n}:{what}")
        seen, home = self.look()
        killed = kind == "all"
        wrong = self.judge_kill(got, seen) if killed else self.judge(got, seen, kind, error)
        known = [(self.before, self.home), (self.after, self.home_after)]
        if wrong or not self.s.heals or (seen, home) in known:
            return wrong, got
        self.lab.filled_for = None
        again = self.lab.run(self.s.args, self.s.stdin)
        final = {k: v for k, v in self.lab.look().items() if not is_temporary(k)}
        wanted = [self.clear(state) for state in (self.after, self.last)]
        if self.clear(final) not in wanted:
            return "the next run leaves other files: " + self.differences(final, self.last), again
        reads_only = self.before == self.after
        if reads_only and again.stdout not in (self.whole.stdout, self.next.stdout):
            return "the next run prints something else", again
        if again.returncode not in (self.whole.returncode, self.next.returncode):
            return f"the next run ends with status {again.returncode}", again
        return None, got

    def clear(self, seen):
        """Without what tells of the run itself."""
        return {k: v for k, v in seen.items() if k not in self.s.derived}

    def differences(self, seen, expected):
        names = [n for n in sorted(set(seen) | set(expected)) if seen.get(n) != expected.get(n)]
        return ", ".join(names[:5])

    def torn(self, seen, temporaries, partial):
        for name, state in seen.items():
            if is_temporary(name):
                if not temporaries:
                    return f"{name} is left"
            elif partial and name in self.s.derived:
                continue
            elif state not in (self.before.get(name), self.after.get(name)):
                was = self.before.get(name) or self.after.get(name)
                part = "permissions" if was and was[1] == state[1] else "bytes"
                return f"{name} has neither its old nor its new {part}"
        for name in self.before:
            if name not in seen and name in self.after:
                return f"{name} is gone"
        return None

    def judge_kill(self, got, seen):
        if got.returncode != -9:
            return f"status {got.returncode} of a killed process"
        return self.torn(seen, True, False)

    def judge(self, got, seen, kind, error):
        if got.returncode not in (0, 1, 2):
            return f"status {got.returncode}"
        wrong = self.torn(seen, kind == "unlink", got.returncode == 2)
        if wrong:
            return wrong
        if got.returncode == 2 and self.whole.returncode != 2:
            return None if got.stderr.strip() else "status 2 without a reason"
        if got.returncode != self.whole.returncode:
            return f"status {got.returncode} in place of {self.whole.returncode}"
        said = got.stdout + got.stderr
        told = error.startswith("E") and os.strerror(getattr(errno, error)).encode() in said
        if got.stdout != self.whole.stdout and not told:
            return "the status is the usual one, standard output is not"
        clean = {k: v for k, v in seen.items() if not is_temporary(k)}
        if clean != self.after:
            return "the status is the usual one, files are not: " + self.differences(clean, self.after)
        return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("preload")
    parser.add_argument("folder")
    parser.add_argument("--runs", type=int, default=0)
    parser.add_argument("--only")
    parser.add_argument("--part", default="1/1")
    parser.add_argument("--broad", action="store_true")
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    lab = Lab(options.tool, options.preload, options.folder)
    cases, trials = [], []
    for scenario in SCENARIOS + (BROAD if options.broad else []):
        if options.only and scenario.name not in options.only.split(","):
            continue
        case = Case(lab, scenario)
        if case.whole.returncode not in (0, 1):
            print(f"faults: FAILED: {scenario.name} without a fault: status {case.whole.returncode}: "
                  f"{case.whole.stderr.decode(errors='replace')}")
        cases.append(case)
        if options.count:
            print(case.s.name, len(list(case.faults())))
        trials += [(case, fault) for fault in case.faults()]
    step = max(1.0, len(trials) / options.runs) if options.runs else 1.0
    chosen = [trials[int(i * step)] for i in range(int(len(trials) / step))]
    # What failed once is tried each time: an ignore file may be among the names that were not read.
    chosen += [t for t in trials if t[0].s.name == "in-place" and t[1][0] == "readdir" and
               t not in chosen]
    part, parts = map(int, options.part.split("/"))
    chosen = chosen[len(chosen) * (part - 1) // parts:len(chosen) * part // parts]
    failed = 0
    if options.count:
        print(len(trials))
        return 0
    for case, fault in chosen:
        wrong, got = case.try_one(*fault)
        if not wrong:
            continue
        failed += 1
        if failed <= 200:
            print("faults: FAILED: %s, %s %d %s: %s" % ((case.s.name,) + fault + (wrong,)))
        if options.show:
            print("    status", got.returncode, got.stderr.decode(errors="replace")[-400:])
    print(f"faults: {len(trials)} faults, {len(chosen)} tried, {lab.runs} runs", file=sys.stderr)
    print(f"faults: {len(chosen) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
