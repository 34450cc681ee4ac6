#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws translation units of public projects, ports them to HIP and asks which type-check.

    units.py CUDA-MORPH COMPILER WORK MIRRORS POOL DRAW

COMPILER is a command that type-checks one HIP source. MIRRORS has a folder OWNER+NAME/repo, a git
directory, for every project of POOL, whose lines are `DRAW OWNER/NAME`; those of one draw are one
experiment, so that what was mended after the first is judged by projects that nobody has seen.
Everything goes below WORK.

A unit is a .cu file that launches or defines a kernel and that no other includes, outside of
folders of others' code, all of whose headers are there: in its tree, of CUDA, or of the machine.
It is compiled with -I for every folder of the tree that one of its #include lines needs; nothing
else is known of its build, so some units fail by their own source. What fails is looked up: a
manual finding in the unit or in a header of the tree that it includes, at the line of the first
error or at most 5 beside, announces the failure; one elsewhere in these files stands near it;
else it is silent.

In the environment: SEED (default 1), COUNT, how many units (80), MOST of one project (8),
HIPIFY_PERL, the path of that program, which then ports them, too; EXTRA, flags for a second pass
over every third unit (the device's).
"""
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys

TEXTS = ('.cu', '.cuh', '.h', '.hpp', '.hh', '.hxx', '.inl', '.inc', '.c', '.cpp', '.cc', '.tpp')
FOREIGN = re.compile(r'(^|/)(third_?party|3rd_?party|external|extern|deps|vendor|cub|thrust|'
                     r'cutlass|build|submodules)(/|$)', re.I)
KERNEL = re.compile(r'<<\s*<|__global__')
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]', re.M)
STANDARDS = ('c++17', 'c++20')  # which one a project builds with is not known
ERROR = re.compile(r'^(\S[^:\n]*):(\d+):\d+: (?:fatal )?error: (.*)$', re.M)


def read(path):
    with open(path, encoding='latin-1', newline='') as f:
        return f.read()


def export(mirrors, work, name):
    """The tree of a project's mirror, made once."""
    tree = os.path.join(work, 'trees', name)
    if not os.path.isdir(tree):
        git = ['git', '--git-dir', os.path.join(mirrors, name, 'repo')]
        listed = subprocess.run(git + ['ls-tree', '-r', '-z', 'HEAD'], stdout=subprocess.PIPE)
        for entry in listed.stdout.decode('latin-1').split('\0'):
            what, _, path = entry.partition('\t')
            if not path.endswith(TEXTS) or not what.startswith('100'):
                continue
            blob = subprocess.run(git + ['cat-file', 'blob', what.split()[2]],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            to = os.path.join(tree + '.new', path)
            os.makedirs(os.path.dirname(to), exist_ok=True)
            if blob.returncode == 0:
                with open(to, 'wb') as f:
                    f.write(blob.stdout)
        os.rename(tree + '.new', tree)
    return tree


class Headers:
    """What the #include lines of a tree mean."""

    def __init__(self, tree, official):
        self.tree, self.official, self.files, self.included = tree, official, {}, set()
        for root, folders, names in os.walk(tree):
            folders.sort()
            for n in sorted(names):
                if n.endswith(TEXTS):
                    path = os.path.relpath(os.path.join(root, n), tree)
                    self.files.setdefault(n, []).append(path)
                    self.included |= {os.path.basename(i[1]) for i in
                                      INCLUDE.findall(read(os.path.join(tree, path)))}

    def find(self, includer, mark, name):
        """(path in the tree, folder for -I or None); (None, None): it is not there."""
        beside = os.path.normpath(os.path.join(os.path.dirname(includer), name))
        if mark == '"' and beside in self.files.get(os.path.basename(name), []):
            return beside, None
        fits = [p for p in self.files.get(os.path.basename(name), [])
                if p == name or p.endswith('/' + name)]
        if not fits:
            return None, None
        near = max(fits, key=lambda p: (len(os.path.commonpath([p, includer])), -len(p)))
        return near, near[:-len(name)].rstrip('/') or '.'

    def closure(self, unit):
        """(files of the tree, folders for -I); None: a header is not there."""
        files, folders, todo = [unit], [], [unit]
        while todo:
            path = todo.pop()
            for mark, name in INCLUDE.findall(read(os.path.join(self.tree, path))):
                if mark == '<' and self.official(name):
                    continue  # <stdint.h> is no file of the tree
                found, folder = self.find(path, mark, name)
                if found is None:
                    if not self.official(name):
                        return None
                    continue
                if folder and folder not in folders:
                    folders.append(folder)
                if found not in files:
                    files.append(found)
                    todo.append(found)
        return files, folders


def is_official(rules, compiler):
    """Whether a header is CUDA's, as the rules know it, or the machine's."""
    names, known = set(), {}
    for at in sorted(os.listdir(rules)):
        if at.endswith('.json') and not at.startswith('torch'):  # which is not on the machine
            for rule in json.loads(read(os.path.join(rules, at))).get('rules', []):
                if rule.get('match') == 'include':
                    names |= set(rule['rows'])

    def ask(name):
        if name not in known:
            done = subprocess.run(['clang++-19' if shutil.which('clang++-19') else 'c++', '-x',
                                   'c++', '-fsyntax-only', '-w', '-'],
                                  input='#include <%s>\n' % name, text=True,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            known[name] = done.returncode == 0
        return known[name]
    return lambda name: name in names or name.startswith(('thrust/', 'cub/')) or ask(name)


def draw(projects, rng, count, most):
    """[(project, unit, its files, its folders)]: by turns from all projects, at random."""
    left = {}
    for name, headers in projects.items():
        units = [p for n in headers.files for p in headers.files[n]
                 if p.endswith('.cu') and n not in headers.included
                 and not FOREIGN.search(os.path.dirname(p))
                 and KERNEL.search(read(os.path.join(headers.tree, p)))]
        left[name] = sorted(units)
        rng.shuffle(left[name])
    drawn, taken = [], dict.fromkeys(left, 0)
    while len(drawn) < count and any(left.values()):
        for name in sorted(left):
            while left[name] and taken[name] < most and len(drawn) < count:
                unit = left[name].pop()
                closure = projects[name].closure(unit)
                if closure:
                    drawn.append((name, unit) + closure)
                    taken[name] += 1
                    break
            if taken[name] >= most:
                left[name] = []
    return drawn


def check(compiler, tree, unit, folders, extra=()):
    """What the compiler says, '' when it has nothing to object in one of the standards."""
    said = ''
    for standard in STANDARDS:
        flags = ['-I' + os.path.join(tree, f) for f in folders] + ['-std=' + standard, '-w']
        try:
            done = subprocess.run(shlex.split(compiler) + flags + list(extra) + [unit], cwd=tree,
                                  timeout=300, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        except subprocess.TimeoutExpired:
            return 'took too long'
        if done.returncode == 0:
            return ''
        said = said or done.stderr.decode('latin-1') or 'no reason given'
    return said


def manual_findings(report, tree):
    """{path in the tree: lines} of what the port left to a human."""
    left = {}
    for f in json.loads(read(report)).get('files', []):
        path = os.path.relpath(f['path'], tree)
        left[path] = [m['line'] for m in f.get('manual', f.get('findings', []))
                      if m.get('outcome', 'manual') == 'manual']
    return left


def judge(said, tree, files, left):
    """announced, near or silent; and the first error."""
    m = ERROR.search(said)
    if not m:
        return 'silent', said.strip().split('\n')[0]
    path = os.path.normpath(os.path.join(tree, m.group(1)))
    path, line = os.path.relpath(path, tree), int(m.group(2))
    text = '%s:%d: %s' % (path, line, m.group(3))
    if any(abs(line - at) <= 5 for at in left.get(path, [])):
        return 'announced', text
    return ('near' if any(left.get(f) for f in files) else 'silent'), text


def hipify(program, tree, files, to):
    for path in files:
        out = os.path.join(to, path)
        if not os.path.exists(out):
            os.makedirs(os.path.dirname(out), exist_ok=True)
            with open(out, 'wb') as f:
                subprocess.run(['perl', program, os.path.join(tree, path)], stdout=f,
                               stderr=subprocess.DEVNULL)


def main():
    tool, compiler, work, mirrors, pool, number = sys.argv[1:]
    tool = os.path.abspath(tool)
    rng = random.Random(os.environ.get('SEED', '1'))
    perl, extra = os.environ.get('HIPIFY_PERL'), shlex.split(os.environ.get('EXTRA', ''))
    official = is_official('rules', compiler)
    names = [line.split()[1].replace('/', '+') for line in read(pool).split('\n')
             if line.split()[:1] == [number]]
    projects = {}
    for name in names:
        if os.path.isdir(os.path.join(mirrors, name, 'repo')):
            projects[name] = Headers(export(mirrors, work, name), official)
        else:
            print('absent', name)
    drawn = draw(projects, rng, int(os.environ.get('COUNT', '80')),
                 int(os.environ.get('MOST', '8')))
    passed, third, theirs, kinds = 0, [0, 0], 0, {}
    for name in sorted({d[0] for d in drawn}):
        tree, out = projects[name].tree, os.path.join(work, 'ported', name)
        report = os.path.join(work, name + '.json')
        shutil.rmtree(out, ignore_errors=True)
        subprocess.run([tool, 'port', tree, '--target', 'rocm', '--target-version', 'rocm=6.4',
                        '-q', '--no-ignore', '-o', out, '--report', report],
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        inner = os.path.join(out, os.path.basename(tree))
        out = inner if os.path.isdir(inner) else out
        left = manual_findings(report, tree)
        for n, (_, unit, files, folders) in enumerate(d for d in drawn if d[0] == name):
            said = check(compiler, out, unit, folders)
            passed += not said
            other = ''
            if perl:
                to = os.path.join(work, 'hipify', name)
                hipify(perl, tree, files, to)
                other = check(compiler, to, unit, folders)
                theirs += not other
            mark = ('pass', '')
            if said:
                mark = judge(said, out, files, left)
                kinds[mark[0]] = kinds.get(mark[0], 0) + 1
            print(mark[0] + (' (hipify-perl passes)' if said and perl and not other else ''),
                  name + '/' + unit, mark[1], flush=True)
            if extra and n % 3 == 0 and not said:
                device = check(compiler, out, unit, folders, extra)
                third[0] += 1
                third[1] += not device
                if device:
                    print('device', name + '/' + unit, judge(device, out, files, left)[1])
    print('%d units of %d projects: %d pass (%.1f %%)%s%s%s' % (
        len(drawn), len({d[0] for d in drawn}), passed, 100.0 * passed / max(1, len(drawn)),
        ', hipify-perl %d' % theirs if perl else '',
        ', device pass %d of %d' % (third[1], third[0]) if extra else '',
        ''.join('; %s: %d' % k for k in sorted(kinds.items()))))


if __name__ == '__main__':
    main()
