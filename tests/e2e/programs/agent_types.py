"""A small agent: networks and a replay buffer share a global device."""
import random
from collections import deque
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
FloatTensor = torch.cuda.FloatTensor if torch.cuda.is_available() else torch.FloatTensor
LongTensor = torch.cuda.LongTensor if torch.cuda.is_available() else torch.LongTensor

class Agent:
    def __init__(self):
        self.q = nn.Linear(2, 2, bias=False).to(device)
        self.target = nn.Linear(2, 2, bias=False).to(device)
        nn.init.zeros_(self.q.weight)
        self.target.load_state_dict(self.q.state_dict())
        self.memory = deque(maxlen=8)
        self.opt = torch.optim.SGD(self.q.parameters(), 0.5)

    def act(self, s):
        with torch.no_grad():
            return self.q(torch.from_numpy(s).float().to(device)).argmax().item()

    def learn(self):
        s, a, r = zip(*self.memory)
        s, a, r = FloatTensor(s), LongTensor(a), FloatTensor(r)
        q = self.q(s).gather(1, a.unsqueeze(1)).squeeze(1)
        loss = nn.functional.smooth_l1_loss(q, r + 0.9 * self.target(s).max(1)[0].detach())
        self.opt.zero_grad(); loss.backward(); self.opt.step()
        return loss.item()

import numpy as np
agent = Agent()
for i in range(4):
    agent.memory.append(([1.0, 0.0] if i % 2 else [0.0, 1.0], i % 2, float(i % 2)))
losses = [agent.learn() for _ in range(3)]
assert losses[0] > losses[-1] and agent.q.weight.is_cuda == torch.cuda.is_available()
print([f"{l:.4f}" for l in losses], agent.act(np.array([1.0, 0.0])))
