#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The back ends of vendors, on stand-ins for their libraries (tests/vendors): CUDA programs are
# ported, compiled and run; the stand-ins record each call and say where one breaks their rules.
. "${0%/*}/../cli/helper"

needs c++
sanitize=''
if nm "$build/libcmrt.a" 2>/dev/null | grep -q ' U __tsan_init$'; then
    sanitize=-fsanitize=thread
elif nm "$build/libcmrt.a" 2>/dev/null | grep -q ' U __asan_init$'; then
    sanitize='-fsanitize=address,undefined'
fi
sources=$top/tests/vendors
log=$scratch/log
mkdir "$scratch/lib"
STUB_LOG=$log
TSAN_OPTIONS=halt_on_error=1
STUB_DEVICES=2
CUDA_MORPH_THREADS=3
export STUB_LOG TSAN_OPTIONS STUB_DEVICES CUDA_MORPH_THREADS
unset CUDA_VISIBLE_DEVICES ASCEND_RT_VISIBLE_DEVICES MLU_VISIBLE_DEVICES ZE_AFFINITY_MASK \
    MUSA_VISIBLE_DEVICES \
    HIP_VISIBLE_DEVICES
unset CUDA_MORPH_TARGET CUDA_MORPH_STATS OMPI_COMM_WORLD_SIZE PMI_SIZE

# stub LIBRARY SOURCE FLAGS...
stub() {
    library=$1 source=$2
    shift 2
    # shellcheck disable=SC2086
    check "compile $library" "${CC:-cc}" -std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror \
        $sanitize "$@" -shared -fPIC "$sources/$source" -o "$scratch/lib/$library" -pthread
}
stub libascendcl.so acl.c
stub libcnrt.so cnrt.c
stub libze_loader.so.1 ze.c
stub libamdhip64.so like.c -DPREFIX=hip
stub libmusart.so like.c -DPREFIX=musa
stub libhccl.so hccl.c
stub libcncl.so cncl.c
stub librccl.so rccl.c
stub libmccl.so mccl.c

# compile PROGRAM: from in/PROGRAM.cc
compile() {
    # shellcheck disable=SC2086
    check "compile $1" "${CXX:-c++}" -std=c++17 -O1 -w $sanitize -I "$top/runtime/include" \
        "$1.cc" "$build/libcmrt.a" -pthread -lm -ldl -o "$1"
}

# on TARGET PROGRAM [VARIABLE=VALUE...]: runs it there with $ARGUMENTS, and a new log
ARGUMENTS=''
on() {
    target=$1 program=$2
    shift 2
    : >"$log"
    # shellcheck disable=SC2086
    env CUDA_MORPH_TARGET="$target" LD_LIBRARY_PATH="$scratch/lib" "$@" timeout 60 \
        "./$program" $ARGUMENTS >"$out" 2>"$err"
    status=$?
}
logs() { check "$2: the log lacks '$1'" grep -qF -e "$1" "$log"; }
# Nothing wrong, and nothing left.
clean() {
    check "$1: it ends with status $status, a sanitizer's where one reports" test "$status" -eq 0
    check "$1: $(grep -m1 WRONG "$log")" not grep -q WRONG "$log"
    check "$1: $(grep END "$log" | tail -1)" grep -q 'END device 0, host 0, shared 0, queues 0' \
        "$log"
    check "$1: communicators are left" not grep -q 'END [1-9].*communicators' "$log"
}

run port "$sources/check.cuh" --target ascend --strict
exits 0 'port check.cuh to ascend'
cp "$out" check.cuh
# The host's part becomes calls of libcmrt on all three; kernels are reported, or go with it.
for target in ascend mlu xpu; do
    run port "$sources/host.cu" --target "$target" --kernels report --strict
    exits 0 "port host.cu to $target"
    cp "$out" "host.$target.cc"
    run port "$sources/kernels.cu" --target "$target" --kernels report --strict
    exits 1 "kernels.cu to $target is not done without its kernels"
    says '[cuda-device/builtin]' "kernels of kernels.cu on $target"
    says '[cuda-launch/chevrons]' "launches of kernels.cu on $target"
    run port "$sources/kernels.cu" --target "$target" --kernels host --strict
    exits 0 "port kernels.cu to $target with --kernels host"
    cp "$out" "kernels.$target.cc"
    run port "$sources/driver.cu" --target "$target" --kernels report --strict
    exits 0 "port driver.cu to $target"
    cp "$out" "driver.$target.cc"
done
run port "$sources/libraries.cu" --target xpu --kernels host --strict
exits 0 'port libraries.cu to xpu'
cp "$out" libraries.cc
for program in split processes failures collectives; do
    run port "$sources/$program.cu" --target ascend --strict
    exits 0 "port $program.cu to ascend"
    cp "$out" "$program.cc"
