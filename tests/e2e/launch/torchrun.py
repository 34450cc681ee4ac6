"""torchrun, for releases whose own one cannot start: Debian 12 has torch 1.13 on Python 3.11, where
an enumeration lost its zero."""
import sys

import torch
import torch.distributed.elastic.multiprocessing as launcher
import torch.distributed.elastic.multiprocessing.api as api
from torch.distributed.run import main

if torch.__version__.startswith("1.13"):
    launcher.to_map = api.to_map = lambda _, n: dict.fromkeys(range(n), api.Std.NONE)
main(sys.argv[1:])
