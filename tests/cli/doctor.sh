#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# doctor.sh - `cuda-morph info` and `doctor` on file systems of healthy and of broken machines.
. "${0%/*}/helper"
. "$top/tests/cli/machines"

every='rocm ascend xpu mlu musa cpu portable'
json=$(command -v python3) || json=

# broken TARGET STATUS SAYS COMMAND: a healthy machine, damaged by a command in its root.
broken() {
    machine
    $1
    (cd "$root" && eval "$4")
    run doctor --target "$1" --root "$root"
    exits "$2" "$1 after: $4"
    prints "$3" "$1 after: $4"
}

for target in ascend rocm xpu mlu musa; do
    machine
    run info --root "$root" --format json
    exits 0 "info: a machine without accelerators, $target"
    prints '"detected": []' 'info: nothing is detected where nothing is'
    $target
    run info --root "$root" --format json
    prints "\"detected\": [\"$target\"]" "info: a machine of $target"
    run info --root "$root"
    prints "$target (" "info: a machine of $target, as text"
    run doctor --root "$root"
    exits 0 "doctor: a healthy machine of $target"
    prints '0 errors' "doctor: a healthy machine of $target"
    run doctor --full --root "$root" --target $target --format json
    exits 0 "doctor --full: a healthy machine of $target"
    prints '"error": 0' "doctor --full: a healthy machine of $target"
    # Each command answers for every target on every machine, as text and as JSON that can be read.
    for command in info doctor vllm compile; do
        run $command --target all --root "$root"
        for other in $every; do
            check "$command on a machine of $target: $other" grep -q "^$other" "$out"
        done
        run $command --target all --root "$root" --format json
        [ -z "$json" ] || check "$command on a machine of $target: JSON" "$json" -m json.tool "$out"
    done
done

# What doctor --full looks for; one library less is one error.
machine
ascend
run doctor --full --target npu --root "$root"
for what in device firmware driver toolkit ASCEND_HOME_PATH LD_LIBRARY_PATH PYTHONPATH headers \
    npu-smi CMake 'C++ compiler' torch_npu HCCL HCCL_CONNECT_TIMEOUT 'Ascend C compiler'; do
    prints "$what" "doctor --full: $what is looked for"
done
rm "$root"/usr/local/Ascend/ascend-toolkit/latest/lib64/libascendcl.so
run doctor --full --target npu --root "$root"
check 'doctor --full: one error without libascendcl.so' grep -q ' 1 error$' "$out"

# Neither Python nor a PATH is needed to say what is there.
machine
ascend
PATH=/nonexistent run info --root "$root" --format json
exits 0 'info without Python'
prints '"tool": {"name": "cuda-morph", "version": "' 'info: the version'
prints '"detected": ["ascend"]' 'info without Python: what is detected'
for target in $every; do prints "{\"target\": \"$target\"" "info: target $target"; done
PATH=/nonexistent run info --root "$root"
prints 'ascend (Huawei Ascend)' 'info: a library is found by its name'

site=usr/local/lib/python3.11/site-packages
e=etc/environment
latest=usr/local/Ascend/ascend-toolkit/latest
broken ascend 1 'AscendCL: not found' "rm $latest/lib64/libascendcl.so"
broken ascend 1 'device file: not found' 'rm dev/davinci0'
broken ascend 1 'NPU driver: not found' 'rm -r usr/local/Ascend/driver/version.info'
broken ascend 1 'ASCEND_HOME_PATH: not found' "sed -i /HOME/d $e"
broken ascend 1 'names what is not there' "sed -i s,toolkit/latest,toolkit/gone, $e"
broken ascend 1 'torch_npu: not found' "rm -r $site/torch_npu-2.6.0.dist-info"
broken ascend 1 'PyTorch: not found' "rm -r $site/torch-2.6.0+cpu.dist-info"
broken ascend 1 'do not go together' \
    "mv $site/torch_npu-2.6.0.dist-info $site/torch_npu-2.5.1.dist-info"
broken ascend 1 'do not go together' \
    "echo version=8.0.RC3 >$latest/x86_64-linux/ascend_toolkit_install.info"
broken ascend 1 'was built for CUDA' \
    "mv $site/torch-2.6.0+cpu.dist-info $site/torch-2.6.0+cu124.dist-info"
broken ascend 0 'the table does not know cann 99.0' \
    "echo version=99.0 >$latest/x86_64-linux/ascend_toolkit_install.info"
