#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bare.sh - every command in a root that holds the program, its libraries and one CUDA file, and
# nothing else: neither /proc nor Python nor a vendor's file. No command may crash, hang, or say of
# anything that it is there. Needs root, or a user namespace; is skipped without.
. "${0%/*}/helper"

if chroot / /bin/true 2>/dev/null; then
    enter='chroot'
elif unshare -r chroot / /bin/true 2>/dev/null; then
    enter='unshare -r chroot'
else
    skip everything 'this user may neither chroot nor make a user namespace'
    done_testing
fi

root=$scratch/root
mkdir -p "$root/code" "$root/model"
cp "$tool" "$root/cuda-morph"
for file in $(ldd "$tool" | grep -o '/[^ ]*'); do
    mkdir -p "$root$(dirname "$file")"
    cp -L "$file" "$root$file"
done
cuda_code >"$root/code/a.py"
echo '{"torch_dtype": "float16"}' >"$root/model/config.json"
if ! $enter "$root" /cuda-morph --version >"$out" 2>"$err" </dev/null; then
    if grep -q 'anitizer' "$err"; then
        skip everything 'a sanitizer does not work without /proc'
        done_testing
    fi
fi

# bare STATUS ARGUMENTS...: runs there; it must end by itself, with this status.
bare() {
    want=$1
    shift
    # shellcheck disable=SC2086
    timeout 20 $enter "$root" /cuda-morph "$@" >"$out" 2>"$err" </dev/null
    status=$?
    exits "$want" "bare: $*"
    check "bare: $*: no internal error" not grep -q 'internal error' "$err"
}

bare 0 --version
bare 0 --help
bare 0 info
prints 'no accelerator found' 'info finds nothing where nothing is'
bare 0 info --format json
prints '"detected": []' 'info finds nothing, as JSON'
check 'info finds no item' not grep -q '"found": true' "$out"
bare 0 info -v
check 'info -v says not found' grep -q 'not found' "$out"
bare 0 doctor
prints 'no accelerator found' 'doctor'
for target in rocm ascend xpu mlu musa; do
    bare 1 doctor --target $target --full
    check "doctor: nothing of $target is here" grep -q '^0 ok' "$out"
    bare 1 vllm --target $target
done
bare 0 doctor --versions torch=2.5.1,torch_npu=2.5.1,cann=8.1.RC1
bare 0 error 507015
bare 0 error -
bare 1 error 4242
bare 0 compile
prints 'not found here' 'compile does not say that something is here'
bare 0 quant /model
prints 'model: none' 'quant reads the directory'
bare 2 quant /nothing
bare 0 scaffold FusedAdd -o /code/op
bare 2 verify
bare 2 bench ops
bare 2 bench model --cmd x
bare 2 run /code/a.py
bare 1 check /code/a.py
bare 0 port /code/a.py --target ascend
for command in info doctor vllm compile; do
    bare "$([ $command = doctor ] || [ $command = vllm ] && echo 1 || echo 0)" $command --target \
        all --format json
done
bare 0 report /code --target all
bare 0 alias-header /code/a.py --target rocm
bare 0 explain torch-cuda/amp
bare 0 error --search timeout
bare 0 rules list
bare 0 completion bash
bare 0 help
bare 1 lsp
bare 2 cc -c x.cu
bare 2 env
bare 2 sanitize
bare 2 undo
bare 1 init

run --help
for command in $(sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p' "$out"); do
    check "bare: $command is tried" grep -q "bare [0-9] $command" "$top/tests/cli/bare.sh"
done

done_testing
