"""An average of weights, saved with the random states, loaded to the current device."""
import copy, io
import torch

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")

class EMA:
    def __init__(self, model, decay=0.5, device=None):
        self.module = copy.deepcopy(model).eval()
        self.decay = decay
        if device is not None:
            self.module.to(device=device)

    @torch.no_grad()
    def update(self, model):
        for e, p in zip(self.module.state_dict().values(), model.state_dict().values()):
            e.copy_(self.decay * e + (1 - self.decay) * p.to(e.device))

model = torch.nn.Linear(2, 1).to(device)
torch.nn.init.zeros_(model.weight); torch.nn.init.zeros_(model.bias)
ema, host = EMA(model, device=device), EMA(model, device="cpu")
with torch.no_grad():
    model.weight.fill_(1.0)
ema.update(model); host.update(model)
state = {"ema": ema.module.state_dict(), "rng": torch.get_rng_state(),
         "cuda_rng": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else None}
f = io.BytesIO(); torch.save(state, f); f.seek(0)
back = torch.load(f, map_location=lambda storage, loc: storage)
torch.set_rng_state(back["rng"].cpu())
if back["cuda_rng"] is not None and torch.cuda.is_available():
    torch.cuda.set_rng_state_all([s.cpu() for s in back["cuda_rng"]])
f.seek(0)
again = torch.load(f, map_location=device)
assert again["ema"]["weight"].device == device and back["ema"]["weight"].device.type == "cpu"
assert host.module.weight.is_cuda is False
print(again["ema"]["weight"].tolist(), host.module.weight.tolist())
