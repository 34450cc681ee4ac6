# SPDX-License-Identifier: Apache-2.0
"""Started by `cuda-morph run` as `python3 OPTIONS boot.py SCRIPT|-m MODULE|-c CODE ARGUMENTS`:
installs the import hook and becomes that program, as if python3 had been given it."""

import os
import sys
import types
from importlib.machinery import SourceFileLoader

INTERPRETER = sys.executable  # a program sees the one that ports, start() sets it


def fresh_main():
    """A __main__ module like the one of a new interpreter."""
    main = types.ModuleType("__main__")
    main.__dict__.update(__builtins__=sys.modules["builtins"], __annotations__={})
    sys.modules["__main__"] = main
    return main


def add_to_path(folder):
    """sys.path[0], unless the interpreter was told to do without."""
    if not (sys.flags.isolated or getattr(sys.flags, "safe_path", False)):
        sys.path.insert(0, folder)


def compiled(hook, name, source):
    code = hook.port(name, source)
    return code if code is not None else compile(source, name, "exec", dont_inherit=True)


def run_module(name):
    import runpy

    sys.argv[0] = "-m"
    add_to_path(os.getcwd())
    fresh_main()
    runpy._run_module_as_main(name)


def run_command(hook, text):
    sys.argv[0] = "-c"
    add_to_path("")
    main = fresh_main()
    exec(compiled(hook, "<string>", text.encode("utf-8", "surrogateescape")), main.__dict__)


def run_container(path):
    """A directory or an archive with a __main__.py."""
    import runpy

    sys.path.insert(0, whole(path))
    fresh_main()
    runpy._run_module_as_main("__main__", False)


def whole(path):
    """A program's path as its interpreter names it."""
    return os.path.abspath(path) if sys.version_info >= (3, 9) else path


def run_script(hook, path):
    absolute = whole(path)
    try:
        with open(path, "rb") as file:
            source = file.read()
    except OSError as error:
        reason = f"[Errno {error.errno}] {error.strerror}"
        sys.stderr.write(f"{INTERPRETER}: can't open file {absolute!r}: {reason}\n")
        sys.exit(2)
    add_to_path(os.path.dirname(os.path.realpath(path)))
    main = fresh_main()
    main.__file__, main.__cached__ = absolute, None
    main.__loader__ = SourceFileLoader("__main__", absolute)
    exec(compiled(hook, absolute, source), main.__dict__)


def run_program(hook, what):
    """`what` is the first argument of ours; sys.argv gets what the program has to see."""
    if what[:2] in ("-m", "-c"):
        text = what[2:]
        if not text:
            if len(sys.argv) < 2:
                sys.stderr.write(f"Argument expected for the {what} option\n")
                sys.exit(2)
            text = sys.argv.pop(1)
        run_module(text) if what[1] == "m" else run_command(hook, text)
    elif what == "-":
        add_to_path("")
        main = fresh_main()
        exec(compiled(hook, "<stdin>", sys.stdin.buffer.read()), main.__dict__)
    elif os.path.isdir(what):
        run_container(what)
    elif is_archive(what):
        run_container(what)
    else:
        run_script(hook, what)


def is_archive(path):
    try:
        with open(path, "rb") as file:
            return file.read(4) in (b"PK\3\4", b"PK\5\6")
    except OSError:
        return False


def without_our_frames(traceback):
    while traceback is not None and traceback.tb_frame.f_code.co_filename == __file__:
        traceback = traceback.tb_next
    return traceback


def lacks_adapter(error, adapter):
    """Whether PyTorch, or the vendor's part of it, is missing or too old."""
    if isinstance(error, ModuleNotFoundError):
        return error.name in ("torch", adapter)
    names = ("npu", "mlu", "musa", "xpu", "accelerator")
    has = "module 'torch' has no attribute "
    return isinstance(error, AttributeError) and str(error) in [f"{has}{n!r}" for n in names]


def start():
    here = os.path.dirname(os.path.abspath(__file__))
    # Python has put this folder there, with links resolved; its modules are no top-level ones.
    if sys.path and os.path.realpath(sys.path[0]) == os.path.realpath(here):
        del sys.path[0]
    sys.path.append(os.path.dirname(here))
    sys.argv.pop(0)
    what = sys.argv[0]
    from cuda_morph_rt import hook

    sys.executable = os.path.join(here, "bin", "python3")
    try:
        installed = hook.install()
    except (OSError, ValueError) as error:
        sys.stderr.write(f"cuda-morph: {error}\n")
        sys.exit(2)
    try:
        run_program(installed, what)
    except SystemExit:
        raise
    except BaseException as error:
        # The user's traceback has no frames of ours. The interpreter then ends as it would have,
        # by its own signal after Ctrl-C, and has nothing more to print.
        error.__traceback__ = without_our_frames(error.__traceback__)
        sys.last_type, sys.last_value = type(error), error
        sys.last_traceback = error.__traceback__
        sys.excepthook(type(error), error, error.__traceback__)
        if lacks_adapter(error, os.environ.get("CUDA_MORPH_ADAPTER")):
            ask = "cuda-morph doctor --target " + os.environ["CUDA_MORPH_TARGET"]
            sys.stderr.write(f"cuda-morph: {error}; {ask} says what is missing here\n")
        sys.excepthook = lambda *_: None
        raise


if __name__ == "__main__":
    start()
