"""A loader that copies ahead on a stream of its own where there are streams."""
import torch


class Prefetcher:
    def __init__(self, batches):
        self.batches = iter(batches)
        self.stream = torch.cuda.Stream() if torch.cuda.is_available() else None
        self.preload()

    def preload(self):
        self.next = next(self.batches, None)
        if self.next is None or self.stream is None:
            return
        with torch.cuda.stream(self.stream):
            self.next = self.next.cuda(non_blocking=True)

    def __iter__(self):
        while self.next is not None:
            if self.stream is not None:
                torch.cuda.current_stream().wait_stream(self.stream)
            batch = self.next
            if self.stream is not None:
                batch.record_stream(torch.cuda.current_stream())
            self.preload()
            yield batch


torch.manual_seed(0)
total = 0.0
for batch in Prefetcher([torch.rand(4) for _ in range(5)]):
    total += batch.sum().item()
print(f"{total:.5f}")
