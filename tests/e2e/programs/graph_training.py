"""Whole training steps captured in a CUDA graph and replayed. Needs a GPU."""
# e2e: manual on xpu: torch.xpu has graphs in the newest release only
import torch
from torch import nn

torch.manual_seed(5)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
static_x, static_y = torch.randn(4, 8, device="cuda"), torch.randn(4, 1, device="cuda")
side = torch.cuda.Stream()
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    for _ in range(3):
        optimizer.zero_grad(set_to_none=True)
        nn.functional.mse_loss(model(static_x), static_y).backward()
        optimizer.step()
torch.cuda.current_stream().wait_stream(side)

graph = torch.cuda.CUDAGraph()
optimizer.zero_grad(set_to_none=True)
with torch.cuda.graph(graph):
    loss = nn.functional.mse_loss(model(static_x), static_y)
    loss.backward()
    optimizer.step()
for step in range(4):
    static_x.copy_(torch.full((4, 8), 0.1 * step))
    static_y.copy_(torch.ones(4, 1))
    graph.replay()
    torch.cuda.synchronize()
    print(step, f"{loss.item():.5f}")
