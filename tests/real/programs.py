#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws programs of public projects that check themselves, ports them to the CPU and runs them.

    programs.py CUDA-MORPH WORK MIRRORS POOL DRAW

MIRRORS has a folder OWNER+NAME/repo, a git directory, for every project of POOL, whose lines are
`DRAW OWNER/NAME`; those of one draw are one experiment, as for units.py, whose trees and headers
these are. Everything goes below WORK.

A program is one .cu file of a tree with a main() and a launch, which says something of whether its
results are right (SAYS), whose headers are there: in its tree, of CUDA, or of the machine. The
other sources of its folder are linked where something is left undefined without them. Of what does
not compile, BASELINE, a command that compiles one CUDA source (nvcc -c -o /dev/null), decides
whether the original does: if not, it does not count.

Each line is: what became of it, whether anything was left to a human in its files (0 manual: a
promise), and the program. `right`: it ended with 0 and says that its results are right; `ends`: it
ended with 0 and says nothing; `says`: its output speaks of errors, or it ended with another status,
so that a human has to look whether the port is wrong; `slow`: it ran past its processor time; `crash`;
`announced`, `silent`: it does not compile, and a manual finding stands at the cause or not;
`invalid`: neither does the original; `parts`: it needs other sources of its project to link.

In the environment: SEED (1), COUNT programs (30), MOST of one project (3), CPU_SECONDS (40), CXX,
CXXFLAGS, BASELINE, BUILD."""
import json
import os
import random
import re
import resource
import shlex
import shutil
import subprocess
import sys

import units

MAIN = re.compile(r'^\s*(?:int|auto|void|signed)\s+main\s*\(', re.M)
LAUNCH = re.compile(r'<<\s*<')
SAYS = re.compile(r'"[^"\n]*\b(pass(ed|es)?|fail(ed|s|ure)?|correct|mismatch\w*|verif\w+|wrong|'
                  r'match(es|ed)?|incorrect|max(imum)? (abs\w* |relative )?(error|diff\w*))\b', re.I)
GOOD = re.compile(r'\b(pass(ed|es)?|correct(ly)?|match(es|ed)?|success(ful|fully)?|ok|verified|'
                  r'all tests)\b|[✓✅]', re.I)
BAD = re.compile(r'\b(fail(ed|s|ure)?|mismatch\w*|incorrect|wrong|not correct|error)\b|[✗❌]', re.I)
NONE = re.compile(r'(no|0|without( any)?) (fail\w*|mismatch\w*|error\w*)|'
                  r'(fail\w*|mismatch\w*|errors?)[^\w\n]{1,4}0\b|(max|abs|rel|mean|avg|l2|rms)\w*[ _-]*'
                  r'(\w+ )?(error|err)\w*|error[^\w\n]{1,4}[0-9.]+e-\d+', re.I)


def candidates(headers, rng):
    found = []
    for paths in headers.files.values():
        for p in paths:
            text = units.read(os.path.join(headers.tree, p))
            if p.endswith('.cu') and MAIN.search(text) and LAUNCH.search(text) and \
                    SAYS.search(text) and not units.FOREIGN.search(os.path.dirname(p)):
                found.append(p)
    found.sort()
    rng.shuffle(found)
    return found


def is_valid(tree, unit, folders):
    command = os.environ.get('BASELINE')
    if not command:
        return True
    words = shlex.split(command) + ['-I' + f for f in folders] + [unit]
    return subprocess.run(words, cwd=tree, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode == 0


def draw(projects, rng, count, most):
    """[(project, unit, its files, its folders)], by turns from all projects."""
    left = {name: candidates(projects[name], rng) for name in projects}
    taken, drawn = dict.fromkeys(left, 0), []
    while len(drawn) < count and any(left.values()):
        for name in sorted(left):
            while left[name] and len(drawn) < count:
                unit = left[name].pop()
                closure = projects[name].closure(unit, True)
                if closure:
                    drawn.append((name, unit) + closure)
                    taken[name] += 1
                    break
            if taken[name] >= most:
                left[name] = []
    return drawn


def port(tool, work, name, tree):
    """(the ported tree, what it left to a human)."""
    out, report = os.path.join(work, 'ported', name), os.path.join(work, name + '.json')
    shutil.rmtree(out, ignore_errors=True)
    subprocess.run([tool, 'port', tree, '--target', 'cpu', '-q', '--no-ignore', '-o', out,
                    '--report', report], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    inner = os.path.join(out, os.path.basename(tree))
    return inner if os.path.isdir(inner) else out, units.manual_findings(report, tree)


def neighbours(tree, unit):
    """Other sources of the unit's folder that have no main(): what its build may link."""
    at = os.path.dirname(unit)
    found = [os.path.join(at, n) for n in sorted(os.listdir(os.path.join(tree, at)))
             if n.endswith(('.cu', '.cpp', '.cc', '.c')) and os.path.join(at, n) != unit]
    return [p for p in found if not MAIN.search(units.read(os.path.join(tree, p)))]


