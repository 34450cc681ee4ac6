#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random kernels: their ports as loops and as fibers against a plain interpreter (`make
fuzz-kernels`).

A kernel is a tree of statements and expressions (kernels_tree.py), which its own text and its own
meaning have in common, and nothing else: kernels_text.py writes CUDA, with every value named,
written and read in one of many ways (classes, references, casts, macros, lambdas, functions);
kernels_run.py computes what all threads of a block do in lockstep, as the tree says, and knows
nothing of C++. It also proves that the kernel is a valid one: a race, or a barrier that not all
threads come to, is an error of the kernel, which is then thrown away.

Many kernels are one program, which is ported and compiled twice. What differs is made smaller as
long as it differs in the same way, and printed with the seed that finds it again.

    kernels.py --seed S --count N [--seconds T] [--first I] [--batch B] [--save DIR]

Most batches are clang's where there is one, which takes half as long as g++.

Variables: BUILD (build), CXX (c++, and clang++). Exit status: 0 all alike, 1 something differs."""
import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import kernels_run
import kernels_text
import kernels_tree

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(TOP, os.environ.get("BUILD", "build"))
CXX = os.environ.get("CXX", "c++")
CLANG = None if "CXX" in os.environ else shutil.which("clang++")
OPTIONS = ["-std=c++17", "-O0", "-fstrict-aliasing", "-w", "-Wno-narrowing", "-pthread",
           "-ftemplate-depth=2000",
           "-I", os.path.join(TOP, "runtime/include")]
WAYS = {"loops": [], "fibers": ["-DCUDA_MORPH_FIBERS"]}
WARPS = (32, 64)
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith("CUDA_MORPH_")}


class Bench:
    """Ports, compiles and runs kernels, in a folder of its own with the headers compiled."""

    def __init__(self, folder, compiler):
        self.folder, self.compiler = folder, compiler
        os.mkdir(folder)
        suffix = ".pch" if "clang" in compiler else ".gch"
        for way, options in WAYS.items():
            os.mkdir(self.path(way))
            header = self.path(way, "fuzz.hpp")
            with open(header, "w") as file:
                file.write(kernels_text.HEADER)
            subprocess.run([compiler, *OPTIONS, *options, "-x", "c++-header", header, "-o",
                            header + suffix], check=True)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def differences(self, kernels, ways=tuple(WAYS)):
        """{kernel: what is wrong}; a kernel is a name and a tree."""
        names = [name for name, _ in kernels]
        wrong = self.port(kernels)
        wanted = {(name, warp): kernels_run.answers(tree, warp) for name, tree in kernels
                  for warp in WARPS}
        for way in ways:
            wrong.update(self.compile(way, names, wrong))
            for warp in WARPS:
                for name, answer in self.run(way, warp, [n for n in names if n not in wrong]):
                    if answer != wanted[name, warp]:
                        wrong[name] = f"{way}: " + kernels_run.first_difference(
                            wanted[name, warp], answer, warp)
        return wrong

    def port(self, kernels):
        """A file for each kernel, so that one that cannot be ported spoils no other."""
        for folder in ("text", "ported"):
            shutil.rmtree(self.path(folder), ignore_errors=True)
        os.mkdir(self.path("text"))
        for name, text in kernels_text.files(kernels):
            with open(self.path("text", name), "w") as file:
                file.write(text)
        said = self.cuda_morph("-o", self.path("ported"))
        wrong = {}
        for line in said.stderr.splitlines():
            found = re.search(r"/text/(k\d+)\.cu:\d+:\d+: ((?:error|manual): .*)", line)
            if found:
                wrong.setdefault(found.group(1), "port: " + found.group(2))
        if not os.path.isdir(self.path("ported")):
            raise SystemExit("kernels.py: port fails:\n" + said.stderr)
        return wrong

    def cuda_morph(self, *options):
        return subprocess.run([os.path.join(BUILD, "cuda-morph"), "port", "--target", "cpu",
                               *options, self.path("text")], capture_output=True, text=True,
                              env=ENVIRONMENT)

    def strategies(self):
        """How many of the kernels of the last call run how."""
        said = self.cuda_morph("--explain-kernels", "-q").stdout
        return collections.Counter(re.sub(r"^.*?:\d+:\d+: \w+: |;.*", "", line)
                                   for line in said.splitlines())

    def compile(self, way, names, left_out):
        """Kernels that do not compile are left out: {kernel: the message}."""
        wrong = {}
        while True:
            with open(self.path(way, "batch.cc"), "w") as file:
                for name in names:
                    file.write(kernels_text.STUB % name if name in left_out or name in wrong
                               else f'#include "../ported/{name}.cu"\n')
                file.write('#include "../ported/main.cu"\n')
            done = subprocess.run(
                [self.compiler, *OPTIONS, *WAYS[way], "-include", self.path(way, "fuzz.hpp"),
                 self.path(way, "batch.cc"), os.path.join(BUILD, "libcmrt.a"), "-rdynamic",
                 "-lm", "-ldl", "-o", self.path(way, "batch")],
                capture_output=True, text=True)
            if not done.returncode:
                return wrong
            found = self.blamed(done.stderr)
            if not found:
                raise SystemExit("kernels.py: compiler:\n" + done.stderr[:4000])
            for name, message in found.items():
                wrong[name] = f"{way}: does not compile: {message}"

    @staticmethod
    def blamed(errors):
        """{kernel: message} of a compiler's errors: where it stands, or who asked for it."""
        found, asked = {}, None
        for line in errors.splitlines():
            at = re.search(r"/ported/(k\d+)\.cu:\d+", line)
            asked = at.group(1) if at else asked
            said = re.search(r"error: (.*)", line)
            if said and asked:
                found.setdefault(asked, said.group(1))
        return found

    def run(self, way, warp, names):
        """For each kernel its answers, or what became of it."""
        got = {}
        left = list(names)
        environment = dict(ENVIRONMENT, CUDA_MORPH_WARP_SIZE=str(warp), CUDA_MORPH_THREADS="1")
        while left:
            try:
                done = subprocess.run([self.path(way, "batch"), *left], capture_output=True,
                                      text=True, env=environment, timeout=20 + len(left))
                end = f"status {done.returncode} {done.stderr.strip()[:200]}"
                text = done.stdout
            except subprocess.TimeoutExpired as late:
                end = "it does not end"
                text = (late.stdout or b"").decode()
            for line in text.splitlines():
                name, *values = line.split()
                got[name] = [tuple(map(int, v.split(","))) if v[0] in "-0123456789" else v
                             for v in values]
            left = [n for n in left if n not in got]
            if left and not text.endswith(" launch-failure\n"):
                got[left.pop(0)] = [end]
        return got.items()


def kind_of(why):
    """What stays when a kernel is made smaller: where it is wrong, and whether it is compiled."""
    return why.split(": ")[:2] if "compile" in why else why.split(": ")[:1]


def smaller(bench, tree, why, many=24):
    """The smallest kernel on the way that differs in the same way, tried many at a time."""
    ways = [way for way in WAYS if why.startswith(way)]
    steps = kernels_tree.reductions(tree)
    while True:
        tried = []
        for candidate in steps:
            if kernels_run.valid(candidate, WARPS):
                tried.append((f"k{len(tried)}", candidate))
            if len(tried) == many:
                break
        if not tried:
            return tree, why
        same = {name: said for name, said in bench.differences(tried, ways).items()
                if kind_of(said) == kind_of(why)}
        if same:
            best = min(same, key=lambda name: kernels_tree.size(dict(tried)[name]))
            tree, why = dict(tried)[best], same[best]
            steps = kernels_tree.reductions(tree)


def generate(seed, first, count):
    """`count` valid kernels from number `first` on, and how many were thrown away."""
    kernels, thrown, number = [], 0, first
    while len(kernels) < count:
        tree = kernels_tree.random_kernel(f"{seed}:{number}")
        if kernels_run.valid(tree, WARPS):
            kernels.append((f"k{number}", tree))
        else:
            thrown += 1
        number += 1
    return kernels, thrown, number


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--count", type=int, default=1000)
    options.add_argument("--seconds", type=float, default=1e9)
    options.add_argument("--first", type=int, default=0, help="number of the first kernel")
    options.add_argument("--batch", type=int, default=100, help="kernels of one program")
    options.add_argument("--save", help="folder for what differs")
    options.add_argument("--most", type=int, default=5, help="stop after so many differences")
    options.add_argument("--whole", action="store_true", help="show what differs as it is")
    a = options.parse_args()
    begun, compared, thrown, found, number, batch = time.time(), 0, 0, 0, a.first, 0
    strategies = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="cm-fuzz-kernels.") as folder:
        try:
            benches = [Bench(os.path.join(folder, "first"), CXX)]
            if CLANG and a.count > a.batch:
                benches += [Bench(os.path.join(folder, "clang"), CLANG)] * 4
        except (FileNotFoundError, subprocess.CalledProcessError):
            print("fuzz-kernels: skipped: random kernels: there is no C++ compiler")
            print("fuzz-kernels: 0 passed, 0 failed, 1 skipped")
            return 0
        while compared < a.count and time.time() - begun < a.seconds and found < a.most:
            bench = benches[batch % len(benches)]
            batch += 1
            kernels, out, number = generate(a.seed, number, min(a.batch, a.count - compared))
            thrown += out
            wrong = bench.differences(kernels)
            strategies += bench.strategies()
            compared += len(kernels)
            for name, why in list(wrong.items())[:a.most - found]:
                report(bench, a, name, dict(kernels)[name], why)
                found += 1
    spent = time.time() - begun
    cpu = sum(os.times()[:4])
    print(f"fuzz-kernels: seed {a.seed}, {compared} kernels up to number {number}, {thrown} thrown "
          f"away, {found} differ; {spent:.0f} s, {cpu:.0f} s of processor time")
    for how, n in strategies.most_common():
        print(f"    {n:6d} {how}")
    print(f"fuzz-kernels: {compared - found} passed, {found} failed")
    return 1 if found else 0


def report(bench, a, name, tree, why):
    print(f"fuzz-kernels: seed {a.seed}, kernel {name[1:]}: {why}", flush=True)
    if not a.whole:
        tree, why = smaller(bench, tree, why)
    text = kernels_text.whole([("k0", tree)])
    print(f"the smallest that differs so: {why}\n{kernels_text.Writer(tree, 'k0').whole()}",
          flush=True)
    if a.save:
        os.makedirs(a.save, exist_ok=True)
        with open(os.path.join(a.save, f"{a.seed}-{name[1:]}.cu"), "w") as file:
            file.write(f"// {why}\n{text}")


if __name__ == "__main__":
    sys.exit(main())
