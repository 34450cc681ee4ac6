# SPDX-License-Identifier: Apache-2.0
"""Compiles ported text so that its code says where it stands in the text before the port.

The porter's edits tell which byte of the output stands for which byte of the input; the positions
in the syntax tree are moved accordingly, so that tracebacks, coverage and debuggers show the
user's file with its own lines."""

import ast
import re
from bisect import bisect_right

_LINE_END = re.compile(rb"\r\n?|\n")
_BOM = b"\xef\xbb\xbf"


def _line_starts(text):
    first = len(_BOM) if text.startswith(_BOM) else 0
    return [first] + [match.end() for match in _LINE_END.finditer(text)]


class PositionMap:
    """Positions of the output, as (line, column in bytes), turned into those of the input."""

    def __init__(self, before, after, edits):
        self._before, self._after = _line_starts(before), _line_starts(after)
        self._starts, self._edits = [], []
        shift = 0
        for start, end, length in edits:
            self._starts.append(start + shift)
            self._edits.append((start, end, length))
            shift += length - (end - start)

    def offset(self, at, is_end):
        """The byte of the input. Inside replaced text it is the place that was replaced: its
        start, or for the end of a node its end."""
        i = bisect_right(self._starts, at) - 1
        if i >= 0 and is_end and at == self._starts[i]:
            i -= 1  # what ends where an edit begins does not include it
        if i < 0:
            return at
        start, end, length = self._edits[i]
        inside = at - self._starts[i]
        if inside < length or (is_end and inside == length):
            return end if is_end else start
        return end + inside - length

    def position(self, line, column, is_end):
        at = self._after[min(line, len(self._after)) - 1] + max(column, 0)
        at = self.offset(at, is_end)
        line = bisect_right(self._before, at)
        return max(line, 1), at - self._before[max(line, 1) - 1] if line else 0


def compile_ported(before, after, edits, path, change=None):
    """The code object of `after`, with the positions of `before`; change(tree) may alter its syntax
    tree. Raises what compile() raises."""
    tree = ast.parse(after, path)
    where = PositionMap(before, after, edits)
    for node in ast.walk(tree):
        if getattr(node, "lineno", None) is None:
            continue
        start = where.position(node.lineno, node.col_offset, False)
        end = start
        if node.end_lineno is not None and node.end_col_offset is not None:
            end = max(start, where.position(node.end_lineno, node.end_col_offset, True))
        node.lineno, node.col_offset = start
        node.end_lineno, node.end_col_offset = end
    return compile(change(tree) if change else tree, path, "exec", dont_inherit=True)
