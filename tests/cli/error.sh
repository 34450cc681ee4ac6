#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# error.sh - `cuda-morph error`: codes, classes, search, logs, JSON.
. "${0%/*}/helper"

run error 507015
exits 0 'error: a known code'
prints ACL_ERROR_RT_AICORE_EXCEPTION 'error: its name'
prints 'source:' 'every answer names its source'
silent err 'a known code'
run error 507018
check 'error: what to do has a line' grep -q '^    do: ' "$out"

for code in err99999 ERR01002 EI0002 0x7bc87; do
    run error "$code"
    exits 0 "error: $code"
    prints 'means:' "error: $code has an entry"
done
run error 507999
exits 1 'error: an unknown code'
prints 'internal fault' 'error: its class by the first digit'
run error nonsense
exits 1 'no code at all'
prints 'unknown class' 'no code at all'
run error hipErorNoDevice
prints "did you mean 'hipErrorNoDevice'?" 'a misspelt name'

run error --search timeout
exits 0 'error: search'
for code in 507014 507017 507034 507046; do prints "$code" "error: search finds $code"; done
run error --search no-such-word-anywhere
exits 1 'search without a result'

printf 'a\nerror code is 507015\nEZ9999: Inner Error\nagain: error code is 507015\n' >plog.txt
"$tool" error - <plog.txt >"$out" 2>"$err"
status=$?
exits 0 'error: a log'
prints 'line 2 and later: 507015' 'error: the first line of a code'
prints 'line 3: EZ9999' 'error: the line of another'
run error plog.txt
exits 0 'error: the file of a log'
prints 'line 3: EZ9999' 'error: a file is read as standard input is'
run error plog.txt nonsense
exits 1 'two operands are codes'
run error 'RuntimeError: HIP error: invalid device function'
exits 0 'an operand with blanks is a line of a log'
prints 'line 1: invalid device function hipErrorInvalidDeviceFunction' 'the line is told'
run error --format json 'error code is 507015' 'EZ9999: Inner Error!'
check 'two lines, and JSON' grep -q '"line": 2' "$out"
run error no-such-file.txt
prints 'unknown class' 'a file that is not there is taken for a code'
"$tool" error - <plog.txt >"$out" 2>"$err"
check 'error: each code once' test "$(grep -c 507015 "$out")" -eq 1
for n in 1 2 3 4 5; do
    echo "operator 'aten::op$((n % 2))' is not currently supported on the NPU backend and will fall back to run on the CPU"
done >fallback.txt
"$tool" error - <fallback.txt >"$out" 2>"$err"
prints '3  aten::op1' 'error: fallbacks are counted'
prints '2  aten::op0' 'error: each operator has its count'
"$tool" error - </dev/null >"$out" 2>"$err"
status=$?
exits 0 'an empty log'
prints 'no vendor' 'an empty log says so'

echo 'x.cc:1: Check failed: (e == cudaSuccess || e == cudaErrorCudartUnloading) is false: CUDA: out of memory' |
    "$tool" error - >"$out" 2>"$err"
prints 'cudaErrorMemoryAllocation' 'error: what a check found'
check 'error: what its condition compares with did not happen' sh -c '! grep -q CudartUnloading "$1"' sh "$out"
echo 'NotFoundError: libmkl_sycl.so.2: cannot open shared object file: No such file or directory' |
    "$tool" error - >"$out" 2>"$err"
prints 'a library is missing' 'error: a library that is not found'
check 'error: whose loader is not PaddlePaddle' sh -c '! grep -q PaddlePaddle "$1"' sh "$out"

# A whole log: the cause before what follows from it, and no more than a screen.
{
    echo 'Some HCCL operations have failed or timed out.'
    echo 'RuntimeError: NPU out of memory. Tried to allocate 1.00 GiB'
    for n in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15; do echo "EI00$n: [PID: 1] text"; done
} >long.txt
"$tool" error - <long.txt >"$out" 2>"$err"
check 'error: the cause comes first' sh -c 'sed -n 2p "$1" | grep -q "line 2: NPU out of memory"' - "$out"
prints 'different errors; the first is most often the cause' 'error: how many'
check 'error: a screen at most' test "$(wc -l <"$out")" -le 36
prints 'more: --format json has all' 'error: the rest is counted'