broken ascend 0 'HCCL: not found' "rm $latest/lib64/libhccl.so"
broken ascend 0 'has no effect on Ascend devices' "echo CUDA_VISIBLE_DEVICES=0 >>$e"
broken ascend 0 'ASCEND_RT_VISIBLE_DEVICES=1: ' "echo ASCEND_RT_VISIBLE_DEVICES=1 >>$e"
broken ascend 0 'npu-smi: not found' 'rm usr/local/bin/npu-smi'

broken rocm 1 'compute device: not found' 'rm dev/kfd'
broken rocm 1 'kernel driver amdgpu: not found' 'rm -r sys/module/amdgpu'
broken rocm 1 'render device: not found' 'rm -r dev/dri'
broken rocm 1 'PyTorch: not found' "rm -r $site/torch-*"
broken rocm 1 'was not built for ROCm' \
    "mv $site/torch-2.7.0+rocm6.3.dist-info $site/torch-2.7.0+cu126.dist-info"
broken rocm 0 'ROCm: not found' 'rm -r opt/rocm'
broken rocm 0 'is set beside ROCR_VISIBLE_DEVICES, which comes first' \
    "printf 'HIP_VISIBLE_DEVICES=0\nROCR_VISIBLE_DEVICES=1\n' >>$e"
broken rocm 0 'pretends another architecture' "echo HSA_OVERRIDE_GFX_VERSION=10.3.0 >>$e"
broken rocm 0 'is set and empty: no device is visible' "echo HIP_VISIBLE_DEVICES= >>$e"
broken rocm 0 'no device of this vendor' 'rm -r sys/bus'

broken xpu 1 'kernel driver i915 or xe: not found' 'rm -r sys/module'
broken xpu 1 'render device: not found' 'rm -r dev'
broken xpu 1 'Level Zero loader: not found' 'rm usr/lib/x86_64-linux-gnu/libze_loader.so.1'
broken xpu 1 'Level Zero driver for GPUs: not found' \
    'rm usr/lib/x86_64-linux-gnu/libze_intel_gpu.so.1'
broken xpu 1 'PyTorch: not found' "rm -r $site/torch-*"
broken xpu 1 'is the CPU build' \
    "mv $site/torch-2.8.0+xpu.dist-info $site/torch-2.8.0+cpu.dist-info"
broken xpu 1 'is older than 2.5' "mv $site/torch-2.8.0+xpu.dist-info $site/torch-2.1.0.dist-info"
broken xpu 1 'the extension needs the torch of the same version' \
    "mkdir $site/intel_extension_for_pytorch-2.7.10+xpu.dist-info"
broken xpu 0 'is gone from DPC++' "echo SYCL_DEVICE_FILTER=gpu >>$e"
broken xpu 0 'beside ZE_AFFINITY_MASK' \
    "printf 'ONEAPI_DEVICE_SELECTOR=x\nZE_AFFINITY_MASK=0\n' >>$e"

broken mlu 1 'device file: not found' 'rm dev/cambricon_dev0'
broken mlu 1 'Neuware (CNToolkit): not found' 'rm -r usr/local/neuware'
broken mlu 1 'CNRT: not found' 'rm usr/local/neuware/lib64/libcnrt.so'
broken mlu 1 'CNNL: not found' 'rm usr/local/neuware/lib64/libcnnl.so'
broken mlu 1 'torch_mlu: not found' "rm -r $site/torch_mlu-*"
broken mlu 1 'was built for CUDA' \
    "mv $site/torch-2.4.0+cpu.dist-info $site/torch-2.4.0+cu121.dist-info"
broken mlu 0 'the table does not know torch_mlu 1.99.0' \
    "mv $site/torch_mlu-1.22.0+torch2.4.0.dist-info $site/torch_mlu-1.99.0.dist-info"
broken mlu 0 'CNCL: not found' 'rm usr/local/neuware/lib64/libcncl.so'
broken mlu 0 'NEUWARE_HOME: not found' "sed -i /NEUWARE/d $e"
broken mlu 0 'set MLU_VISIBLE_DEVICES' "echo CUDA_VISIBLE_DEVICES=0 >>$e"

broken musa 1 'kernel driver mtgpu: not found' 'rm -r sys/module'
broken musa 1 'device file: not found' 'rm dev/mtgpu.0'
broken musa 1 'MUSA toolkit: not found' 'rm -r usr/local/musa'
broken musa 1 'MUSA runtime: not found' 'rm usr/local/musa/lib/libmusart.so'
broken musa 1 'muDNN: not found' 'rm usr/local/musa/lib/libmudnn.so'
broken musa 1 'torch_musa: not found' "rm -r $site/torch_musa-*"
broken musa 1 'torch_musa needs the torch of the same version' \
    "mv $site/torch-2.5.0.dist-info $site/torch-2.7.0.dist-info"
