#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what corpus.sh got from porting a tree of Python files.

    corpus_check.py INPUT RESULTS VARIANT TARGET...

RESULTS/TARGET holds, for the first and the second port of the tree, the folders `once` and
`twice`, and beside each the files .json (--report), .tokens.json (--accounting), .log and .status
("EXIT-STATUS MILLISECONDS"). The laws:

  ran          the tool ended with status 0, or with 2 where it refused what CPython refuses, too
  spliced      the reported edits, applied to the input, make the output: all else is identical
  parses       what CPython compiled still compiles
  tree         CPython's trees differ only in nodes that an edit touched itself, and in added
               statements; an edit inside an operand never changes how operators group
  names        no name is read that nothing binds, unless it was so before
  stable       porting the output again changes nothing
  accounting   the counts add up to the findings, the tokens and the totals
"""
import ast
import builtins
import io
import json
import multiprocessing
import os
import symtable
import sys
import tokenize
import warnings

SHOWN = 20  # failures printed for each target

# Nodes without brackets or commas of their own: text that goes in beside an operand changes the
# operand, not them.
OPERATORS = (ast.UnaryOp, ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Await, ast.Attribute,
             ast.Subscript, ast.Starred, ast.NamedExpr, ast.keyword)


class Text:
    """Source bytes as CPython's positions count them: in UTF-8, without a byte order mark."""

    def __init__(self, source):
        self.source = source
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
        self.encoding = 'utf-8' if encoding == 'utf-8-sig' else encoding
        self.mark = 3 if encoding == 'utf-8-sig' else 0
        self.utf8 = self.convert(source[self.mark:])
        self.lines = [0]
        for i, byte in enumerate(self.utf8):
            if byte == 10 or byte == 13 and self.utf8[i + 1:i + 2] != b'\n':
                self.lines.append(i + 1)

    def convert(self, source):
        if self.encoding == 'utf-8':
            return source
        return source.decode(self.encoding).encode()

    def offset(self, at):
        return len(self.convert(self.source[self.mark:at])) if at > self.mark else 0

    def span(self, node):
        if isinstance(node, ast.Module):
            return 0, len(self.utf8)
        start = self.lines[node.lineno - 1] + node.col_offset
        for decorator in getattr(node, 'decorator_list', ()):
            start = min(start, self.span(decorator)[0] - 1)
        return start, self.lines[node.end_lineno - 1] + node.end_col_offset


class Difference(Exception):
    pass


