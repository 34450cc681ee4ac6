"""A model split over the devices that there are, with device strings built in several ways."""
import torch

count = torch.cuda.device_count() if torch.cuda.is_available() else 0
devices = [f"cuda:{i}" for i in range(count)] or ["cpu"]
torch.manual_seed(8)
layers = [torch.nn.Linear(4, 4).to(devices[i % len(devices)]) for i in range(3)]
table = {"embed": devices[0], "head": devices[-1]}
x = torch.ones(2, 4, device=table["embed"])
for i, layer in enumerate(layers):
    target = "cuda:%d" % (i % count) if count else "cpu"
    x = torch.relu(layer(x.to(target)))
x = x.to("cuda:{}".format(count - 1) if count else torch.device("cpu"))
print(f"{x.sum().item():.5f}", len(table))
