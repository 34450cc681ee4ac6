"""Ported code between runs: one file per text under $XDG_CACHE_HOME/cuda-morph/python.

A key covers all that the code depends on: the text and its path, the target, the rules, the
porter itself, and the interpreter. An entry that is damaged or unreadable counts as absent, a
folder that cannot be written as no cache; entries appear in one step. Each of the 256 folders
keeps what was used last, up to LIMIT bytes."""

import importlib.util
import marshal
import os
import sys
import time

try:
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

_DIGEST = 16
LIMIT = 1 << 20
_DAY = 86400
UNCHANGED = object()  # a text that needs no port, though it speaks of CUDA


def _digest(*parts):
    h = blake2b(digest_size=_DIGEST)
    for part in parts:
        h.update(len(part).to_bytes(8, "little"))
        h.update(part)
    return h


def shrink(directory):
    """Removes what was used longest ago, until the rest is small enough. The newest stays."""
    entries = []
    with os.scandir(directory) as listing:
        for entry in listing:
            status = entry.stat(follow_symlinks=False)
            entries.append((status.st_mtime, status.st_size, entry.path))
    if sum(size for _, size, _ in entries) <= LIMIT:
        return
    entries.sort(reverse=True)
    kept = 0
    for i, (_, size, path) in enumerate(entries):
        kept += size
        if i and kept > LIMIT:
            os.unlink(path)


def folder():
    """Where the cache is, or None where nobody says where the user's caches are."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.expanduser("~/.cache")
    return os.path.join(base, "cuda-morph", "python") if os.path.isabs(base) else None


class Cache:
    """Entries for one porter; `identity` is whatever tells it from another."""

    def __init__(self, identity):
        tag = sys.implementation.cache_tag
        interpreter = (tag, importlib.util.MAGIC_NUMBER, sys.flags.optimize)
        self._base = _digest(repr((identity, interpreter)).encode())
        self._folder = folder()

    def path(self, name, source):
        h = self._base.copy()
        h.update(_digest(os.fsencode(name), source).digest())
        key = h.hexdigest()
        return self._folder and os.path.join(self._folder, key[:2], key[2:])

    def get(self, path):
        """The code object, UNCHANGED, or None."""
        try:
            with open(path, "rb") as file:
                entry = file.read()
                if time.time() - os.fstat(file.fileno()).st_mtime > _DAY:
                    os.utime(path)  # it is in use
        except (OSError, TypeError):
            return None
        body = entry[_DIGEST:]
        if _digest(body).digest() != entry[:_DIGEST]:
            return None
        try:
            return marshal.loads(body) if body else UNCHANGED
        except (EOFError, ValueError, TypeError):
            return None

    def put(self, path, code):
        if not path:
            return
        body = b"" if code is UNCHANGED else marshal.dumps(code)
        temporary = f"{path}.{os.getpid()}.{id(body):x}"
        try:
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            with open(temporary, "xb") as file:
                file.write(_digest(body).digest() + body)
            os.replace(temporary, path)
            shrink(os.path.dirname(path))
        except OSError:
            try:
                os.unlink(temporary)
            except OSError:
                pass
