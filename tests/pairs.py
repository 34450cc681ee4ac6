#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ports CUDA programs that have a hand-made HIP version, and asks which of the ports type-check.

    pairs.py CUDA-MORPH COMPILER WORK FOLDER

COMPILER is a command that type-checks one HIP source. FOLDER holds pairs: NAME-cuda and NAME-hip,
each with its sources and, where it has one, a Makefile: its dry run tells the sources and the -I,
-D, -std and -include that they are compiled with. Without a Makefile a source is what no other
file of the folder includes. Programs whose own HIP version type-checks are ported; what comes out
has to type-check with the flags of the CUDA version. Everything goes below WORK, where a result
is kept until a file of the program or of the runtime's headers, or a flag, changes.

In the environment: SAMPLE, how many of the pairs (default: all), chosen by SEED; ONLY, the names of
some, with blanks between; HIPIFY_PERL, the path of that program, which then ports them, too; JOBS,
how many compilers at a time (default: 1); LEAST, per cent of our ports that have to type-check.
"""
import concurrent.futures
import glob
import hashlib
import os
import random
import re
import shlex
import shutil
import subprocess
import sys

SOURCES = ('.cu', '.hip', '.cpp', '.cc', '.cxx')
TEXTS = SOURCES + ('.cuh', '.h', '.hpp', '.hh', '.hxx', '.inl', '.inc', '.c', '.tpp')
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', re.M)
COMPILERS = re.compile(r'(?:.*/)?(?:nvcc|hipcc|clang\+\+|g\+\+|gcc|cc|c\+\+|clang|mpicxx|mpicc)$')
VENDOR = ('-DUSE_ROCM', '-DUSE_HIP', '-D__HIP_PLATFORM_AMD__')
TAKES = ('-I', '-D', '-include', '-isystem')


def read(path):
    with open(path, encoding='latin-1', newline='') as f:
        return f.read()


def files(folder, endings):
    found = []
    for root, folders, names in os.walk(folder):
        folders.sort()
        found += [os.path.relpath(os.path.join(root, n), folder)
                  for n in sorted(names) if n.endswith(endings)]
    return found


def flags_of(words):
    """The flags of a compiler's command line that matter for types."""
    kept, i = [], 0
    while i < len(words):
        word, alone = words[i], words[i] in TAKES
        if word.startswith(('-I', '-D', '-std=', '-isystem')) or word in TAKES:
            kept.append(word + words[i + 1] if alone and word in ('-I', '-D')
                        and i + 1 < len(words) else word)
            if alone and word not in ('-I', '-D') and i + 1 < len(words):
                kept.append(words[i + 1])
        i += 1 + alone
    return kept


def units(folder):
    """[(source, flags)] of a program, from its Makefile's dry run or else by looking."""
    found = {}
    if glob.glob(os.path.join(folder, '[Mm]akefile')):
        done = subprocess.run(['make', '-nBk', '-C', folder], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60,
                              env={'PATH': os.environ['PATH'], 'LC_ALL': 'C'})
        for line in done.stdout.decode('latin-1').replace('\\\n', ' ').split('\n'):
            try:
                words = shlex.split(line)
            except ValueError:
                continue
            if not words or not COMPILERS.match(words[0]):
                continue
            for word in words[1:]:
                if word.endswith(SOURCES) and os.path.isfile(os.path.join(folder, word)):
                    found.setdefault(word, flags_of(words))
    if not found:
        everything = files(folder, TEXTS)
        included = {os.path.basename(name) for path in everything
                    for name in INCLUDE.findall(read(os.path.join(folder, path)))}
        found = {path: [] for path in everything
                 if path.endswith(SOURCES) and os.path.basename(path) not in included}
    return sorted(found.items())


class Checker:
    def __init__(self, compiler, work):
        self.compiler, self.cache = shlex.split(compiler), os.path.join(work, 'cache')
        os.makedirs(self.cache, exist_ok=True)
        runtime = hashlib.sha256(compiler.encode())
        for path in sorted(glob.glob('runtime/include/cuda_morph/*.h')):
            runtime.update(read(path).encode('latin-1'))
        self.runtime = runtime.hexdigest()

    def program(self, folder, sources):
        """What the compiler says about the sources, '' when it has nothing to object."""
        key = hashlib.sha256((self.runtime + repr(sources)).encode())
        also = [os.path.join(folder, flag[2:]) for _, flags in sources for flag in flags
                if flag.startswith('-I..')]
        for place in [folder] + sorted(set(also)):
            for path in files(place, TEXTS):
                key.update(read(os.path.join(place, path)).encode('latin-1'))
        at = os.path.join(self.cache, key.hexdigest()[:32])
        if not os.path.exists(at):
            said = ''.join(self.source(folder, *source) for source in sources)
            with open(at, 'w', encoding='latin-1') as f:
                f.write(said)
        return read(at)

    def source(self, folder, path, flags):
        try:
            done = subprocess.run(self.compiler + flags + ['-w', path], cwd=folder, timeout=300,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE)
        except subprocess.TimeoutExpired:
            return 'error: %s took too long\n' % path
        said = done.stderr.decode('latin-1')
        return '' if done.returncode == 0 else said or 'error: no reason given\n'


