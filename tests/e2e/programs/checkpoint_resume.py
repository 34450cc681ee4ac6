"""Saves a checkpoint half way, loads it and goes on: the same losses as without a stop."""
import os
import tempfile

import torch

device = "cuda:0" if torch.cuda.is_available() else "cpu"


def build():
    torch.manual_seed(3)
    if torch.cuda.is_available():
        torch.cuda.manual_seed_all(3)
    model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
    model = model.to(device)
    return model, torch.optim.Adam(model.parameters(), lr=0.01)


def steps(model, optimizer, first, last):
    for i in range(first, last):
        x = torch.linspace(-1, 1, 8 * (i + 1), device=device).view(-1, 8)
        loss = model(x).pow(2).mean() + 0.1 * sum(p.abs().sum() for p in model.parameters())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(i, f"{loss.item():.6f}")


model, optimizer = build()
steps(model, optimizer, 0, 3)
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "checkpoint.pt")
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)
    again, optimizer2 = build()
    state = torch.load(path, map_location=lambda storage, _: storage.cuda() if "cuda" in device else storage)
    again.load_state_dict(state["model"])
    optimizer2.load_state_dict(torch.load(path, map_location=torch.device(device))["optimizer"])
steps(model, optimizer, 3, 6)
steps(again, optimizer2, 3, 6)
