"""Forward hooks that keep activations on the host, a backward hook that counts, by the module's device."""
import collections
import torch
import torch.nn as nn

use_cuda = torch.cuda.is_available()
net = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.fill_(0.1 * (i + 1))
if use_cuda:
    net.cuda()
kept, counts = {}, collections.Counter()

def keep(name):
    def hook(module, inputs, output):
        counts["cuda" if output.is_cuda else "cpu"] += 1
        kept[name] = output.detach().cpu() if output.is_cuda else output.detach().clone()
    return hook

def seen(module, grad_in, grad_out):
    counts["grad"] += int(grad_out[0].device.type == next(module.parameters()).device.type)

handles = [m.register_forward_hook(keep(n)) for n, m in net.named_children()]
handles += [m.register_full_backward_hook(seen) for m in net if isinstance(m, nn.Linear)]
x = torch.linspace(-1, 1, 8).view(2, 4)
if use_cuda:
    x = x.cuda(non_blocking=True)
net(x).sum().backward()
for h in handles:
    h.remove()
assert all(v.device == torch.device("cpu") for v in kept.values())
assert counts["grad"] == 2 and counts["cuda" if use_cuda else "cpu"] == 3, counts
print([round(v.sum().item(), 5) for v in kept.values()], net[0].weight.grad.sum().item())
