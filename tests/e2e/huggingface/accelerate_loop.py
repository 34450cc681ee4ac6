"""accelerate's loop: prepare, accumulate, clip, gather, save and load."""
import tempfile

import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.utils.data import DataLoader, TensorDataset


def main():
    set_seed(42)
    accelerator = Accelerator(gradient_accumulation_steps=2, mixed_precision="no")
    x = torch.randn(24, 6, generator=torch.Generator().manual_seed(1))
    loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=4)
    model = torch.nn.Sequential(torch.nn.Linear(6, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for step, (inputs, targets) in enumerate(loader):
        with accelerator.accumulate(model):
            loss = torch.nn.functional.mse_loss(model(inputs), targets)
            accelerator.backward(loss)
            accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
        accelerator.print(step, f"{accelerator.gather(loss.detach()).mean().item():.5f}")
    with tempfile.TemporaryDirectory() as folder:
        accelerator.save_state(folder)
        accelerator.load_state(folder)
    print(accelerator.device.type != "cpu" or not torch.cuda.is_available())
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    accelerator.end_training()


if __name__ == "__main__":
    main()
