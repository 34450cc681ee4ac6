import torch
from torch.cuda.amp import autocast

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
model = torch.nn.Linear(8, 8).to(device)  # on cuda: comments stay as they are
with autocast(dtype=torch.bfloat16):
    y = model(torch.ones(2, 8, device=device))
torch.cuda.synchronize()
print("cuda says", y.sum().item(), torch.cuda.get_device_capability())
record = {"device": "cuda"}  # cuda-morph: ignore[torch-device] what the log format wants
