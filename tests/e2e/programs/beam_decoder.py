"""Beam search with a cache of keys, on the device by its module's name, timed where it can be."""
import time

import torch

torch.manual_seed(0)
device = torch.device(("cpu", "cuda")[torch.cuda.is_available()])
backend = getattr(torch, device.type)
VOCABULARY, WIDTH, END = 11, 3, 0


def now():
    if device.type != "cpu" and hasattr(backend, "synchronize"):
        backend.synchronize()
    return time.perf_counter()


class Cache:
    """Keys of all beams, kept where the model is, grown by halves."""

    def __init__(self, beams, size):
        self.keys = torch.empty(beams, 4, size, device=device)
        self.length = 0

    def add(self, key):
        if self.length == self.keys.size(1):
            more = self.keys.new_empty(self.keys.size(0), self.length, self.keys.size(2))
            self.keys = torch.cat([self.keys, more], 1)
        self.keys[:, self.length] = key
        self.length += 1

    def order(self, beams):
        self.keys = self.keys.index_select(0, beams)

    def mean(self):
        return self.keys[:, : self.length].mean(1)


class Model(torch.nn.Module):
    def __init__(self, size=8):
        super().__init__()
        self.embed = torch.nn.Embedding(VOCABULARY, size)
        self.out = torch.nn.Linear(size, VOCABULARY)
        self.register_buffer("penalty", torch.zeros(VOCABULARY))

    def forward(self, tokens, cache):
        cache.add(self.embed(tokens))
        return (self.out(cache.mean()) - self.penalty).log_softmax(-1)


@torch.no_grad()
def search(model, steps):
    cache = Cache(WIDTH, 8)
    lines = torch.ones(WIDTH, 1, dtype=torch.long, device=device)
    scores = torch.tensor([0.0] + [-1e9] * (WIDTH - 1), device=device)
    for _ in range(steps):
        step = model(lines[:, -1], cache) + scores[:, None]
        scores, best = step.view(-1).topk(WIDTH)
        beams = torch.div(best, VOCABULARY, rounding_mode="floor")
        cache.order(beams)
        lines = torch.cat([lines[beams], (best % VOCABULARY)[:, None]], 1)
    return lines, scores, cache


started = now()
model = Model().to(device).eval()
model.penalty[END] = 5.0
lines, scores, cache = search(model, 6)
took = now() - started
assert lines.shape == (WIDTH, 7) and scores.is_cuda == (device.type == "cuda")
assert (device.type == "cuda") == torch.cuda.is_available()
assert cache.keys.device == model.penalty.device == next(model.parameters()).device
assert cache.keys.size(1) == 8 and cache.length == 6
assert bool((scores[:-1] >= scores[1:]).all()) and took > 0
assert END not in lines[0].tolist()
print(lines[0].tolist(), round(scores[0].item(), 3))
