"""torch.compile with a back end that is chosen at run time, over autograd, with changing shapes."""
# e2e: needs torch 2.6
import os

import torch
from torch import nn

backend = os.environ.get("COMPILE_BACKEND") or ("aot_eager" if torch.cuda.is_available() else "eager")
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Gated(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.up, self.gate, self.down = (nn.Linear(width, width) for _ in range(3))

    def forward(self, x, scale=None):
        y = self.down(torch.sigmoid(self.gate(x)) * self.up(x))
        if scale is not None:
            y = y * scale
        return x + y


torch.manual_seed(1)
model = Gated(8).to(device)
compiled = torch.compile(model, backend=backend, dynamic=True)
optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
for step, n in enumerate((4, 6, 5)):
    x = torch.linspace(-1, 1, n * 8).view(n, 8).to(device)
    loss = compiled(x, scale=0.5 if step else None).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    print(step, f"{loss.item():.5f}", compiled(x).device.type == device.type)
print(torch.compiler.is_compiling(), sorted(model.state_dict()) == sorted(compiled._orig_mod.state_dict()))
