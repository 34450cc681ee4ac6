#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws translation units of public projects, ports them to HIP and asks which type-check.

    units.py CUDA-MORPH COMPILER WORK MIRRORS POOL DRAW

COMPILER is a command that type-checks one HIP source. MIRRORS has a folder OWNER+NAME/repo, a git
directory, for every project of POOL, whose lines are `DRAW OWNER/NAME`, with the options behind
them that the project's own build for HIP has, where it has one (-DUSE_HIP); those of one draw are
one experiment, so that what was mended after the first is judged by projects that nobody has seen.
Everything goes below WORK.

A unit is a .cu file that launches or defines a kernel and that no other includes, outside of
folders of others' code, all of whose headers are there: in its tree, of CUDA, or of the machine.
It is compiled with -I for every folder of the tree that one of its #include lines needs; nothing
else is known of its build. So BASELINE should be a command that type-checks one CUDA source, in
the environment: then a unit counts only if its original compiles by it, with the same folders, and
the port is asked with the standard that did. (clang -x cuda with CUDA's headers; several commands
are separated by a line end, and one of them has to take the unit: releases of CUDA differ. Other
headers, such as Boost's, are flags in FLAGS, for both.) nvcc takes more than clang does, and what
it takes has to be ported: NVCC are commands that call it (nvcc -cuda -o /dev/null), likewise by
lines, and what one of them takes counts, too. Of the others those are excluded that lack a header
or a macro of their build, and those whose source nvcc refuses are listed as wrong by themselves:
neither count. Where nvcc misses a name elsewhere than clang, as newer releases drop some, and without
NVCC, an original counts whose first error by clang is in the tree and is none of a name or a file
that is not there. Without a baseline, nvcc alone is asked; without both, units fail by their own
source.

What fails is looked up: a manual finding in the unit or in a header of the tree that it includes,
at the line of the first error or at most 5 beside, at a line that the error's notes name, or
about a name that the error names, announces the failure; one elsewhere in these files stands near
it; else it is silent. Those of them where nothing at all is left to a human break a promise, and
are counted by themselves.

EACH=N takes N units of every project and asks for the original only of those that fail, and for
the host's pass alone, in which device code is read, too: far fewer compilations, nearly the same
figure, since what is excluded because its original fails has seldom a port that passes. With
STRICT=1 only units are drawn all of whose headers are there, in whatever branch they are asked for.

In the environment: SEED (default 1), COUNT, how many units (80), MOST of one project (8), JOBS
(2), SKIP, projects to leave out, HIPIFY_PERL, the path of that program, which then ports them,
too; DEVICE, flags for a second pass over every third unit (the device's).
"""
import concurrent.futures
import hashlib
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys

TEXTS = ('.cu', '.cuh', '.hcu', '.h', '.hpp', '.hh', '.hxx', '.inl', '.inc', '.c', '.cpp', '.cc',
         '.tpp', '.cuknl')
FOREIGN = re.compile(r'(^|/)(third_?party|3rd_?party|external|extern|deps|vendor|cub|thrust|'
                     r'cutlass|build|submodules)(/|$)', re.I)
KERNEL = re.compile(r'<<\s*<|__global__')
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]', re.M)
STANDARDS = ('c++17', 'c++20', 'c++14')  # which one a project builds with is not known
PLACE = re.compile(r'^(?:In file included from )?(\S[^:\n]*):(\d+):(?:\d+:)?', re.M)
# A header of a library for HIP that the machine lacks, whoever asks for it: nothing is known.
UNHAD = re.compile(r"'(?:hip|roc|rccl|miopen)\w*/[\w./]+' file not found")
# What a compiler says where something of the build is not there, a header, a macro, a release.
LACKS = re.compile(r'file not found|undeclared|unknown type|^no \w+ named|^"')
ERROR = re.compile(r'^(\S[^:\n]*):(\d+):\d+: (?:fatal )?error: (.*)$', re.M)
NVCC_ERROR = re.compile(r'^(\S[^(\n]*)\((\d+)\): (?:catastrophic )?error(?: #[-\w]+)?: (.*)$',
                        re.M)
# What nvcc says where a name or a header is not there, which may be gone since the source's time.
NVCC_LACKS = re.compile(r'is undefined|has no member|must be a class or namespace|not a template|'
                        r'cannot open source file|^#error|not a (?:class|type) ')


def read(path):
    with open(path, encoding='latin-1', newline='') as f:
        return f.read()


def export(mirrors, work, name):
    """The tree of a project's mirror, made once."""
    tree = os.path.join(work, 'trees', name)
    if not os.path.isdir(tree):
        repo = os.path.join(mirrors, name, 'repo')
        dot = os.path.join(repo, '.git')
        git = ['git', '--git-dir', dot if os.path.isdir(dot) else repo]
        os.makedirs(tree + '.new', exist_ok=True)
        listed = subprocess.run(git + ['ls-tree', '-r', '-z', 'HEAD'], stdout=subprocess.PIPE)
        with subprocess.Popen(git + ['cat-file', '--batch'], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as blobs:
            for entry in listed.stdout.decode('latin-1').split('\0'):
                what, _, path = entry.partition('\t')
                if not path.endswith(TEXTS) or not what.startswith('100'):
                    continue
                blobs.stdin.write(what.split()[2].encode() + b'\n')
                blobs.stdin.flush()
                head = blobs.stdout.readline().split()
                if head[-1] == b'missing':  # too large for the snapshot
                    continue
                to = os.path.join(tree + '.new', path)
                os.makedirs(os.path.dirname(to), exist_ok=True)
                with open(to, 'wb') as f:
                    f.write(blobs.stdout.read(int(head[2])))
                blobs.stdout.read(1)
            blobs.stdin.close()
        os.rename(tree + '.new', tree)
    return tree


class Headers:
    """What the #include lines of a tree mean."""

    def __init__(self, tree, official):
        (self.official, learn), asked = official, set()
        self.tree, self.files = tree, {}
        for root, folders, names in os.walk(tree):
            folders.sort()
            for n in sorted(names):
                if n.endswith(TEXTS):
                    path = os.path.relpath(os.path.join(root, n), tree)
                    self.files.setdefault(n, []).append(path)
                    asked |= {i[1] for i in INCLUDE.findall(read(os.path.join(tree, path)))}
        self.included = {os.path.basename(n) for n in asked}
        learn(asked)

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

    def closure(self, unit, strict):
        """(files of the tree, folders for -I); None: a header is not there, if that matters: some
        are asked for in branches of #if that nobody compiles, which only a compiler knows."""
        files, folders, todo = [unit], [], [unit]
        while todo:
            path = todo.pop()
            for mark, name in INCLUDE.findall(read(os.path.join(self.tree, path))):
                if mark == '<' and self.official(name):
                    continue  # <stdint.h> is no file of the tree
                found, folder = self.find(path, mark, name)
                if found is None:
                    if strict and not self.official(name):
                        return None
                    continue
                if folder and folder not in folders:
                    folders.append(folder)
                if found not in files:
                    files.append(found)
                    todo.append(found)
        return files, folders


def is_official(rules, flags):
    """(whether a header is CUDA's, as the rules know it, or the machine's; what tells it of many
    at once)."""
    names, known = set(), {}
    for at in sorted(os.listdir(rules)):
        if at.endswith('.json') and not at.startswith('torch'):  # which is not on the machine
            for rule in json.loads(read(os.path.join(rules, at))).get('rules', []):
                if rule.get('match') == 'include':
                    names |= set(rule['rows'])

    def learn(asked):
        """Which headers are there, by one run of the preprocessor."""
        asked = sorted(n for n in asked if n not in known and not set(n) & set('<>"\\\n'))
        text = ''.join('#if __has_include(<%s>)\nyes %d\n#endif\n' % (n, i)
                       for i, n in enumerate(asked))
        done = subprocess.run(['clang++-19' if shutil.which('clang++-19') else 'c++', '-x',
                               'c++', '-E', '-P', '-w', '-'] + shlex.split(flags),
                              input=text, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL)
        there = set(re.findall(r'^yes (\d+)', done.stdout, re.M))
        known.update((n, str(i) in there) for i, n in enumerate(asked))

    def ask(name):
        if name not in known:
            learn([name])
        return known.get(name, False)
    return lambda name: name in names or name.startswith(('thrust/', 'cub/')) or ask(name), learn


def candidates(headers, rng):
    """The units of a tree, in an order of chance, from the last to the first."""
    units = [p for n in headers.files for p in headers.files[n]
             if p.endswith('.cu') and n not in headers.included
             and not FOREIGN.search(os.path.dirname(p))
             and KERNEL.search(read(os.path.join(headers.tree, p)))
             and '{%' not in read(os.path.join(headers.tree, p))]  # a template of a text
    units.sort()
    rng.shuffle(units)
    return units


class Asker:
    """Asks compilers, and remembers what they said of the same texts."""

    def __init__(self, cache):
        self.cache, self.header = cache, read('runtime/include/cuda_morph/hip_ext.h')
        os.makedirs(cache, exist_ok=True)

    def ask(self, command, tree, unit, files, folders, standards):
        """(what is objected to in the standard that objects least, the first one)."""
        said = None
        for standard in standards:
            flags = ['-I' + f for f in folders] + ['-std=' + standard, '-w']
            words = shlex.split(command) + flags
            key = hashlib.sha256('\0'.join(words + [unit, self.header]).encode())
            for f in files:
                if os.path.exists(os.path.join(tree, f)):
                    key.update(read(os.path.join(tree, f)).encode('latin-1'))
            at = os.path.join(self.cache, key.hexdigest()[:32])
            if not os.path.exists(at):
                with open(at + '.new', 'w', encoding='latin-1') as f:
                    f.write(self.compile(words + [unit], tree))
                os.rename(at + '.new', at)
            now = read(at)
            if not now:
                return '', standard
            if said is None or now.count(' error: ') < said.count(' error: '):
                said = now
        return said, standards[0]

    @staticmethod
    def compile(words, tree):
        try:
            done = subprocess.run(words, cwd=tree, timeout=300, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        except subprocess.TimeoutExpired:
            return 'took too long'
        if done.returncode == 0:
            return ''
        return done.stderr.decode('latin-1') or 'no reason given'


def asks(tree, m):
    """Whether an error is an #error of the tree: the build was to define something."""
    lines = read(os.path.normpath(os.path.join(tree, m.group(1)))).split('\n')
    return '#' in lines[int(m.group(2)) - 1] and 'error' in lines[int(m.group(2)) - 1]


class Originals:
    """What compilers of CUDA say of the originals."""

    def __init__(self, asker, commands, nvcc):
        self.asker, self.commands, self.nvcc = asker, commands, nvcc

    def standards(self, tree, unit, closure):
        """(the standards to ask the port with, ''), first that in which the original compiles;
        (None, why): it fails by itself; (None, ''): what it needs is not there. Without commands
        all."""
        if not self.commands and not self.nvcc:
            return STANDARDS, ''
        standard, likely, place = self.by_clang(tree, unit, closure)
        if standard or not self.nvcc:
            return self.first(standard or likely), ''
        why = ''
        for command in self.nvcc:
            for standard in STANDARDS:  # one that a release does not know says nothing of it
                said, _ = self.asker.ask(command, tree, unit, closure[0], closure[1], (standard,))
                if not said:
                    return self.first(standard), ''
                if 'fatal error' in said and 'No such file or directory' in said:
                    break  # neither is it with another standard
                if 'nvcc fatal' in said and 'is not defined' not in said:
                    sys.exit('units: ' + said.split('\n')[0] + ': ' + command)
                m = NVCC_ERROR.search(said)
                if m and (m.group(1, 2) == place or not NVCC_LACKS.search(m.group(3))):
                    why = why or '%s:%s: %s' % m.groups()
        blamed = why and (likely or not self.commands)
        return (None, why) if blamed else (self.first(likely), '')

    @staticmethod
    def first(standard):
        return standard and (standard,) + tuple(s for s in STANDARDS if s != standard)

    def by_clang(self, tree, unit, closure):
        """(the standard in which the original compiles, that in which it fails by what nvcc may
        take, where it does)."""
        likely, place = None, None
        for command in self.commands:
            for standard in STANDARDS:
                said, _ = self.asker.ask(command, tree, unit, closure[0], closure[1], (standard,))
                if not said:
                    return standard, None, None
                m = ERROR.search(said)
                if any('file not found' in e.group(3) for e in ERROR.finditer(said)):
                    return None, None, None  # neither is it with another standard
                if m and not m.group(1).startswith('/') and not LACKS.search(m.group(3)):
                    place = place or m.group(1, 2)
                    likely = likely or not asks(tree, m) and standard
        return None, likely or None, place


def draw(projects, originals, rng, count, most, jobs):
    """([(project, unit, its files, its folders, standards)], how many its original excludes): by
    turns from all projects, at random."""
    left = {name: candidates(projects[name], rng) for name in projects}
    drawn, taken, out, tries = [], dict.fromkeys(left, 0), 0, dict.fromkeys(left, 0)

    def next_of(name):
        """The next unit of a project, with how many were excluded before it."""
        excluded = 0
        while left[name] and taken[name] < most and tries[name] < 4 * most:
            unit = left[name].pop()
            closure = projects[name].closure(unit, not originals.commands)
            if closure:
                tries[name] += 1
                standards, _ = originals.standards(projects[name].tree, unit, closure)
                if standards:
                    taken[name] += 1
                    return (name, unit) + closure + (standards,), excluded
                excluded += 1
        left[name] = []
        return None, excluded

    with concurrent.futures.ThreadPoolExecutor(jobs) as workers:
        while len(drawn) < count and any(left.values()):
            for unit, excluded in workers.map(next_of, sorted(n for n in left if left[n])):
                out += excluded
                if unit and len(drawn) < count:
                    drawn.append(unit)
    return drawn, out


def each(projects, seed, count):
    """[(project, unit, its files, its folders, standards)]: some of every project."""
    drawn = []
    for name in projects:
        units = candidates(projects[name], random.Random(seed + name))[::-1]
        strict = bool(os.environ.get('STRICT'))
        had = [(u, c) for u in (units if strict else units[:count])
               for c in [projects[name].closure(u, strict)] if c]
        drawn += [(name, u) + c + (STANDARDS,) for u, c in had[:count]]
    return drawn


def without_excluded(drawn, told, projects, originals, jobs):
    """The units that count, what was told of them, how many do not for want of something, and the
    lines of those that fail by themselves."""
    def counts(i):
        name, unit, files, folders, _ = drawn[i]
        return (told[i]['mark'] == 'pass', '') if told[i]['mark'] == 'pass' else \
            originals.standards(projects[name].tree, unit, (files, folders))
    with concurrent.futures.ThreadPoolExecutor(jobs) as workers:
        verdicts = list(workers.map(counts, range(len(drawn))))
    kept = [i for i, (keep, _) in enumerate(verdicts) if keep]
    own = ['own %s/%s %s' % (drawn[i][0], drawn[i][1], why)
           for i, (_, why) in enumerate(verdicts) if why]
    return ([drawn[i] for i in kept], [told[i] for i in kept],
            len(drawn) - len(kept) - len(own), own)


def manual_findings(report, tree):
    """{path in the tree: [(line, last line, name)]} of what the port left to a human."""
    left = {}
    for f in json.loads(read(report)).get('files', []):
        path = os.path.relpath(f['path'], tree)
        left[path] = [(m['line'], m.get('end_line', m['line']), m.get('token', ''))
                      for m in f.get('findings', [])
                      if m.get('outcome') == 'manual']
        if any(n.get('fatal') for n in f.get('notes', [])):  # it was not read: UTF-16
            left[path].append((0, 10 ** 9, path))
    return left


def is_announced(said, tree, files, left):
    """Whether the error that a text begins with has a manual finding at its cause."""
    end = ERROR.search(said, 1)
    said = said[:end.start()] if end else said
    for m in PLACE.finditer(said):
        path = os.path.relpath(os.path.normpath(os.path.join(tree, m.group(1))), tree)
        at = int(m.group(2))
        if any(first - 5 <= at <= last + 5 for first, last, _ in left.get(path, [])):
            return True
    names = set(re.findall(r"[A-Za-z_]\w+", ' '.join(re.findall("'([^'\n]+)'", said[:400]))))
    return any(token in names or ('/' in token and token in said)
               for f in files for *_, token in left.get(f, []))


def judge(said, tree, files, left):
    """announced, near, silent, or unknown; and the first error."""
    m = ERROR.search(said)
    if not m:
        return 'silent', said.strip().split('\n')[0]
    path = os.path.relpath(os.path.normpath(os.path.join(tree, m.group(1))), tree)
    text = '%s:%s: %s' % (path, m.group(2), m.group(3))
    if UNHAD.search(m.group(3)):
        return 'unknown', text
    if is_announced(said[m.start():], tree, files, left):
        return 'announced', text
    if any(left.get(f) for f in files):
        return 'near', text
    return 'silent', text


def hipify(program, tree, files, to):
    for path in files:
        out = os.path.join(to, path)
        if not os.path.exists(out):
            os.makedirs(os.path.dirname(out), exist_ok=True)
            with open(out, 'wb') as f:
                try:  # it can take minutes for a file
                    subprocess.run(['perl', program, os.path.join(tree, path)], stdout=f,
                                   stderr=subprocess.DEVNULL, timeout=60)
                except subprocess.TimeoutExpired:
                    print('hipify-perl took too long for', path)


def port(tool, work, name, tree):
    """(the ported tree, what it left to a human); done once by a build."""
    out, report = os.path.join(work, 'ported', name), os.path.join(work, name + '.json')
    with open(tool, 'rb') as f:
        by = hashlib.sha256(f.read()).hexdigest()
    if not os.path.exists(out + '.by') or read(out + '.by') != by:
        shutil.rmtree(out, ignore_errors=True)
        subprocess.run([tool, 'port', tree, '--target', 'rocm', '--target-version', 'rocm=6.4',
                        '-q', '--no-ignore', '-o', out, '--report', report],
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        with open(out + '.by', 'w') as f:
            f.write(by)
    inner = os.path.join(out, os.path.basename(tree))
    return inner if os.path.isdir(inner) else out, manual_findings(report, tree)


class Judge:
    """What becomes of a drawn unit."""

    def __init__(self, asker, compiler, flags, work, perl, device):
        self.asker, self.compiler, self.flags, self.work = asker, compiler, flags, work
        self.perl, self.device = perl, device

    def unit(self, n, drawn, tree, ported):
        """{'mark', 'first', 'theirs', 'device'} of one."""
        name, unit, files, folders, standards = drawn
        out, left = ported
        compiler = self.compiler + self.flags[name]
        said, standard = self.asker.ask(compiler, out, unit, files, folders, standards)
        mark = judge(said, out, files, left) if said else ('pass', '')
        told = dict(zip(('mark', 'first'), mark))
        told['clean'] = not any(left.get(f) for f in files)
        if self.perl:
            to = os.path.join(self.work, 'hipify', name)
            hipify(self.perl, tree, files, to)
            told['theirs'] = not self.asker.ask(compiler, to, unit, files, folders,
                                                standards)[0]
        if self.device and n % 3 == 0 and not said:
            device = self.asker.ask(compiler + ' ' + self.device, out, unit, files, folders,
                                    (standard,))[0]
            told['device'] = judge(device, out, files, left)[1] if device else ''
        return told


def tell(drawn, told, out, own):
    """The lines: one for each unit that fails, and one of figures."""
    for line in own:
        print(line)
    for d, t in zip(drawn, told):
        print(t['mark'] + (', clean' if t['clean'] and t['mark'] != 'pass' else '') +
              (' (hipify-perl passes)' if t['mark'] != 'pass' and t.get('theirs') else ''),
              d[0] + '/' + d[1], t['first'])
        if t.get('device'):
            print('device', d[0] + '/' + d[1], t['device'])
    unknown = sum(t['mark'] == 'unknown' for t in told)
    passed = sum(t['mark'] == 'pass' for t in told)
    third = [t['device'] for t in told if 'device' in t]
    kinds = {k: sum(t['mark'] == k for t in told) for k in ('announced', 'near', 'silent')}
    print('%d units of %d projects, %d excluded by their originals, %d that fail by themselves, '
          '%d for want of a header of HIP\'s: %d pass (%.1f %%)%s%s%s; '
          '0 manual but do not compile: %d' % (
              len(drawn) - unknown, len({d[0] for d in drawn}), out, len(own), unknown, passed,
              100.0 * passed / max(1, len(drawn) - unknown),
              ', hipify-perl %d' % sum(t['theirs'] for t in told)
              if told and 'theirs' in told[0] else '',
              ', device pass %d of %d' % (third.count(''), len(third)) if third else '',
              ''.join('; %s: %d' % k for k in sorted(kinds.items())),
              sum(t['clean'] and t['mark'] not in ('pass', 'unknown') for t in told)))


def by_lines(commands, flags):
    return [c + flags for c in commands.split('\n') if c.strip()]


def main():
    tool, compiler, work, mirrors, pool, number = sys.argv[1:]
    jobs = int(os.environ.get('JOBS', '2'))
    env, tool = os.environ, os.path.abspath(tool)
    flags = ' ' + env.get('FLAGS', '')
    commands = by_lines(env.get('BASELINE', ''), flags)
    official = is_official('rules', flags)
    lines = [line.split() for line in read(pool).split('\n')]
    own = {words[1].replace('/', '+'): ' '.join([''] + words[2:])
           for words in lines if words[:1] == [number]}
    projects = {}
    for name in [n for n in own if n not in env.get('SKIP', '').split()]:
        if os.path.isdir(os.path.join(mirrors, name, 'repo')):
            projects[name] = Headers(export(mirrors, work, name), official)
        else:
            print('absent', name)
    asker = Asker(os.path.join(work, 'asked'))
    if 'EACH' in env:
        drawn = each(projects, env.get('SEED', '1'), int(env['EACH']))
        compiler += ' --offload-host-only'
        commands = [c + ' --cuda-host-only' for c in commands]
    originals = Originals(asker, commands, by_lines(env.get('NVCC', ''), flags))
    if 'EACH' not in env:
        drawn, out = draw(projects, originals, random.Random(env.get('SEED', '1')),
                          int(env.get('COUNT', '80')), int(env.get('MOST', '8')), jobs)
    ported = {name: port(tool, work, name, projects[name].tree)
              for name in sorted({d[0] for d in drawn})}
    judge_of = Judge(asker, compiler + flags, own, work, env.get('HIPIFY_PERL'),
                     env.get('DEVICE', ''))
    with concurrent.futures.ThreadPoolExecutor(jobs) as workers:
        told = list(workers.map(lambda i: judge_of.unit(
            i, drawn[i], projects[drawn[i][0]].tree, ported[drawn[i][0]]), range(len(drawn))))
    own = []
    if 'EACH' in env:
        drawn, told, out, own = without_excluded(drawn, told, projects, originals, jobs)
    tell(drawn, told, out, own)


if __name__ == '__main__':
    main()
