# SPDX-License-Identifier: Apache-2.0
"""Ported code between runs: one file per text under $XDG_CACHE_HOME/cuda-morph/python.

A key covers all that the code depends on: the text and its path, the target, the rules, the
porter itself, and the interpreter. An entry is code that will be executed, so it counts only if
nobody else can have written it: it and each folder below the user's own caches are this user's,
are no links, and are not writable by others; its digest covers its key. An entry that is damaged,
foreign or unreadable counts as absent, a folder that is foreign or cannot be written as no cache;
entries appear in one step. Each of the 256 folders keeps what was used last, up to LIMIT bytes.

What a process of the same user writes is not defended against: that user can do anything here."""

import importlib.util
import marshal
import os
import stat
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


_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class Foreign(OSError):
    """Somebody else may have written it."""


def _open_base(make):
    """The folder of the user's caches; it may be a link, but is the user's own."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.expanduser("~/.cache")
    if not os.path.isabs(base) or os.geteuid() != os.getuid():
        raise Foreign
    try:
        folder = os.open(base, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except FileNotFoundError:
        if not make:
            raise
        os.makedirs(base, mode=0o700)
        folder = os.open(base, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    if os.fstat(folder).st_uid != os.geteuid():
        os.close(folder)
        raise Foreign
    return folder


def _open_folder(parent, name, make):
    """A folder in a folder. One of ours that others may write is taken back from them."""
    try:
        folder = os.open(name, _OPEN | os.O_DIRECTORY, dir_fd=parent)
    except FileNotFoundError:
        if not make:
            raise
        os.mkdir(name, 0o700, dir_fd=parent)
        folder = os.open(name, _OPEN | os.O_DIRECTORY, dir_fd=parent)
    try:
        status = os.fstat(folder)
        if status.st_uid != os.geteuid():
            raise Foreign
        if status.st_mode & _OTHERS_WRITE:
            os.fchmod(folder, 0o700)
    except OSError:
        os.close(folder)
        raise
    return folder


def _read(folder, name):
    """The bytes of an entry that is this user's alone."""
    with open(os.open(name, _OPEN, dir_fd=folder), "rb") as file:
        status = os.fstat(file.fileno())
        if (
            not stat.S_ISREG(status.st_mode)
            or status.st_uid != os.geteuid()
            or status.st_nlink != 1
            or status.st_mode & _OTHERS_WRITE
        ):
            raise Foreign
        if time.time() - status.st_mtime > _DAY:
            os.utime(file.fileno())  # it is in use
        return file.read()


def shrink(folder):
    """Removes what was used longest ago, until the rest is small enough. The newest stays."""
    entries = []
    with os.scandir(folder) as listing:
        for entry in listing:
            status = entry.stat(follow_symlinks=False)
            entries.append((status.st_mtime, status.st_size, entry.name))
    if sum(size for _, size, _ in entries) <= LIMIT:
        return
    entries.sort(reverse=True)
    kept = 0
    for i, (_, size, name) in enumerate(entries):
        kept += size
        if i and kept > LIMIT:
            os.unlink(name, dir_fd=folder)


class Cache:
    """Entries for one porter; `identity` is whatever tells it from another."""

    def __init__(self, identity):
        tag = sys.implementation.cache_tag
        interpreter = (tag, importlib.util.MAGIC_NUMBER, sys.flags.optimize)
        self._base = _digest(repr((identity, interpreter)).encode())
        self._off = bool(os.environ.get("CUDA_MORPH_NO_CACHE"))

    def key(self, name, source):
        h = self._base.copy()
        h.update(_digest(os.fsencode(name), source).digest())
        return h.hexdigest()

    def _folder(self, key, make):
        """The open folder of a key."""
        opened = [_open_base(make)]
        try:
            for name in ("cuda-morph", "python", key[:2]):
                opened.append(_open_folder(opened[-1], name, make))
            return os.dup(opened[-1])
        finally:
            for folder in opened:
                os.close(folder)

    def get(self, key):
        """The code object, UNCHANGED, or None."""
        if self._off:
            return None
        try:
            folder = self._folder(key, make=False)
            try:
                entry = _read(folder, key[2:])
            finally:
                os.close(folder)
        except OSError:
            return None
        body = entry[_DIGEST:]
        if _digest(key.encode(), body).digest() != entry[:_DIGEST]:
            return None
        try:
            return marshal.loads(body) if body else UNCHANGED
        except (EOFError, ValueError, TypeError):
            return None

    def put(self, key, code):
        if self._off:
            return
        body = b"" if code is UNCHANGED else marshal.dumps(code)
        try:
            folder = self._folder(key, make=True)
        except OSError:
            return
        temporary = f"{key[2:]}.{os.getpid()}.{id(body):x}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            with open(os.open(temporary, flags, 0o600, dir_fd=folder), "wb") as file:
                file.write(_digest(key.encode(), body).digest() + body)
            os.replace(temporary, key[2:], src_dir_fd=folder, dst_dir_fd=folder)
            shrink(folder)
        except OSError:
            try:
                os.unlink(temporary, dir_fd=folder)
            except OSError:
                pass
        finally:
            os.close(folder)