run error 700 --target musa
prints musaErrorIllegalAddress 'of one vendor'
check 'of one vendor only' not grep -q hipError "$out"
run error 507015 4242 --format json
exits 1 'JSON with an unknown code'
prints '"code": 507015' 'JSON: the code as a number'
prints '"unknown": ["4242"]' 'JSON: what is unknown'

run error
exits 2 'without a code'
run error 1 --search x
exits 2 'a code and a search'
run error 1 --target nothing
exits 2 'an unknown target'

# What HIP's own log says of a library that was built for other cards.
for line in ':1:hip_fatbin.cpp           :117 : 88 us: [pid:1 tid:0x1] Missing CO for these ISAs -' \
    ':1:hip_fatbin.cpp :276 : 88 us: [pid:1] Cannot find CO in the bundle /opt/x/lib/libMIOpen.so for ISA: amdgcn-amd-amdhsa--gfx90a'; do
    echo "$line" | "$tool" error - >"$out" 2>"$err"
    prints 'no code for this device in a library' "HIP: $line"
done
echo 'the bundle holds no CO: Missing CO for these songs' | "$tool" error - >"$out" 2>"$err"
check 'no other log' not grep -q 'no code for this device' "$out"

# Lines of logs without a code, or with one that stands alone: what is named, and what is not. Each
# is written after the vendor's own wording, for a class that public issues showed to be missed.
names() { # names LINE NAME: what the answer has to say
    printf '%s\n' "$1" | "$tool" error - >"$out" 2>"$err"
    prints "$2" "named: $1"
}
names '[Error]: Model execution failed.' ACL_ERROR_RT_MODEL_EXECUTE
names '(W pid=1) ERROR 01-01 [x.py:1] [Error]: The event is not complete.' ACL_ERROR_RT_EVENT_NOT_COMPLETE
names 'NPU function error: call aclnnCopy failed, error code is 561103' ACLNN_ERR_INNER_NULLPTR
names 'NPU function error: call aclnnAdd failed, error code is 161002' ACLNN_ERR_PARAM_INVALID
names 'ctx is NULL![FUNC:Get][FILE:api.cc][LINE:1]' 'no device was set on this thread'
names 'aclnnRoll: BinaryGetFunction failed' 'a kernel is not in the packages'
names 'RuntimeError: MUSA error: no CUDA-capable device is detected' musaErrorNoDevice
names 'error == cudaSuccess. 2 vs 0. Error at: x.cc:17' cudaErrorMemoryAllocation
names 'Check failed: err == hipSuccess (98 vs. 0)' hipErrorInvalidDeviceFunction
names 'E x/cuda_driver.cc:1] failed to allocate 2.00G from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory' cudaErrorMemoryAllocation
names 'Warning: zesInit failed with code 2013265921.' ZE_RESULT_ERROR_UNINITIALIZED
names "ModuleNotFoundError: No module named 'torch_mlu.core'" 'a part of the adapter that this release lacks'
names "ModuleNotFoundError: No module named 'torch_mlu'" 'the adapter is not installed'
names 'RuntimeError: Failed to find C compiler. Please specify via CC' 'Triton finds no C compiler'
names 'hcl/gaudi_common/x.cpp::71(initDevice): The condition [ false ] failed. Invalid server type (4[OCP1])' 'this server is of a type'
names '(E pid=1) Exception: WorkerProc initialization failed. See stack trace for root cause.' 'ended because of an error before'
names '[Error]: System Direct Memory Access (DMA) hardware execution error.' ACL_ERROR_RT_SYS_DMA
names 'RuntimeError: No HIP GPUs are available' 'PyTorch sees no HIP device'
names 'launch failed[FUNC:LaunchKernel][FILE:kernel.cc][LINE:33]' 'a step inside CANN failed'
names '[FUNC:LaunchKernel][FILE:kernel.cc][LINE:33] device is not ready' 'a step inside CANN failed'
names '2 tests, 1 failed on ascend' 'an error that has no entry here'
for line in '[FUNC:LaunchKernel][FILE:kernel.cc][LINE:33] ok done' '0 errors, 0 failed on ascend' \
    'ran without error on ascend' '[Error]: System Volume is full.' '0 failed of 3 on rocm' \
    'HIP: 4 GPUs are available' '[Error]: Cannot open the file of a song.' 'error == mySuccess. 2 vs 0' 'the engine of the car failed'; do
    echo "$line" | "$tool" error - >"$out" 2>"$err"
    prints "no vendor's error that is known" "not named: $line"
done

