#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A workflow of a service is for one machine: it is ported whole or not at all, and what is left of
# it is one finding.
. "${0%/*}/helper"

mkdir -p .github/workflows
cat >.github/workflows/gpu.yml <<'YML'
jobs:
  gpu:
    strategy:
      matrix:
        device: [cpu, cuda]
    env:
      CUDA_VISIBLE_DEVICES: 0
    steps:
      - run: nvidia-smi
      - run: pytest --device ${{ matrix.device }}
      - if: matrix.device == 'cuda'
        run: CUDA_VISIBLE_DEVICES=0 python train.py --device cuda
YML
cat >.github/workflows/whole.yml <<'YML'
jobs:
  gpu:
    env:
      CUDA_VISIBLE_DEVICES: 0
    steps:
      - run: nvidia-smi
      - run: CUDA_VISIBLE_DEVICES=0 python train.py --device cuda
YML
cp .github/workflows/gpu.yml plain.yml
cat >.github/workflows/flow.yml <<'YML'
jobs:
  gpu:
    strategy:
      matrix:
        device: [cpu, "cuda"]
    steps:
      - run: pytest --device ${{ matrix.device }}
        env:
          CUDA_VISIBLE_DEVICES: 0
      - run: pytest --device cuda
YML
cat >.github/workflows/block.yml <<'YML'
jobs:
  gpu:
    strategy:
      matrix:
        device:
          - cpu
          - cuda # the other
    steps:
      - run: pytest --device cuda
YML
cat >.github/workflows/lines.yml <<'YML'
jobs:
  gpu:
    strategy:
      matrix:
        device: [
          cpu,
          cuda
        ]
    steps:
      - run: pytest --device cuda
YML
cat >.github/workflows/other.yml <<'YML'
jobs:
  gpu:
    strategy:
      matrix:
        device:
          - cpu
        branches: [main, cuda]
        tags:
          - cuda
    steps:
      - run: pytest --device cuda
YML

run port . --target ascend -o out
exits 0 'port'
says "gpu.yml:5:23: manual: \`cuda\` is for a machine of NVIDIA's, as the workflow is" 'it is told once'
check 'half a workflow is not written' cmp .github/workflows/gpu.yml out/.github/workflows/gpu.yml
check 'one of which nothing is left is' [ "$(grep -cE 'ASCEND_RT|npu-smi|npu$' out/.github/workflows/whole.yml)" -eq 3 ]
check 'elsewhere each line is by itself' [ "$(grep -c 'ASCEND_RT' out/plain.yml)" -eq 2 ]
for kind in flow block lines; do
    check "a list of devices counts: $kind" cmp .github/workflows/$kind.yml out/.github/workflows/$kind.yml
    check "$kind is one finding" [ "$(grep -c "$kind.yml.*manual" "$out" "$err" | awk -F: '{n += $2} END {print n}')" -eq 1 ]
done
check 'a list of other things does not' grep -q 'device npu' out/.github/workflows/other.yml
check 'and stays' [ "$(grep -c cuda out/.github/workflows/other.yml)" -eq 2 ]
run check . --target ascend --fix
check 'nor does check --fix write half of it' [ "$(grep -c 'CUDA_VISIBLE_DEVICES' .github/workflows/gpu.yml)" -eq 2 ]
done_testing
