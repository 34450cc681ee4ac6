# target: ascend
"""Calls of command-line tools, and words about them."""
import os
import shlex
import subprocess


def devices():
    # want: third-party/command
    lines = subprocess.check_output("nvidia-smi -L", shell=True, text=True).splitlines()
    # want: third-party/command
    names = subprocess.run(["nvidia-smi", "-L"], capture_output=True).stdout
    # want: third-party/command
    busy = os.popen("nvidia-smi --query-compute-apps=pid --format=csv").read()
    # want: third-party/command
    free = subprocess.getoutput("nvidia-smi | grep MiB")
    return lines, names, busy, free


def limits(index, watts):
    # want: third-party/command
    subprocess.run(f"nvidia-smi -i {index} -pl {watts}", shell=True, check=True)
    # want: third-party/command
    subprocess.run(shlex.split("nvidia-smi -q -d CLOCK"), check=True)
    # want: third-party/command
    subprocess.run(["sudo", "nvidia-smi", "-pm", "1"], check=True)


def checked(program):
    # want: third-party/command
    return subprocess.run(["compute-sanitizer", "--tool", "memcheck", program])


def disassembled(path):
    # want: third-party/command
    return subprocess.check_output(["cuobjdump", "-sass", path])


def tell(log, parser):
    # ok: third-party/command
    log.warning("nvidia-smi did not answer")
    # ok: third-party/command
    parser.add_argument("--poll", help="nvidia-smi -l seconds")
    # ok: third-party/command
    print("nvidia-smi -L lists the devices")
    # ok: third-party/command
    raise RuntimeError("nvidia-smi failed")


def others():
    # ok: third-party/command
    subprocess.run(["npu-smi", "info"])
    # ok: third-party/command
    subprocess.run("rocm-smi --showid | grep nvidia", shell=True)
    # ok: third-party/command
    return "nvidia-smi-exporter"
