#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a folder of Python files to measure with: corpus.py FOLDER N

PyTorch's own sources come first, then Python's standard library, then whatever other Debian
packages hold, until there are N files. Where there are fewer, they are taken again under another
name. The folder is left alone when it is complete. Prints what it holds.
"""
import os
import sys
import sysconfig

PACKAGES = '/usr/lib/python3/dist-packages'
TORCH = ('torch', 'torchgen', 'functorch')


def sources(top):
    for folder, below, names in os.walk(top):
        below[:] = sorted(b for b in below if not b.endswith('-packages') and b != 'test')
        for name in sorted(names):
            if name.endswith('.py'):
                yield os.path.join(folder, name)


def all_sources():
    """(path, path below the corpus)"""
    library = sysconfig.get_path('stdlib')
    tops = [(os.path.join(PACKAGES, t), t) for t in TORCH] + [(library, 'stdlib')]
    if os.path.isdir(PACKAGES):
        tops += [(os.path.join(PACKAGES, p), p) for p in sorted(os.listdir(PACKAGES))
                 if p not in TORCH]
    for top, name in tops:
        for path in sources(top):
            yield path, os.path.join(name, os.path.relpath(path, top))


def fill(folder, files, n):
    for i in range(n):
        path, name = files[i % len(files)]
        to = os.path.join(folder, 'part%d' % (i // len(files)), name)
        os.makedirs(os.path.dirname(to), exist_ok=True)
        with open(path, 'rb') as f, open(to, 'wb') as g:
            g.write(f.read())


def main():
    folder, n = sys.argv[1], int(sys.argv[2])
    stamp = os.path.join(folder, '.complete')
    if not os.path.exists(stamp):
        files = [f for f in all_sources() if os.path.isfile(f[0])]
        fill(folder, files, n)
        size = sum(os.path.getsize(os.path.join(at, name))
                   for at, _, names in os.walk(folder) for name in names)
        torch = sum(name.split('/')[0] in TORCH for _, name in files[:n])
        with open(stamp, 'w') as f:
            f.write('%d Python files, %.1f MB, %d of them PyTorch\'s' % (n, size / 1e6, torch))
    with open(stamp) as f:
        print(f.read())


if __name__ == '__main__':
    main()
