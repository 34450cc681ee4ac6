"""Llama from a configuration: greedy decoding with a key-value cache."""
import torch
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(3)
torch.cuda.manual_seed(3)
torch.backends.cuda.matmul.allow_tf32 = True
config = LlamaConfig(vocab_size=48, hidden_size=32, intermediate_size=64, num_hidden_layers=2,
                     num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=64,
                     pad_token_id=0, bos_token_id=1, eos_token_id=2)
model = LlamaForCausalLM(config).eval().cuda()
prompt = torch.tensor([[1, 5, 9, 13], [1, 7, 3, 21]]).cuda()
torch.cuda.reset_peak_memory_stats()
with torch.inference_mode():
    logits = model(prompt).logits
    tokens = model.generate(prompt, attention_mask=torch.ones_like(prompt), max_new_tokens=6,
                            min_new_tokens=6, do_sample=False)
torch.cuda.synchronize()
print(f"{logits.float().logsumexp(-1).mean().item():.4f}")
print(tokens.tolist())
print(torch.cuda.max_memory_allocated() >= 0, model.device == prompt.device)
