"""Trains a small classifier with mixed precision and keeps checkpoints."""
import argparse
import os
import time

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.cuda.amp import GradScaler, autocast


def parse_args():
    parser = argparse.ArgumentParser(description="mixed precision on one GPU; needs no CUDA toolkit")
    parser.add_argument("--device", default="cuda", help="where to train, such as cuda or cuda:1")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--checkpoint", default="checkpoint.pt")
    parser.add_argument("--fp32", action="store_true", help="no mixed precision")
    parser.add_argument("--resume", action="store_true")
    return parser.parse_args()


class Net(nn.Module):
    def __init__(self, features=32, classes=4):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(features, 128), nn.GELU(), nn.Linear(128, classes))

    def forward(self, x):
        return self.body(x)


def make_data(samples=4096, features=32, classes=4):
    """Overlapping clusters around random centres: nothing to download."""
    centres = torch.randn(classes, features) * 0.4
    labels = torch.randint(classes, (samples,))
    return centres[labels] + torch.randn(samples, features), labels


def train_epoch(model, loader, optimizer, scaler, use_amp):
    model.train()
    total = 0.0
    for x, y in loader:
        x = x.cuda(non_blocking=True)
        y = y.cuda(non_blocking=True)
        optimizer.zero_grad(set_to_none=True)
        with autocast(enabled=use_amp):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        total += loss.item()
    return total / len(loader)


def main():
    args = parse_args()
    torch.manual_seed(0)
    torch.cuda.manual_seed_all(0)
    torch.backends.cudnn.benchmark = True
    device = torch.device(args.device if torch.cuda.is_available() else "cpu")

    data = torch.utils.data.TensorDataset(*make_data())
    loader = torch.utils.data.DataLoader(
        data, batch_size=args.batch_size, shuffle=True, pin_memory=torch.cuda.is_available()
    )
    model = Net().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    use_amp = torch.cuda.is_available() and not args.fp32
    scaler = GradScaler(enabled=use_amp)

    if args.resume and os.path.exists(args.checkpoint):
        state = torch.load(args.checkpoint, map_location=device)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])

    for epoch in range(args.epochs):
        torch.cuda.synchronize()
        start = time.perf_counter()
        loss = train_epoch(model, loader, optimizer, scaler, use_amp)
        torch.cuda.synchronize()
        seconds = time.perf_counter() - start
        peak = torch.cuda.max_memory_allocated() / 2**20
        print(f"epoch {epoch}: loss {loss:.4f}, {seconds:.2f} s, {peak:.0f} MiB on {device}")
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, args.checkpoint)
    torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
