"""A variational autoencoder, the way the classic example writes its device handling."""
import argparse

import torch
from torch import nn, optim
from torch.nn import functional as F

parser = argparse.ArgumentParser()
parser.add_argument("--no-cuda", action="store_true", default=False)
parser.add_argument("--seed", type=int, default=1)
args = parser.parse_args([])
args.cuda = not args.no_cuda and torch.cuda.is_available()
torch.manual_seed(args.seed)
if args.cuda:
    torch.cuda.manual_seed(args.seed)
device = torch.device("cuda" if args.cuda else "cpu")


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode = nn.Linear(20, 16)
        self.mean, self.spread = nn.Linear(16, 4), nn.Linear(16, 4)
        self.decode = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 20), nn.Sigmoid())

    def forward(self, x):
        h = F.relu(self.encode(x))
        mean, spread = self.mean(h), self.spread(h)
        z = mean + torch.randn_like(spread) * torch.exp(0.5 * spread)
        return self.decode(z), mean, spread


model = VAE().to(device)
optimizer = optim.Adam(model.parameters(), lr=1e-3)
data = torch.rand(32, 20).to(device)
for epoch in range(4):
    out, mean, spread = model(data)
    kl = -0.5 * torch.sum(1 + spread - mean.pow(2) - spread.exp())
    loss = F.binary_cross_entropy(out, data, reduction="sum") + kl
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(epoch, f"{loss.item():.3f}")
