# target: musa
"""Captured work, and the raw handles of it."""
import torch


class Captured:
    def __init__(self, step, example):
        self.example = example
        # want: torch-cuda/graph
        self.graph = torch.cuda.CUDAGraph()
        # want: torch-cuda/stream
        self.side = torch.cuda.Stream()
        # want: torch-cuda/graph
        with torch.cuda.graph(self.graph):
            self.output = step(self.example)

    def __call__(self, x):
        self.example.copy_(x)
        # ok: torch-cuda/graph
        self.graph.replay()
        return self.output


def compile_step(step):
    return torch.compile(step, mode="reduce-overhead")


def compile_plain(step):
    # ok: torch-compile/mode
    return torch.compile(step, mode="default")


def eager(step, example):
    # want: torch-cuda/graph
    if torch.cuda.is_current_stream_capturing():
        return step(example)
    # ok: torch-cuda/graph
    return step.graph(example)


class Diagram:
    # ok: torch-cuda/graph
    def graph(self):
        return "digraph {}"
