"""A sparse adjacency on the device, and a layer that multiplies with it."""
import torch

def normalize(edges, n, device):
    i = torch.tensor(edges, dtype=torch.long).t()
    i = torch.cat([i, i.flip(0), torch.arange(n).repeat(2, 1)], 1)
    v = torch.ones(i.shape[1])
    a = torch.sparse_coo_tensor(i, v, (n, n)).to_dense()
    d = a.sum(1).pow(-0.5)
    return (d[:, None] * a * d[None, :]).to(device)

device = torch.device("cuda", torch.cuda.current_device()) if torch.cuda.is_available() else torch.device("cpu")
a = normalize([(0, 1), (1, 2)], 3, device)
x = torch.eye(3).to(a)
h = a @ x
assert h.device == device and h.get_device() == (0 if torch.cuda.is_available() else -1)
print([f"{v:.3f}" for v in h.diagonal().tolist()])
