"""CUDA graphs where there are any; the same step without them elsewhere."""
# e2e: manual on xpu: torch.xpu has graphs in the newest release only
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
net = torch.nn.Linear(4, 4).to(device)
static = torch.ones(2, 4, device=device)
graph = None
if torch.cuda.is_available():
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            net(static)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        out = net(static)
for i in range(3):
    static.fill_(float(i))
    if graph is not None:
        graph.replay()
    else:
        out = net(static)
    print(i, f"{out.sum().item():.5f}")