broken musa 0 'MCCL: not found' 'rm usr/local/musa/lib/libmccl.so'
broken musa 0 'MUSA_HOME: not found' "sed -i /MUSA_HOME/d $e"
broken musa 0 'mthreads-gmi: not found' 'rm usr/bin/mthreads-gmi'

machine
xpu
rm "$root/usr/bin/python3.11"
put /usr/bin/python3.12
run doctor --root "$root"
prints 'PyTorch is installed for Python 3.11, and python3 is 3.12' 'a package for another Python'
rm "$root/usr/bin/python3.12"
for file in python3 python3.10 python3.11; do put /usr/bin/$file; done
run info --root "$root" --fingerprint
check 'python3 may be any of several' grep -qx 'python   3' "$out"

machine
run doctor --root "$root"
exits 0 'doctor: a machine without accelerators'
prints 'no accelerator found' 'doctor: says so'
run doctor --root "$root" --target npu --format json
exits 1 'doctor: a target that is asked for and missing'
prints '"level": "error", "target": "ascend", "id": "torch_npu"' 'doctor: what is missing, as JSON'
check 'doctor: no error without what mends it' not grep -q '"level": "error".*"fix": null' "$out"
run doctor --root "$root" --target portable
exits 0 'doctor: portable needs nothing'
python torch 2.5.0
run doctor --root "$root" --target portable
exits 1 'doctor: portable with an old PyTorch'
prints 'torch.accelerator comes with PyTorch 2.6' 'doctor: portable with an old PyTorch'
setting CUDA_MORPH_TARGET=cpu
run info --root "$root"
prints 'CUDA_MORPH_TARGET says cpu' 'info: a target by force'
run info --root "$root" --format json
prints '"forced": "cpu"' 'info: a target by force, as JSON'
prints '"os": "Test Linux 1"' 'info: the fingerprint'
prints '"cpus": 1' 'info: the fingerprint'
run info --fingerprint
exits 0 'info: a fingerprint as text'
for word in kernel system cpu python; do prints "$word" "info: a fingerprint's $word"; done
mkdir -p "$root/home/jo smith/venv"
setting ASCEND_HOME_PATH="/home/jo smith/venv/cann"
for format in text json; do
    run info --root "$root" -v --share --format $format
    exits 0 "info --share, $format"
    check "info --share, $format: who somebody is" not grep -qE "(^|[ \"'=:,(])/|jo smith" "$out"
done
prints 'torch' 'info --share: what is here'

