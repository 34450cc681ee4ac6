"""A timing loop as benchmarks have it: events on the GPU, a clock elsewhere."""
import time

import torch

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
model = torch.nn.TransformerEncoderLayer(16, 2, 32, batch_first=True).to(device).eval()
x = torch.randn(2, 5, 16, device=device)


def timed(function):
    if device.type == "cuda":
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        result = function()
        end.record()
        torch.cuda.synchronize()
        return result, start.elapsed_time(end)
    began = time.perf_counter()
    result = function()
    return result, (time.perf_counter() - began) * 1000


with torch.inference_mode():
    times = []
    for _ in range(5):
        y, ms = timed(lambda: model(x))
        times.append(ms)
    print(f"{y.sum().item():.4f}", len(times), all(t >= 0 for t in times))
if torch.cuda.is_available():
    torch.cuda.empty_cache()
