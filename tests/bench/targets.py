#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What one more target costs: targets.py CUDA-MORPH FOLDER

Runs port, check and report for one target and for all, in turn, and prints the processor time of
both, and of each target beyond the first, as a share of what one alone takes. Medians of three.
"""
import os
import statistics
import subprocess
import sys

RUNS = 3
TARGETS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../rules/targets')
COMMANDS = {'port --check': ['port', '--check', '-q'], 'check': ['check', '--no-cache', '-q'],
            'report': ['report', '-q']}


def cpu(command):
    before = os.times()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = os.times()
    return sum(after[2:4]) - sum(before[2:4])


def main():
    tool, folder = sys.argv[1:]
    n = sum(name.endswith('.json') for name in os.listdir(TARGETS))
    print('one more target, of %d (CPU s)%12s %8s %9s %9s' % (n, 'ascend', 'all', 'each', 'share'))
    for name, command in COMMANDS.items():
        runs = {'ascend': [], 'all': []}
        for _ in range(RUNS):
            for target, seconds in runs.items():
                seconds.append(cpu([tool, *command, '-j1', '--target', target, folder]))
        one, every = (statistics.median(runs[t]) for t in ('ascend', 'all'))
        each = (every - one) / (n - 1)
        print('  %-28s %11.3f %8.3f %9.4f %8.0f%%' % (name, one, every, each, 100 * each / one))


if __name__ == '__main__':
    main()
