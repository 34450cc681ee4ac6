"""Fine-tuning of a head on a frozen body, with warm-up and gradient clipping."""
import math
import torch
import torch.nn as nn

def get_device(prefer_gpu=True):
    if prefer_gpu and torch.cuda.is_available():
        return torch.device("cuda")
    return torch.device("cpu")

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4, bias=False)
        self.head = nn.Linear(4, 2)
        nn.init.eye_(self.body.weight); nn.init.zeros_(self.head.weight); nn.init.zeros_(self.head.bias)

    @property
    def device(self):
        return next(self.parameters()).device

    def forward(self, x):
        return self.head(torch.relu(self.body(x)))

device = get_device()
net = Net().to(device)
net.body.requires_grad_(False)
opt = torch.optim.AdamW([p for p in net.parameters() if p.requires_grad], lr=0.1)
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1, (s + 1) / 3) * 0.5 * (1 + math.cos(s / 10)))
x = torch.eye(4).to(net.device)
y = torch.tensor([0, 1, 0, 1]).to(net.device, non_blocking=True)
for _ in range(12):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    sched.step()
assert net.device.type == device.type and loss.is_cuda == torch.cuda.is_available()
print(f"{loss.item():.4f}", net(x).argmax(1).tolist())
