# target: portable
"""A device taken from what PyTorch was built for."""
import torch

# want: silent/current-accelerator
DEVICE = torch.accelerator.current_accelerator()
# want: silent/current-accelerator
KIND = getattr(torch.accelerator.current_accelerator(), "type", "cpu")
# ok: silent/current-accelerator
CHECKED = torch.accelerator.current_accelerator(check_available=True)


def place(model):
    # ok: torch-device/device-string
    return model.to(DEVICE or "cpu")


def launch(kernel, grid, x):
    # ok: triton/num-warps
    kernel[grid](x, num_warps=4)
    # want: triton/hopper-option
    kernel[grid](x, num_ctas=2)