# What no vendor says: PyTorch, its launchers, serving programs, packages, compilers, the system.
check 'error: each row that has an example answers it' \
    python3 "$top/tests/error_words.py" --examples "$tool"
check 'error: words of families that any line may be of' python3 "$top/tests/error_words.py"
names "AttributeError: '_OpNamespace' '_C' object has no attribute 'rms_norm'" 'an operator of an extension'
names 'ld.lld: error: unable to find library -lhsakmt' 'the program does not link'
names 'E: Unable to correct problems, you have held broken packages.' 'a package does not install'
names 'FATAL error at x.py: cannot find the compiler' 'something is missing or does not load'
names 'errcode:(0x20000, 0) errorStr: L0C read/write conflict.' 'use one buffer at a time'
names 'muInit err: 101' musaErrorInvalidDevice
names ':1:hip_platform.cpp :7: 8 us: [pid:1 tid:0x1] Hsa copy of data failed with code 4104' HSA_STATUS_ERROR_OUT_OF_RESOURCES
names '[WARNING] Level Zero tracer did not start: 2013265921' ZE_RESULT_ERROR_UNINITIALIZED
names 'RuntimeError: the hidden size 7 is no multiple: tensor x has shape [3, 7]' "a tensor's shape, type or place does not fit"
names 'Compile op[Slice] failed, oppath[/x/ai_core/tbe/impl/slice.py], optype[Slice][FUNC:Report][FILE:f.cc][LINE:7]' 'an operator of CANN did not compile'
names '[ERROR] FE(7,demo):2023 [p.cc:62]7 Open:"Fail to load so file /x/libops_aicore.so, error message is (null)."' 'a file or library is missing'
names 'runc create failed: unable to start container process: exec: "my-plugin": executable file not found in $PATH: unknown' "not in the container's image"
names 'the kernel was built for sm80-sm90, but is running on sm121' 'asks for an architecture'
for line in 'MIOpen Error: /x.cpp:12: Tensor y is a unsupported data type' '<UR>[ERROR] Failed to allocate shadow memory for private memory'; do
    echo "$line" | "$tool" error - >"$out" 2>"$err"
    check "another program's: $line" sh -c '! grep -q "TensorRT\|llama" "$1"' sh "$out"
done
names 'amdsmi exception: Error code: 34 | AMDSMI_STATUS_DRIVER_NOT_LOADED' 'the kernel driver is not loaded'
for line in 'INFO 01-01 [x.py:1] CUDA is not available, using the next platform' \
    'x:1:2 [0] NCCL INFO NET/Plugin: librccl-net.so: cannot open shared object file' \
    '[Gloo] Rank 0 is connected to 0 peer ranks' 'Loading weights took 3.1 seconds' \
    'the index of the book is out of print' 'Some weights of the model were newly initialized' \
    'UserWarning: To copy construct from a tensor, use x.clone()' 'the letter could not be sent' \
    'WARNING: the menu is not supported' 'no devices are connected' 'the shop does not exist'; do
    echo "$line" | "$tool" error - >"$out" 2>"$err"
    prints "no vendor's error that is known" "not named: $line"
done

# Words that several causes share: the one that is meant, and never the other.
meant() { # meant LINE NAME OTHER: the answer has NAME, and not OTHER
    names "$1" "$2"
    check "not '$3': $1" not grep -qF -- "$3" "$out"
}
unclaimed() { # unclaimed LINE...: no answer is better than a wrong one
    for line in "$@"; do
        echo "$line" | "$tool" error - >"$out" 2>"$err"
        prints "no vendor's error that is known" "not named: $line"
    done
}
meant 'ERROR: Could not find a version that satisfies the requirement torch==9.9' 'packages' 'CMake'
names 'Could NOT find OpenMP (missing: OpenMP_CXX)' 'CMake did not configure'
meant 'Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should be the same' 'on different devices' 'types do not fit'
meant 'Input type (torch.FloatTensor) and weight type (torch.xpu.FloatTensor) should be the same' 'on different devices' 'types do not fit'
meant 'Input type (torch.cuda.HalfTensor) and bias type (torch.cuda.FloatTensor) should be the same' 'types do not fit' 'on different devices'
meant 'RuntimeError: CUDA driver error: invalid argument' cudaErrorInvalidValue 'does not compile'
names 'a.cpp:3:5: error: invalid argument type' 'the program does not compile'
meant 'npu-smi: command not found' 'not on the path' 'dcmi, npu-smi'
meant 'bash: line 1: mthreads-gmi: command not found' 'not on the path' 'MUSA device did not answer'
names 'npu-smi info failed, ret is -8020' "the driver's monitor"
meant "hipcc: error: no such file or directory: 'foo.hip'" 'no such source file' 'itself failed'
names 'clang++: error: unable to execute command: Segmentation fault' 'the compiler itself failed'
meant "KeyError: 'device'" 'a name has no entry' TensorFlow
meant "ModuleNotFoundError: No module named 'yaml'" 'a Python package is missing' CANN
names "ModuleNotFoundError: No module named 'decorator'" "CANN's compiler"
unclaimed 'error: user not found (XPU billing service)' 'port=107000 host=10.0.0.1 error none' \
    'The kill was Killed, in the story'
