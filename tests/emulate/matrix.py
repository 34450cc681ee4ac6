# SPDX-License-Identifier: Apache-2.0
"""Programs as they are, ported, and under `cuda-morph run`, on every emulated device.

    python3 matrix.py TREE NATIVE SCRATCH [EXPRESSION]

runs inside Debian unstable (tests/emulated.sh). The original on the emulated cuda is the reference,
for the CPU the original without a device, if it runs there; what a program prints has to be the same,
numbers to five digits. A comment `# e2e: manual on mlu,musa: REASON` in a program says that `port`
has to leave something to a human there; nothing is run then. `# e2e: broken on xpu: REASON` is a
bug that is known, `broken on portable@xpu` one on that device only: the result has to be wrong;
`refuses on portable@cpu` that the program itself ends there, for want of a device. Prints a table
and what failed."""

import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys

DEVICES = {"ascend": "npu", "mlu": "mlu", "musa": "musa", "xpu": "xpu", "cpu": "cpu"}
# Targets whose names were read in public sources: ported programs of which nothing is left by hand.
LISTED = {"flagos": "flagos", "gcu": "gcu", "hpu": "hpu", "privateuse1": "privateuseone"}
FOLDERS = {
    "tests/e2e/programs": ["torch._dynamo", "torch.distributed"],
    "tests/e2e/huggingface": [
        "torch._dynamo",
        "transformers",
        "transformers.trainer",
        "accelerate",
    ],
    "docs/examples": ["torch._dynamo", "torch.distributed"],
}


# The program whose workers begin anew; those of the others are forked, to save time (server.py).
SPAWNS = "ddp"


class Job:
    """One run of one program."""

    def __init__(self, program, device, way, target):
        self.program, self.device, self.way, self.target = program, device, way, target
        self.name = os.path.basename(program)[:-3]
        self.seat = f"{target or 'original'}@{device} {way}"
        self.status = self.seconds = None


def seats():
    """(device, way, target) of everything that is tried."""
    for target, device in DEVICES.items():
        for way in ("port", "run"):
            yield device, way, target
        yield device, "port", "portable"
    for target, device in LISTED.items():
        yield device, "port", target
    yield "npu", "run", "portable"
    yield "cuda", "port", "portable"


