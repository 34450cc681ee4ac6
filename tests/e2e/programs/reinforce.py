"""A policy gradient on a toy problem, with tensors made all over the place."""
import torch
import torch.nn.functional as F

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
if device.type == "cuda":
    torch.set_default_tensor_type("torch.cuda.FloatTensor")
torch.manual_seed(9)
policy = torch.nn.Linear(3, 2).to(device)
optimizer = torch.optim.SGD(policy.parameters(), lr=0.2)
for episode in range(5):
    state = torch.tensor([1.0, 0.0, float(episode)], device=device)
    logp, rewards = [], []
    for _ in range(4):
        dist = torch.distributions.Categorical(F.softmax(policy(state), dim=-1))
        action = dist.sample()
        logp.append(dist.log_prob(action))
        rewards.append(1.0 if action.item() == 1 else -1.0)
        state = torch.roll(state, 1)
    returns = torch.as_tensor(rewards).to(device).cumsum(0)
    loss = -(torch.stack(logp) * returns).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(episode, f"{loss.item():.5f}", sum(rewards))
