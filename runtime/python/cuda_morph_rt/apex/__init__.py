"""Parts of NVIDIA's apex for devices it was not written for: optimizers and normalization, with
apex's names, arguments and checkpoint keys. apex.amp and apex.parallel are not here: torch.amp and
torch.nn.parallel.DistributedDataParallel took their place."""
