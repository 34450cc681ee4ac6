"""A contrastive loss with a temperature, labels made where the logits are."""
import torch
import torch.nn.functional as F

class InfoNCE(torch.nn.Module):
    def __init__(self, temperature=0.1):
        super().__init__()
        self.t = temperature

    def forward(self, a, b):
        device = torch.device("cuda") if a.is_cuda else torch.device("cpu")
        logits = F.normalize(a) @ F.normalize(b).t() / self.t
        labels = torch.arange(len(a)).to(device)
        mask = torch.eye(len(a), dtype=torch.bool, device=device)
        pos = logits[mask].mean()
        return F.cross_entropy(logits, labels), pos

use_gpu = torch.cuda.is_available()
loss_fn = InfoNCE()
if use_gpu:
    loss_fn = loss_fn.cuda()
a, b = torch.eye(3), torch.eye(3).flip(0)
if use_gpu:
    a, b = a.cuda(), b.cuda()
good, pos = loss_fn(a, a)
bad, _ = loss_fn(a, b)
assert good < bad and pos.is_cuda == use_gpu
print(f"{good.item():.4f} {bad.item():.4f} {pos.item():.3f}")
