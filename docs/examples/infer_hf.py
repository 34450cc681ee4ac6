"""Answers prompts with a causal language model from the Hugging Face hub."""
import argparse
import time

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, BitsAndBytesConfig


def load(name, four_bit):
    quantization = None
    if four_bit:
        quantization = BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_compute_dtype=torch.bfloat16)
    tokenizer = AutoTokenizer.from_pretrained(name)
    model = AutoModelForCausalLM.from_pretrained(
        name,
        torch_dtype=torch.bfloat16,
        device_map="cuda",
        attn_implementation="flash_attention_2",
        quantization_config=quantization,
    )
    return tokenizer, model.eval()


@torch.inference_mode()
def answer(tokenizer, model, prompt, max_new_tokens):
    inputs = tokenizer(prompt, return_tensors="pt").to("cuda")
    torch.cuda.reset_peak_memory_stats()
    torch.cuda.synchronize()
    start = time.perf_counter()
    output = model.generate(**inputs, max_new_tokens=max_new_tokens, do_sample=False)
    torch.cuda.synchronize()
    seconds = time.perf_counter() - start
    new = output[0, inputs["input_ids"].shape[1]:]
    rate = len(new) / seconds
    return tokenizer.decode(new, skip_special_tokens=True), rate


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("prompt", nargs="+")
    parser.add_argument("--model", default="Qwen/Qwen2.5-0.5B-Instruct")
    parser.add_argument("--four-bit", action="store_true", help="quantize with bitsandbytes (CUDA)")
    parser.add_argument("--max-new-tokens", type=int, default=64)
    args = parser.parse_args()
    gpu = torch.cuda.get_device_name(0) if torch.cuda.is_available() else "nothing but a CPU"

    began = time.perf_counter()
    tokenizer, model = load(args.model, args.four_bit)
    print(f"loaded in {time.perf_counter() - began:.1f} s on {gpu}")
    for prompt in args.prompt:
        text, rate = answer(tokenizer, model, prompt, args.max_new_tokens)
        used = torch.cuda.max_memory_allocated() / 1e9
        print(f"> {prompt}\n{text}\n[{rate:.1f} tokens/s, {used:.2f} GB]")


if __name__ == "__main__":
    main()
