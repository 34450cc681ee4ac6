"""Command lines kept in strings: recipes that are split and given to the parser of the program."""
# e2e: manual on cpu: what the fallback sets besides the device
# e2e: manual on portable: a text can't ask which device there is
import argparse
import os
import shlex

import torch

RECIPES = {
    "small": "--device cuda --half --steps 2",
    "host": "--device cpu --steps 1",
    "spread": "CUDA_VISIBLE_DEVICES=0 python command_strings.py --device cuda:0 --steps 3",
}


def parser():
    p = argparse.ArgumentParser()
    p.add_argument("--device", choices=["cpu", "cuda", "cuda:0"], default="cpu")
    p.add_argument("--half", action="store_true")
    p.add_argument("--steps", type=int, default=1)
    return p


def read(line):
    """The settings of a recipe, with variables in front of it."""
    words = shlex.split(line)
    env = {}
    while words and "=" in words[0] and not words[0].startswith("-"):
        key, _, value = words.pop(0).partition("=")
        env[key] = value
    if words and os.path.basename(words[0]).startswith("python"):
        words = words[2:]
    args = parser().parse_args(words)
    if args.device.split(":")[0] == "cuda" and not torch.cuda.is_available():
        args.device, args.half = "cpu", False
    return args, env


def train(args):
    w = torch.full((2, 2), 0.5, device=args.device)
    if args.half:
        w = w.half()
    for _ in range(args.steps):
        w = w + w
    return w


gpu = torch.cuda.is_available()
for name, line in RECIPES.items():
    args, env = read(line)
    w = train(args)
    assert w.is_cuda == (gpu and name != "host"), (name, w.device)
    assert w.dtype is (torch.float16 if gpu and name == "small" else torch.float32)
    print(name, w.float().sum().item(), len(env))
