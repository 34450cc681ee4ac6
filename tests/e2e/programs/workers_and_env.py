"""Loader processes, environment variables and a config class."""
import os
from dataclasses import dataclass, field

import torch
from torch.utils.data import DataLoader, Dataset

os.environ.setdefault("CUDA_DEVICE_ORDER", "PCI_BUS_ID")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")


def best_device():
    return "cuda" if torch.cuda.is_available() else "cpu"


@dataclass
class Config:
    device: str = field(default_factory=best_device)
    workers: int = 2


class Squares(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, i):
        return torch.tensor([float(i * i)])


def main():
    config = Config()
    loader = DataLoader(
        Squares(), batch_size=4, num_workers=config.workers, pin_memory=config.device == "cuda"
    )
    for batch in loader:
        batch = batch.to(config.device)
        print(batch.flatten().tolist())
    half = torch.ones(2, device=config.device, dtype=torch.bfloat16)
    print(half.sum().item(), torch.cuda.is_bf16_supported() if torch.cuda.is_available() else True)


if __name__ == "__main__":
    main()
