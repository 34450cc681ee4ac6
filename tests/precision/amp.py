# target: portable
"""Mixed precision, old and new spelling side by side."""
import contextlib

import torch
from torch.amp import GradScaler, autocast, custom_bwd, custom_fwd


class Trainer:
    def __init__(self, model, optimizer, device, use_amp=True):
        self.model, self.optimizer, self.device = model, optimizer, device
        # want: silent/grad-scaler
        self.scaler = torch.amp.GradScaler(enabled=use_amp)
        # want: torch-cuda/amp
        self.legacy = torch.cuda.amp.GradScaler(enabled=use_amp)
        # want: silent/grad-scaler
        self.short = GradScaler(init_scale=1024.0, growth_interval=500)
        # ok: silent/grad-scaler
        self.right = GradScaler(device.type, enabled=use_amp)
        # ok: silent/grad-scaler
        self.also_right = torch.amp.GradScaler(device=device.type)

    def step(self, batch):
        # want: torch-device/device-string
        with autocast("cuda", dtype=torch.float16):
            loss = self.model(batch)
        # ok: silent/autocast-device, silent/grad-scaler
        self.scaler.scale(loss).backward()
        # want: torch-cuda/amp
        with torch.cuda.amp.autocast(enabled=False):
            loss = loss.float()
        # ok: silent/autocast-device
        with torch.autocast(device_type=self.device.type, dtype=torch.bfloat16):
            return loss + self.model(batch)

    def evaluate(self, batch, options):
        # want: silent/autocast-device
        with torch.autocast(dtype=torch.bfloat16):
            first = self.model(batch)
        # ok: silent/autocast-device
        with torch.autocast(**options):
            second = self.model(batch)
        # want: torch-backends/autocast-state
        if torch.is_autocast_enabled():
            return first
        # ok: silent/autocast-device
        with contextlib.nullcontext():
            return second


class Swish(torch.autograd.Function):
    @staticmethod
    # want: torch-device/device-string
    @custom_fwd(device_type="cuda", cast_inputs=torch.float32)
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    # want: torch-device/device-string
    @custom_bwd(device_type="cuda")
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(x)
        return grad * (s + x * s * (1 - s))


class Relu(torch.autograd.Function):
    @staticmethod
    # want: silent/custom-function
    @custom_fwd(cast_inputs=torch.float16)
    def forward(ctx, x):
        return x.clamp(min=0)

    @staticmethod
    # want: torch-cuda/amp
    @torch.cuda.amp.custom_bwd
    def backward(ctx, grad):
        return grad
