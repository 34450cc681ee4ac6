"""A step with or without a scaler, chosen by an option; the autocast's type follows the device."""
import torch
from contextlib import nullcontext

device = "cuda" if torch.cuda.is_available() else "cpu"
use_amp = device == "cuda"
amp_ctx = torch.autocast(device_type=device, dtype=torch.float16) if use_amp else nullcontext()
scaler = torch.cuda.amp.GradScaler(enabled=use_amp)
w = torch.nn.Parameter(torch.tensor([2.0], device=device))
opt = torch.optim.SGD([w], lr=0.25)
for _ in range(3):
    opt.zero_grad()
    with amp_ctx:
        loss = ((w.unsqueeze(0) @ torch.ones(1, 1, device=device)) ** 2).sum()
    if use_amp:
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        torch.nn.utils.clip_grad_norm_([w], 100)
        scaler.step(opt)
        scaler.update()
    else:
        loss.backward()
        opt.step()
assert scaler.is_enabled() == use_amp and w.device.type == device
print(f"{w.item():.3f}")
