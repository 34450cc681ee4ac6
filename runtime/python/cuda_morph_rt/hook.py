# SPDX-License-Identifier: Apache-2.0
"""The import hook of `cuda-morph run`.

A finder in front of sys.meta_path asks the other finders, as the import system would, and looks at
the source of what they find. A module that has nothing to port, or that cannot be ported, keeps
the loader it was given; a ported one gets a loader that has its code. A second hook, in
sys.path_hooks, answers for script files, because multiprocessing and runpy.run_path() read the
main program through it. Nothing else is touched: what loads modules past the finders, as
importlib.util.spec_from_file_location() does, is ported by the rules of run_rules.json, which
count under `run` only."""

import os
import sys
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location as _spec_from_file_location

from . import cache, extensions, porter, standins
from .relocate import compile_ported

# They implement CUDA, or the device itself: their own sources speak of it on purpose.
FRAMEWORKS = (
    "torch functorch torchgen caffe2 triton numba cupy jax jaxlib tensorflow paddle "
    "torch_npu torch_mlu torch_musa intel_extension_for_pytorch cuda_morph_rt"
)


def _lines(variable):
    return [line for line in os.environ.get(variable, "").split("\n") if line]


class Settings:
    """What `cuda-morph run` left in the environment."""

    def __init__(self):
        self.library = os.environ["CUDA_MORPH_LIBRARY"]
        self.target = os.environ["CUDA_MORPH_TARGET"]
        self.rules = _lines("CUDA_MORPH_RULES")
        self.versions = _lines("CUDA_MORPH_TARGET_VERSION")
        self.skip = {name for line in _lines("CUDA_MORPH_SKIP") for name in line.split(",")}
        self.verbose = bool(_lines("CUDA_MORPH_VERBOSE"))
        self.unsafe = bool(_lines("CUDA_MORPH_UNSAFE_FIXES"))
        self.statistics = bool(_lines("CUDA_MORPH_STATS"))
        self.trace = bool(_lines("CUDA_MORPH_TRACE"))


def say(text):
    """One line or more on standard error; never an exception."""
    try:
        sys.stderr.write("".join(f"cuda-morph: {line}\n" for line in text.splitlines()))
    except (AttributeError, OSError, ValueError):
        pass


class Hook:
    """Ports sources in memory. One per process."""

    def __init__(self, settings):
        self.settings = settings
        flags = porter.UNSAFE_FIXES * settings.unsafe + porter.REMARKS * settings.verbose
        own = ["run_rules.json"] + ["run_rules_cpu.json"] * (settings.target == "cpu")
        rules = settings.rules + [os.path.join(os.path.dirname(__file__), name) for name in own]
        self.porter = porter.Porter(
            settings.library, settings.target, rules, settings.versions, flags
        )
        library = os.stat(settings.library)
        self.cache = cache.Cache(
            (
                self.porter.version,
                library.st_mtime_ns,
                library.st_size,
                self.porter.target,
                self.porter.rules_hash,
            )
        )
        self.skip = settings.skip.union(FRAMEWORKS.split())
        self.said = set()
        self.trace = None  # the module that puts questions into code, under --trace
        self.counts = dict.fromkeys(("plain", "unchanged", "ported", "refused", "from cache"), 0)
        self._library_folder = os.path.dirname(os.__file__) + os.sep

    def wants(self, name, path):
        """Whether a module may be ported at all."""
        if path.startswith(self._library_folder) and "-packages" + os.sep not in path:
            return False
        return not any(part in self.skip for part in _prefixes(name))

    def port(self, path, source):
        """The code of a ported source, or None where it runs as it is."""
        if self.settings.target == "cpu" and extensions.is_setup_source(source):
            return None
        if self.trace is not None and self._is_own(path):
            return self._port_asking(path, source)
        if self.porter.is_plain(source):
            self.counts["plain"] += 1
            return None
        entry = self.cache.key(path, source)
        code = None if self.settings.verbose else self.cache.get(entry)
        if code is not None:
            self.counts["from cache"] += 1
        else:
            code, is_local = self._port_now(path, source)
            if code is not None and not is_local:
                self.cache.put(entry, code)
        return None if code is cache.UNCHANGED else code

    def _is_own(self, path):
        """Whether it is the program's own file, not one of an installed package."""
        return not path.startswith(self._library_folder) and "-packages" + os.sep not in path

    def _port_asking(self, path, source):
        """The code with the questions of --trace in it, ported or not; never from the cache."""
        code = cache.UNCHANGED
        if not self.porter.is_plain(source):
            code, _ = self._port_now(path, source, self.trace.asking)
        if code is None or code is cache.UNCHANGED:
            try:
                code = compile_ported(source, source, [], path, self.trace.asking)
            except (SyntaxError, ValueError, RecursionError):
                return None  # the import itself will say what is wrong
        self.trace.count_module()
        return code

    def _port_now(self, path, source, change=None):
        """Its code, or None, and whether that depends on the files around it."""
        port = self.porter.port(path, source)
        if self.settings.verbose:
            self._explain(path, port)
        if port.status in (porter.PLAIN, porter.UNCHANGED):
            self.counts["unchanged"] += 1
            return cache.UNCHANGED, port.is_local
        reason = port.message.strip()
        if port.status == porter.PORTED:
            try:
                code = compile_ported(source, port.output, port.edits, path, change)
                self.counts["ported"] += 1
                return code, port.is_local
            except Exception as error:  # whatever it is, the module can still run as it is
                reason = f"the ported text does not compile ({error!r}); please report it"
        self.counts["refused"] += 1
        if path not in self.said:
            self.said.add(path)
            say(f"{path} runs as it is: {reason}")
        return None, False

    def _explain(self, path, port):
        what = {
            porter.PORTED: f"ported, {len(port.edits)} edits",
            porter.REFUSED: "left as it is",
        }.get(port.status, "nothing to port")
        say("\n".join([f"{path}: {what}"] + [f"{path}:{m}" for m in port.message.splitlines()]))

    def report(self):
        """What CUDA_MORPH_STATS=1 prints at exit."""
        counts = ", ".join(f"{n} {what}" for what, n in self.counts.items())
        say(f"modules of process {os.getpid()}: {counts}")


