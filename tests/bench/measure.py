#!/usr/bin/env python3
"""Measures cuda-morph beside other tools: measure.py CUDA-MORPH CORPUS [AST-GREP]

The tools take turns, so that a busy moment hits all of them; every figure is a median. Ratios are
formed run by run. Times are of the whole process: CPU is user and system together.
"""
import os
import shutil
import statistics
import sys
import tempfile
import time

RUNS = 5
STARTS = 200
HERE = os.path.dirname(os.path.abspath(__file__))
LITERALS = ('cuda', 'nccl', 'NCCL', 'cudnn', 'CUDA_VISIBLE_DEVICES')

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
    """Runs the commands in turn; the first is what the others are compared with."""
    print(title)
    print('  %-34s %9s %9s %9s %8s %8s' % ('', 'CPU s', 'wall s', 'peak MiB', 'CPU x', 'wall x'))
    results = {name: [] for name in commands}
    for command in commands.values():
        run(command)  # fills the page cache
    for _ in range(RUNS):
        for name, command in commands.items():
            results[name].append(run(command))
    base = next(iter(results.values()))
    for name, rows in results.items():
        cpu, wall, peak = (statistics.median(r[i] for r in rows) for i in range(3))
        ratio = [statistics.median(r[i] / b[i] for r, b in zip(rows, base)) for i in range(2)]
        print('  %-34s %9.3f %9.3f %9.1f %8.2f %8.2f' % (name, cpu, wall, peak, *ratio))
    print()


def start_up(commands):
    print('Start-up, %d runs each' % STARTS)
    print('  %-34s %9s %9s' % ('', 'wall ms', 'best ms'))
    results = {name: [] for name in commands}
    for _ in range(STARTS):
        for name, command in commands.items():
            results[name].append(run(command))
    for name, rows in results.items():
        walls = [r[1] * 1000 for r in rows]
        print('  %-34s %9.2f %9.2f' % (name, statistics.median(walls), min(walls)))
    print()


def scans(tool, ast_grep, folder):
    commands = {'cuda-morph port --check -j1': [
        tool, 'port', '--check', '--no-ignore', '--target', 'ascend', '-j1', folder]}
    if ast_grep:
        commands['ast-grep scan -j1, 20 rules'] = [
            ast_grep, 'scan', '-j', '1', '--no-ignore', 'hidden', '--no-ignore', 'vcs',
            '--no-ignore', 'parent', '--no-ignore', 'dot', '--report-style', 'short', '--color',
            'never', '--rule', os.path.join(HERE, 'rules.yml'), folder]
    if shutil.which('rg'):
        commands['ripgrep -j1, the same literals'] = [
            'rg', '-j1', '--no-ignore', '-F', '-c', '-g', '*.py'] + [
            x for literal in LITERALS for x in ('-e', literal)] + [folder]
    return commands


def main():
    tool, corpus = sys.argv[1:3]
    ast_grep = sys.argv[3] if len(sys.argv) > 3 else None
    side_by_side('All files', scans(tool, ast_grep, corpus))
    torch = os.path.join(corpus, 'part0', 'torch')
    if os.path.isdir(torch):
        side_by_side('PyTorch alone', scans(tool, ast_grep, torch))
    with tempfile.TemporaryDirectory() as folder:
        small = os.path.join(folder, 'small.py')
        with open(small, 'w') as f:
            f.write(SMALL)
        start_up({
            'true (the cost of any process)': ['true'],
            'cuda-morph --version': [tool, '--version'],
            'cuda-morph port, a 10-line file': [tool, 'port', '--target', 'ascend', small],
        })


if __name__ == '__main__':
    main()
