# SPDX-License-Identifier: Apache-2.0
"""`cuda-morph bench`: what things cost on this machine.

Each row is the median of many repetitions after a warm-up, with the 10th and the 90th percentile.
Exit status: 0; 2 where nothing could be measured.
"""

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from devices import Missing, fingerprint, leave, load, wait  # noqa: E402

COLUMNS = ("name", "unit", "median", "p10", "p90", "repetitions")


# ---- measuring ----


def percentile(values, p):
    """The value at p percent of the sorted values, between neighbours where it falls between."""
    values = sorted(values)
    at = (len(values) - 1) * p / 100
    low = int(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (at - low)


def measure(call, repetitions, after=None, inner=1):
    """Seconds per call, one value per repetition of `inner` calls."""
    for _ in range(max(1, min(repetitions // 10, 20))):
        call()
    if after:
        after()
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        for _ in range(inner):
            call()
        if after:
            after()
        times.append((time.perf_counter() - start) / inner)
    return times


def row(name, unit, values, scale):
    """Of seconds in `values`; scale turns them into the unit (a function or a factor)."""
    convert = scale if callable(scale) else lambda s: s * scale
    v = [convert(s) for s in values]
    return {
        "name": name,
        "unit": unit,
        "median": percentile(v, 50),
        "p10": percentile(v, 10),
        "p90": percentile(v, 90),
        "repetitions": len(v),
    }


# ---- what is measured ----

PORTED = """import torch
device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
def step(model, x):
    with torch.cuda.amp.autocast():
        return model(x.to("cuda", non_blocking=True))
"""


def overhead(options):
    """The shims that really run in ported programs: the porter, the import hook, the functions of
    the runtime. Ported code calls the vendor's functions themselves, which costs nothing more."""
    n = options.iterations or 200
    program, library = os.environ.get("CUDA_MORPH_PROGRAM"), os.environ.get("CUDA_MORPH_LIBRARY")
    if not program or not library:
        raise Missing("bench overhead is started by the program itself")
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    from cuda_morph_rt.porter import Porter

    porter = Porter(library, "ascend")
    plain_source, source = b"value = 1  # nothing of CUDA\n" * 40, PORTED.encode()
    yield row("an empty call of Python", "ns", measure(lambda: None, n, inner=1000), 1e9)
    yield row(
        "hook: a module of 1 KiB without CUDA",
        "ns",
        measure(lambda: porter.is_plain(plain_source), n, inner=100),
        1e9,
    )
    yield row(
        "hook: port a module of 6 lines",
        "us",
        measure(lambda: porter.port("m.py", source), n, inner=10),
        1e6,
    )
    yield from shims(n)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "module_of_bench.py")
        with open(path, "w", encoding="utf-8") as f:
            f.write(PORTED)
        plain = os.path.join(folder, "plain_of_bench.py")
        with open(plain, "w", encoding="utf-8") as f:
            f.write("x = 1\n")
        yield row(
            "port: one file, one process",
            "ms",
            measure(
                lambda: subprocess.run(
                    [program, "port", path, "--target", "ascend", "-q"],
                    check=False,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                ),
                min(n, 30),
            ),
            1e3,
        )
        python = [sys.executable, "-c", "pass"]
        yield row(
            "python3, doing nothing",
            "ms",
            measure(lambda: subprocess.run(python, check=True), min(n, 10)),
            1e3,
        )
        env = dict(
            os.environ,
            CUDA_MORPH_PYTHON=sys.executable,
            XDG_CACHE_HOME=os.path.join(folder, "cache"),
        )
        run = [program, "run", "--target", "cpu", "--", plain]
        if subprocess.run(run, env=env, capture_output=True, check=False).returncode == 0:
            yield row(
                "run: python3 with the import hook",
                "ms",
                measure(lambda: subprocess.run(run, env=env, check=True), min(n, 10)),
                1e3,
            )


def shims(n):
    """Calls of the runtime's functions, where this Python has torch. Of flash_attn_func it is what
    it takes more than the native call that it stands for, both measured in turns."""
    try:
        import torch
        from torch.nn.functional import scaled_dot_product_attention as native
    except ImportError:
        return
    import cuda_morph_rt

    event, is_gpu = cuda_morph_rt.cpu.Event(), cuda_morph_rt.is_gpu_device
    stream = cuda_morph_rt.cpu.current_stream
    for name, call in (
        ("Event.record()", event.record),
        ("current_stream()", stream),
        ("is_gpu_device()", lambda: is_gpu("musa:0")),
    ):
        yield row(f"shim: {name} on the CPU", "ns", measure(call, n, inner=1000), 1e9)
    q = torch.randn(1, 16, 2, 32)
    flash = cuda_morph_rt.flash_attn.flash_attn_func

    def plain():
        turned = (q.transpose(1, 2), q.transpose(1, 2), q.transpose(1, 2))
        return native(*turned, None, 0.0, True).transpose(1, 2)

    more = []
    with torch.no_grad():
        for _ in range(max(20, n)):
            both = [
                measure(call, 1, inner=50)[0]
                for call in (plain, lambda: flash(q, q, q, causal=True))
            ]
            more.append(both[1] - both[0])
    yield row("shim: flash_attn_func over the native call", "ns", more, 1e9)


def operators(options):
    torch, device = load(options.device)
    n = options.iterations or 200
    x, y = torch.randn(512, 512, device=device), torch.randn(512, 512, device=device)
    v = torch.randn(1024, 1024, device=device)
    calls = {
        "zeros 64x64": lambda: torch.zeros(64, 64, device=device),
        "zeros 1024x1024": lambda: torch.zeros(1024, 1024, device=device),
        "randn 256x256": lambda: torch.randn(256, 256, device=device),
        "matmul 512": lambda: x @ y,
        "add 512x512": lambda: x + y,
        "relu 512x512": lambda: torch.relu(x),
        "sum 1024x1024": lambda: v.sum(),
        "mean 1024x1024": lambda: v.mean(),
        "softmax 1024x1024": lambda: v.softmax(-1),
    }
    for name, call in calls.items():
        yield row(name, "us", measure(call, n, lambda: wait(torch, device)), 1e6)


def bandwidth(options):
    torch, device = load(options.device)
    n = options.iterations or 20
    for mib in (1, 16, 64, 256):
        size = mib * 1024 * 1024
        x = torch.ones(size // 4, device=device)
        host = torch.ones(size // 4)

        def rate(seconds, moved):
            return moved / seconds / 1e9

        yield row(
            f"copy on the device, {mib} MiB",
            "GB/s",
            measure(x.clone, n, lambda: wait(torch, device)),
            lambda s, size=size: rate(s, 2 * size),
        )
        if device.type != "cpu":
            yield row(
                f"host to device, {mib} MiB",
                "GB/s",
                measure(lambda: x.copy_(host), n, lambda: wait(torch, device)),
                lambda s, size=size: rate(s, size),
            )
            yield row(
                f"device to host, {mib} MiB",
                "GB/s",
                measure(lambda: host.copy_(x), n),
                lambda s, size=size: rate(s, size),
            )
        del x, host
    for side in (256, 512, 1024, 2048):
        a, b = torch.randn(side, side, device=device), torch.randn(side, side, device=device)
        yield row(
            f"matmul {side}",
            "GFLOP/s",
            measure(lambda: a @ b, n, lambda: wait(torch, device)),
            lambda s, side=side: 2 * side**3 / s / 1e9,
        )


def model(options):
    if not options.cmd:
        raise Missing("bench model needs --cmd COMMAND, which runs the model once")
    command = shlex.split(options.cmd)
    n = options.iterations or 10

    def once():
        try:
            result = subprocess.run(
                command, check=False, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL
            )
        except OSError as error:
            raise Missing(f"{command[0]}: {error.strerror}") from None
        if result.returncode:
            raise Missing(f"{options.cmd}: exit status {result.returncode}")

    once()
    times = []
    for _ in range(n):
        start = time.perf_counter()
        once()
        times.append(time.perf_counter() - start)
    for p in (50, 95, 99):
        value = percentile(times, p) * 1e3
        yield {
            "name": f"p{p}",
            "unit": "ms",
            "median": value,
            "p10": min(times) * 1e3,
            "p90": max(times) * 1e3,
            "repetitions": n,
        }


MODES = {"overhead": overhead, "ops": operators, "bandwidth": bandwidth, "model": model}


# ---- files ----


def write_csv(path, mode, rows, prints):
    with open(path, "w", encoding="utf-8", newline="\n") as f:
        f.write(f"# cuda-morph bench {mode}\n")
        for key, value in prints:
            f.write(f"# {key}: {value}\n")
        f.write(",".join(COLUMNS) + "\n")
        for r in rows:
            name = '"' + r["name"].replace('"', '""') + '"'
            numbers = ",".join(f"{r[key]:.6g}" for key in ("median", "p10", "p90"))
            f.write(f"{name},{r['unit']},{numbers},{r['repetitions']}\n")


def read_csv(path):
    import csv

    prints, lines = {}, []
    try:
        with open(path, encoding="utf-8") as f:
            for line in f:
                if line.startswith("# ") and ": " in line:
                    key, value = line[2:].rstrip("\n").split(": ", 1)
                    prints[key] = value
                elif not line.startswith("#"):
                    lines.append(line)
    except (OSError, UnicodeDecodeError) as error:
        raise Missing(f"{path}: {error}") from None
    rows = {}
    for r in csv.DictReader(lines):
        try:
            rows[r["name"]] = (r["unit"], float(r["median"]), float(r["p10"]), float(r["p90"]))
        except (KeyError, TypeError, ValueError):
            raise Missing(f"{path}: is no file of bench --csv") from None
    if not rows:
        raise Missing(f"{path}: is no file of bench --csv")
    return prints, rows


def compare(first, second):
    """Prints how the second differs; a difference counts where the spreads do not overlap."""
    (prints_a, a), (prints_b, b) = read_csv(first), read_csv(second)
    for key in sorted(set(prints_a) | set(prints_b)):
        if prints_a.get(key) != prints_b.get(key):
            print(f"# {key}: {prints_a.get(key, '-')} | {prints_b.get(key, '-')}")
    print(f"{'name':36} {'unit':8} {'first':>12} {'second':>12} {'ratio':>7}")
    for name in a:
        if name not in b:
            print(f"{name:36} only in {first}")
            continue
        unit, x, x_low, x_high = a[name]
        _, y, y_low, y_high = b[name]
        apart = y_low > x_high or x_low > y_high
        word = ("more" if y > x else "less") if apart else "within the spread"
        print(f"{name:36} {unit:8} {x:12.4g} {y:12.4g} {y / x if x else 0:7.2f}  {word}")
    for name in b:
        if name not in a:
            print(f"{name:36} only in {second}")


def escape(text):
    return (
        text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    )


def write_svg(path, mode, rows):
    """Bars for the medians and lines for the spread, one scale per unit."""
    height, label, width = 24, 260, 420
    largest = {}
    for r in rows:
        largest[r["unit"]] = max(largest.get(r["unit"], 0), r["p90"])
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{label + width + 120}" '
        f'height="{height * (len(rows) + 2)}" font-family="sans-serif" font-size="12">',
        f'<text x="4" y="16" font-weight="bold">cuda-morph bench {escape(mode)}</text>',
    ]
    for i, r in enumerate(rows):
        y, unit = height * (i + 1), largest[r["unit"]] or 1
        bar, low, high = (width * r[k] / unit for k in ("median", "p10", "p90"))
        out.append(
            f'<text x="4" y="{y + 16}">{escape(r["name"])}</text>'
            f'<rect x="{label}" y="{y + 4}" width="{bar:.1f}" height="14" fill="#4a7ab5"/>'
            f'<path d="M{label + low:.1f} {y + 11}H{label + high:.1f}" stroke="#222"/>'
            f'<text x="{label + max(bar, high) + 6:.1f}" y="{y + 16}">'
            f'{r["median"]:.4g} {escape(r["unit"])}</text>'
        )
    out.append("</svg>\n")
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(out))


# ---- the command ----


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mode", nargs="*")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--iterations", type=int, default=0)
    parser.add_argument("--csv")
    parser.add_argument("--svg")
    parser.add_argument("--cmd")
    parser.add_argument("--compare", action="store_true")
    options = parser.parse_args()
    if options.compare:
        compare(*options.mode)
        return 0
    mode = options.mode[0]
    rows = []
    for r in MODES[mode](options):
        if not rows:
            print(f"{'name':36} {'unit':8} {'median':>12} {'p10':>12} {'p90':>12}")
        rows.append(r)
        print(
            f"{r['name']:36} {r['unit']:8} {r['median']:12.4g} {r['p10']:12.4g} {r['p90']:12.4g}",
            flush=True,
        )
    prints = fingerprint(*load(options.device)) if mode in ("ops", "bandwidth") else fingerprint()
    if options.csv:
        write_csv(options.csv, mode, rows, prints)
    if options.svg:
        write_svg(options.svg, mode, rows)
    return 0


if __name__ == "__main__":
    leave(main)