names 'call failed, ret=507015' ACL_ERROR_RT_AICORE_EXCEPTION
names 'run.sh: line 3:  1234 Killed                  python train.py' 'the system ended the process'
names Killed 'the system ended the process'
echo 'ptxas fatal   : Unresolved extern function' | "$tool" error - >"$out" 2>"$err"
check 'ptxas is not only called by Triton' not grep -q Triton "$out"

# What NVIDIA's driver and libraries, Apple's Metal and others say, each in words of our own.
names 'kernel: NVRM: Xid (PCI:0000:2a:00): 79, pid=9, GPU has fallen off the bus.' 'fallen off the bus'
names 'could not select device driver "" with capabilities: [[gpu]]' "cannot give NVIDIA's GPU"
names 'Failed to initialize NVML: Driver/library version mismatch' 'driver and library do not match'
names 'UserWarning: CUDA initialization: something (Triggered by) Error 803: system has unsupported display driver / cuda driver combination' cudaErrorSystemDriverMismatch
names 'checkLastError failed in cudaThing: no kernel image is available for execution on the device' cudaErrorNoKernelImageForDevice
names 'GPUassert: an illegal memory access was encountered x.cu 7' cudaErrorIllegalAddress
names 'RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling cublasCreate' CUBLAS_STATUS_ALLOC_FAILED
names 'RuntimeError: cuDNN error: CUDNN_STATUS_MAPPING_ERROR' CUDNN_STATUS_MAPPING_ERROR
names 'RuntimeError: MPS backend out of memory (MPS allocated: 1.0 GB)' 'MPS out of memory'
names 'x INFO y triton.runtime.errors.OutOfResources: out of resource: registers' 'a Triton kernel is too large'
names 'Triton Error [HIP]:  Code: 209, no kernel image is available for execution on the device' hipErrorNoBinaryForGpu
meant 'RuntimeError: synStatus=26 [Generic failure] Device acquire failed.' 'could not be acquired' 'a failure without a name'
names 'RuntimeError: synStatus=26 [Generic failure] in a step' 'a failure without a name'
names 'EE1001: [PID: 1] The argument is invalid.Reason: rtX failed, reason=[context pointer null]' 'no device was set on this thread'
check 'the cause stands above the code that says little' sh -c 'head -2 "$1" | grep -q "no device was set"' - "$out"
names '[XCCL][a.cpp:1] addr_window check failed' 'Kunlunxin'
names 'FatalError: `Segmentation fault` is detected by the operating system.' 'native code crashed'
names 'topsErrorNoDevice' 'no GCU is found'

# What looks like a failure and is none is told as such, and is no error.
harmless() { # harmless LINE NAME
    names "$1" "$2"
    prints "no vendor's error that is known" "no error: $1"
    prints 'no failure, though it may look like one' "harmless: $1"
}
harmless '2026:01:01-01:01:01:( 1) |CCL_WARN| the connection between cards is PCIe' 'a warning of oneCCL'
harmless '/opt/x/amdgpu.ids: No such file or directory' 'libdrm lacks its table of names'
harmless '[rank1]: Warning: process group has NOT been destroyed before we destruct ProcessGroupNCCL' 'not destroyed at exit'
harmless 'UserWarning: Attempting to use hipBLASLt on an unsupported architecture! Overriding blas backend to hipblas' 'hipBLASLt does not know this card'
printf 'MIOpen(HIP): Warning [x] workspace\nRuntimeError: HIP error: out of memory\n' | "$tool" error - --format json >"$out" 2>"$err"
prints '"harmless": true' 'harmless messages in JSON'
prints hipErrorOutOfMemory 'and the error beside them'
names '|CCL_ERROR| a.cpp:1 f: connection to rank 1 refused' 'oneCCL lost another rank'

