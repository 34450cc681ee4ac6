"""A padded batch packed and attended to with flash_attn; written out where that is missing."""
import torch

try:
    import flash_attn
    import flash_attn.bert_padding
    from flash_attn.layers.rotary import apply_rotary_emb
except ImportError:
    flash_attn = None

dev = torch.device("cuda", 0) if torch.cuda.is_available() else torch.device("cpu")
torch.manual_seed(2)
x = torch.randn(3, 6, 2, 8, device=dev, requires_grad=True)
mask = torch.tensor([[1, 1, 1, 0, 0, 0], [1, 1, 1, 1, 1, 1], [1, 0, 0, 0, 0, 0]], device=dev)
angles = torch.outer(torch.arange(6.0, device=dev), torch.tensor([1.0, 0.1, 0.01, 0.001], device=dev))
cos, sin = angles.cos(), angles.sin()

if flash_attn is not None:
    turned = apply_rotary_emb(x, cos, sin)
    tokens, indices, bounds, longest = flash_attn.bert_padding.unpad_input(turned, mask)[:4]
    out = flash_attn.flash_attn_varlen_func(
        tokens, tokens, tokens, bounds, bounds, longest, longest, causal=False
    )
    out = flash_attn.bert_padding.pad_input(out, indices, 3, 6)
else:
    a, b = x[..., :4], x[..., 4:]
    c, s = cos[:, None], sin[:, None]
    turned = torch.cat((a * c - b * s, b * c + a * s), -1)
    scores = torch.einsum("bihd,bjhd->bhij", turned, turned) / 8**0.5
    scores = scores.masked_fill(mask[:, None, None, :] == 0, float("-inf"))
    out = torch.einsum("bhij,bjhd->bihd", scores.softmax(-1), turned) * mask[..., None, None]
out.square().sum().backward()
print(f"{out.sum().item():.4f} {x.grad.abs().sum().item():.3f}")
