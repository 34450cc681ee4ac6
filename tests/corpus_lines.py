#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ports trees of public code for every target, then what came out once more; counts lines.

    corpus_lines.py TOOL WORK TREE... [--check-only]

A tree is a project: a folder, or a bare git repository, whose HEAD is unpacked into WORK. The laws:

  ran      no crash, no internal error; status 0, or 2 with a reason for each file that was left out
  parses   a Python file that CPython compiled still compiles
  stable   porting the output again changes nothing

A row is printed for each tree: lines, files, files changed over all targets, files that were
refused, seconds of the processor and by the clock. --check-only: `check --target all` alone, in a
third of the time; for sanitizers. Several programs on one WORK: each its own folder of it.
"""
import os
import resource
import shutil
import subprocess
import sys
import time
import warnings

ENDS = ('.py .pyi .ipynb .cu .cuh .c .cc .cpp .cxx .h .hh .hpp .hxx .inl .txt .toml .ini .cfg '
        '.cmake .mk .sh .env .yml .yaml').split()
LARGEST = 4 << 20
SHOWN = 10


def unpack(repository, folder):
    """What a porter reads of HEAD; links are left out."""
    git = ['git', '--git-dir', repository]
    names = subprocess.run(git + ['ls-tree', '-r', '-l', '-z', 'HEAD'], check=True,
                           capture_output=True).stdout.decode('utf-8', 'surrogateescape')
    wanted = []
    for row in names.split('\0'):
        if not row:
            continue
        (mode, kind, blob, size), name = row.split('\t')[0].split(), row.split('\t', 1)[1]
        missing = not size.isdigit()  # a snapshot may lack a blob: BAD
        if (kind == 'blob' and mode.startswith('100') and not missing and int(size) <= LARGEST
                and is_ours(name)):
            wanted.append((blob, name))
    batch = subprocess.run(git + ['cat-file', '--batch'], check=False, capture_output=True,
                           input=b''.join(blob.encode() + b'\n' for blob, _ in wanted)).stdout
    at = 0
    for _, name in wanted:
        end = batch.index(b'\n', at)
        head = batch[at:end].split()
        at = end + 1
        if head[-1] == b'missing':
            continue
        size = int(head[2])
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'wb') as f:
            f.write(batch[at:at + size])
        at += size + 1


def is_ours(name):
    base = os.path.basename(name)
    return os.path.splitext(base)[1] in ENDS or base.startswith('Dockerfile') or base == 'Makefile'


def files_of(folder):
    for at, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(at, name)
            if is_ours(name) and not os.path.islink(path) and os.path.getsize(path) <= LARGEST:
                yield os.path.relpath(path, folder)


def read(*parts):
    with open(os.path.join(*parts), 'rb') as f:
        return f.read()


def compiles(source, name):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')
            compile(source, name, 'exec', dont_inherit=True)
        return True
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


class Run:
    def __init__(self, tool, work):
        self.tool, self.work = os.path.abspath(tool), work
        self.failures = []

    def fail(self, law, what):
        self.failures.append('%s: %s' % (law, what))

    def call(self, *args):
        """Status and the lines on standard error."""
        done = subprocess.run([self.tool, '-q', *args], stdin=subprocess.DEVNULL, check=False,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        lines = done.stderr.decode(errors='replace').splitlines()
        broken = [l for l in lines if 'internal error' in l or 'Sanitizer' in l or
                  'runtime error' in l]
        if done.returncode not in (0, 1, 2) or broken:
            self.fail('ran', 'status %d of %s: %s' % (done.returncode, ' '.join(args)[-80:],
                                                      (broken or lines or [''])[0]))
        elif done.returncode == 2 and not lines:
            self.fail('ran', 'status 2 without a reason')
        return done.returncode, lines

    def port(self, tree):
        """Files changed over all targets, and lines that say what was left out."""
        once = os.path.join(self.work, 'once')
        shutil.rmtree(once, ignore_errors=True)
        names = list(files_of(tree))
        _, left_out = self.call('port', tree, '--no-ignore', '--target', 'all', '-o', once)
        changed = 0
        for target in sorted(os.listdir(once)) if os.path.isdir(once) else ():
            changed += self.judge(tree, os.path.join(once, target), names, target)
        shutil.rmtree(once, ignore_errors=True)
        return changed, len(left_out)

    def judge(self, tree, out, names, target):
        changed = 0
        for name in names:
            if not os.path.isfile(os.path.join(out, name)):
                self.fail('ran', '%s of %s was not written' % (name, target))
                continue
            source, output = read(tree, name), read(out, name)
            if source == output:
                continue
            changed += 1
            if name.endswith(('.py', '.pyi')) and not compiles(output, name) and compiles(
                    source, name):
                self.fail('parses', '%s for %s' % (name, target))
        if changed:
            status, lines = self.call('port', out, '--no-ignore', '--target', target, '--check',
                                      '-v')
            if status == 1:
                what = [l for l in lines if 'would change' in l] or lines[:1] or ['']
                for line in what:
                    self.fail('stable', '%s: %s' % (target, line))
        return changed

    def tree(self, path, check_only):
        name = os.path.basename(path.rstrip('/'))
        if name == 'repo':
            name = os.path.basename(os.path.dirname(path))
        folder = path
        if os.path.isfile(os.path.join(path, 'HEAD')):
            folder = os.path.join(self.work, 'tree')
            shutil.rmtree(folder, ignore_errors=True)
            unpack(path, folder)
        began, used = time.time(), resource.getrusage(resource.RUSAGE_CHILDREN)
        self.failures = []
        lines = sum(read(folder, n).count(b'\n') for n in files_of(folder))
        files = sum(1 for _ in files_of(folder))
        changed = left_out = 0
        if check_only:
            self.call('check', folder, '--no-ignore', '--isolated', '--target', 'all',
                      '--no-cache', '--statistics')
        else:
            changed, left_out = self.port(folder)
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
        print('%-36s %9d lines %6d files %7d changed %4d left out %4d failed %7.0f s CPU %7.0f s' % (
            name, lines, files, changed, left_out, len(self.failures), cpu, time.time() - began))
        for what in self.failures[:SHOWN]:
            print('    FAILED ' + what)
        sys.stdout.flush()
        return lines, len(self.failures), cpu


def main():
    words = [w for w in sys.argv[1:] if w != '--check-only']
    run = Run(words[0], words[1])
    os.makedirs(run.work, exist_ok=True)
    rows = [run.tree(tree, '--check-only' in sys.argv) for tree in words[2:]]
    print('corpus_lines: %d lines, %.0f s CPU' % (sum(r[0] for r in rows), sum(r[2] for r in rows)))
    failed = sum(r[1] for r in rows)
    print('corpus_lines: %d passed, %d failed' % (sum(not r[1] for r in rows), failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
