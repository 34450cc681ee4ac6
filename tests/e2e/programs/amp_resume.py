"""Mixed precision with a scaler whose state is saved with the optimizer's, and resumed on the present device."""
import io
import torch
from torch.cuda import amp

class Runner:
    def __init__(self, device=None):
        self.device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        self.use_amp = "cuda" in self.device
        torch.manual_seed(0)
        self.model = torch.nn.Linear(4, 1).to(self.device)
        torch.nn.init.constant_(self.model.weight, 0.5)
        torch.nn.init.zeros_(self.model.bias)
        self.optim = torch.optim.SGD(self.model.parameters(), lr=0.0625)
        self.scaler = amp.GradScaler(enabled=self.use_amp, init_scale=64.0)
        self.steps = 0

    def step(self, x, y):
        x, y = (t.to(self.device, non_blocking=True) for t in (x, y))
        with amp.autocast(enabled=self.use_amp):
            out = self.model(x)
            assert out.dtype is (torch.float16 if self.use_amp else torch.float32)
            loss = torch.nn.functional.mse_loss(out.float(), y)
        self.optim.zero_grad(set_to_none=True)
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.optim)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 10.0)
        self.scaler.step(self.optim)
        self.scaler.update()
        self.steps += 1
        return loss.item()

    def save(self, f):
        torch.save({"model": self.model.state_dict(), "optim": self.optim.state_dict(),
                    "scaler": self.scaler.state_dict() if self.use_amp else None,
                    "device": str(next(self.model.parameters()).device), "steps": self.steps}, f)

    def load(self, f):
        state = torch.load(f, map_location=self.device)
        self.model.load_state_dict(state["model"])
        self.optim.load_state_dict(state["optim"])
        if state["scaler"] is not None and self.use_amp:
            self.scaler.load_state_dict(state["scaler"])
        self.steps = state["steps"]
        return torch.device(state["device"])

x = torch.tensor([[1.0, 0, 0, 0], [0, 1.0, 0, 0]])
y = torch.zeros(2, 1)
a = Runner()
losses = [a.step(x, y) for _ in range(2)]
f = io.BytesIO()
a.save(f)
f.seek(0)
b = Runner()
was = b.load(f)
assert was.type == b.device and b.steps == 2
assert all(p.device.type == b.device for p in b.model.parameters())
if b.use_amp:
    assert b.scaler.get_scale() == 64.0
losses.append(b.step(x, y))
assert losses[2] < losses[1] < losses[0]
print([round(v, 3) for v in losses])
