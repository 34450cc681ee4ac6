"""A small convolutional network with a data loader, as in every tutorial."""
import torch
import torch.backends.cudnn as cudnn
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

use_cuda = torch.cuda.is_available()
torch.manual_seed(0)
if use_cuda:
    cudnn.benchmark = True
    cudnn.deterministic = False
device = torch.device("cuda" if use_cuda else "cpu")
kwargs = {"num_workers": 0, "pin_memory": True} if use_cuda else {}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 3)
        self.norm = nn.BatchNorm2d(4)
        self.conv2 = nn.Conv2d(4, 8, 3)
        self.out = nn.Linear(8 * 4 * 4, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm(self.conv1(x))), 2)
        x = F.relu(self.conv2(x))
        return F.log_softmax(self.out(x.flatten(1)), dim=1)


data = TensorDataset(torch.randn(96, 1, 14, 14), torch.randint(10, (96,)))
loader = DataLoader(data, batch_size=32, shuffle=False, **kwargs)
model = Net().to(device, memory_format=torch.channels_last)
optimizer = torch.optim.Adadelta(model.parameters(), lr=1.0)
for epoch in range(2):
    for images, labels in loader:
        images = images.to(device, non_blocking=True, memory_format=torch.channels_last)
        labels = labels.to(device, non_blocking=True)
        optimizer.zero_grad()
        loss = F.nll_loss(model(images), labels)
        loss.backward()
        optimizer.step()
    print(epoch, f"{loss.item():.5f}")
model.eval()
with torch.no_grad():
    right = sum((model(x.to(device)).argmax(1) == y.to(device)).sum().item() for x, y in loader)
print("right", right)