def compiled(tree, unit, folders, to, others=()):
    """What the compiler objects to, or ''."""
    env = os.environ
    build = os.path.abspath(env.get('BUILD', 'build'))
    omp = 'omp.h' in units.read(os.path.join(tree, unit))  # nvcc leaves its pragmas out
    words = [env.get('CXX', 'g++'), '-std=c++17', '-w', '-ffp-contract=off',
             '-I' + os.path.abspath('runtime/include')] + ['-fopenmp'] * omp + \
        shlex.split(env.get('CXXFLAGS', '-O1')) + ['-I' + f for f in folders] + \
        ['-include', 'cuda_morph/cuda.h', '-x', 'c++', unit, *others, '-x', 'none',
         os.path.join(build, 'libcmrt.a'), '-pthread', '-rdynamic', '-lm', '-ldl', '-lrt',
         '-o', to]
    done = subprocess.run(words, cwd=tree, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE)
    return '' if done.returncode == 0 else done.stderr.decode('latin-1') or 'no reason given'


def run(program, folder, seconds):
    """(exit status, output); status None: out of time."""
    def limits():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 2))
        resource.setrlimit(resource.RLIMIT_AS, (12 << 30, 12 << 30))
    env = dict(os.environ, CUDA_MORPH=os.path.abspath(sys.argv[1]), TERM='dumb',
               CUDA_MORPH_FLAGS='-I' + os.path.abspath('runtime/include'))
    with open(program + '.out', 'wb') as out:
        try:
            done = subprocess.run([program], cwd=folder, stdin=subprocess.DEVNULL, stdout=out,
                                  stderr=subprocess.STDOUT, timeout=seconds * 6, env=env,
                                  preexec_fn=limits)
            status = done.returncode
        except subprocess.TimeoutExpired:
            status = None
    return (None if status in (-24, -9) else status), units.read(program + '.out')


def verdict(status, text):
    if status is None:
        return 'slow'
    if status < 0:
        return 'crash'
    text = text.encode('latin-1').decode('utf-8', 'replace')
    if status or BAD.search(NONE.sub('', text)):
        return 'says'
    return 'right' if GOOD.search(text) else 'ends'


def judge(work, drawn, tree, ported, n):
    """(what became of it, whether nothing was manual, a line about it)."""
    name, unit, files, folders = drawn
    out, left = ported
    clean = not any(left.get(f) for f in files)
    program = os.path.join(work, 'bin', '%03d' % n)
    said = compiled(out, unit, folders, program)
    if 'undefined reference' in said and not units.ERROR.search(said):
        said = compiled(out, unit, folders, program, neighbours(out, unit)) and said
    if 'undefined reference' in said and not units.ERROR.search(said):
        return 'parts', clean, re.search(r'undefined reference to.*', said).group(0)
    if said and not is_valid(tree, unit, folders):
        return 'invalid', clean, units.judge(said, out, files, left)[1]
    if said:
        mark, first = units.judge(said, out, files, left)
        return ('silent' if clean else 'announced' if mark != 'silent' else 'silent'), clean, first
    shutil.copytree(os.path.join(tree, os.path.dirname(unit)), program + '.d', dirs_exist_ok=True)
    status, text = run(program, program + '.d', int(os.environ.get('CPU_SECONDS', '40')))
    lines = [s for s in text.split('\n') if BAD.search(NONE.sub('', s))] or text.split('\n')[-2:]
    return verdict(status, text), clean, '%s: %s' % (status, lines[0][:120])


def main():
    tool, work, mirrors, pool, number = sys.argv[1:]
    env, tool, work = os.environ, os.path.abspath(tool), os.path.abspath(work)
    official = units.is_official('rules', '')
    projects = {}
    for line in units.read(pool).split('\n'):
        words = line.split()
        if words[:1] != [number]:
            continue
        name = words[1].replace('/', '+')
        if os.path.isdir(os.path.join(mirrors, name, 'repo')):
            projects[name] = units.Headers(units.export(mirrors, work, name), official)
        else:
            print('absent', name)
    os.makedirs(os.path.join(work, 'bin'), exist_ok=True)
    drawn = draw(projects, random.Random(env.get('SEED', '1')),
                          int(env.get('COUNT', '30')), int(env.get('MOST', '3')))
    with open(os.path.join(work, 'drawn.json'), 'w') as f:
        json.dump(drawn, f, indent=1)
    ported = {name: port(tool, work, name, projects[name].tree)
              for name in sorted({d[0] for d in drawn})}
    counts, promised = {}, {}
    for n, d in enumerate(drawn):
        mark, clean, line = judge(work, d, projects[d[0]].tree, ported[d[0]], n)
        print(mark, '0-manual' if clean else 'manual', '%03d' % n, d[0] + '/' + d[1] + ':', line,
              flush=True)
        counts[mark] = counts.get(mark, 0) + 1
        promised[mark] = promised.get(mark, 0) + clean
    print('%d programs of %d projects: ' % (len(drawn), len({d[0] for d in drawn})) + ', '.join(
            '%s %d (0 manual: %d)' % (k, counts[k], promised[k]) for k in sorted(counts)))


if __name__ == '__main__':
    main()