def port(tool, hipify, work, names, folder):
    """Puts what the tools make of the whole folder below WORK; returns {tool: its folder}."""
    trees = {'cuda-morph': os.path.join(work, 'cuda-morph')}
    everything = os.path.join(work, 'cuda')
    for tree in (everything, *trees.values()):
        shutil.rmtree(tree, ignore_errors=True)
    os.makedirs(everything)
    for entry in sorted(os.listdir(folder)):
        path = os.path.join(folder, entry)
        if os.path.isdir(path) and not entry.endswith(('-hip', '-omp', '-sycl')):
            for name in files(path, TEXTS):
                to = os.path.join(everything, entry, name)
                os.makedirs(os.path.dirname(to), exist_ok=True)
                shutil.copyfile(os.path.join(path, name), to)
    done = subprocess.run([tool, 'port', everything, '--target', 'rocm', '--target-version',
                           'rocm=6.4', '-q', '--no-ignore', '-o', trees['cuda-morph']],
                          stdin=subprocess.DEVNULL)
    if done.returncode > 1:
        sys.exit('pairs: %s ended with status %d' % (tool, done.returncode))
    if hipify:
        trees['hipify-perl'] = tree = os.path.join(work, 'hipify-perl')
        if not os.path.isdir(tree):
            shutil.copytree(everything, tree)
            for start in sorted(os.listdir(tree)):
                paths = [os.path.join(tree, start, p)
                         for p in files(os.path.join(tree, start), TEXTS)]
                subprocess.run(['perl', hipify, '-quiet-warnings', '-inplace', *paths],
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    return trees


def first_error(said):
    errors = [line for line in said.split('\n') if 'error:' in line]
    return errors[0].strip() if errors else said.split('\n')[0]


def main():
    tool, compiler, work, folder = sys.argv[1:5]
    folder = os.path.abspath(folder)
    tool = os.path.abspath(tool)
    names = sorted(n[:-5] for n in os.listdir(folder) if n.endswith('-cuda')
                   and os.path.isdir(os.path.join(folder, n[:-5] + '-hip')))
    if os.environ.get('ONLY'):
        names = [n for n in names if n in os.environ['ONLY'].split()]
    elif os.environ.get('SAMPLE'):
        random.seed(os.environ.get('SEED', '1'))
        names = sorted(random.sample(names, min(len(names), int(os.environ['SAMPLE']))))
    if not names:
        sys.exit('pairs: no NAME-cuda beside a NAME-hip in ' + folder)
    trees = port(tool, os.environ.get('HIPIFY_PERL'), work, names, folder)
    checker = Checker(compiler, work)
    passed, good = {name: 0 for name in trees}, 0
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get('JOBS', '1'))) as pool:
        def one(name):
            hip = os.path.join(folder, name + '-hip')
            if checker.program(hip, units(hip)):
                return None
            # Where a machine keeps its libraries, the HIP version's Makefile knows, too, and by
            # which macro a source that is written for both is told whose it is.
            places = sorted({flag for _, flags in units(hip) for flag in flags
                             if flag.startswith('-I/') or flag in VENDOR})
            sources = [(path, flags + places)
                       for path, flags in units(os.path.join(folder, name + '-cuda'))]
            return {tool: checker.program(os.path.join(tree, name + '-cuda'), sources)
                    for tool, tree in trees.items()}
        for name, results in zip(names, pool.map(one, names)):
            if results is None:
                continue
            good += 1
            for which, said in results.items():
                passed[which] += not said
                if said:
                    print('%s: %s: %s' % (which, name, first_error(said)), flush=True)
    print('%d pairs; %d HIP versions type-check; of the ports of their CUDA versions'
          % (len(names), good))
    for which, count in passed.items():
        print('%-12s %4d type-check, %.1f %%' % (which, count, 100 * count / max(good, 1)))
    enough = 100 * passed['cuda-morph'] >= float(os.environ.get('LEAST', '97')) * good
    sys.exit(0 if enough and good else 1)


if __name__ == '__main__':
    main()
