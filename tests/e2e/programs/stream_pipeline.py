"""Copies on one stream, computes on another, and waits by events."""
import torch


def pipeline(chunks, device):
    if device.type != "cuda":
        return [chunk.mul(2).sum() for chunk in chunks]
    copies = torch.cuda.Stream(device=device)
    results, ready = [], []
    for chunk in chunks:
        with torch.cuda.stream(copies):
            moved = chunk.pin_memory().to(device, non_blocking=True)
            done = torch.cuda.Event()
            done.record(copies)
        ready.append((moved, done))
    compute = torch.cuda.current_stream(device)
    for moved, done in ready:
        compute.wait_event(done)
        moved.record_stream(compute)
        results.append(moved.mul(2).sum())
    compute.synchronize()
    assert copies.query()
    return results


device = torch.device("cuda", torch.cuda.current_device()) if torch.cuda.is_available() else torch.device("cpu")
chunks = [torch.full((8,), float(i)) for i in range(4)]
sums = pipeline(chunks, device)
assert [s.item() for s in sums] == [0.0, 16.0, 32.0, 48.0]
assert all(s.device == sums[0].device for s in sums)
assert sums[0].is_cuda == torch.cuda.is_available()
print("pipeline", sum(s.item() for s in sums))
