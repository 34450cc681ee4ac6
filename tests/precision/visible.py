# target: ascend
"""Which devices a worker may see."""
import os
import subprocess


def environment(rank):
    env = dict(os.environ)
    # want: environment/variable
    env["CUDA_VISIBLE_DEVICES"] = str(rank)
    # want: environment/variable
    os.environ.setdefault("CUDA_DEVICE_MAX_CONNECTIONS", "1")
    # ok: environment/variable
    env["OMP_NUM_THREADS"] = "8"
    # ok: environment/variable
    env["MY_CUDA_SETTING"] = "1"
    return env


def visible():
    # want: environment/variable
    text = os.environ.get("CUDA_VISIBLE_DEVICES", "")
    # ok: environment/variable
    print(f"CUDA_VISIBLE_DEVICES is {text}")
    return [int(part) for part in text.split(",") if part]


def launch(script, rank):
    # ok: environment/variable
    return subprocess.Popen(["python", script], env=environment(rank))


def debug():
    # want: environment/variable
    os.environ["CUDA_LAUNCH_BLOCKING"] = "1"
    # want: environment/variable
    os.environ["NCCL_DEBUG"] = "INFO"
    # want: environment/variable
    os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"
    # ok: environment/variable
    os.environ["TORCH_LOGS"] = "+dynamo"
