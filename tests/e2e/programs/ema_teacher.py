"""A student and the moving average of it; mixed precision where there is a GPU."""
import copy

import torch
from torch.cuda.amp import GradScaler, autocast

use_gpu = torch.cuda.is_available()


class Teacher:
    def __init__(self, model, decay):
        self.module = copy.deepcopy(model).eval()
        self.decay = decay
        for p in self.module.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for mine, theirs in zip(self.module.parameters(), model.parameters()):
            mine.mul_(self.decay).add_(theirs.detach(), alpha=1 - self.decay)


torch.manual_seed(1)
student = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))
if use_gpu:
    student.cuda()
teacher = Teacher(student, 0.5)
optimizer = torch.optim.SGD(student.parameters(), lr=0.05)
scaler = GradScaler(enabled=False)
x = torch.linspace(0, 1, 32).view(8, 4)
y = torch.zeros(8, dtype=torch.long)
if use_gpu:
    x, y = x.cuda(non_blocking=True), y.cuda(non_blocking=True)
losses = []
for _ in range(5):
    optimizer.zero_grad(set_to_none=True)
    with autocast(enabled=False):
        loss = torch.nn.functional.cross_entropy(student(x), y)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    teacher.update(student)
    losses.append(loss.item())
assert losses[-1] < losses[0]
for p, q in zip(teacher.module.parameters(), student.parameters()):
    assert p.device == q.device and p.is_cuda == use_gpu
    assert not torch.equal(p, q)
print("teacher", [round(v, 4) for v in losses])
