#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares cuda-morph with hipify-perl: hipify.py CUDA-MORPH HIPIFY-PERL FOLDER

Both port every .cu and .cuh below FOLDER to HIP in place, in copies, each in one process with one
thread; hipify-perl in its quiet mode. Printed are their times, the median of three turns: of the
CPU, which are compared, and of the clock, which for cuda-morph is mostly the disk's, since it waits
until each file is safe there. Then what they did to identifiers in code, to comments and to
strings. Names that one replaced and the other left are listed: whether a name had to be replaced
is for a reader to say.
"""
import collections
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

TURNS = 3
SUFFIXES = ('.cu', '.cuh')
TOKEN = re.compile(r'(?P<comment>//(?:\\\n|[^\n])*|/\*.*?\*/)'
                   r'|(?P<include>^[ \t]*\#[ \t]*include[^\n]*)'
                   r'|(?P<string>R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"'
                   r'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\')'
                   r'|(?P<name>[A-Za-z_]\w*)', re.S | re.M)


def read(path):
    with open(path, encoding='latin-1', newline='') as f:
        return f.read()


def tokens(text):
    """The names, and the comments and strings, in order."""
    names, prose = collections.Counter(), []
    for match in TOKEN.finditer(text):
        if match.group('name'):
            names[match.group()] += 1
        elif match.group('comment') or match.group('string'):
            prose.append(match.group())
    return names, prose


def copy(folder, to):
    """Returns the paths of the copies."""
    paths = []
    for root, _, files in os.walk(folder):
        for name in sorted(files):
            if name.endswith(SUFFIXES):
                path = os.path.join(to, os.path.relpath(os.path.join(root, name), folder))
                os.makedirs(os.path.dirname(path), exist_ok=True)
                shutil.copyfile(os.path.join(root, name), path)
                paths.append(path)
    return paths


def seconds(command, paths):
    """Of the CPU, and of the clock."""
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command + paths, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL)
    if done.returncode not in (0, 1):
        sys.exit('bench: failed: ' + ' '.join(command))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, time.perf_counter() - start


def main():
    tool, hipify, folder = sys.argv[1:4]
    commands = {
        'cuda-morph': [tool, '-q', 'port', '--target', 'rocm', '--in-place', '-j1'],
        'hipify-perl': ['perl', hipify, '-quiet-warnings', '-inplace'],
    }
    with tempfile.TemporaryDirectory() as scratch:
        times = {name: [] for name in commands}
        for _ in range(TURNS):
            for name, command in commands.items():
                place = os.path.join(scratch, name)
                shutil.rmtree(place, ignore_errors=True)
                times[name].append(seconds(command, copy(folder, place)))
        before = copy(folder, os.path.join(scratch, 'before'))
        result = {name: compare(scratch, name, before) for name in commands}
    print('%d files, %d lines' % (len(before), result['cuda-morph']['lines']))
    cpu = {name: statistics.median(t[0] for t in times[name]) for name in commands}
    for name, r in result.items():
        print('%-12s %8.3f s CPU, %7.3f s   %6d identifiers replaced, %d comments and %d strings '
              'changed' % (name, cpu[name], statistics.median(t[1] for t in times[name]),
                           r['replaced'], r['comments'], r['strings']))
    print('hipify-perl takes %.1f times as long, of the CPU (target: 20)'
          % (cpu['hipify-perl'] / cpu['cuda-morph']))
    ours, theirs = result['cuda-morph']['names'], result['hipify-perl']['names']
    for title, names in (('only hipify-perl replaced', theirs - ours),
                         ('only cuda-morph replaced', ours - theirs)):
        listed = ', '.join('%s %d' % pair for pair in names.most_common(80))
        print('%s: %d: %s' % (title, sum(names.values()), listed))


def compare(scratch, name, before):
    r = {'lines': 0, 'replaced': 0, 'comments': 0, 'strings': 0, 'names': collections.Counter()}
    for path in before:
        old = read(path)
        names, prose = tokens(old)
        there = os.path.join(scratch, name, os.path.relpath(path, os.path.join(scratch, 'before')))
        new_names, new_prose = tokens(read(there))
        gone = names - new_names
        r['lines'] += old.count('\n')
        r['replaced'] += sum(gone.values())
        r['names'] += gone
        lost = collections.Counter(prose) - collections.Counter(new_prose)
        for text, count in lost.items():
            r['comments' if text[0] == '/' else 'strings'] += count
    return r


if __name__ == '__main__':
    main()
