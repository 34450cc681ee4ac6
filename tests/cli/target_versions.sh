#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Names of PyTorch's adapters that came and went: --target-version decides; without it a name has to
# be in all releases that are current.
. "${0%/*}/helper"

ported() { # ported OPTIONS CUDA NAME: what stands in the file
    printf 'import torch\nx = %s\n' "$2" >name.py
    # shellcheck disable=SC2086
    run port name.py $1
    prints "x = $3" "$1: $2"
}
manual() { # manual OPTIONS CUDA REASON
    ported "$1" "$2" "$2"
    says "$3" "$1: $2"
}

memory=torch.cuda.host_memory_stats
manual '--target ascend' "$memory()" 'torch.npu.host_memory_stats is in 2.7.1.post2 to 2.7.1.post8, 2.8.0.post2 and newer'
manual '--target ascend --target-version ascend=2.6' "$memory()" 'manual: '
manual '--target ascend --target-version ascend=2.7.1' "$memory()" 'manual: '
ported '--target ascend --target-version ascend=2.7.1.post8' "$memory()" 'torch.npu.host_memory_stats()'
ported '--target ascend --target-version ascend=v2.7.1-26.1.0' "$memory()" 'torch.npu.host_memory_stats()'
ported '--target ascend --target-version torch=2.10' "$memory()" 'torch.npu.host_memory_stats()'
ported '--target ascend --target-version ascend=99' "$memory()" 'torch.npu.host_memory_stats()'
says 'note: no release 99 of torch_npu was read, 2.1.0 to 2.12.0 were' 'a release to come'
says 'names are those of 2.12.0, the newest' 'which names are written then'
ported '--target ascend --target-version ascend=2.10.0.post1' "$memory()" 'torch.npu.host_memory_stats()'
says 'names are those of the ones nearest to it' 'a release between two'
noted() { # noted TARGET VERSION SENTENCE
    run port name.py --target "$1" --target-version "$2" --check
    says "note: $3" "$1, $2"
}
noted rocm rocm=9 'AMD ROCm 9 is newer than 7.2.4, the newest whose names were read: names are those of 7.2.4'
noted rocm rocm=4.5 'AMD ROCm 4.5 is older than 5.2, the oldest whose names were read: names are those of 5.2'
noted musa torch=9 'no release of torch_musa for torch 9 was read, '
noted dtk dtk=26.04 'no answer for Hygon DTK depends on its version: dtk=26.04 changes nothing'
noted cpu cpu=3 'no answer for the CPU depends on its version: cpu=3 changes nothing'
for version in rocm=5 rocm=5.2 rocm=6.4 rocm=7 rocm=7.2.4; do
    run port name.py --target rocm --target-version $version --check
    check "$version: no note" not grep -q 'note: ' "$err"
done
run port name.py --target ascend --target-version rocm=9 --check
check 'the version of a target that is not asked for: no note' not grep -q 'note: ' "$err"
run port name.py --target ascend --target-version ascend=2.7.1 --check
check 'a release that is known: no note' not grep -q 'note: no release' "$err"
manual '--target ascend --target-version ascend=99' 'torch.cuda.ExternalStream(0)' 'no release of torch_npu has torch.npu.ExternalStream'

manual '--target xpu' 'torch.cuda.CUDAGraph()' 'torch.xpu.XPUGraph is in 2.14.1'
ported '--target xpu --target-version xpu=2.14' 'torch.cuda.CUDAGraph()' 'torch.xpu.XPUGraph()'
ported '--target musa --target-version musa=2.7.1' 'torch.cuda.cudart' 'torch.cuda.cudart'
ported '--target musa --target-version musa=2.7.1 --unsafe-fixes' 'torch.cuda.cudart' 'torch.musa.musart'
ported '--target mlu' 'torch.cuda.amp.GradScaler()' 'torch.mlu.amp.GradScaler()'
ported '--target mlu --target-version torch=2.4' 'torch.cuda.amp.GradScaler()' 'torch.amp.GradScaler("mlu")'
ported '--target mlu --target-version torch=2.4' '"TORCH_NCCL_BLOCKING_WAIT"' '"TORCH_CNCL_BLOCKING_WAIT"'
ported '--target mlu --target-version torch=2.1' '"TORCH_NCCL_BLOCKING_WAIT"' '"CNCL_BLOCKING_WAIT"'
ported '--target ascend' '"NCCL_ASYNC_ERROR_HANDLING"' '"HCCL_ASYNC_ERROR_HANDLING"'
ported '--target ascend' 'torch.profiler.ProfilerActivity.CUDA' 'torch.profiler.ProfilerActivity.PrivateUse1'

run port name.py --target ascend --target-version ascend=1.5
says 'no release 1.5 of torch_npu: known are 2.1.0 to 2.12.0' 'a release before all that are known'
run port name.py --target ascend --target-version torch=0.1
says 'no target is known for torch 0.1' 'a PyTorch before all'

for version in rocm=new rocm= rocm torch=; do
    run port name.py --target rocm --target-version $version
    exits 2 "$version"
    says 'is no version of a target: write rocm=6.4' "$version"
done

echo 'target-version = "ascend=2.1"' >cuda-morph.toml
manual '--target ascend' 'torch.cuda.mem_get_info()' 'torch.npu.mem_get_info is in 2.1.0.post4'
ported '--target ascend --target-version ascend=2.7' 'torch.cuda.mem_get_info()' 'torch.npu.mem_get_info()'
echo 'target-version = ["rocm=6.4", "torch=2.6"]' >cuda-morph.toml
ported '--target xpu' 'torch.cuda.memory.reset_peak_memory_stats()' 'torch.xpu.reset_peak_memory_stats()'
rm cuda-morph.toml

run rules names --target ascend
prints 'ascend HCCL_BLOCKING_WAIT  torch_npu/csrc/distributed/ProcessGroupHCCL.hpp' 'the file that has a name'
done_testing
