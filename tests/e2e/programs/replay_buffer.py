"""A replay buffer in pinned memory and a small Q-network that learns from it."""
import random

import torch
import torch.nn.functional as F

random.seed(0)
torch.manual_seed(0)
if torch.cuda.is_available():
    torch.cuda.manual_seed_all(0)
    torch.backends.cudnn.deterministic = True
    torch.backends.cudnn.benchmark = False
DEVICE = torch.device("cuda") if torch.cuda.is_available() else torch.device("cpu")


class Buffer:
    def __init__(self, size, width):
        pin = DEVICE.type == "cuda"
        self.states = torch.zeros(size, width, pin_memory=pin)
        self.rewards = torch.zeros(size, pin_memory=pin)
        self.filled = 0

    def push(self, state, reward):
        self.states[self.filled], self.rewards[self.filled] = state, reward
        self.filled += 1

    def sample(self, n):
        rows = torch.tensor(random.sample(range(self.filled), n))
        return (self.states[rows].to(DEVICE, non_blocking=True), self.rewards[rows].to(DEVICE))


buffer = Buffer(32, 3)
for i in range(32):
    state = torch.tensor([i / 32, 1.0, -1.0])
    buffer.push(state, float(2 * state[0] - 1))
if DEVICE.type == "cuda":
    assert buffer.states.is_pinned()
q = torch.nn.Linear(3, 1).to(DEVICE)
optimizer = torch.optim.Adam(q.parameters(), lr=0.1)
losses = []
for _ in range(40):
    states, rewards = buffer.sample(16)
    assert states.is_cuda == torch.cuda.is_available()
    loss = F.mse_loss(q(states).squeeze(-1), rewards)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
assert losses[-1] < 0.1 * losses[0], losses[::8]
assert next(q.parameters()).device.type == DEVICE.type
print("learnt")
