# target: portable
"""Without a version every name is taken to be there."""
import torch

# ok: stale/too-new
torch.accelerator.synchronize()
# ok: stale/too-new
torch.accelerator.empty_cache()
# ok: stale/too-new
available = torch.amp.is_autocast_available("cpu")
