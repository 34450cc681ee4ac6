"""A model that is wrapped where there are several devices, and saved without its wrapper."""
import torch
import torch.nn as nn

def wrap(model, gpus=None):
    if gpus is None:
        gpus = list(range(torch.cuda.device_count()))
    if len(gpus) > 1:
        return nn.DataParallel(model, device_ids=gpus).cuda()
    if torch.cuda.is_available():
        return model.cuda(gpus[0])
    return model

def unwrap(model):
    return model.module if isinstance(model, (nn.DataParallel, nn.parallel.DistributedDataParallel)) else model

net = nn.Conv2d(1, 1, 3, padding=1, bias=False)
nn.init.constant_(net.weight, 1 / 9)
net = wrap(net, [0] if torch.cuda.is_available() else [])
x = torch.ones(1, 1, 4, 4)
if torch.cuda.device_count() > 0:
    x = x.to("cuda", memory_format=torch.channels_last)
y = net(x)
assert y.device == next(unwrap(net).parameters()).device
assert y.is_cuda == (torch.cuda.device_count() > 0)
print(f"{y.sum().item():.4f}", sorted(unwrap(net).state_dict()))