# Programs tell their versions: of this machine only, for a time, and whatever they do.
mkdir ../tools # not below the folder that we stand in: nothing of it is run
tool_of() { # tool_of NAME: a program of that name, whose text is read here
    { echo '#!/bin/sh' && cat; } >"../tools/$1" && chmod +x "../tools/$1"
}
echo 'echo "HIP version: 6.9.42"' | tool_of hipcc
printf 'echo asked >>%s/asked\necho "Cuda compilation tools, release 12.9, V12.9.1" >&2\n' "$PWD" | tool_of nvcc
echo 'sleep 60 & sleep 60' | tool_of mcc
echo 'while :; do echo version 1 2 3; done' | tool_of cncc
echo 'kill -SEGV $$' | tool_of icpx
began=$(date +%s)
PATH=${PWD%/*}/tools:$PATH run info --target rocm,musa,mlu,xpu --format json
exits 0 'info: programs that tell, hang, write without end and crash'
check 'info: they get some seconds' test $(($(date +%s) - began)) -lt 30
prints '"id": "hipcc", "kind": "tool", "found": true' 'info: a compiler'
prints '"version": "6.9.42"' 'info: its version'
prints '"version": "12.9"' 'info: a version that is written as an error'
check 'info: a program that hangs has none' grep -q '"id": "mcc".*"version": null' "$out"
check 'info: a program that crashes has none' grep -q '"id": "icpx".*"version": null' "$out"
PATH=${PWD%/*}/tools:$PATH run info --target rocm
prints '6.9.42' 'info: as text'
rm -f asked
PATH=${PWD%/*}/tools:$PATH run info --fingerprint
PATH=${PWD%/*}/tools:$PATH run doctor --target rocm
machine
put /usr/bin/nvcc
cp ../tools/nvcc "$root/usr/bin/nvcc"
run info --root "$root" --format json
check 'info: programs of another root, a fingerprint and doctor ask none' test ! -e asked

# What programs for CUDA are built with, in a container, below somebody's folder.
machine
put /.dockerenv
put /home/someone/cuda/include/cuda.h '#define CUDA_VERSION 12080'
put /home/someone/cuda/bin/nvcc
put /home/someone/cuda/lib64/libcudnn.so.9
put /home/someone/cuda/include/cudnn_version.h '#define CUDNN_MAJOR 9
#define CUDNN_MINOR 1
#define CUDNN_PATCHLEVEL 0'
put /proc/driver/nvidia/version 'NVRM version: NVIDIA UNIX x86_64 Kernel Module  570.86.15  Thu'
put /usr/bin/g++-13
put /usr/lib/x86_64-linux-gnu/libopenblas.so.0
setting CUDA_HOME=/home/someone/cuda
for line in 'container *.dockerenv' 'NVIDIA driver *570.86.15 *version' 'CUDA toolkit *12.8 *cuda.h' \
    'nvcc *nvcc' 'cuDNN *9.1.0 *libcudnn.so.9' 'GCC *g++-13' 'BLAS *libopenblas.so.0'; do
    run info --root "$root" --share
    check "info --share: $line" grep -qx "  $line" "$out"
done
for number in 13000=13.0 11080=11.8 9020=9.2; do
    put /home/someone/cuda/include/cuda.h "#define CUDA_VERSION ${number%=*}"
    run info --root "$root"
    check "info: $number" grep -q "  CUDA toolkit *${number#*=} " "$out"
done
put /home/someone/cuda/include/cuda.h '#define CUDA_VERSION 12080'
head -c 1200000 /dev/zero | tr '\0' '\n' >>"$root/home/someone/cuda/include/cuda.h"
run info --root "$root"
check 'info: a header of more than a megabyte' grep -q '  CUDA toolkit *12.8 ' "$out"
run info --root "$root" --share
check 'info --share: nothing of who it is' not grep -q -e someone -e /home "$out"
run info --root "$root"
prints '/home/someone/cuda/bin/nvcc' 'info: the whole path'
run info --root "$root" --format json
prints '"id": "cudnn", "kind": "library", "found": true' 'info: the host, as JSON'
run doctor --root "$root" --target cpu
check 'doctor is silent on what CUDA needs' not grep -q -i -e cudnn -e nvcc "$out"

# Sets of versions, judged by the vendors' tables.
while read -r status set; do
    run doctor --versions "$set"
    exits "$status" "versions: $set"
done <<'SETS'
0 torch=2.10.0,torch_npu=2.10.0,cann=9.1.0
1 torch=2.5.1,torch_npu=2.5.1,cann=8.0.RC3
1 torch=2.4.0,torch_npu=2.4.0,cann=8.0.RC2
1 torch=2.3.1,torch_npu=2.3.1,cann=8.0.RC1
1 torch=2.0.1,torch_npu=2.0.1,cann=6.3.RC3
1 torch=2.2.0,torch_npu=2.2.0,cann=7.0.0
0 torch=2.5.1,torch_npu=2.5.1,cann=8.1.RC1
0 torch=2.4.0,torch_npu=2.4.0,cann=8.0.RC3
0 torch=2.3.1,torch_npu=2.3.1,cann=8.0.RC2
0 torch=2.2.0,torch_npu=2.2.0,cann=8.0.RC1
0 torch=2.4.0,torch_npu=2.4.0.post4,cann=8.1.RC1
0 torch=2.1.0,torch_npu=2.1.0.post17,cann=8.3.RC1
0 torch=2.1.0,torch_npu=2.1.0,cann=7.0.0
1 torch=2.6.0,torch_npu=2.6.0,cann=8.2.RC1,python=3.12
0 torch=2.6.0,torch_npu=2.6.0,cann=8.2.rc1,python=3.11
1 torch=2.6.0,torch_npu=2.5.1
0 torch=2.5.0,torch_musa=2.1.0
1 torch=2.2.0,torch_musa=2.1.0
0 torch=2.2.0,torch_musa=2.0.1
0 torch=2.7.1,torch_musa=2.7.0
1 torch=2.5.0,torch_musa=1.3.0
0 torch=2.3.1,ipex=2.3.110
1 torch=2.3.1,ipex=2.1.40
0 torch=2.4.0,torch_mlu=1.22.0
0 torch=2.10.0,torch_gcu=2.10.0
1 torch=2.9.0,torch_gcu=2.10.0
0 torch=2.10.0,torch_fl=0.1.0
1 torch=2.8.0,torch_fl=0.1.0
0 torch=2.5.1,habana=1.19.0
1 torch=2.7.0,habana=1.19.0
1 torch=2.8.0+cpu,ipex=2.8.0
SETS
run doctor --versions torch=2.7.1,torch_npu=2.7.1,cann=8.5.0
prints "the table's set is cann 8.5.0, torch_npu 2.7.1.post2" \
    'versions: the exact post release is named'
run doctor --versions torch=2.5.1,torch_npu=2.5.1,cann=8.1.RC1,python=3.10
prints ' 0 warnings' 'versions: of several rows of a table the best fits'
run doctor --versions torch=2.6.0
exits 2 'versions that no table knows alone'
run doctor --versions torch
exits 2 'no version'
run doctor --root /nonexistent
exits 2 'no such root'
run doctor extra
exits 2 'an operand'
run info --target nothing
exits 2 'an unknown target'

# A target of one's own, and a damaged one.
cat >foo.json <<'JSON'
{"target": "foo", "aliases": [], "order": 9, "title": "Foo", "summary": "s", "names": "port",
 "facts": {"device": "foo", "device_expr": "\"foo\"", "device_compare": "\"foo\"",
           "device_obj": "\"foo\"", "module": "torch.foo", "import": "torch_foo", "method": "foo"},
 "probes": {"sources": {"x": {"source": "x", "checked": "2026-11"}},
            "items": [{"id": "lib", "title": "library", "kind": "library", "need": "required",
                       "proof": true, "any": ["libfoo.so*"], "fix": "install foo", "source": "x"}]},
 "references": [{"source": "x", "checked": "2026-11"}]}
JSON
put /usr/lib/libfoo.so.1
run info --root "$root" --rules foo.json --target foo
exits 0 'info: a target of one file has probes, too'
prints '/usr/lib/libfoo.so.1' 'info: a library is found without Python'
sed -i 's/"source": "x"}]},/"source": "y"}]},/' foo.json
run info --rules foo.json
exits 2 'a probe without a source'
says '"sources" has no "y"' 'a probe without a source'

# A target made of another's file, in a folder of rules: it ports without a build.
mkdir -p more/targets
sed 's/"target": "mlu"/"target": "foo"/; s/"aliases": \[[^]]*\]/"aliases": []/
    s/"device": "mlu"/"device": "foo"/
    s/"import_words": "/&foo /; s/"probes"/"x-probes"/' "$top/rules/targets/mlu.json" |
    awk '/"x-probes": \{/ { skip = 1 } !skip { print } skip && /^  \},/ { skip = 0 }' \
        >more/targets/foo.json
cuda_code >a.py
run port a.py --target foo --rules more
exits 0 'a target of a folder of rules'
says '1 ported' 'a target of a folder of rules'

# The vendor's own library is asked, and may crash or hang without harm.
if command -v cc >/dev/null 2>&1; then
    fake() { printf '%s\n' "$1" >fake.c && cc -shared -fPIC -o lib/libascendcl.so fake.c; }
    mkdir lib
    LD_LIBRARY_PATH=$PWD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export LD_LIBRARY_PATH
    fake 'int aclInit(void *p) { return 0; } int aclrtGetDeviceCount(int *n) { *n = 3; return 0; }'
    run info --target ascend
    prints '3 devices answer' 'info: the library counts the devices'
    mv lib/libascendcl.so lib/kept
    fake 'int zeInit(unsigned f) { return 0; }
          int zeDriverGet(unsigned *n, void **d) { d[0] = n; *n = 1; return 0; }
          int zeDeviceGet(void *d, unsigned *n, void **v) { v[0] = "\1"; v[1] = "\2"; v[2] = "\1"; *n = 3; return 0; }
          int zeDeviceGetProperties(void *d, void *p) { ((int *)p)[4] = *(char *)d; return 0; }'
    mv lib/libascendcl.so lib/libze_loader.so
    mv lib/kept lib/libascendcl.so
    run info --target xpu
    prints '2 devices answer' 'info: Level Zero counts GPUs, not the CPU'
    rm lib/libze_loader.so
    fake 'int aclrtGetDeviceCount(int *n) { return *(volatile int *)0; }'
    run info --target ascend --format json
    exits 0 'a library that crashes'
    prints '"counted": null' 'a library that crashes'
    fake 'int aclInit(void *p) { for (;;) ; } int aclrtGetDeviceCount(int *n) { return 1; }'
    timeout 30 "$tool" info --target ascend --format json >"$out" 2>"$err"
    status=$?
    exits 0 'a library that hangs'
    prints '"counted": null' 'a library that hangs'
fi

done_testing
