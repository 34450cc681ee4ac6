"""scaled_dot_product_attention with its kernels switched on and off."""
# e2e: needs torch 2.6
import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(7)
q, k, v = (torch.randn(2, 4, 6, 8, device=device, requires_grad=True) for _ in range(3))
torch.backends.cuda.enable_flash_sdp(False)
torch.backends.cuda.enable_mem_efficient_sdp(False)
torch.backends.cuda.enable_math_sdp(True)
out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
out.sum().backward()
print(f"{out.sum().item():.4f} {q.grad.norm().item():.4f}")
with sdpa_kernel(SDPBackend.MATH):
    mask = torch.ones(6, 6, dtype=torch.bool, device=device).tril()
    print(f"{F.scaled_dot_product_attention(q, k, v, attn_mask=mask).sum().item():.4f}")
with torch.autocast("cuda" if q.is_cuda else "cpu", dtype=torch.bfloat16):
    print((q @ k.transpose(-1, -2)).dtype, f"{(q @ k.transpose(-1, -2)).float().mean().item():.2f}")
