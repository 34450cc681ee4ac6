"""Copies and kernels on streams of their own, ordered by events. Needs a GPU."""
# e2e: refuses on portable@cpu: it asserts that there is a GPU
import torch

assert torch.cuda.is_available(), "a GPU, please"
torch.manual_seed(4)
copy, compute = torch.cuda.Stream(), torch.cuda.Stream(priority=-1)
host = [torch.randn(64, 64).pin_memory() for _ in range(4)]
weight = torch.randn(64, 64, device="cuda")
done, start = torch.cuda.Event(), torch.cuda.Event(enable_timing=True)
end = torch.cuda.Event(enable_timing=True)
start.record()
results = []
for batch in host:
    with torch.cuda.stream(copy):
        on_device = batch.cuda(non_blocking=True)
        ready = copy.record_event()
    compute.wait_event(ready)
    with torch.cuda.stream(compute):
        assert torch.cuda.current_stream() == compute
        on_device.record_stream(compute)
        results.append((on_device @ weight).sum())
        done.record(compute)
torch.cuda.current_stream().wait_stream(compute)
torch.cuda.default_stream().wait_event(done)
end.record()
end.synchronize()
torch.cuda.synchronize()
print(done.query(), copy.query(), start.elapsed_time(end) >= 0)
print(f"{torch.stack(results).sum().item():.3f}", results[0].device == weight.device)
