#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A project that has a file for each vendor: cuda_accelerator.py beside npu_accelerator.py stays as it
# is, and where the target has none, one finding says so.
. "${0%/*}/helper"

mkdir -p tree/pkg
cd tree || exit 2
: >pkg/__init__.py
cat >pkg/cuda_accelerator.py <<'EOF'
import torch

NAME = "cuda:0"


def synchronize():
    torch.cuda.synchronize()
EOF
cat >pkg/npu_accelerator.py <<'EOF'
import torch
import torch_npu


def pin(x):
    return x.pin_memory()
EOF
printf 'import torch\n\ntorch.cuda.synchronize()\n' >pkg/cuda_tools.py

run port pkg/cuda_accelerator.py --target ascend
says '0 manual' 'the target has its file'
prints '    torch.cuda.synchronize()' 'nothing of it is ported'
run port pkg/cuda_accelerator.py --target xpu
says "the file is CUDA's by its name, beside those of other vendors: add the target's" 'none has'
says '1 manual' 'one finding'
prints '    torch.cuda.synchronize()' 'nothing of it is ported for another target either'
run port pkg/cuda_accelerator.py --target portable
says '0 manual' 'a target that is no vendor'
prints '    torch.cuda.synchronize()' 'nothing of it is ported for any device'
run port pkg/npu_accelerator.py --target portable
prints '    return x.pin_memory()' "another vendor's file stays"
run port pkg/cuda_tools.py --target ascend
prints 'torch.npu.synchronize()' 'a file that stands alone is ported'
done_testing