# Classes that two more draws of public issues showed to be missed or answered wrongly.
meant "NotImplementedError: The operator 'aten::foo' is not currently implemented for the MPS device. Set PYTORCH_ENABLE_MPS_FALLBACK=1 to use the CPU as a fallback" 'MPS does not support this' 'ran on the CPU'
names "The operator 'aten::foo' is not currently supported on the MPS backend and will fall back to run on the CPU." 'ran on the CPU'
meant 'EE9999[PID: 1] The error from device(chipId:0), there is a sdma error, sdma channel is 1' 'SDMA' 'exception in a kernel'
meant '/x/MPSNDArray.mm:7: failed assertion `[MPSNDArray, y] Error: buffer is not large enough. Must be 8 bytes' 'does not fit its shape' 'too large for MPS'
meant 'docker: Error response from daemon: Unknown runtime specified foo.' 'runtime is not configured' 'no access to the device'
names "ModuleNotFoundError: No module named 'habana_frameworks.torch'" 'the adapter is not installed'
names "ModuleNotFoundError: No module named 'habana_frameworks.torch.foo'" 'a part of the adapter that this release lacks'
names 'E19010: No parser is registered for Op [/a, optype [ai.onnx::9::Bar]].' 'conversion does not know this operator'
harmless 'h:1:1 [0] /x/init.cc:1 NCCL WARN Missing "iommu=pt" from kernel command line' 'kernel options for RCCL'
names 'MIOpen(HIP): Warning [x] /a/sqlite_db.cpp:1: unable to open database file' 'MIOpen database does not open'
meant 'ioctl() fail, (705) Device memory not enough' 'Kunlunxin: out of memory' TensorFlow
names 'hcclCommInitRootInfo(x), error code is 9' HCCL_E_TIMEOUT
names '[ERROR] HCCL(1,x): [Init]errNo[0x0000000005000009]HcclFoo failed.' HCCL_E_TIMEOUT
names 'musaGetFoo err: 101' musaErrorInvalidDevice
names 'compile error: shared memory exceeds limit' 'more shared memory'
names '[malloc_or_wait] Unable to allocate 77 bytes.' 'MLX: out of memory'
names 'E1 a.cc:1] Please use PaddlePaddle with GPU version.' 'this PaddlePaddle has no GPU'
names 'Provided range and/or offset does not fit in int.' 'range does not fit in int'
names 'rocdevice.cpp :1: Device::callbackQueue aborting with status: 0x2b' HSA_STATUS_ERROR_MEMORY_FAULT
names 'Error: invalid device function /a/b.cu:7' cudaErrorInvalidDeviceFunction
names '/a/b.cu(7): unspecified launch failure' cudaErrorLaunchFailure
names 'cuapi_foo() failed in bar, status= 700' 'illegal memory access (700)'
names '[drm:gfx_v9_0_bad_op_irq [amdgpu]] *ERROR* Illegal opcode in command stream' 'illegal instruction'
names 'ImportError: liba.so: cannot enable executable stack as shared object requires: Invalid argument' 'executable stack'
names '[llm] [ERROR] Warmup failed, because of out of memory: `maxPrefillTokens` of mindie-service' 'MindIE: memory'
names "|CCL_ERROR| atl_ofi_x.cpp:1 f: can't create providers for name foo" 'no provider of libfabric'
names 'oneCCL: exec.cpp:1 start_workers: EXCEPTION: failed to start worker # 3' 'a worker thread did not start'
names '[1.0] [drm] GPU HANG: ecode 9:1:0x1, in foo [1]' 'the GPU hangs or was reset'
names "ptxas /a.ptx, line 1; error : Instruction 'foo' not supported on .target 'sm_70'" 'no such instruction'
names 'modprobe: FATAL: Module foo not found in directory /lib/modules/6.1.0' 'a kernel module is missing'
names '[ERR][BKCL][a.cpp:1] BKCL dont support this in one group' 'BKCL does not support this'
names '[WARN][BKCL][a.cpp:1] param 3 data alloc failed' 'BKCL: memory'
names '/x/torch_mlu/a.cpp:3:3: error: ‘CNPAPI_FOO’ was not declared in this scope' 'the compiler does not know a name'
names '[cnmlError] op is nullptr' 'CNML: an operator is null'
names '[cnrtError] Return value is 100124, CN_INVOKE_ERROR_ADDRESS_SPACE.' 'accessed a bad address'