done
run port "$sources/async.cu" --target ascend --kernels host --strict
exits 0 'port async.cu to ascend'
cp "$out" async.cc
run port "$sources/kernels.cu" --target cpu
check 'kernels on the host are those of the CPU' cmp -s "$out" kernels.ascend.cc
check 'one text for mlu' cmp -s host.ascend.cc host.mlu.cc
check 'one text for xpu' cmp -s host.ascend.cc host.xpu.cc
check 'one text of the driver API for mlu' cmp -s driver.ascend.cc driver.mlu.cc
check 'one text of the driver API for xpu' cmp -s driver.ascend.cc driver.xpu.cc
mv driver.ascend.cc driver.cc
mv host.ascend.cc host.cc
mv kernels.ascend.cc kernels.cc
compile host
compile driver
compile kernels
compile async
compile split
compile processes
compile libraries
compile failures
compile collectives

on cpu host CUDA_MORPH_DEVICES=2
prints 'PASS on cuda-morph CPU, 2 devices' 'host code on the CPU'
on cpu driver CUDA_MORPH_DEVICES=2
prints PASS 'the driver API on the CPU'
on cpu async CUDA_MORPH_DEVICES=2
prints PASS 'asynchronous copies on the CPU'
on cpu libraries
prints PASS 'libraries on the CPU'
check 'Thrust over memory of the CPU' not grep -q refused "$out"
for target in ascend mlu xpu rocm musa; do
    on "$target" host
    prints PASS "host code on $target"
    prints '2 devices' "devices of $target"
    clean "host code on $target"
    on "$target" driver
    prints PASS "the driver API on $target"
    clean "the driver API on $target"
    on "$target" async
    prints PASS "asynchronous copies on $target: $(head -1 "$err")"
    clean "asynchronous copies on $target"
    cp "$log" "async.$target"
    on "$target" libraries
    prints PASS "libraries over memory of $target: $(head -1 "$err")"
    prints refused "Thrust over memory of $target"
    clean "libraries over memory of $target"
    on "$target" kernels
    prints PASS "kernels on the host, memory on $target"
    clean "kernels on the host, memory on $target"
done

# The vendor's own calls, where the program wants them.
own_calls() {
    run port "$sources/direct.cu" --target "$1" --host-api vendor --strict
    exits 0 "port direct.cu to $1 itself"
    cp "$out" "direct.$1.cc"
    # shellcheck disable=SC2086
    check "compile direct.$1.cc" "${CXX:-c++}" -std=c++17 -O1 -w $sanitize -I "$sources/include" \
        $3 "direct.$1.cc" "$scratch/lib/$2" -pthread -o "direct.$1"
    on "$1" "direct.$1"
    prints PASS "direct calls on $1"
    clean "direct calls on $1"
}
own_calls ascend libascendcl.so -DUSE_NPU
logs 'aclrtMemcpy 400 of 400 kind 2' 'direct calls on ascend: a variable of the enumeration'
own_calls mlu libcnrt.so ''
logs 'cnrtMemcpy 400 direction 2' 'direct calls on mlu: a variable of the enumeration'

# The vendor's own queues make asynchronous copies, unless the host's memory is not pinned.
queued() { check "$2: $1" grep -qxF -e "$1" "async.$2"; }
queued 'aclrtMemcpyAsync 4096 of 4096 kind 1' ascend
queued 'aclrtMemcpyAsync 4096 of 4096 kind 2' ascend
queued 'aclrtMemcpyAsync 4096 of 4096 kind 3' ascend
queued 'aclrtMemsetAsync 0 4096 of 4096' ascend
queued 'cnrtMemcpyAsync_V2 4096 direction 0' mlu
queued 'cnrtMemcpyAsync_V2 4096 direction 1' mlu
queued 'cnrtMemcpyAsync_V2 4096 direction 2' mlu
queued 'cnrtMemsetAsync 0 4096' mlu
queued 'asynchronous copy 4096' xpu
queued 'asynchronous fill 4096' xpu
queued 'MemcpyAsync 4096 kind 1' rocm
queued 'MemsetAsync 0 4096' rocm
queued 'MemcpyAsync 4096 kind 3' musa

# What goes wrong is a defined error; a program that ends with work under way ends.
for target in cpu ascend mlu xpu rocm musa; do
    on "$target" failures STUB_MEMORY=67108864 CUDA_MORPH_MEMORY=64M CUDA_MORPH_DEVICES=2
    prints PASS "failures on $target: $(head -1 "$err")"
    [ "$target" = cpu ] || clean "failures on $target"
