"""Two networks against each other, with the older tensor types."""
import torch
from torch import nn

cuda = True if torch.cuda.is_available() else False
Tensor = torch.cuda.FloatTensor if cuda else torch.FloatTensor
torch.manual_seed(11)
generator = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
critic = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1), nn.Sigmoid())
adversarial_loss = nn.BCELoss()
if cuda:
    generator.cuda()
    critic.cuda()
    adversarial_loss.cuda()
g_opt = torch.optim.Adam(generator.parameters(), lr=1e-2)
d_opt = torch.optim.Adam(critic.parameters(), lr=1e-2)
for step in range(5):
    valid = Tensor(8, 1).fill_(1.0)
    fake = Tensor(8, 1).fill_(0.0)
    real = torch.randn(8, 2).type(Tensor)
    z = torch.randn(8, 4).type(Tensor)
    made = generator(z)
    g_loss = adversarial_loss(critic(made), valid)
    g_opt.zero_grad()
    g_loss.backward()
    g_opt.step()
    d_loss = adversarial_loss(critic(real), valid) + adversarial_loss(critic(made.detach()), fake)
    d_opt.zero_grad()
    d_loss.backward()
    d_opt.step()
    print(step, f"{g_loss.item():.5f} {d_loss.item():.5f}")
