# SPDX-License-Identifier: Apache-2.0
"""Runs many programs in processes that have PyTorch already: one fork for each.

    python3 server.py [MODULE...] < jobs

A job is a line of JSON: out (a path; .out and .err are added), path, args, env, folder, seconds, seed, and spawn:
whether the workers of torch.multiprocessing.spawn() begin anew, as they do outside of this test, or are
forks, too, which spares each the import of PyTorch. For each job one line comes back: the exit status
and the seconds it took. Under `cuda-morph run` the programs are
ported as they are imported, like any other."""

import importlib
import json
import os
import runpy
import signal
import socket
import sys
import time


def import_hook():
    """The Hook of `cuda-morph run`, where this runs under it."""
    for finder in sys.meta_path:
        if type(finder).__module__ == "cuda_morph_rt.hook":
            return finder._hook
    return None


def become(job):
    """This process is the program from here on."""
    os.setsid()
    for number, suffix in ((1, ".out"), (2, ".err")):
        file = os.open(job["out"] + suffix, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(file, number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.chdir(job["folder"])
    sys.argv = [job["path"], *job["args"]]
    os.environ.update(job["env"])
    if job["env"].get("MASTER_PORT") == "0":
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            os.environ["MASTER_PORT"] = str(free.getsockname()[1])
    if job["seed"] is not None:
        import torch

        torch.manual_seed(job["seed"])
    if not job["spawn"]:
        fork_workers()
    hook = import_hook()
    if hook is not None:
        from cuda_morph_rt import boot

        boot.run_script(hook, job["path"])
    else:
        sys.path.insert(0, os.path.dirname(job["path"]))
        runpy.run_path(job["path"], run_name="__main__")


def fork_workers():
    import torch.multiprocessing as mp

    def spawn(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn"):
        return mp.start_processes(fn, args, nprocs, join, daemon, start_method="fork")

    mp.spawn = spawn


def run(job):
    """The exit status of the program, 124 where it took too long."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            become(job)
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
        except BaseException:
            import traceback

            traceback.print_exc()
        finish(status)
    end = time.monotonic() + job["seconds"]
    while time.monotonic() < end:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return 124


def finish(status):
    """What the end of an interpreter does that a program can notice."""
    import atexit

    try:
        atexit._run_exitfuncs()
    finally:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except OSError:
                status = status or 1
        os._exit(status & 255)


def main():
    import torch  # noqa: F401

    for name in sys.argv[1:]:
        importlib.import_module(name)
    sys.path.remove(os.path.dirname(os.path.abspath(__file__)))
    for line in sys.stdin:
        began = time.monotonic()
        status = run(json.loads(line))
        print(status, f"{time.monotonic() - began:.1f}", flush=True)


main()
