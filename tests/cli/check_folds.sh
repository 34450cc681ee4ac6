#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check: findings that are one piece of work are one finding, and places that count less.
. "${0%/*}/helper"
mkdir .git src tests
cat >src/add.cu <<'END'
#include <cstdio>
__device__ float one(float x) { return x * __shfl_down_sync(~0u, x, 1); }
__device__ float two(float x) { return x; } // "}" in a comment {
__global__ void add(float *a) { a[threadIdx.x] += one('}' + 1.f); }
__global__ void sub(float *a) { a[threadIdx.x + blockIdx.x] -= two(1); }
int main() {
    float *p;
    cudaMalloc(&p, 4);
    cudaFree(p);
    cudaMemset(p, 0, 4);
}
END
run check src --format concise
exits 0 'a file of CUDA C++ without a vendor'
check 'it is one note' test "$(wc -l <"$out")" -eq 1
prints 'this is CUDA C++, with' 'one note'
printf '#include <c10/cuda/CUDAGuard.h>\n' | cat - src/add.cu >src/guard.cu
run check src/guard.cu --format concise
exits 0 'what could be rewritten in it'
prints ': note: `c10/cuda/CUDAGuard.h` is tied to CUDA' 'is a note as the file is'
rm src/guard.cu
run check src --target ascend --format concise
prints 'the kernel `add` has to be written anew for Huawei Ascend, with 2 places' 'a kernel'
prints 'the kernel `sub` has to be written anew for Huawei Ascend, with 3 places' 'another'
prints 'the device function `one` and 1 more of this file have to be written anew' 'functions'
prints '`cudaMalloc` and 2 more places of this file are tied to CUDA' 'rewrites of one rule'
check 'four findings' test "$(wc -l <"$out")" -eq 4
run check src --target ascend --format json
check 'all places are in the JSON' test "$(grep -o '"rule": ' "$out" | wc -l)" -gt 12
run check src --target ascend --write-baseline base.json -q
run check src --target ascend --baseline base.json
exits 0 'the baseline knows each place'
sed -i '/cudaMemset/a\    cudaFree(p + 1);' src/add.cu
run check src --target ascend --baseline base.json --format concise
exits 1 'a new place beside old ones'
check 'which is told by itself' grep -q '^src/add.cu:11:.*`cudaFree` is tied to CUDA' "$out"

printf 'import torch\n\na = torch.zeros(2, dtype=torch.float64)\nb = a.double()\nc = torch.float64\n' >src/a.py
run check src/a.py --target ascend --format concise
check 'float64 once per file' test "$(grep -c 'silent/float64' "$out")" -eq 1
prints 'and 1 more place of this file' 'float64'

# Tests, examples and what others wrote.
printf 'import torch\n\nx = torch.cuda.is_available()\n' | tee tests/a.py >src/b.py
run check src/b.py --format concise
prints 'src/b.py:3:5: error' 'a source'
run check tests --format concise
prints 'tests/a.py:3:5: warning' 'a test'
run check tests --format concise --places same
prints 'tests/a.py:3:5: error' 'the same everywhere'
mkdir -p archive/tts && cp src/b.py archive/tts/c.py
run check archive --format concise
prints 'archive/tts/c.py:3:5: warning' 'what is kept aside'
rm -r archive
printf 'import torch\r\n\r\ntorch.cuda.synchronize()\r\n' >crlf.py
run check crlf.py
check 'CRLF: the line as a fix would write it has no sign for its end' not grep -q 'x0d' "$out"
rm crlf.py
printf '[severity]\n"torch-cuda" = "error"\n' >cuda-morph.toml
run check tests --format concise
prints 'tests/a.py:3:5: error' 'what the configuration says holds'
rm cuda-morph.toml

# The build for CUDA is CUDA's; what a switch or a handler guards is a note; CI counts less.
mkdir -p .github/workflows cmake
printf 'CUDA_HOME=/usr/local/cuda-12.4\napt-get install cuda-nvcc-12-4\n' |
    tee .github/cu124-env.sh install.sh >install_cuda.sh
