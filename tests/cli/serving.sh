#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# serving.sh - `cuda-morph quant`, `vllm` and `compile`.
. "${0%/*}/helper"

# tensors FILE JSON: a safetensors file with this header and no data.
tensors() {
    n=${#2}
    printf "\\$(printf %03o $((n % 256)))\\$(printf %03o $((n / 256)))\\0\\0\\0\\0\\0\\0" >"$1"
    printf '%s' "$2" >>"$1"
}
# model NAME CONFIG: a model directory; model NAME: one without config.json
model() {
    mkdir "$1"
    [ -z "${2-}" ] || printf '%s' "$2" >"$1/config.json"
}
# method NAME METHOD WHAT
method() {
    run quant "$1"
    prints "$1: $2" "quant: $3"
}

model gptq_model \
    '{"torch_dtype": "float16", "quantization_config": {"quant_method": "gptq", "bits": 4}}'
run quant --target npu gptq_model
exits 0 'quant: GPTQ on Ascend depends'
prints 'gptq_model: gptq' 'quant: the method is that of config.json'
prints 'depends' 'quant: and the answer is no flat no'
model worded '{"torch_dtype": "float16", "quantization_config": "awq"}'
run quant worded
prints "can't be read" 'quant: a section that is no object is told'
check 'quant: and is not taken for none' not grep -q ': none' "$out"
model marlin '{"quantization_config": {"quant_method": "marlin"}}'
run quant --target npu marlin
exits 1 'quant: an unsupported method'
prints 'instead: ' 'quant: an alternative'
model a-gptq-model '{"quantization_config": {"quant_method": "marlin"}}'
method a-gptq-model marlin 'config.json is read, whatever the name says'
run quant --target npu TheBloke/Llama-2-7B-GPTQ
exits 2 'quant: a name'
says 'not inspected' 'quant: a name is not inspected'

model hawqs '{"torch_dtype": "bfloat16"}'
method hawqs none 'a name is not read'
model deepseek '{"quantization_config": {"quant_method": "fp8", "fmt": "e4m3"}}'
method deepseek fp8 'FP8 in config.json'
model plain-name '{"torch_dtype": "bfloat16"}'
tensors plain-name/a.safetensors '{"w": {"dtype": "F8_E4M3", "shape": [2], "data_offsets": [0, 2]}, "s": {"dtype": "F32", "shape": [1], "data_offsets": [2, 6]}}'
method plain-name fp8 'tensors are FP8 though config.json is silent'
prints '1 F8_E4M3, 1 F32' 'quant: what the headers hold'
model 'a[b]*' '{"torch_dtype": "bfloat16"}'
cp plain-name/a.safetensors 'a[b]*'
method 'a[b]*' fp8 'a folder whose name looks like a pattern'
model ct \
    '{"quantization_config": {"quant_method": "compressed-tensors", "format": "int-quantized"}}'
method ct w8a8 'compressed-tensors is a container'
model nested '{"text_config": {"quantization_config": {"quant_method": "awq"}}}'
method nested awq 'a nested configuration'
model slim '{"torch_dtype": "float16"}'
echo '{"model_quant_type": "W8A8_DYNAMIC"}' >slim/quant_model_description.json
method slim w8a8_dynamic 'msmodelslim'
model old
echo '{"bits": 4, "group_size": 128}' >old/quantize_config.json
method old gptq 'quantize_config.json'
model gg
: >gg/model.Q4_K_M.gguf
method gg gguf 'GGUF'
# A model that says its method, with such a file beside it, keeps it.
model both '{"quantization_config": {"quant_method": "gptq", "bits": 4}}'
: >both/model.gguf
method both gptq 'a method and a GGUF beside it'
# Pickled weights are no reason to say something where others are.
mkdir pickled
echo '{}' >pickled/config.json
: >pickled/pytorch_model.bin
run quant pickled
prints 'pickled weights are not read' 'quant: only pickled weights'
printf '\2\0\0\0\0\0\0\0{}' >pickled/model.safetensors
run quant pickled
check 'quant: pickled weights beside others' sh -c '! grep -q "pickled weights" "$0"' "$out"
model opt '{"quantization_config": {"quant_method": "nvfp9000"}}'
run quant opt
exits 0 'quant: a method without a row'
prints 'a method without a row here' 'quant: says so'
check 'quant: and claims no support' not grep -q ' yes ' "$out"
model packed '{"torch_dtype": "float16"}'
tensors packed/a.safetensors \
    '{"x.qweight": {"dtype": "I32", "shape": [1], "data_offsets": [0, 4]}}'
run quant packed
prints 'no file names the method' 'quant: packed weights without a method'
model cut '{"torch_dtype": "float16"}'
printf '\377\377\377\377\377\377\377\177x' >cut/a.safetensors
run quant cut
prints 'not read: a.safetensors' 'quant: a damaged header is named'
# Advice is the target's own, and only where the answer is not yes.
run quant --target xpu nested
prints ' yes ' 'quant: AWQ on Intel'
check 'quant: no advice beside a yes' sh -c '! grep -q "instead: " "$0"' "$out"
model gpt-oss '{"quantization_config": {"quant_method": "mxfp4"}}'
run quant --target rocm gpt-oss
exits 0 'quant: MXFP4 on AMD depends'
prints 'gfx950' 'quant: on the device'
check 'quant: no tool of Ascend for AMD' sh -c '! grep -q -i msmodelslim "$0"' "$out"
run quant --target npu gpt-oss
prints 'msmodelslim' 'quant: the tool of Ascend for Ascend'
model bnb '{"quantization_config": {"quant_method": "bitsandbytes", "load_in_4bit": true}}'
for target in rocm xpu cpu; do
    run quant --target "$target" bnb
    exits 0 "quant: bitsandbytes, $target"
    prints 'depends' "quant: bitsandbytes is no flat no, $target"
done
model broken '{"torch_dtype": '
run quant broken
exits 2 'quant: a broken config.json'
prints 'not read: config.json' 'quant: a broken config.json is named'
model empty
run quant empty
exits 2 'quant: an empty directory'
run quant gptq_model --format json
prints '"method": "gptq"' 'quant: JSON'
run quant
exits 2 'quant without a directory'

run compile --target npu
exits 0 'compile'
prints torchair 'compile: Ascend'
run compile --target xpu
prints inductor 'compile: Intel'
check 'compile: not torchair' not grep -q torchair "$out"
run compile --format json
prints '"target": "cpu"' 'compile: all targets as JSON'
run compile x
exits 2 'compile with an operand'

mkdir -p root/etc
run vllm --target npu --root root --format json
exits 1 'vllm: vLLM is not ready'
prints 'vLLM: not found' 'vllm: vLLM is missing'
prints 'vllm-ascend: not found' 'vllm: its plug-in is missing'
prints '"id": "vllm-ascend"' 'vllm: what is missing, as JSON'
run doctor --target npu --root root
check 'vllm: doctor does not ask for vLLM' not grep -q vllm "$out"
site=root/usr/local/lib/python3.11/site-packages
mkdir -p $site/vllm-0.9.1.dist-info $site/vllm_ascend-0.9.1rc2.dist-info
run vllm --target npu --root root
prints 'vllm 0.9.1 and vllm_ascend 0.9.1rc2 go together' 'vllm: versions that fit'
mv $site/vllm_ascend-0.9.1rc2.dist-info $site/vllm_ascend-0.8.4.dist-info
run vllm --target npu --root root
prints 'needs the vllm of the same version' 'vllm: versions that do not fit'

# What each serving stack makes of it, with its source.
model awq-stacks '{"quantization_config": {"quant_method": "awq"}}'
run quant --target rocm awq-stacks
exits 0 'quant: the stacks differ, so it depends'
prints '           SGLang: yes, ' 'quant: one stack'
prints '           vLLM: no, ' 'quant: another'
prints '(SGLang: table of platforms' 'quant: the source of a stack'
run quant --target rocm,ascend awq-stacks --format json
prints '"stacks": {"SGLang": {"verdict": "yes"' 'quant: stacks as JSON'
model bnb-stacks '{"quantization_config": {"quant_method": "bitsandbytes"}}'
run quant --target xpu bnb-stacks
prints 'transformers: yes, bitsandbytes 0.50' 'quant: bitsandbytes by stack'
model mx-stacks '{"quantization_config": {"quant_method": "mxfp4"}}'
run quant --target rocm mx-stacks
prints 'SGLang: depends, CDNA3 or CDNA4' 'quant: MXFP4 by stack'

done_testing