class Trees:
    """Walks the tree of the input and of the output side by side."""

    def __init__(self, before, after, edits):
        self.before, self.after = before, after
        self.edits = []  # (start, end) in the input, (start, end) in the output
        moved = 0
        for edit in edits:
            start, end = before.offset(edit['start']), before.offset(edit['end'])
            text = len(edit['text'].encode())
            self.edits.append((start, end, start + moved, start + moved + text))
            moved += text - (end - start)

    def compare(self, a, b):
        self.stack = [(a, b, a)]
        while self.stack:
            self.compare_node(*self.stack.pop())

    def compare_node(self, a, b, owner):
        """`owner` is the nearest node around that has a place; it answers for those without."""
        while self.cut_to_receiver(a):
            a = a.func.value
        if hasattr(a, 'lineno') or isinstance(a, ast.Module):
            owner = a
        if type(a) is not type(b):
            return self.must_be_edited(owner)
        if self.receiver_handed_over(a, b):
            self.compare_list(a.args, b.args[1:], owner)
            self.compare_list(a.keywords, b.keywords, owner)
            return self.stack.append((a.func.value, b.args[0], owner))
        if isinstance(a, ast.JoinedStr):  # the places inside it are not to be relied on
            if ast.dump(a) != ast.dump(b):
                self.must_be_edited(owner)
            return
        for field, x in ast.iter_fields(a):
            y = getattr(b, field, None)
            if isinstance(x, list) and isinstance(y, list):
                self.compare_list(x, y, owner)
            elif isinstance(x, ast.AST) and isinstance(y, ast.AST):
                self.stack.append((x, y, owner))
            elif field == 'kind':
                pass
            elif type(x) is not type(y) or repr(x) != repr(y):
                self.must_be_edited(owner)

    def cut_to_receiver(self, a):
        """True when an edit left `x` of `x.method(...)`."""
        if not (isinstance(a, ast.Call) and isinstance(a.func, ast.Attribute)):
            return False
        start, end = self.before.span(a.func.value)[1], self.before.span(a)[1]
        return any(start <= e[0] < end <= e[1] and e[2] == e[3] for e in self.edits)

    def receiver_handed_over(self, a, b):
        """True when edits around `x` made `function(x, ..)` of `x.method(..)`."""
        if not (isinstance(a, ast.Call) and isinstance(a.func, ast.Attribute)
                and len(b.args) == len(a.args) + 1 and len(a.keywords) == len(b.keywords)):
            return False
        receiver, place = self.before.span(a.func.value), self.before.span(a)[1]
        name, argument = self.after.span(b.func), self.after.span(b.args[0])
        written = any(e[2] <= name[0] and name[1] <= e[3] <= argument[0] for e in self.edits)
        closed = any(receiver[1] <= e[0] < place and e[0] < e[1] for e in self.edits)
        return written and closed and argument[0] in self.mapped(receiver[0])

    def compare_list(self, xs, ys, owner):
        if len(xs) == len(ys) and not all(isinstance(x, ast.stmt) for x in xs):
            for x, y in zip(xs, ys):
                if isinstance(x, ast.AST) and isinstance(y, ast.AST):
                    self.stack.append((x, y, owner))
                elif repr(x) != repr(y):
                    self.must_be_edited(owner)
            return
        if not all(hasattr(n, 'lineno') for n in xs + ys):
            return self.must_be_edited(owner)
        self.align(xs, ys, owner)

    def align(self, xs, ys, owner):
        """Pairs by place; the rest must have been written or removed by an edit."""
        at = {self.after.span(y)[0]: y for y in ys}
        for x in xs:
            start = self.before.span(x)[0]
            y = next((at.pop(p) for p in self.mapped(start) if p in at), None)
            if y is not None:
                self.stack.append((x, y, owner))
            elif isinstance(x, ast.stmt) or not self.owns(owner):
                self.must_be_edited(x)
        for p, y in at.items():
            if not isinstance(y, ast.stmt):
                self.must_be_edited(owner)
            if not any(e[2] <= p < e[3] for e in self.edits):
                raise Difference('line %d of the output: a new %s that no edit wrote'
                                 % (y.lineno, type(y).__name__))

    def mapped(self, start):
        """Where a node that starts here may start in the output: behind or before what was put in
        there, or anywhere in the text that replaced its start."""
        moved, places = 0, []
        for e in self.edits:
            if e[0] > start:
                break
            if e[0] == start:
                places.append(start + moved)
            elif e[1] > start:
                return range(e[2], e[3])
            if e[1] > start:
                break
            moved += e[3] - e[2] - (e[1] - e[0])
        return [start + moved] + places

    def owns(self, node):
        """True when an edit changed the node's own bytes, not just those of a child."""
        start, end = self.before.span(node)
        touching = [e for e in self.edits if e[0] <= end and e[1] >= start]
        if not touching:
            return False
        spans = [] if isinstance(node, ast.JoinedStr) else [
            self.before.span(c) for c in placed_children(node)]
        if any(e[0] <= start and end <= e[1] for e in touching):
            return True
        if isinstance(node, ast.Expr) and any(e[0] == start for e in touching):
            return True  # a guard was put before the call
        strict = isinstance(node, OPERATORS)
        return any(not any(inside(e, span, strict) for span in spans) for e in touching)

    def must_be_edited(self, node):
        if not self.owns(node):
            raise Difference('line %d of the input: this %s was not edited itself, but changed'
                             % (getattr(node, 'lineno', 1), type(node).__name__))


def inside(edit, span, strict):
    if edit[0] == edit[1] and not strict:
        return span[0] < edit[0] < span[1]
    return span[0] <= edit[0] and edit[1] <= span[1]


def placed_children(node):
    for child in ast.iter_child_nodes(node):
        if hasattr(child, 'lineno'):
            yield child
        else:
            yield from placed_children(child)


def unbound_names(source, name):
    """Names that are read as globals, though the module does not bind them."""
    top = symtable.symtable(source, name, 'exec')
    bound = set(dir(builtins)) | {'__file__', '__path__', '__class__'}
    read, tables = set(), [top]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        for s in table.get_symbols():
            if s.is_assigned() or s.is_imported() or s.is_namespace():
                if table is top or s.is_declared_global():
                    bound.add(s.get_name())
            elif s.is_global() and s.is_referenced():
                read.add(s.get_name())
            if table is top and s.is_referenced() and not s.is_assigned() and not s.is_imported():
                read.add(s.get_name())
    return read - bound


def compiled(source, name):
    """The tree, or None where CPython rejects the file."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')
            tree = ast.parse(source, name)
            compile(tree, name, 'exec', dont_inherit=True)
            return tree
    except (SyntaxError, ValueError, RecursionError):
        return None


def splice(source, edits):
    out, at = [], 0
    for e in edits:
        if e['start'] < at or e['end'] < e['start'] or e['end'] > len(source):
            return None
        out += [source[at:e['start']], e['text'].encode()]
        at = e['end']
    return b''.join(out) + source[at:]


def all_edits(file):
    edits = list(file['edits'])
    for finding in file['findings']:
        edits += finding['edits']
    return sorted(edits, key=lambda e: (e['start'], e['end']))


def check_output(name, source, output, file):
    """Failures of one file's first port, as (law, what is wrong)."""
    edits = all_edits(file)
    if splice(source, edits) != output:
        yield 'spliced', 'the reported edits do not make the output'
        return
    if output == source:
        return
    before = compiled(source, name)
    if before is None:
        return
    after = compiled(output, name)
    if after is None:
        yield 'parses', 'CPython rejects the output'
        return
    try:
        Trees(Text(source), Text(output), edits).compare(before, after)
    except Difference as e:
        yield 'tree', str(e)
    new = unbound_names(output, name) - unbound_names(source, name)
    if new:
        yield 'names', 'nothing binds ' + ', '.join(sorted(new))


