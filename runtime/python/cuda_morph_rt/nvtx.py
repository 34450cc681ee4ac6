# SPDX-License-Identifier: Apache-2.0
"""NVTX markers without NVIDIA: torch.cuda.nvtx and the package nvtx, both under their own names.

A range that begins while torch.profiler runs shows in its traces, through record_function.
Ranges and marks go to the vendor's tool, too, where PyTorch knows one: torch.npu.mstx,
torch.mlu.cnpx, and torch.cuda.nvtx itself where there is CUDA. They change nothing else, and cost
next to nothing where nobody looks."""

import functools
import sys

import torch

_open = []  # what range_push() began, the innermost last
_is_profiled = torch.autograd._profiler_enabled


def _vendor():
    """The module with the vendor's markers, or None."""
    if "torch_npu" in sys.modules:
        return getattr(torch.npu, "mstx", None)
    if "torch_mlu" in sys.modules:
        return getattr(torch.mlu, "cnpx", None)
    return _cuda()


@functools.lru_cache(maxsize=None)
def _cuda():
    return torch.cuda.nvtx if torch.cuda.is_available() else None


class _Range:
    """One range; also a decorator, as nvtx.annotate is."""

    __slots__ = ("_message", "_record", "_id")

    def __init__(self, message):
        self._message = message
        self._record = self._id = None

    def __enter__(self):
        if _is_profiled():
            self._record = torch.profiler.record_function(self._message)
            self._record.__enter__()
        vendor = _vendor()
        if vendor is not None:
            self._id = vendor.range_start(self._message)
        return self

    def __exit__(self, *reason):
        if self._id is not None:
            _vendor().range_end(self._id)
        if self._record is not None:
            self._record.__exit__(*reason)
        return False

    def __call__(self, function):
        @functools.wraps(function)
        def marked(*args, **kwargs):
            with _Range(self._message):
                return function(*args, **kwargs)

        return marked


# ---- torch.cuda.nvtx ----


def range_push(msg):
    """Begins a range; returns how deep it is, counted from 0."""
    _open.append(_Range(str(msg)).__enter__())
    return len(_open) - 1


def range_pop():
    """Ends the innermost one; returns its depth, or -2 where there is none, as NVTX does."""
    if not _open:
        return -2
    _open.pop().__exit__(None, None, None)
    return len(_open)


def range_start(msg):
    """Begins a range that may overlap others; returns what range_end() takes."""
    return _Range(str(msg)).__enter__()


def range_end(range_id):
    if isinstance(range_id, _Range):
        range_id.__exit__(None, None, None)


def range(msg, *args, **kwargs):
    """A context manager; the message is formatted with the other arguments."""
    return _Range(str(msg).format(*args, **kwargs))


def mark(msg=None, **_):
    """A point in time; nothing but the vendor's tool has a place for it."""
    vendor = _vendor()
    if vendor is not None:
        vendor.mark(str(msg))


# ---- the package nvtx ----


def annotate(message=None, color=None, domain=None, category=None, payload=None):
    """Context manager and decorator."""
    if callable(message):
        return _Range(message.__name__)(message)
    return _Range(str(message))


def push_range(message=None, **_):
    return range_push(message)


def pop_range(domain=None):
    return range_pop()


def start_range(message=None, **_):
    return range_start(message)


end_range = range_end


def enabled():
    return False


class Domain:
    """A group of ranges with a name of its own; the vendors' tools know one group only."""

    def __init__(self, name=None):
        self.name = name

    def get_registered_string(self, string):
        return string

    def get_category_id(self, name):
        return 0

    def get_event_attributes(self, message=None, color=None, category=None, payload=None):
        return message

    def mark(self, attributes):
        mark(attributes)

    def push_range(self, attributes):
        return push_range(attributes)

    def pop_range(self):
        return pop_range()

    def start_range(self, attributes):
        return start_range(attributes)

    def end_range(self, range_id):
        return end_range(range_id)


def get_domain(name=None):
    """The domain of this name; domains of one name have nothing to share."""
    return Domain(name)
