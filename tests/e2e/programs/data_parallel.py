"""DataParallel where there are several devices, the plain model elsewhere."""
import torch
import torch.nn as nn

torch.manual_seed(0)
model = nn.Linear(6, 2)
if torch.cuda.device_count() > 1:
    model = nn.DataParallel(model, device_ids=list(range(torch.cuda.device_count())))
if torch.cuda.is_available():
    model.cuda()
    batch = torch.ones(4, 6).cuda()
else:
    batch = torch.ones(4, 6)
print(type(model).__name__, f"{model(batch).sum().item():.5f}")