# The reason decides, not the file or the word beside it; notes are none; what only sounds so is not
# claimed.
meant 'Unable to open /dev/kfd read-write: Invalid argument' 'the kernel driver refuses' 'not in the container'
names 'Unable to open /dev/kfd read-write: No such file or directory' 'no access to /dev/kfd'
meant 'clang-11: error: cannot find ROCm installation.' 'does not find the vendor' 'the compiler itself failed'
meant 'clang: error: unable to execute command: posix_spawn failed: No such file or directory' 'a tool that the compiler calls' 'no such source file'
meant '[rank0]:[E1 compiler_depend.ts:4] FooOperation setup failed!' 'an operation of ATB' 'a compilation failed'
meant 'h:1:1 [0] x.cc:1 NCCL WARN P2P is disabled between NVLINK connected GPUs 1 and 0.' 'do not reach each other (P2P)' 'network failure'
meant "RuntimeError: [ERROR] HCCL error in: torch_npu/csrc/distributed/ProcessGroupHCCL.cpp:64" 'a call of HCCL failed' 'no connection between ranks'
meant 'ValueError: ProcessGroupFoo is only supported with GPUs, no GPUs found!' 'PyTorch sees no device' 'llama.cpp'
meant 'amdgpu-arch: error: Failed to load libamdhip64.so' "a library of ROCm does not load" 'could not start the card'
harmless 'h:1:1 [0] x.cc:1 NCCL WARN NUMA auto balancing enabled which can lead to variability' 'automatic balancing of NUMA'
harmless 'Gradient overflow. Skipping step' 'a step is skipped'
unclaimed 'the skipping of a step in the overflow area of the lake' 'ocloc is a word' 'GPU fault lines are on the map' \
    'tiling failed us in the bathroom' 'the aspect is nice' 'no health: all is well' 'the port of a town is in use'

# A bus error is not PCI Express' "Bus Error"; an error that is raised is no harmless warning; an old
# C++ library is no missing bitsandbytes, and Triton's server is not TensorFlow.
meant 'pcieport 0000:00:01.0: PCIe Bus Error: severity=Corrected, type=Physical Layer' 'PCI Express repaired a transfer' '/dev/shm'
meant 'RuntimeError: Attempting to use hipBLASLt on a unsupported architecture!' 'hipBLASLt unsupported architecture' 'no failure'
harmless 'UserWarning: Attempting to use hipBLASLt on an unsupported architecture! Overriding blas backend' 'does not know this card'
meant "Could not load bitsandbytes native library: /x/libstdc++.so.6: version \`GLIBCXX_3.4.32' not found" 'is too old' 'has no library for this device'
meant 'UNAVAILABLE: Internal: unexpected error when creating modelInstanceState: [TensorRT-LLM][ERROR] x' 'an error of TensorRT' 'TensorFlow'
meant 'h:1:1 [0] NCCL WARN NET/OFI Only EFA provider is supported' 'plug-in of NCCL does not fit' 'a connection to another rank failed'
meant "WARNING[XFORMERS]: xFormers can't load C++/CUDA extensions. xFormers was built for:" 'packages of different releases' 'attention kernel'
meant "TypeError: CompilationError.__init__() missing 1 required positional argument: 'node'" 'a Triton kernel did not compile' 'packages of different releases'
meant 'OCI runtime create failed: x: error running prestart hook #1: exit status 1, stdout: , stderr: mode is auto' 'a hook of the container runtime' 'no access to the device'

# Where a row tells only the component, the words tell the cause; the vendor alone is told last.
names '[ERROR] GE(1,python):2024-01-01-00:00:00 [a.cc:1]1 Foo: the ABI is incompatible' 'releases do not go together'
names '[ERROR] GE(1,python):2024-01-01-00:00:00 [a.cc:1]1 Foo: the ABI is incompatible' "an error in CANN's log"
names 'MIOpen Error: /MIOpen/src/x.cpp:1: Unsupported layout for this tensor' 'MIOpen does not have this form'
names "RuntimeError: gather isn't implemented on backend [xpu]" 'this is not supported here'
names 'E16005: The model has [3] [--domain_version] fields' 'several domains'
names '|CCL_ERROR| atl_mpi.cpp:1 f: unexpected MPI thread level: required 3, provided 1' 'MPI or PMI'
names 'OSError: (External) ACL error, the error code is : 500002' ACL_ERROR_GE_FAILURE

done_testing
