"""Device strings read by a regular expression and written back: placements in a text."""
# e2e: manual on ascend,mlu,musa,xpu,portable,cpu: a text that says where parts go
import re

import torch

PATTERN = re.compile(r"^(?P<kind>cpu|cuda)(?::(?P<index>\d+))?$")
PLACEMENT = """
embed = cuda:0
body  = cuda
head  = cpu
"""


def parse(text):
    found = PATTERN.match(text.strip().lower())
    if not found:
        raise ValueError(f"not a device: {text!r}")
    kind, index = found["kind"], found["index"]
    if kind == "cuda" and not torch.cuda.is_available():
        return torch.device("cpu")
    return torch.device(kind, int(index)) if index else torch.device(kind)


def placements(text):
    out = {}
    for line in text.strip().splitlines():
        name, _, device = (part.strip() for part in line.partition("="))
        out[name] = parse(device)
    return out


def spell(device):
    return re.sub(r":\d+$", "", str(device))


plan = placements(PLACEMENT)
gpu = torch.cuda.is_available()
assert plan["head"] == torch.device("cpu")
assert plan["embed"] == (torch.device("cuda", 0) if gpu else torch.device("cpu"))
layers = {name: torch.nn.Linear(4, 4).to(d) for name, d in plan.items()}
x = torch.ones(2, 4)
for name in ("embed", "body", "head"):
    x = layers[name](x.to(plan[name]))
    assert x.device.type == plan[name].type
    assert parse(str(x.device)) == x.device
assert [spell(d) for d in plan.values()] == (["cuda", "cuda", "cpu"] if gpu else ["cpu"] * 3)
for bad in ("cuda0", "tpu", "cuda:x"):
    try:
        parse(bad)
    except ValueError:
        continue
    raise AssertionError(bad)
print(tuple(x.shape), len(plan))
