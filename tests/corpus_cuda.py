#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what corpus.sh got from porting a tree of C++ files.

    corpus_cuda.py INPUT RESULTS VARIANT TARGET...

RESULTS is laid out as for corpus_check.py. C++ is read here by a reader of its own, which knows
comments, literals and nothing else. The laws:

  ran          the tool ended with status 0
  spliced      the reported edits, applied to the input, make the output: all else is identical
  prose        comments are the same but for that of a written form of a device function, and so
               are string literals but kernels and instructions
  brackets     every kind of bracket is opened and closed as often as before
  stable       porting the output again changes nothing
  accounting   the counts add up to the findings, the tokens and the totals
"""
import json
import os
import re
import sys

SHOWN = 20  # failures printed for each target
FORM = b'// for all threads of a block at once'
OUTCOMES = ('ported', 'kept', 'to verify', 'manual', 'suppressed')

PROSE = re.compile(
    rb'(?P<comment>//(?:[^\\\n]|\\\r?\n|\\.)*|/\*.*?(?:\*/|\Z))'
    rb'|(?P<raw>\b(?:u8|u|U|L)?R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)")'
    rb'|(?P<string>"(?:[^"\\\n]|\\\r?\n|\\.)*")'
    rb"|(?P<char>(?<![0-9A-Za-z_])'(?:[^'\\\n]|\\.)*')", re.S)


def read(path):
    with open(path, 'rb') as file:
        return file.read()


ASM = re.compile(rb'\b(?:asm|__asm|__asm__)\b\s*(?:(?:volatile|__volatile__)\b\s*)?\(')


def without_asm(text):
    """Instructions are strings, too, but code: the known ones are rewritten."""
    out, at = [], 0
    for start in ASM.finditer(text):
        if start.start() < at:
            continue
        depth, end = 1, start.end()
        for token in re.compile(PROSE.pattern + rb'|[()]', re.S).finditer(text, start.end()):
            depth += {b'(': 1, b')': -1}.get(token.group(), 0)
            end = token.end()
            if depth == 0:
                break
        out.append(text[at:start.start()])
        at = end
    return b''.join(out + [text[at:]])


def prose(text):
    """Comments and literals, without the paths of #include lines."""
    text = without_asm(text)
    text = re.sub(rb'(?m)^[ \t]*#[ \t]*(include|error|warning)\b.*$', b'', text)
    found = [m.group() for m in PROSE.finditer(text)]
    return [s for s in found if b'__global__' not in s and s.strip() != FORM]


def brackets(text):
    code = PROSE.sub(b'', text)
    return [code.count(c) for c in (b'(', b')', b'[', b']', b'{', b'}')]


def spliced(before, edits):
    out, at = [], 0
    for edit in edits:
        out += [before[at:edit['start']], edit['text'].encode()]
        at = edit['end']
    return b''.join(out + [before[at:]])


def balance(counts):
    return [counts[i] - counts[i + 1] for i in (0, 2, 4)]


def check_file(before, after, entry):
    edits = list(entry['edits']) + [e for f in entry['findings'] for e in f['edits']]
    edits.sort(key=lambda e: (e['start'], e['end']))
    if spliced(before, edits) != after:
        yield 'spliced: the output is not the input with its edits'
    if prose(before) != prose(after):
        yield 'prose: a comment or a string changed'
    if balance(brackets(before)) != balance(brackets(after)):
        yield 'brackets: opened and closed differently'


def check_target(source, results, target):
    failures, passed = [], 0
    folder = os.path.join(results, target)
    reports = {}
    for pass_ in ('once', 'twice'):
        status = read(os.path.join(folder, pass_ + '.status')).split()[0]
        if status != b'0':
            failures.append('ran: %s ended with status %s' % (pass_, status.decode()))
        reports[pass_] = json.loads(read(os.path.join(folder, pass_ + '.json')))
    root = os.path.join(folder, 'once')
    for entry in reports['once']['files']:
        name = entry['path'][len(source):].lstrip('/')
        before, after = read(entry['path']), read(os.path.join(root, name))
        problems = list(check_file(before, after, entry))
        counts = {o: 0 for o in OUTCOMES}
        for finding in entry['findings']:
            counts[finding['outcome']] += 1
        if counts != {o: entry['counts'][o] for o in OUTCOMES}:
            problems.append('accounting: the counts are not those of the findings')
        failures += ['%s: %s' % (name, p) for p in problems]
        passed += 4 - len(problems)
    for entry in reports['twice']['files']:
        if entry['changed']:
            failures.append('%s: stable: a second port changes it' % entry['path'])
        else:
            passed += 1
    return passed, failures


def main():
    source, results, variant, targets = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
    total = failed = 0
    for target in targets:
        passed, failures = check_target(source, results, target)
        for line in failures[:SHOWN]:
            print('%s %s: %s' % (variant, target, line))
        print('c++ %s %s: %d passed, %d failed' % (variant, target, passed, len(failures)))
        total += passed
        failed += len(failures)
    print('checks: %d passed, %d failed' % (total, failed))


main()
