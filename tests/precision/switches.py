# target: ascend
"""Switches for speed and repeatability at the top of a training script."""
import torch
import torch.backends.cudnn as cudnn


def fast():
    # want: silent/ignored-switch
    torch.backends.cudnn.benchmark = True
    # want: silent/ignored-switch
    torch.backends.cuda.matmul.allow_tf32 = True
    # want: silent/ignored-switch
    torch.backends.cudnn.allow_tf32 = True
    # ok: silent/ignored-switch
    torch.set_float32_matmul_precision("high")
    # ok: silent/ignored-switch
    torch.npu.matmul.allow_hf32 = True


def repeatable(strict):
    # want: silent/ignored-switch
    cudnn.deterministic = True
    # want: silent/ignored-switch
    cudnn.benchmark = not strict
    # ok: silent/ignored-switch
    torch.use_deterministic_algorithms(strict)


def flash():
    # want: silent/vendor-gate
    if torch.backends.cuda.is_built():
        # ok: silent/vendor-gate
        torch.backends.cuda.enable_flash_sdp(True)
    # ok: silent/vendor-gate
    return torch.backends.mkldnn.is_available()


class Settings:
    # ok: silent/ignored-switch
    benchmark = True
    # ok: silent/ignored-switch
    deterministic = False