def _prefixes(name):
    """a.b.c: a, a.b, a.b.c"""
    parts = name.split(".")
    return [".".join(parts[: i + 1]) for i in range(len(parts))]


class PortedLoader(SourceFileLoader):
    """A source file whose code is the ported one; its source stays what the file says."""

    def __init__(self, name, path, code):
        super().__init__(name, path)
        self._ported = code

    def get_code(self, fullname):
        return self._ported


class SourceLoader(SourceFileLoader):
    """What programs that make a SourceFileLoader themselves get: it ports what it reads."""

    def get_code(self, fullname):
        code = None
        if _installed is not None and _installed.wants(fullname, self.path):
            code = _installed.port(self.path, self.get_data(self.path))
        return super().get_code(fullname) if code is None else code


class PortedArchiveLoader:
    """A source in an archive: zipimport's loader, but for the code."""

    def __init__(self, loader, code):
        self._loader, self._ported = loader, code

    def __getattr__(self, name):
        return getattr(self._loader, name)

    create_module = SourceFileLoader.create_module
    exec_module = SourceFileLoader.exec_module

    def get_code(self, fullname):
        return self._ported


def ported_spec(hook, spec):
    """The module spec, with the loader of the ported code where there was something to port."""
    loader = getattr(spec, "loader", None)
    is_file = type(loader) is SourceFileLoader
    if not is_file and type(loader).__module__ != "zipimport":
        return spec
    path = loader.path if is_file else spec.origin or ""
    if not path.endswith((".py", ".pyw")) or not hook.wants(spec.name, path):
        return spec
    try:
        source = loader.get_data(path)
    except OSError:
        return spec  # the import itself will say what is wrong
    code = hook.port(path, source)
    if code is not None:
        spec.loader = (
            PortedLoader(loader.name, path, code)
            if is_file
            else PortedArchiveLoader(loader, code)
        )
    return spec


_installed = None  # the Hook of this process


def spec_from_file_location(name, location=None, **options):
    """importlib.util's function of the same name; what it finds is ported, too."""
    spec = _spec_from_file_location(name, location, **options)
    return spec if _installed is None else ported_spec(_installed, spec)


class Finder:
    """For sys.meta_path."""

    def __init__(self, hook):
        self._hook = hook

    def find_spec(self, name, path=None, target=None):
        return ported_spec(self._hook, self._ask_the_others(name, path, target))

    def _ask_the_others(self, name, path, target):
        finders = list(sys.meta_path)
        for finder in finders[finders.index(self) + 1 :] if self in finders else finders:
            find_spec = getattr(finder, "find_spec", None)
            spec = find_spec and find_spec(name, path, target)
            if spec is not None:
                return spec
        return None

    def invalidate_caches(self):
        """importlib.invalidate_caches() calls this; there is nothing to forget."""


class _ScriptSpec(ModuleSpec):
    """Without a name: multiprocessing takes a nameless main program for a script and finds it by
    its file, which is what a script is."""

    parent = ""


class ScriptFinder:
    """What sys.path_hooks gives for a script that is ported: its one module is __main__."""

    def __init__(self, path, code):
        self._path, self._code = path, code

    def find_spec(self, name, target=None):
        if name != "__main__":
            return None
        spec = _ScriptSpec(name, PortedLoader(name, self._path, self._code), origin=self._path)
        spec.has_location, spec.name = True, None
        return spec

    def invalidate_caches(self):
        """importlib.invalidate_caches() calls this; there is nothing to forget."""


def script_hook(hook):
    """For sys.path_hooks: takes only files, which PathFinder has no other use for."""

    def find_script(path):
        if not os.path.isfile(path):
            raise ImportError("not a script", path=path)
        with open(path, "rb") as file:
            source = file.read()
        code = None if source[:2] == b"PK" else hook.port(path, source)
        if code is None:
            raise ImportError("nothing to port", path=path)
        return ScriptFinder(path, code)

    return find_script


def install():
    """Puts the hooks in place, by the settings in the environment; returns the Hook."""
    global _installed
    hook = _installed = Hook(Settings())
    sys.meta_path.insert(0, Finder(hook))
    sys.path_hooks.append(script_hook(hook))
    extensions.install(hook.settings.target)
    standins.install(hook.settings.target, say, hook.settings.skip)
    if hook.settings.trace:
        from . import trace

        hook.trace = trace.install(hook.porter.fact("device"), hook.settings.target, say)
    if hook.settings.statistics:
        import atexit

        atexit.register(hook.report)
    return hook
