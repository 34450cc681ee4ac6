"""A logger that adds memory to its lines where there is a device."""
import torch

class Metric:
    def __init__(self):
        self.rows = []
        self.has_gpu = torch.cuda.is_available()

    def log(self, step, **values):
        msg = ["step: {step}", "loss: {loss:.3f}"]
        if self.has_gpu:
            msg.append("max mem: {memory:.0f}")
        line = "  ".join(msg)
        if torch.cuda.is_available():
            text = line.format(step=step, memory=torch.cuda.max_memory_allocated() / 2**20, **values)
        else:
            text = line.format(step=step, **values)
        self.rows.append(text)
        return text

if torch.cuda.is_available():
    torch.cuda.reset_peak_memory_stats()
    torch.cuda.empty_cache()
m = Metric()
w = torch.ones(4, device="cuda" if m.has_gpu else "cpu", requires_grad=True)
for s in range(2):
    loss = (w * 2).sum()
    loss.backward()
    t = m.log(s, loss=loss.item())
    assert ("max mem" in t) == m.has_gpu
assert w.grad.is_cuda == m.has_gpu
print(len(m.rows), w.grad.sum().item())
