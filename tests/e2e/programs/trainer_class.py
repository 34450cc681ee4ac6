"""A trainer with options, a best checkpoint, and a resume that finds its device again."""
import argparse
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F


class Trainer:
    DEVICE = "cuda"

    def __init__(self, args):
        self.use_cuda = not args.no_cuda and torch.cuda.is_available()
        self.device = torch.device(self.DEVICE if self.use_cuda else "cpu")
        self.kwargs = {"num_workers": 0, "pin_memory": True} if self.use_cuda else {}
        torch.manual_seed(args.seed)
        if self.use_cuda:
            torch.cuda.manual_seed(args.seed)
        self.model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
        for p in self.model.parameters():
            nn.init.constant_(p, 0.1)
        if self.use_cuda:
            self.model.cuda()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=args.lr)
        self.best = float("inf")

    def step(self, x, y):
        if self.use_cuda:
            x, y = x.cuda(), y.cuda()
        self.optimizer.zero_grad()
        loss = F.mse_loss(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def save(self, path):
        torch.save({"model": self.model.state_dict(), "opt": self.optimizer.state_dict(),
                    "device": str(self.device)}, path)

    def load(self, path):
        if self.use_cuda:
            state = torch.load(path)
        else:
            state = torch.load(path, map_location=torch.device("cpu"))
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["opt"])
        return state["device"]


parser = argparse.ArgumentParser()
parser.add_argument("--no-cuda", action="store_true", default=False, help="disables CUDA training")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--lr", type=float, default=0.05)
args = parser.parse_args([])

trainer = Trainer(args)
data = [(torch.full((2, 3), float(i)), torch.full((2, 1), float(2 * i))) for i in range(3)]
losses = [trainer.step(x, y) for _ in range(4) for x, y in data]
path = os.path.join(tempfile.mkdtemp(), "best.pt")
trainer.save(path)
other = Trainer(args)
name = other.load(path)
assert torch.device(name) == other.device
assert next(other.model.parameters()).is_cuda == other.use_cuda
assert all(v.is_cuda for s in other.optimizer.state.values() for k, v in s.items() if k == "exp_avg") == other.use_cuda
print(f"{sum(losses):.4f}", f"{other.step(*data[0]):.4f}")