done
# Checked mode: the copy that a kernel on the host works on is guarded, too.
if [ -z "$sanitize" ]; then
    run port "$top/tests/cpu/beyond.cu" --target ascend --kernels host
    cp "$out" beyond.cc
    compile beyond
    for target in cpu ascend mlu xpu rocm musa; do
        on "$target" beyond CUDA_MORPH_CHECK=1
        says 'kernel' "a bad access on $target"
        says 'block (' "a bad access on $target names the block"
        says 'thread (' "a bad access on $target names the thread"
    done
fi
for how in copies queue callback thread; do
    for target in cpu ascend mlu xpu rocm musa; do
        : >"$log"
        env CUDA_MORPH_TARGET="$target" LD_LIBRARY_PATH="$scratch/lib" timeout 20 ./failures \
            "$how" \
            >"$out" 2>"$err"
        status=$?
        exits 0 "exit with $how under way on $target"
    done
done

# Communicators are split by the vendor, or with what the vendor has.
on cpu split CUDA_MORPH_DEVICES=4
prints PASS 'split on the CPU'
for target in ascend mlu xpu rocm musa; do
    on "$target" split STUB_DEVICES=4
    prints PASS "split on $target: $(head -1 "$err")"
    clean "split on $target"
    case $target in
    ascend | mlu | musa) logs 'AllGather 8 type' "split on $target by way of ids" ;;
    rocm) logs 'CommSplit color 7 key 0 rank 3' 'split by RCCL' ;;
    esac
done

# Every collective with every operation; what NCCL refuses; what never ends is aborted.
ARGUMENTS=''
on cpu collectives CUDA_MORPH_DEVICES=3
prints PASS 'collectives on the CPU'
for target in ascend mlu xpu rocm musa; do
    ARGUMENTS=few
    case $target in
    ascend) ARGUMENTS='few stays' ;; # HCCL has nothing to abort with
    xpu) ARGUMENTS='' ;;             # the host does it
    esac
    on "$target" collectives STUB_DEVICES=3
    prints PASS "collectives on $target: $(head -1 "$err")"
    clean "collectives on $target"
    case $target in mlu | rocm | musa) logs 'Abort rank 1' "abort on $target" ;; esac
done
ARGUMENTS=''

# oneCCL: between processes, with the host's memory and no stream.
stub libccl.so.2 oneccl.c -lrt
launched() {
    ranks=$1
    shift
    : >"$log"
    rm -f id
    rank=0
    while [ "$rank" -lt "$ranks" ]; do
        env CUDA_MORPH_TARGET=xpu LD_LIBRARY_PATH="$scratch/lib" RANK="$rank" WORLD_SIZE="$ranks" \
            "$@" timeout 60 ./processes id >"rank$rank" 2>&1 &
        rank=$((rank + 1))
    done
    wait
    check "$ranks processes: $(cat rank*)" test "$(cat rank* | grep -c PASS)" = "$ranks"
    rm -f rank*
    clean "$ranks processes"
}
for ranks in 2 4; do
    launched "$ranks"
    logs "AllReduce 500 type 7 rank 1" "oneCCL, $ranks processes"
    logs 'CommSplit color 1 key -1 rank 1' "oneCCL, $ranks processes"
done
# In one process it has nothing to do.
on xpu split STUB_DEVICES=4
prints PASS 'oneCCL in one process'
check 'oneCCL is left alone in one process' not grep -q 'join' "$log"
rm "$scratch/lib/libccl.so.2"

# Argument orders, enumerators, data types: what each vendor got to see.
on ascend host
logs 'aclInit NULL' 'ascend'
logs 'aclrtMalloc 16384 policy 0 device 0' 'ascend: the policy'
logs 'aclrtMemcpy 16384 of 16384 kind 1' 'ascend: room, then kind'
logs 'aclrtMemset 17 8 of 8' 'ascend: value and room'
logs 'AllReduce 1000 type 4 op 0' 'HCCL: float is 4'
logs 'Broadcast 1000 type 4 op 0 root 1' 'HCCL: one buffer'
logs 'HcclBatchSendRecv 2' 'HCCL: sends and receives at once'
logs 'aclrtResetDevice 1' 'ascend: devices are given back'
logs aclFinalize 'ascend'
prints 'Ascend910B3' 'ascend: the name of the part'
on mlu host
logs 'cnrtMemcpy 16384 direction 0' 'mlu: to the device is 0'
logs 'cnrtMemcpy 16384 direction 1' 'mlu: on the device is 1'
logs 'cnrtMemcpy 16384 direction 2' 'mlu: to the host is 2'
logs 'AllReduce 1000 type 18 op 2' 'CNCL: float is 0x12'
logs GroupStart 'CNCL: sends and receives in a group'
on xpu host
logs 'zeMemAllocDevice 16384 alignment 256 device 0' 'xpu'
logs 'zeCommandListCreateImmediate device 1 mode 1' 'xpu: a synchronous list'
logs 'zeCommandListAppendMemoryFill 8 by 1' 'xpu: a pattern of one byte'
logs zeContextDestroy 'xpu'
prints 'Stub GPU' 'xpu: the name of the device'
on rocm host
logs 'AllReduce 1000 type 7 op 4' 'RCCL: averages'

