"""Mixed precision by apex where it can be imported, by PyTorch elsewhere, and apex's optimizers."""
import contextlib

import torch
from torch import nn

try:
    from apex import amp
    from apex.normalization import FusedLayerNorm
    from apex.optimizers import FusedAdam
except ImportError:
    amp, FusedLayerNorm, FusedAdam = None, nn.LayerNorm, torch.optim.AdamW

device = torch.device("cuda", 0) if torch.cuda.is_available() else torch.device("cpu")
torch.manual_seed(6)
model = nn.Sequential(nn.Linear(8, 32), FusedLayerNorm(32), nn.GELU(), nn.Linear(32, 1)).to(device)
optimizer = FusedAdam(model.parameters(), lr=1e-2, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01)
scaler = torch.cuda.amp.GradScaler(enabled=amp is None)
if amp is not None:
    model, optimizer = amp.initialize(model, optimizer, opt_level="O1", loss_scale=128.0, verbosity=0)
x, y = torch.randn(64, 8).to(device), torch.randn(64, 1).to(device)
for step in range(4):
    with contextlib.nullcontext() if amp is not None else torch.cuda.amp.autocast():
        out = model(x)
    loss = nn.functional.mse_loss(out.float(), y)
    optimizer.zero_grad()
    if amp is not None:
        with amp.scale_loss(loss, optimizer) as scaled_loss:
            scaled_loss.backward()
        nn.utils.clip_grad_norm_(amp.master_params(optimizer), 1.0)
        optimizer.step()
    else:
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
    print(step, f"{loss.item():.2f}")
