# SPDX-License-Identifier: Apache-2.0
"""`cuda-morph verify`: operators of a device compared with float64 on the CPU.

The cases run in a worker process. When one kills it, that case is a crash, and a new worker goes
on after it. Exit status: 0; 1 where a result is wrong, a case crashed or hung, or a device lacks a
case that every device should have; 2 where nothing could be tried.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from checks import Unsupported  # noqa: E402
from devices import DEVICES, Missing, fingerprint, leave, load, wait  # noqa: E402
from fallbacks import is_answerable, without_kernel  # noqa: E402
from operators import CASES, TOLERANCE  # noqa: E402

UNSUPPORTED = (
    "not implemented",
    "not supported",
    "unsupported",
    "not currently implemented",
    "no kernel",
    "not compiled with lapack",
)
FALLBACK = ("fall back", "fallback", "falls back")


# ---- one case ----


def tensors(torch, case, generator):
    """The inputs in float64 (integers as they are), rounded to the case's type."""
    dtype = getattr(torch, case.dtype)
    for make in case.inputs:
        x = (
            make(torch, generator)
            if callable(make)
            else torch.randn(make, generator=generator, dtype=torch.float64)
        )
        yield x.to(dtype).to(torch.float64) if x.is_floating_point() else x


def as_list(value):
    return list(value) if isinstance(value, (tuple, list)) else [value]


def difference(torch, got, want, case):
    """The largest difference relative to what is allowed, and the largest absolute one."""
    ratio, worst = 0.0, 0.0
    for g, w in zip(as_list(got), as_list(want)):
        if g.shape != w.shape:
            raise AssertionError(f"shape {tuple(g.shape)}, expected {tuple(w.shape)}")
        g, w = g.detach().cpu(), w.detach()
        if not g.is_floating_point():
            bad = int((g.to(torch.int64) != w.to(torch.int64)).sum())
            ratio, worst = max(ratio, float(bad > 0) * 1e30), max(worst, float(bad))
            continue
        allowed = (
            TOLERANCE[case.dtype]
            * case.factor
            * max(1.0, float(w.abs().max()) if w.numel() else 1.0)
        )
        delta = (g.double() - w.double()).abs()
        if not bool((g.double().isnan() == w.double().isnan()).all()):
            raise AssertionError("NaN where there is none, or the other way round")
        delta = delta.nan_to_num(0.0)
        if delta.numel():
            worst = max(worst, float(delta.max()))
            ratio = max(ratio, float(delta.max()) / allowed)
    return ratio, worst


def lacks(torch, path):
    value = torch
    for part in path.split(".") if path else ():
        value = getattr(value, part, None)
    return value is None


def compare(torch, device, case):
    """What there is to say of a case that is run on the device and on the CPU, as a dictionary."""
    generator = torch.Generator().manual_seed(1234)
    inputs = list(tensors(torch, case, generator))
    dtype = getattr(torch, case.dtype)
    own = [x.to(device, dtype) if x.is_floating_point() else x.to(device) for x in inputs]
    with torch.no_grad():
        got = case.run(torch, *own)
        wait(torch, device)
        want = case.run(torch, *inputs)
    where = as_list(got)[0].device
    ratio, worst = difference(torch, got, want, case)
    found = {
        "device": str(where),
        "error": worst,
        "allowed": worst / ratio if 0 < ratio < 1e29 else None,
    }
    if ratio > 1:
        times, integers = f"{ratio:.3g} times what is allowed", f"{worst:.0f} integers differ"
        found.update(status="wrong", message=times if ratio < 1e29 else integers)
    if where.type != device.type:
        found.update(fallback=f"the result is on {where}")
    key = DEVICES[device.type][2]
    if device.type != "cpu" and is_answerable(torch, key):
        with torch.no_grad():
            silent = without_kernel(torch, key, lambda: case.run(torch, *own))
        if silent:
            found.update(fallback=", ".join(silent) + ": no kernel of the device")
    return found


def failure(error):
    """The same of one that PyTorch refused."""
    text = str(error).splitlines()[0] if str(error) else type(error).__name__
    known = isinstance(error, NotImplementedError) or any(
        w in str(error).lower() for w in UNSUPPORTED
    )
    return {"status": "unsupported" if known else "error", "message": text[:300]}


def run_case(torch, device, case):
    """A result as a dictionary: name, kind, status, and what there is to say."""
    result = {"name": case.name, "kind": case.kind, "dtype": case.dtype, "status": "ok"}
    if lacks(torch, case.needs):
        message = f"PyTorch {torch.__version__} lacks it"
        return dict(result, status="unsupported", optional=True, message=message)
    result["optional"] = case.optional
    start = time.perf_counter()
    refusals = RuntimeError, TypeError, AttributeError, ValueError, IndexError
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            if case.special:
                wrong = case.run(torch, device)
                if wrong:
                    result.update(status="wrong", message=wrong)
            else:
                result.update(compare(torch, device, case))
        except Unsupported as error:
            result.update(status="unsupported", optional=True, message=str(error))
        except AssertionError as error:
            result.update(status="wrong", message=str(error))
        except refusals as error:  # NotImplementedError is a RuntimeError
            result.update(failure(error))
    for w in caught:
        text = str(w.message)
        if any(word in text.lower() for word in FALLBACK) and "cpu" in text.lower():
            result["fallback"] = text.splitlines()[0][:300]
    result["ms"] = round(1000 * (time.perf_counter() - start), 3)
    return result


