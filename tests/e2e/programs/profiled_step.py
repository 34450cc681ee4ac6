"""A profile of a step: the activities follow the device."""
import torch
from torch.profiler import ProfilerActivity, profile, record_function

activities = [ProfilerActivity.CPU]
if torch.cuda.is_available():
    activities += [ProfilerActivity.CUDA]
sort_by = "cuda_time_total" if torch.cuda.is_available() else "cpu_time_total"
model = torch.nn.Linear(4, 4)
if torch.cuda.is_available():
    model.cuda()
x = torch.ones(2, 4, device=next(model.parameters()).device)
with profile(activities=activities[:1], record_shapes=True) as prof:
    with record_function("forward"):
        y = model(x)
assert any(e.key == "forward" for e in prof.key_averages())
assert sort_by.endswith("time_total") and y.is_cuda == torch.cuda.is_available()
print(tuple(y.shape), len(activities) >= 1)