class Matrix:
    def __init__(self, tree, native, scratch, word):
        self.tree, self.native, self.scratch, self.word = tree, native, scratch, word
        self.tool = os.path.join(tree, os.environ.get("BUILD", "build"), "cuda-morph")
        self.manual, self.passed, self.failed = {}, 0, []
        self.arguments = {}
        with open(os.path.join(tree, "tests/e2e/arguments"), encoding="utf-8") as file:
            for line in file:
                name, *rest = line.split()
                self.arguments[name] = rest
        with open(os.path.join(tree, "tests/e2e/examples.json"), encoding="utf-8") as file:
            self.examples = json.load(file)

    def example(self, job):
        """What tests/e2e/examples.json says of a script of docs/examples; of another, nothing."""
        return self.examples[job.name] if job.program.startswith("docs/") else {}

    def make_model(self):
        """The folder of a language model for infer_hf, made once."""
        folder = os.path.join(self.scratch, "model")
        done = subprocess.run(
            ["python3", os.path.join(self.tree, "tests/e2e/tiny_model.py"), folder],
            capture_output=True,
            text=True,
        )
        if done.returncode:
            self.fail("tests/e2e/tiny_model.py", done.stderr[-2000:])
        return folder

    def args(self, job):
        if job.program.startswith("docs/"):
            model = os.path.join(self.scratch, "model")
            return [a.format(model=model) for a in self.example(job).get("args", [])]
        plain = job.device == "cpu" and job.way == "as is"
        return self.arguments.get(job.name, []) if plain else []

    def fail(self, what, why):
        self.failed.append(what)
        print(f"emulated: FAILED: {what}\n{why}", file=sys.stderr, flush=True)

    # ---- porting ----

    def port(self, program, target):
        """Writes the port beside those of the program's folder; its summary."""
        out = self.ported(program, target)
        os.makedirs(os.path.dirname(out), exist_ok=True)
        done = subprocess.run(
            [self.tool, "port", program, "--target", target], capture_output=True, cwd=self.tree
        )
        with open(out, "wb") as file:
            file.write(done.stdout)
        message = done.stderr.decode()
        if done.returncode:
            self.fail(f"port {program} to {target}", message)
        count = re.search(r"(\d+) manual", message)
        self.manual[program, target] = int(count.group(1)) if count else 0
        return message

    def ported(self, program, target):
        return os.path.join(self.scratch, "ported", target, program)

    def comment(self, program, word, *targets):
        """The reason in a comment `# e2e: WORD on TARGET,TARGET: REASON` for one of them, or None.
        Scripts of docs/examples have theirs in examples.json."""
        if program.startswith("docs/"):
            told = self.examples[os.path.basename(program)[:-3]].get(word, {})
            return next((told[k] for k in told if set(targets) & set(k.split(","))), None)
        with open(os.path.join(self.tree, program), encoding="utf-8") as file:
            pattern = rf"(?m)^# e2e: {word} on ([\w,@]+): (.*)"
            for named, reason in re.findall(pattern, file.read()):
                if set(targets) & set(named.split(",")):
                    return reason
        return None

    # ---- running ----

    def serve(self, jobs, modules):
        """Runs jobs of one device and way in one server."""
        first = jobs[0]
        device = "" if first.device == "cpu" else first.device
        emulate = os.path.join(self.tree, "tests/emulate")
        path = [self.native, f"{emulate}/python", f"{emulate}/vendors/{device}"]
        command = ["python3", f"{emulate}/server.py", *modules]
        if first.way == "run":
            command[0:1] = [self.tool, "run", "--target", first.target, "--python", "python3"]
        else:
            path.append(os.path.join(self.tree, "runtime/python"))
        environment = dict(
            os.environ,
            CUDA_MORPH_EMULATE_AUTOLOAD="1" if first.target == "portable" else "",
            CUDA_MORPH_EMULATE=device,
            CUDA_MORPH_SKIP="emulated_device",
            PYTHONPATH=":".join(path),
        )
        if first.target in LISTED:  # what the port says of accelerate, which may not know the device
            environment["ACCELERATE_TORCH_DEVICE"] = device
        lines = []
        for job in jobs:
            job.out = os.path.join(self.scratch, "out", job.seat.replace(" ", "_"), job.name)
            folder = job.out + ".d"
            os.makedirs(folder, exist_ok=True)
            source = self.ported(job.program, job.target) if job.way == "port" else job.program
            lines.append(
                json.dumps(
                    {
                        "out": job.out,
                        "path": os.path.join(self.tree, source),
                        "args": self.args(job),
                        "env": self.example(job).get("env", {}),
                        "seed": self.example(job).get("seed"),
                        "folder": folder,
                        "seconds": 240,
                        "spawn": job.name == SPAWNS,
                    }
                )
            )
        done = subprocess.run(
            command, input="\n".join(lines) + "\n", capture_output=True, text=True, env=environment
        )
        answers = done.stdout.split("\n")
        for job, answer in zip(jobs, answers + [""] * len(jobs)):
            status, _, seconds = answer.partition(" ")
            job.status = int(status) if seconds else 1
            job.seconds = seconds
        if done.returncode:
            self.fail(f"the server of {first.seat}", done.stderr[-2000:])

    def run(self, jobs):
        groups = {}
        for job in jobs:
            folder = os.path.dirname(job.program)
            group = job.device, job.way, job.target, folder
            groups.setdefault(group, []).append(job)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            waiting = [
                pool.submit(self.serve, group, FOLDERS[key[3]]) for key, group in groups.items()
            ]
            for one in waiting:
                one.result()

    # ---- judging ----

    def judge(self, job, wants):
        want = wants.get((job.program, "cpu")) if job.device == "cpu" else None
        if want is None or want.status:
            want = wants[job.program, "cuda"]
        compare = self.example(job).get("compare")
        outputs = read(want.out + ".out", compare), read(job.out + ".out", compare)
        what = f"{job.name} {job.seat}"
        if self.comment(job.program, "broken", job.target, f"{job.target}@{job.device}"):
            if job.status or not same(*outputs):
                return "broken"
            self.fail(what, "    it works: take the comment away")
        if self.comment(job.program, "refuses", job.target, f"{job.target}@{job.device}"):
            if job.status and not read(job.out + ".out"):
                return "refused"
            self.fail(what, "    it works: take the comment away")
        if job.status:
            self.fail(what, f"    exit status {job.status}\n" + tail(job.out + ".err"))
            return "FAILED"
        if not same(*outputs) or (compare and not outputs[1]):
            self.fail(what, difference(want.out + ".out", job.out + ".out"))
            return "DIFFERS"
        self.passed += 1
        return "ok"