# ---- the worker ----


def work(names, device_name):
    """Prints a line before and a line after each case, as JSON."""
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    torch, device = load(device_name)
    by_name = {c.name: c for c in CASES}
    for name in names:
        out.write(json.dumps({"start": name}) + "\n")
        if name in os.environ.get("CUDA_MORPH_VERIFY_CRASH", "").split(","):
            os.kill(os.getpid(), signal.SIGSEGV)
        out.write(json.dumps(run_case(torch, device, by_name[name])) + "\n")


def ended(code):
    if code < 0:
        return f"the process was ended by {signal.Signals(-code).name}"
    return f"the process ended with status {code}"


def run_worker(names, device, seconds):
    """Runs the cases until the worker ends; yields results, and a crash for the one it died in."""
    command = [
        sys.executable,
        os.path.abspath(__file__),
        "--device",
        device,
        "--worker",
        ",".join(names),
    ]
    env = dict(os.environ, PYTORCH_DEBUG_XPU_FALLBACK="1")
    worker = subprocess.Popen(
        command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, env=env
    )
    current = None
    timer = Watch(worker, seconds)
    for line in worker.stdout:
        record = json.loads(line)
        if "start" in record:
            current = record["start"]
            timer.restart()
        else:
            current = None
            yield record
    code = worker.wait()
    timer.stop()
    if current:
        hung = timer.fired
        yield {
            "name": current,
            "kind": next(c.kind for c in CASES if c.name == current),
            "status": "crash",
            "optional": False,
            "message": f"no answer in {seconds} seconds" if hung else ended(code),
        }
    elif code:
        raise Missing(f"the worker failed before its first case ({ended(code)})")


class Watch:
    """Ends a process that says nothing for some seconds."""

    def __init__(self, process, seconds):
        self.process, self.seconds, self.fired, self.timer = process, seconds, False, None

    def restart(self):
        import threading

        self.stop()
        self.timer = threading.Timer(self.seconds, self.fire)
        self.timer.daemon = True
        self.timer.start()

    def fire(self):
        self.fired = True
        self.process.kill()

    def stop(self):
        if self.timer:
            self.timer.cancel()


def run_all(names, device, seconds):
    left = list(names)
    while left:
        done = 0
        for result in run_worker(left, device, seconds):
            done += 1
            yield result
        if done == 0:
            raise Missing("the worker ended without a result")
        left = left[done:]


# ---- the report ----


def is_bad(result):
    if result["status"] in ("wrong", "crash", "error"):
        return True
    return result["status"] == "unsupported" and not result.get("optional")


def print_line(result):
    error = result.get("error")
    numbers = f"{error:10.3g}" if error is not None else " " * 10
    text = result.get("message", "")
    if "fallback" in result:
        text = f"fell back to the CPU: {result['fallback']}"
    head = f"{result['name']:24} {result['kind']:12} {result['status']:12}"
    print(
        f"{head} {numbers}  {text}".rstrip(),
        flush=True,
    )


def summarize(results):
    counts = {}
    for r in results:
        counts[r["status"]] = counts.get(r["status"], 0) + 1
    counts["fallback"] = sum("fallback" in r for r in results)
    return counts


def choose(only):
    names = [c.name for c in CASES]
    if not only:
        return names
    chosen = [c.name for c in CASES if c.name in only or c.kind in only]
    unknown = [w for w in only if w not in names and w not in {c.kind for c in CASES}]
    if unknown:
        raise Missing(f"no operator or kind '{unknown[0]}'")
    return chosen


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--format", default="text")
    parser.add_argument("--only", default="")
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("--worker")
    options = parser.parse_args()
    if options.worker is not None:
        work(options.worker.split(","), options.device)
        return 0
    names = choose([w for w in options.only.split(",") if w])
    torch, device = load(options.device)
    results = []
    for result in run_all(names, options.device, options.timeout):
        results.append(result)
        if options.format == "text" and (is_bad(result) or not options.quiet):
            print_line(result)
    counts = summarize(results)
    if options.format == "json":
        print(
            json.dumps(
                {
                    "version": 1,
                    "device": str(device),
                    "fingerprint": dict(fingerprint(torch, device)),
                    "counts": counts,
                    "results": results,
                },
                indent=1,
            )
        )
    else:
        print(
            f"{options.device}: {len(results)} operators: "
            + ", ".join(f"{n} {what}" for what, n in sorted(counts.items()) if n)
        )
    return 1 if any(is_bad(r) for r in results) else 0


if __name__ == "__main__":
    leave(main)
