"""Seeds of a loader's workers, deterministic flags, a generator for the sampler."""
import os, random
import torch
from torch.utils.data import DataLoader, Dataset

def set_seed(seed: int, deterministic: bool = True):
    random.seed(seed)
    os.environ["PYTHONHASHSEED"] = str(seed)
    torch.manual_seed(seed)
    torch.cuda.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)
    if deterministic:
        torch.backends.cudnn.deterministic = True
        torch.backends.cudnn.benchmark = False
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")

class Squares(Dataset):
    def __len__(self): return 6
    def __getitem__(self, i): return torch.tensor(float(i)), i * i

set_seed(3)
g = torch.Generator()
g.manual_seed(0)
pin = torch.cuda.is_available()
loader = DataLoader(Squares(), batch_size=3, shuffle=True, generator=g, pin_memory=pin)
order = []
for x, y in loader:
    if torch.cuda.is_available():
        x, y = x.cuda(non_blocking=True), y.cuda(non_blocking=True)
    assert x.is_cuda == y.is_cuda == pin
    order += (x * x - y).tolist()
print(order, torch.initial_seed())
