"""Inference in half precision on the device, in single precision on the host."""
import argparse
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu", choices=["cuda", "cpu"])
parser.add_argument("--half", action="store_true")
opt = parser.parse_args(["--half"])
half = opt.half and opt.device != "cpu"
model = torch.nn.Sequential(torch.nn.Linear(2, 2, bias=False), torch.nn.ReLU())
torch.nn.init.ones_(model[0].weight)
model.to(opt.device).eval()
if half:
    model.half()
img = torch.tensor([[1.0, 2.0]]).to(opt.device)
img = img.half() if half else img.float()
with torch.no_grad():
    if opt.device == "cuda":
        model(torch.zeros(1, 2).to(opt.device).type_as(next(model.parameters())))  # run once
    pred = model(img)
assert pred.dtype == (torch.float16 if torch.cuda.is_available() else torch.float32)
assert pred.device.type == opt.device
print(pred.float().cpu().tolist())