# Devices are hidden by the vendor's variable, and the user's own value stays.
on ascend host CUDA_VISIBLE_DEVICES=1,0
logs 'visible 1,0' 'CUDA_VISIBLE_DEVICES on ascend'
on ascend host CUDA_VISIBLE_DEVICES=0 ASCEND_RT_VISIBLE_DEVICES=5,6
logs 'visible 5,6' 'a setting of the user'
on mlu host CUDA_VISIBLE_DEVICES=1,0
logs 'visible 1,0' 'CUDA_VISIBLE_DEVICES on mlu'
on xpu host CUDA_VISIBLE_DEVICES=1,0
logs 'visible 1,0' 'CUDA_VISIBLE_DEVICES on xpu'
# Every vendor's own variable is left as the user has set it, and CUDA's as well.
for pair in ascend:ASCEND_RT_VISIBLE_DEVICES mlu:MLU_VISIBLE_DEVICES xpu:ZE_AFFINITY_MASK \
    musa:MUSA_VISIBLE_DEVICES; do
    target=${pair%%:*} variable=${pair#*:}
    on "$target" host
    logs 'visible all' "$variable where nothing is set"
    on "$target" host CUDA_VISIBLE_DEVICES=1,0
    logs 'visible 1,0' "CUDA_VISIBLE_DEVICES becomes $variable"
    logs 'cuda 1,0' "CUDA_VISIBLE_DEVICES stays on $target"
    on "$target" host "$variable=1"
    logs 'visible 1' "$variable alone"
    logs 'cuda unset' "CUDA_VISIBLE_DEVICES is not made on $target"
    on "$target" host CUDA_VISIBLE_DEVICES=0 "$variable=5,6"
    logs 'visible 5,6' "$variable of the user"
    logs 'cuda 0' "CUDA_VISIBLE_DEVICES beside $variable"
done
# HIP reads CUDA's itself.
on rocm host CUDA_VISIBLE_DEVICES=1,0
logs 'visible all' 'HIP_VISIBLE_DEVICES is left alone'
logs 'cuda 1,0' 'CUDA_VISIBLE_DEVICES stays on rocm'
on ascend host CUDA_VISIBLE_DEVICES=-1
says 'no CUDA-capable device' 'all devices hidden'
check 'the vendor is not asked then' test ! -s "$log"

# What fails there is an error of CUDA's here.
on ascend host STUB_FAIL=aclrtMalloc:2
says 'unknown error' 'a call that fails'
on ascend host STUB_MEMORY=20000
says 'out of memory' 'a device that is full'
clean_ends() { check "$1" not grep -q WRONG "$log"; }
clean_ends 'a device that is full'
on mlu host STUB_FAIL=cnrtMemcpy:1
says 'unknown error' 'a copy that fails'
on xpu host STUB_FAIL=zeMemAllocDevice:1
says 'unknown error' 'an allocation that fails'
on ascend host STUB_FAIL=aclInit:1
says 'insufficient' 'a library that does not start'
on ascend host STUB_DEVICES=0
says 'no CUDA-capable device' 'a machine without a device'
on nonsense host
says 'initialization error' 'a target that nobody knows'
: >"$log"
env CUDA_MORPH_TARGET=ascend LD_LIBRARY_PATH="$scratch" CUDA_MORPH_STATS=1 ./host >"$out" 2>"$err"
says 'libascendcl.so' 'a missing library has its name'
says 'insufficient' 'a missing library'

on ascend kernels CUDA_MORPH_STATS=1
says 'cuda-morph: ascend, 2 devices: 3 allocations, 3 freed' 'statistics'
says '; 606 kernels on the host' 'statistics of kernels'
on cpu kernels CUDA_MORPH_STATS=1
says 'cuda-morph: cpu, 1 device' 'statistics of the CPU'

# Without the vendor's collectives the host does them.
rm "$scratch/lib/libhccl.so"
on ascend host
prints PASS 'collectives by way of the host'
clean 'collectives by way of the host'
done_testing