def read(path, compare=None):
    """The text of a file, or what of it fits the expression; nothing where the program never began."""
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    return "\n".join(re.findall(compare, text)) if compare else text


def tail(path):
    return "".join(f"    {line}\n" for line in read(path).splitlines()[-6:])


def same(want, got):
    a, b = want.split(), got.split()
    return len(a) == len(b) and all(map(equal, a, b))


def equal(a, b):
    if a == b:
        return True
    try:
        x, y = float(a.strip("[](),")), float(b.strip("[](),"))
    except ValueError:
        return False
    return abs(x - y) <= 1.1e-5 + 1e-5 * abs(x)


def difference(want, got):
    done = subprocess.run(["diff", want, got], capture_output=True, text=True)
    return "".join(f"    {line}\n" for line in done.stdout.splitlines()[:6])


def wanted_targets():
    """All of them, or those that E2E_TARGETS names."""
    names = os.environ.get("E2E_TARGETS")
    return names.split(",") if names else [*DEVICES, *LISTED, "portable"]


def programs(tree, word):
    """Programs whose path matches the expression `word`."""
    for folder in FOLDERS:
        for name in sorted(os.listdir(os.path.join(tree, folder))):
            if name.endswith(".py") and re.search(word, f"{folder}/{name}"):
                yield f"{folder}/{name}"


def main():
    tree, native, scratch, word = (sys.argv[1:] + [""])[:4]
    matrix = Matrix(tree, native, scratch, word)
    shutil.rmtree(os.path.join(scratch, "out"), ignore_errors=True)
    jobs, table = [], {}
    for program in programs(tree, word):
        for target in wanted_targets():
            message = matrix.port(program, target)
            reason = matrix.comment(program, "manual", target)
            if target in LISTED and matrix.manual[program, target]:
                reason = "no source has one of its names"
            if reason and not matrix.manual[program, target]:
                matrix.fail(f"{program} on {target} is manual: {reason}", message)
            for device, way, wanted in seats():
                if wanted == target:
                    job = Job(program, device, way, target)
                    if reason:
                        table[program, job.seat] = "manual"
                    else:
                        jobs.append(job)
    # What stands for an original that needs what is not there, also where its target is left out.
    others = []
    for program in programs(tree, word):
        seat = matrix.example(Job(program, None, None, None)).get("reference")
        if seat and all(job.program != program or job.seat != seat for job in jobs):
            target, device, way = re.split("[@ ]", seat)
            matrix.port(program, target)
            others.append(Job(program, device, way, target))
    originals = [Job(p, d, "as is", None) for p in programs(tree, word) for d in ("cuda", "cpu")]
    if any(job.name == "infer_hf" for job in originals):
        matrix.make_model()
    matrix.run(originals + others + jobs)
    wants = {(job.program, job.device): job for job in originals}
    for job in others + jobs:
        if job.seat == matrix.example(job).get("reference"):
            wants[job.program, "cuda"] = wants[job.program, "cpu"] = job
    for (program, device), job in wants.items():
        if device == "cuda" and job.status:
            matrix.fail(f"{program} as it is", tail(job.out + ".err"))
    for job in jobs:
        table[job.program, job.seat] = matrix.judge(job, wants)
    columns = list(dict.fromkeys(seat for _, seat in table))
    show(table, columns, [*programs(tree, word)])
    print(f"emulated: {matrix.passed} passed, {len(matrix.failed)} failed")
    return bool(matrix.failed)


def show(table, columns, rows):
    for number, column in enumerate(columns):
        print(f"  {chr(97 + number)} {column}")
    print(f"{'':24}" + "".join(chr(97 + number) for number in range(len(columns))))
    signs = {"ok": ".", "broken": "b", "manual": "m", "refused": "r", "FAILED": "F", "DIFFERS": "D"}
    for program in rows:
        marks = "".join(signs.get(table.get((program, column)), " ") for column in columns)
        print(f"{os.path.basename(program)[:-3]:24}{marks}")
    print(". the same, m left to a human, r refused by the program, b known to be wrong,")
    print("F failed, D differs")


if __name__ == "__main__":
    sys.exit(main())
