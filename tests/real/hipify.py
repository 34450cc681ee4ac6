#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""HIPIFY's own tests of .cu files, each with the options of its RUN line.

    hipify.py CUDA-MORPH FOLDER FILECHECK [WORK]

FOLDER is tests/unit_tests of a checkout of ROCm/HIPIFY. As HIPIFY's run_test.sh does, the text
behind // goes before FileCheck reads the result; and "hipblas.h", <hipblas.h> and
<hipblas/hipblas.h> are the same here, in the results and in what is asked for: which of them is
right is a matter of the release. What was written stays in WORK. One line for each test that
fails, and a sum. README.md beside this has the reasons.
"""
import os
import re
import subprocess
import sys

OPTIONS = (('--roc', ['--libraries=roc']),
           ('--hip-kernel-execution-syntax', ['--launch-syntax=function']))


def read(path):
    with open(path, encoding='utf-8', errors='surrogateescape', newline='') as f:
        return f.read()


def write(path, text):
    with open(path, 'w', encoding='utf-8', errors='surrogateescape', newline='') as f:
        f.write(text)


def same_marks(text):
    return re.sub(r'(#\s*include\s*)["<](?:(?:hip|roc|miopen)\w*/)?([^">\n]+)[">]', r'\1<\2>',
                  text)


def options(text):
    """What the options of the RUN line are here."""
    line = re.search(r'RUN:.*', text).group(0)
    line = line.replace(' -roc', ' --roc').replace('"-roc"', '--roc')
    return [o for theirs, ours in OPTIONS if theirs in line.split() for o in ours]


def passes(tool, path, filecheck, to):
    text = read(path)
    done = subprocess.run([tool, 'port', path, '--target', 'rocm', '-q'] + options(text),
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    ported = done.stdout.decode('utf-8', 'surrogateescape')
    ported = re.sub(r'//[^\n]+', '// ', same_marks(ported or text))
    write(to, ported)
    write(to + '.want', same_marks(text))
    with open(to, 'rb') as f:
        done = subprocess.run([filecheck, to + '.want'], stdin=f, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE)
    return done.returncode == 0, done.stderr.decode('utf-8', 'replace')


def main():
    tool, folder, filecheck = sys.argv[1:4]
    work = sys.argv[4] if len(sys.argv) > 4 else os.path.join('build', 'hipify')
    os.makedirs(work, exist_ok=True)
    count = good = 0
    for root, folders, names in os.walk(folder):
        folders.sort()
        for n in sorted(n for n in names if n.endswith('.cu')):
            path = os.path.join(root, n)
            to = os.path.join(work, os.path.relpath(path, folder).replace(os.sep, '+'))
            ok, said = passes(os.path.abspath(tool), path, filecheck, to)
            count += 1
            good += ok
            if not ok:
                write(to + '.said', said)
                print('fails', os.path.relpath(path, folder), (said.split('\n') + [''])[0])
    print('%d of %d pass' % (good, count))


if __name__ == '__main__':
    main()