run check install_cuda.sh .github install.sh --target ascend --format concise
prints 'install_cuda.sh:1:1: note: by its name this file is for CUDA, with 3 places' 'a script for CUDA'
prints '.github/cu124-env.sh:1:1: note: by its name this file is for CUDA' 'by a version'
prints 'install.sh:1:1: warning' 'another script'
run check install_cuda.sh --target ascend --format concise --places same
prints 'install_cuda.sh:1:1: warning' 'the same everywhere'
run check install_cuda.sh --target ascend --format concise --ignore cuda-morph/cuda-file
check 'the rule of the first place' not grep -q 'cuda-morph/cuda-file' "$out"
printf 'nvidia-smi --query-gpu=name --format=csv\n' >look.sh
run check look.sh --format concise
prints 'look.sh:1:1: note: `nvidia-smi`' 'a script, and nobody named a vendor'
run check look.sh --target ascend --format concise
prints 'look.sh:1:1: warning: `nvidia-smi`' 'a script, and a vendor'
printf 'option(WITH_CUDA "" OFF)\nif(WITH_CUDA)\n  enable_language(CUDA)\nendif()\n' >cmake/a.cmake
printf 'if(NOT WITH_CUDA)\n  enable_language(CUDA)\nelse()\nendif()\nenable_language(CUDA)\n' \
    >cmake/b.cmake
run check cmake --target ascend --format concise
prints 'cmake/a.cmake:3:19: note' 'behind a switch'
prints 'cmake/b.cmake:2:19: warning' 'behind none'
printf 'try:\n    import apex\nexcept ImportError:\n    apex = None\n' >src/d.py
printf 'try:\n    import apex\nexcept OSError:\n    raise\n' >src/e.py
run check src/d.py src/e.py --format concise
check 'an import that falls back' not grep -q 'src/d.py' "$out"
prints 'src/e.py:2:12: error' 'one that does not'
run check cmake/a.cmake --target ascend
prints 'Notes, each with its number of places; --verbose shows them:' 'notes are summed up'
prints ']: 1 in cmake/a.cmake' 'with their file'
run check cmake/a.cmake --target ascend --verbose
prints 'cmake/a.cmake:3:19: note' 'notes one by one'

# A fix is shown as it would be written.
run check src/b.py
prints '    + x = torch.accelerator.is_available()' 'the line of the fix'
# Nobody asked for a target: no advice needs our runtime.
printf 'import torch\n\nprint(torch.cuda.get_device_capability())\nx = torch.cuda.is_available()\n' \
    >src/f.py
cp src/f.py src/g.py
run check src/f.py --fix --format concise
check 'it is not written' not grep -q cuda_morph_rt src/f.py "$out"
check 'other fixes are' grep -q 'torch.accelerator.is_available' src/f.py
run check src/g.py --fix --target portable -q
check 'with --target it is' grep -q cuda_morph_rt src/g.py
rm -r .github cmake src/[defg].py install*.sh

# What git leaves out, and this user.
if can git 'worktrees and global excludes'; then
    HOME=$PWD/home
    export HOME
    unset XDG_CONFIG_HOME GIT_CONFIG_GLOBAL
    mkdir -p home/.config/git
    rm -rf .git
    git init -q . && git add src && git -c user.name=a -c user.email=a@b commit -qm a
    printf 'b.py\n' >home/.config/git/ignore
    cp src/b.py tests/b.py
    run check tests --show-files
    check "the user's own excludes" test "$(cat "$out")" = tests/a.py
    printf '[core]\n\texcludesFile = ~/mine\n' >home/.gitconfig
    printf 'a.py\n' >home/mine
    run check tests --show-files
    check 'core.excludesFile' test "$(cat "$out")" = tests/b.py
    git worktree add -q linked
    printf 'c.py\n' >>.git/info/exclude
    cp src/b.py linked/src/c.py
    run check linked/src --show-files
    check 'a linked worktree obeys .git/info/exclude' not grep -q 'c.py' "$out"
    prints 'linked/src/b.py' 'a tracked file that excludes name'
fi
done_testing
