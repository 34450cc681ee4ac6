"""The profiler, with the activities of what is there."""
import torch
from torch.profiler import ProfilerActivity, profile, record_function

activities = [ProfilerActivity.CPU]
if torch.cuda.is_available():
    activities.append(ProfilerActivity.CUDA)
device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
net = torch.nn.Linear(8, 8).to(device)
with profile(activities=activities, record_shapes=True) as prof:
    with record_function("step"):
        out = net(torch.ones(2, 8, device=device))
names = [event.key for event in prof.key_averages()]
print("step" in names, "aten::addmm" in names, f"{out.sum().item():.5f}")
sort_by = "cuda_time_total" if torch.cuda.is_available() else "cpu_time_total"
print(len(prof.key_averages().table(sort_by=sort_by, row_limit=3)) > 0)
