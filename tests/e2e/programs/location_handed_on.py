"""Loading by a function of the storage, and by a lambda for the device."""
import io

import torch

cuda = torch.cuda.is_available()
x = torch.arange(4.0)
x = x.cuda() if cuda else x
file = io.BytesIO()
torch.save({"x": x}, file)


def load(where):
    file.seek(0)
    return torch.load(file, map_location=where, weights_only=False)["x"]


assert not load(lambda storage, location: storage).is_cuda
if cuda:
    assert load(lambda storage, location: storage.cuda(0)).is_cuda
    assert load({"cuda:0": "cpu"}).device.type == "cpu"
    assert load("cuda:0").get_device() == 0
assert load(None).is_cuda == cuda
print(load("cpu").sum().item())