def check_counts(file, tokens):
    outcomes = [f['outcome'] for f in file['findings']]
    for outcome, n in file['counts'].items():
        if n != outcomes.count(outcome):
            yield 'accounting', '%d %s counted, %d found' % (n, outcome, outcomes.count(outcome))
    if sum(file['counts'].values()) != len(outcomes):
        yield 'accounting', 'the counts do not add up to the findings'
    if (tokens is None or tokens['counts'] != file['counts']
            or len(tokens['tokens']) != len(outcomes)):
        yield 'accounting', '--accounting says something else than --report'
    if file['changed'] != bool(all_edits(file)):
        yield 'accounting', '"changed" and the edits disagree'


def read(*parts):
    with open(os.path.join(*parts), 'rb') as f:
        return f.read()


def check_file(job):
    """One file of one target: its failures."""
    root, once, name, file, tokens = job
    try:
        source, output = read(root, name), read(once, name)
        return name, [*check_output(name, source, output, file), *check_counts(file, tokens)]
    except Exception as e:  # a law that could not be checked did not hold
        return name, [('checker', '%s: %s' % (type(e).__name__, e))]


def load(folder, which, root):
    """Report, accounting and exit status of one port; files by their name below `root`."""
    status, milliseconds = map(int, read(folder, which + '.status').split())
    files, tokens, totals = {}, {}, {}
    if status in (0, 2):
        report, accounting = (
            json.loads(read(folder, which + kind).decode('utf-8', 'surrogateescape'))
            for kind in ('.json', '.tokens.json'))
        files = {os.path.relpath(f['path'], root): f for f in report['files']}
        tokens = {os.path.relpath(f['path'], root): f for f in accounting['files']}
        totals = next(iter(report['totals'].values()))
    return status, milliseconds, files, tokens, totals


def check_target(pool, root, folder, failures):
    """Appends (file, law, what); returns the number of files and the row to print."""
    names = {os.path.relpath(os.path.join(at, f), root)
             for at, _, fs in os.walk(root) for f in fs}
    status, milliseconds, files, tokens, totals = load(folder, 'once', root)
    refused = {n for n in files if any(note['fatal'] for note in files[n]['notes'])}
    if status != (2 if refused else 0):
        log = read(folder, 'once.log').decode(errors='replace').splitlines()
        failures.append(('', 'ran', 'exit status %d: %s' % (status, log[-1] if log else '')))
    for name in refused:
        if compiled(read(root, name), name):
            failures.append((name, 'ran', 'refused: ' + files[name]['notes'][0]['message']))
    for name in sorted(names - set(files)) if files else ():
        failures.append((name, 'ran', 'the report lacks it'))
    once = os.path.join(folder, 'once')
    jobs = [(root, once, name, files[name], tokens.get(name)) for name in sorted(files)]
    for name, wrong in pool.imap_unordered(check_file, jobs, 64):
        failures += [(name, law, what) for law, what in wrong]
    counts = {k: sum(f['counts'][k] for f in files.values())
              for k in ('ported', 'kept', 'to verify', 'manual', 'suppressed')}
    changed = sum(f['changed'] for f in files.values())
    if totals and (totals['counts'] != counts or totals['changed'] != changed):
        failures.append(('', 'accounting', 'the totals are not the sums'))
    status_again, _, again, _, _ = load(folder, 'twice', once)
    if status_again != status:
        failures.append(('', 'ran', 'exit status %d, but %d in the second port'
                         % (status, status_again)))
    for name in sorted(again):
        if again[name]['changed']:
            e = all_edits(again[name])[:1]
            failures.append((name, 'stable', 'ported again, it changes: %r' % e))
    edits = sum(len(all_edits(f)) for f in files.values())
    return len(names), (len(files), changed, edits, counts['ported'], counts['kept'],
                        counts['manual'], milliseconds / 1000)


def main():
    root, results, variant = sys.argv[1:4]
    passed = failed = 0
    print('%-8s %-9s %6s %8s %6s %7s %6s %7s %8s' % (
        variant, 'target', 'files', 'changed', 'edits', 'ported', 'kept', 'manual', 'seconds'))
    with multiprocessing.Pool(2) as pool:
        for target in sys.argv[4:]:
            failures = []
            n, row = check_target(pool, root, os.path.join(results, target), failures)
            print('%-8s %-9s %6d %8d %6d %7d %6d %7d %8.2f' % (('', target) + row))
            failures.sort()
            for name, law, what in failures[:SHOWN]:
                print('    FAILED %s: %s: %s' % (law, name or target, what))
            if len(failures) > SHOWN:
                print('    ... and %d more' % (len(failures) - SHOWN))
            bad = len({name for name, _, _ in failures})
            passed += n + 1 - bad
            failed += bad
            sys.stdout.flush()
    print('checks: %d passed, %d failed' % (passed, failed))


if __name__ == '__main__':
    main()
