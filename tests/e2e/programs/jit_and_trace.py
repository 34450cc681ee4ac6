"""Scripted and traced modules, moved to the device."""
import torch


class Gate(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(3, 3)

    def forward(self, x):
        if x.sum() > 0:
            return torch.sigmoid(self.linear(x))
        return self.linear(x)


torch.manual_seed(0)
dev = "cuda" if torch.cuda.is_available() else "cpu"
scripted = torch.jit.script(Gate()).to(dev)
traced = torch.jit.trace(scripted.linear, torch.ones(1, 3, device=dev))
for value in (1.0, -1.0):
    x = torch.full((1, 3), value, device=dev)
    print(f"{scripted(x).sum().item():.5f} {traced(x).sum().item():.5f}")
