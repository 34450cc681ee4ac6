#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures cuda-morph beside other tools: measure.py CUDA-MORPH CORPUS WORDS [AST-GREP]

The tools take turns, so that a busy moment hits all of them; every figure is a median. Ratios are
formed run by run. Times are of the whole process: CPU is user and system together. WORDS is a file
with the words that check looks for. At the end stands what was promised, beside what was measured.
"""
import os
import re
import shutil
import statistics
import sys
import tempfile
import time

RUNS = 7
STARTS = 200
HERE = os.path.dirname(os.path.abspath(__file__))
LITERALS = ('cuda', 'nccl', 'NCCL', 'cudnn', 'CUDA_VISIBLE_DEVICES')
CPU, WALL = 0, 1

SMALL = '''import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = torch.nn.Linear(8, 8).to(device)
scaler = torch.cuda.amp.GradScaler()
for step in range(10):
    with torch.cuda.amp.autocast():
        loss = model(torch.randn(4, 8, device="cuda")).sum()
    scaler.scale(loss).backward()
torch.cuda.synchronize()
'''


def run(command):
    """CPU seconds, wall seconds and peak MiB of one process; peaks below our own go unseen."""
    null = os.open(os.devnull, os.O_RDWR)
    start = time.perf_counter()
    pid = os.posix_spawnp(command[0], command, os.environ, file_actions=[
        (os.POSIX_SPAWN_DUP2, null, fd) for fd in (0, 1, 2)])
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - start
    os.close(null)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit('bench: failed: ' + ' '.join(command))
    return usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024


def side_by_side(title, commands):
    """Runs the commands in turn; the first is what the others are compared with. Returns for each
    its (CPU, wall) as multiples of the first."""
    print(title)
    print('  %-34s %9s %9s %9s %8s %8s' % ('', 'CPU s', 'wall s', 'peak MiB', 'CPU x', 'wall x'))
    results = {name: [] for name in commands}
    for command in commands.values():
        run(command)  # fills the page cache
    for _ in range(RUNS):
        for name, command in commands.items():
            results[name].append(run(command))
    base = next(iter(results.values()))
    ratios = {}
    for name, rows in results.items():
        cpu, wall, peak = (statistics.median(r[i] for r in rows) for i in range(3))
        ratios[name] = [statistics.median(r[i] / b[i] for r, b in zip(rows, base))
                        for i in range(2)]
        print('  %-34s %9.3f %9.3f %9.1f %8.2f %8.2f' % (name, cpu, wall, peak, *ratios[name]))
    print(flush=True)
    return ratios


def start_up(commands):
    """Returns the median wall milliseconds of each."""
    print('Start-up, %d runs each' % STARTS)
    print('  %-34s %9s %9s' % ('', 'wall ms', 'best ms'))
    results = {name: [] for name in commands}
    for _ in range(STARTS):
        for name, command in commands.items():
            results[name].append(run(command))
    medians = {}
    for name, rows in results.items():
        walls = [r[WALL] * 1000 for r in rows]
        medians[name] = statistics.median(walls)
        print('  %-34s %9.2f %9.2f' % (name, medians[name], min(walls)))
    print(flush=True)
    return medians


class Bench:
    def __init__(self, tool, corpus, words, ast_grep):
        self.tool, self.corpus, self.words, self.ast_grep = tool, corpus, words, ast_grep
        self.promises = []

    def check(self, *more):
        return [self.tool, 'check', '--isolated', '--no-ignore', '--format', 'concise', *more]

    def promise(self, what, limit, got, at_least=False):
        if got is None:
            self.promises.append('  %-52s %8s  not measured' % (what, limit))
            return
        kept = got >= limit if at_least else got <= limit
        sign = '>=' if at_least else '<='
        self.promises.append('  %-52s %s%6.4g  %8.3g  %s' % (
            what, sign, limit, got, 'kept' if kept else 'MISSED'))

    def rivals(self, folder):
        commands = {}
        if self.ast_grep:
            commands['ast-grep scan -j1, 20 rules'] = [
                self.ast_grep, 'scan', '-j', '1', '--no-ignore', 'hidden', '--no-ignore', 'vcs',
                '--no-ignore', 'parent', '--no-ignore', 'dot', '--report-style', 'short',
                '--color', 'never', '--rule', os.path.join(HERE, 'rules.yml'), folder]
        if shutil.which('ruff'):
            commands['ruff F401, 1 thread'] = [
                'env', 'RAYON_NUM_THREADS=1', 'ruff', 'check', '--isolated', '--no-cache',
                '--no-respect-gitignore', '--select', 'F401', '-q', folder]
        if shutil.which('rg'):
            commands['ripgrep -j1, five literals'] = [
                'rg', '-j1', '--no-ignore', '-F', '-c', '-g', '*.py'] + [
                x for literal in LITERALS for x in ('-e', literal)] + [folder]
        return commands

    def scans(self, folder):
        return {'cuda-morph check -j1': self.check('-j1', '--no-cache', folder),
                'cuda-morph port --check -j1': [
                    self.tool, 'port', '--check', '--no-ignore', '--target', 'ascend', '-j1',
                    folder], **self.rivals(folder)}

    def all_files(self):
        ratios = side_by_side('All files', self.scans(self.corpus))
        torch = os.path.join(self.corpus, 'part0', 'torch')
        if os.path.isdir(torch):
            side_by_side('PyTorch alone', self.scans(torch))
        rival = ratios.get('ast-grep scan -j1, 20 rules')
        self.promise('times faster than ast-grep, 20 rules, 1 thread', 6,
                     rival and rival[CPU], at_least=True)
        rival = ratios.get('ruff F401, 1 thread')
        self.promise("of ruff's time for F401, 1 thread", 1.2, rival and 1 / rival[CPU])

    def no_match(self, folder):
        """Files in which none of the words stands; the same words for ripgrep."""
        with open(self.words) as f:
            word = re.compile(rb'\b(' + b'|'.join(
                re.escape(w.strip().encode()) for w in f) + rb')\b')
        tree = os.path.join(folder, 'no_match')
        os.mkdir(tree)
        n = 0
        for at, _, names in os.walk(self.corpus):
            for name in names:
                with open(os.path.join(at, name), 'rb') as f:
                    text = f.read()
                if not name.endswith('.py') or word.search(text):
                    continue
                n += 1
                with open(os.path.join(tree, '%d.py' % n), 'wb') as f:
                    f.write(text)
        commands = {}
        if shutil.which('rg'):
            rg = ['rg', '-j1', '--no-ignore', '-F', '-c', '-f', self.words, tree]
            commands = {'ripgrep -j1, the same words': rg[:1] + ['-w'] + rg[1:],
                        'ripgrep -j1, also inside of words': rg}
        commands['cuda-morph check -j1'] = self.check('-j1', '--no-cache', tree)
        ratios = side_by_side('No match: %d files' % n, commands)
        for name in list(commands)[:-1]:
            self.promise("of %s's time where nothing matches" % name.replace(' -j1', ''), 3,
                         ratios['cuda-morph check -j1'][CPU] / ratios[name][CPU])

    def threads(self):
        ratios = side_by_side('Threads', {
            'cuda-morph check -j2': self.check('-j2', '--no-cache', self.corpus),
            'cuda-morph check -j1': self.check('-j1', '--no-cache', self.corpus)})
        self.promise('times faster with 2 threads (wall)', 1.75,
                     ratios['cuda-morph check -j1'][WALL], at_least=True)

    def cache(self, folder):
        os.environ['XDG_CACHE_HOME'] = os.path.join(folder, 'cache')
        command = self.check('-j1', self.corpus)
        run(command)
        ratios = side_by_side('An unchanged second run', {
            'cuda-morph check -j1, no cache': command + ['--no-cache'],
            'cuda-morph check -j1, second run': command})
        self.promise("of the first run's time (wall)", 0.1,
                     ratios['cuda-morph check -j1, second run'][WALL])

    def one_file(self, folder):
        small = os.path.join(folder, 'small.py')
        with open(small, 'w') as f:
            f.write(SMALL)
        commands = {
            'true (the cost of any process)': ['true'],
            'cuda-morph --version': [self.tool, '--version'],
            'cuda-morph check, a 10-line file': self.check(small),
            'cuda-morph port, a 10-line file': [self.tool, 'port', '--target', 'ascend', small]}
        large = os.path.join(self.corpus, 'part0', 'torch', 'distributed', 'distributed_c10d.py')
        if os.path.isfile(large):
            commands['cuda-morph check, %d KB' % (os.path.getsize(large) // 1000)] = \
                self.check(large)
        medians = start_up(commands)
        for name, wall in medians.items():
            if name.startswith('cuda-morph check'):
                self.promise('ms for one changed file (%s)' % name.split(', ')[1], 10, wall)

    def tell(self):
        print('Promised                                                limit  measured')
        print('\n'.join(self.promises))


def main():
    bench = Bench(*sys.argv[1:4], sys.argv[4] if len(sys.argv) > 4 else None)
    with tempfile.TemporaryDirectory() as folder:
        bench.all_files()
        bench.no_match(folder)
        bench.threads()
        bench.cache(folder)
        bench.one_file(folder)
    bench.tell()


if __name__ == '__main__':
    main()
