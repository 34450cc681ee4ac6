# SPDX-License-Identifier: Apache-2.0
"""The porting compiler in this process: libcudamorph.so through ctypes (src/capi/capi.h)."""

import ctypes
import threading

ABI = 2
UNSAFE_FIXES, REMARKS = 1, 2
PLAIN, UNCHANGED, PORTED, REFUSED = range(4)


class _Edit(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("start", "end", "length")]


class _Result(ctypes.Structure):
    _fields_ = [
        ("status", ctypes.c_int64),
        ("output", ctypes.c_void_p),
        ("output_length", ctypes.c_uint64),
        ("edits", ctypes.POINTER(_Edit)),
        ("n_edits", ctypes.c_uint64),
        ("message", ctypes.c_char_p),
        ("is_local", ctypes.c_int64),
    ]


_SIGNATURES = {
    "cm_py_abi": (ctypes.c_int64,),
    "cm_py_version": (ctypes.c_char_p,),
    "cm_py_open": (
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.POINTER(ctypes.c_char_p),
        ctypes.POINTER(ctypes.c_char_p),
        ctypes.c_uint64,
        ctypes.c_char_p,
        ctypes.c_uint64,
    ),
    "cm_py_target": (ctypes.c_char_p, ctypes.c_void_p),
    "cm_py_fact": (ctypes.c_char_p, ctypes.c_void_p, ctypes.c_char_p),
    "cm_py_c_name": (ctypes.c_char_p, ctypes.c_void_p, ctypes.c_char_p),
    "cm_py_rules_hash": (ctypes.c_uint64, ctypes.c_void_p),
    "cm_py_is_plain": (ctypes.c_int64, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint64),
    "cm_py_port": (
        None,
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.c_char_p,
        ctypes.c_uint64,
        ctypes.POINTER(_Result),
    ),
}


class Port:
    """What became of one text: status, message, and for PORTED the output and its edits, a list
    of (start, end, length): bytes of the input replaced by so many bytes of the output. is_local:
    it depends on which files lie around this one, so it is not to be kept."""

    __slots__ = ("status", "output", "edits", "message", "is_local")

    def __init__(self, result):
        self.status = result.status
        self.is_local = bool(result.is_local)
        self.message = result.message.decode("utf-8", "replace")
        self.output, self.edits = None, []
        if result.status == PORTED:
            self.output = ctypes.string_at(result.output, result.output_length)
            edits = (result.edits[i] for i in range(result.n_edits))
            self.edits = [(e.start, e.end, e.length) for e in edits]


def _list(items):
    return (ctypes.c_char_p * (len(items) + 1))(*[i.encode() for i in items], None)


class Porter:
    """A target's porter. Raises OSError where the library cannot be loaded, ValueError where
    the target or a rule file is wrong. Threads may share it."""

    def __init__(self, library, target, rules=(), versions=(), flags=0):
        self._library = ctypes.CDLL(library)
        for name, (result, *arguments) in _SIGNATURES.items():
            function = getattr(self._library, name)
            function.restype, function.argtypes = result, arguments
        if self._library.cm_py_abi() != ABI:
            raise OSError(f"{library} is of another version")
        error = ctypes.create_string_buffer(1000)
        self._porter = self._library.cm_py_open(
            target.encode(), _list(rules), _list(versions), flags, error, len(error)
        )
        if not self._porter:
            raise ValueError(error.value.decode("utf-8", "replace"))
        self._lock = threading.Lock()
        self.version = self._library.cm_py_version().decode()
        self.target = self._library.cm_py_target(self._porter).decode()
        self.rules_hash = self._library.cm_py_rules_hash(self._porter)

    def fact(self, key):
        """A fact of rules/targets, or None."""
        with self._lock:
            text = self._library.cm_py_fact(self._porter, key.encode())
        return None if text is None else text.decode()

    def c_name(self, name):
        """What a C or C++ name of CUDA's is called on the target, for ctypes and its like:
        "musaMalloc" for "cudaMalloc"; the name itself where it has no exact counterpart."""
        with self._lock:
            return self._library.cm_py_c_name(self._porter, name.encode()).decode()

    def is_plain(self, source):
        """Whether no rule can have anything to do with these bytes."""
        with self._lock:
            return bool(self._library.cm_py_is_plain(self._porter, source, len(source)))

    def port(self, name, source):
        """The Port of the bytes of a Python file."""
        result = _Result()
        with self._lock:
            self._library.cm_py_port(
                self._porter, name.encode("utf-8", "replace"), source, len(source), result
            )
            return Port(result)
