"""A command line with sub-settings, printed as JSON, with a device that can be 'auto'."""
import argparse, json
import torch

def resolve(name: str) -> torch.device:
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name.startswith("cuda") and not torch.cuda.is_available():
        print("no device, using the host")
        name = "cpu"
    return torch.device(name)

def build(argv):
    p = argparse.ArgumentParser()
    p.add_argument("--device", "-d", default="auto", help="auto, cpu, cuda or cuda:N")
    p.add_argument("--compute-dtype", default=None)
    a = p.parse_args(argv)
    a.device = resolve(a.device)
    if a.compute_dtype is None:
        a.compute_dtype = "float16" if a.device.type == "cuda" else "float32"
    return a

auto, host = build([]), build(["-d", "cpu"])
x = torch.full((2,), 3.0, device=auto.device).to(getattr(torch, auto.compute_dtype))
assert x.is_cuda == torch.cuda.is_available() == (x.dtype is torch.float16)
assert host.device == torch.device("cpu") and host.compute_dtype == "float32"
print(json.dumps({"sum": x.float().sum().item(), "host": str(host.device)}))
