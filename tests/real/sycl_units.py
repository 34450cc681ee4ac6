#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ports trees to xpu and asks which .cu files with nothing left for a human type-check as SYCL.

    sycl_units.py CUDA-MORPH COMPILER WORK TREE...

COMPILER is a command that type-checks one C++ source; it knows sycl/sycl.hpp (tests/sycl/include)
and runtime/include, and for extensions of PyTorch its headers, c10/xpu included
(tests/sycl/include/torch_xpu has these for a PyTorch without). An example for the stand-in:

    clang++ -x c++ -std=c++17 -w -fsyntax-only -DTORCH_EXTENSION_NAME=t -DCUDA_MORPH_SYCL_STAND_IN
        -I tests/sycl/include/torch_xpu -I tests/sycl/include -I runtime/include ...

Everything goes below WORK. A unit is a .cu file; it is announced where it, or a file of the tree
that it includes, has something for a human. The others are compiled with -I for every folder of
the tree that has headers, and for the one above each. What lacks a header is counted by itself,
unless nvcc finds it: then it is one of CUDA's that was left.
A folder with a header of C's name (math.h) is asked by #include "math.h" alone.
In the environment: EACH=N takes the first N units of a tree that are not announced; NVCC, a command
that compiles one source (nvcc -cuda -o /dev/null), is asked for the original of what fails: what it
refuses as well is no port's fault, and counts by itself.
"""
import collections
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

HEADERS = ('.h', '.cuh', '.hpp', '.hh', '.hxx', '.inl')
OF_C = ('assert.h', 'complex.h', 'ctype.h', 'errno.h', 'limits.h', 'math.h', 'signal.h', 'stdio.h',
        'stdlib.h', 'string.h', 'time.h')
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]', re.M)


def port(tool, tree, out, report):
    """Ports the tree; gives what is left for a human, by path below it, and the summary."""
    run = subprocess.run([tool, 'port', tree, '--target', 'xpu', '--no-ignore', '--report', report,
                          '-o', out], capture_output=True, text=True)
    manual = collections.defaultdict(list)
    for file in json.load(open(report))['files']:
        path = os.path.relpath(file['path'], tree)
        manual[path] += [f for f in file['findings'] if f['outcome'] == 'manual']
    return manual, next((line for line in run.stderr.splitlines() if 'CUDA tokens' in line), '')


def reached(root, files, name, seen):
    """The files of the tree that this one includes, by the end of what its #include lines say."""
    if name in seen:
        return
    seen.add(name)
    for path in INCLUDE.findall((root / name).read_text(errors='replace')):
        end = os.path.normpath(re.sub(r'^(\.\.?/)+', '', path))
        for other in files[os.path.basename(path)]:
            if ('/' + other).endswith('/' + end):
                reached(root, files, other, seen)


def searched(folders):
    """Options by which a compiler looks for headers in the folders."""
    options = []
    for folder in sorted(folders):
        hides = any(os.path.exists(os.path.join(folder, name)) for name in OF_C)
        options += ['-iquote' if hides else '-I', folder]
    return options


def is_valid(unit, options):
    """Whether nvcc takes the original, by C++17 or C++14; without nvcc it is believed to."""
    nvcc = shlex.split(os.environ.get('NVCC', ''))
    if not nvcc:
        return True
    seen = [o.replace('-iquote', '-I') for o in options]  # nvcc has no -iquote: either way
    plain = [o for k, o in enumerate(options)
             if o != '-iquote' and (k == 0 or options[k - 1] != '-iquote')]
    return any(subprocess.run(nvcc + ['-w', '-std=' + standard] + folders + [unit],
                              capture_output=True).returncode == 0
               for folders in (seen, plain) for standard in ('c++17', 'c++14'))


def main():
    tool, compiler, work, trees = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4:]
    work.mkdir(parents=True, exist_ok=True)
    each = int(os.environ.get('EACH', '0'))
    total = collections.Counter()
    for tree in trees:
        name = os.path.basename(os.path.normpath(tree))
        root = work / name
        subprocess.run(['rm', '-rf', str(root)], check=True)
        manual, summary = port(tool, tree, str(root), str(work / (name + '.json')))
        print('##', name, summary)
        files = collections.defaultdict(list)
        for path in sorted(root.rglob('*')):
            if path.is_file():
                files[path.name].append(str(path.relative_to(root)))
        folders = {str((root / p).parent) for all in files.values() for p in all
                   if p.endswith(HEADERS)}
        folders |= {os.path.dirname(folder) for folder in folders} | {str(root)}
        options = searched(folders)
        tried = 0
        for unit in sorted(p for all in files.values() for p in all if p.endswith('.cu')):
            seen = set()
            reached(root, files, unit, seen)
            left = [f for path in seen for f in manual[path]]
            if left:
                total['announced'] += 1
                print('  announced', unit, len(left), sorted({f['rule'] for f in left})[:4])
                continue
            tried += 1
            if each and tried > each:
                continue
            run = subprocess.run(shlex.split(compiler) + options + [str(root / unit)],
                                 capture_output=True, text=True)
            errors = [line for line in run.stderr.splitlines() if 'error' in line]
            lacks = any(re.search("file not found|No such file", line) for line in errors[:1])
            verdict = 'ok' if run.returncode == 0 else 'lacks a header' if lacks else 'FAILS'
            if verdict == 'FAILS' or (verdict != 'ok' and 'NVCC' in os.environ):
                originals = [o.replace(str(root), os.path.abspath(tree)) for o in options]
                valid = is_valid(os.path.join(os.path.abspath(tree), unit), originals)
                if verdict == 'FAILS' and not valid:
                    verdict = 'fails in CUDA, too'
                elif verdict != 'FAILS' and valid:
                    verdict = 'FAILS'  # a header of CUDA's, then
            total[verdict] += 1
            print(' ', verdict, unit)
            for line in errors[:4] if verdict != 'ok' else []:
                print('     ', line[:240])
        sys.stdout.flush()
    print(', '.join(f'{n} {verdict}' for verdict, n in sorted(total.items())))


if __name__ == '__main__':
    main()
