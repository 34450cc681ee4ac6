"""Contexts that depend on the device, collected in an ExitStack: a stream, autocast, a profiler's range."""
import contextlib
import torch

gpu = torch.cuda.is_available()
device = torch.device("cuda:0" if gpu else "cpu")

class Work:
    def __init__(self):
        self.stream = torch.cuda.Stream() if gpu else None
        self.done = torch.cuda.Event() if gpu else None

    @contextlib.contextmanager
    def on_stream(self):
        with contextlib.ExitStack() as stack:
            if self.stream is not None:
                self.stream.wait_stream(torch.cuda.current_stream())
                stack.enter_context(torch.cuda.stream(self.stream))
            stack.enter_context(torch.autocast(device.type, enabled=False))
            stack.enter_context(torch.profiler.record_function("work"))
            yield self
            if self.done is not None:
                self.done.record(self.stream)

    def result(self, value):
        if self.done is not None:
            self.done.wait(torch.cuda.current_stream())
            value.record_stream(torch.cuda.current_stream())
            self.done.synchronize()
            assert self.done.query()
        return value

work = Work()
x = torch.arange(5.0, device=device)
with work.on_stream():
    y = (x * 2 + 1).cumsum(0)
z = work.result(y)
scope = torch.cuda.stream(work.stream) if work.stream else contextlib.nullcontext()
with scope:
    z = z + 1
if gpu:
    torch.cuda.synchronize()
assert z.device == device
print(z.tolist())
