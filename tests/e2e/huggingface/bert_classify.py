"""BERT from a configuration: a classifier, fine-tuned, then evaluated in half precision."""
import argparse

import torch
from torch.utils.data import DataLoader, TensorDataset
from transformers import BertConfig, BertForSequenceClassification

parser = argparse.ArgumentParser()
parser.add_argument("--no_cuda", action="store_true")
args = parser.parse_args()
device = torch.device("cuda" if torch.cuda.is_available() and not args.no_cuda else "cpu")
n_gpu = torch.cuda.device_count()
torch.manual_seed(1)
if n_gpu > 0:
    torch.cuda.manual_seed_all(1)
config = BertConfig(vocab_size=50, hidden_size=32, num_hidden_layers=2, num_attention_heads=2,
                    intermediate_size=64, num_labels=2, hidden_dropout_prob=0.0,
                    attention_probs_dropout_prob=0.0)
model = BertForSequenceClassification(config)
model.to(device)
ids = torch.randint(1, 50, (12, 10), generator=torch.Generator().manual_seed(2))
data = TensorDataset(ids, torch.ones_like(ids), (ids.sum(1) % 2))
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-4)
for epoch in range(2):
    model.train()
    total = 0.0
    for batch in DataLoader(data, batch_size=4, pin_memory=device.type == "cuda"):
        ids_, mask, labels = (t.to(device, non_blocking=True) for t in batch)
        out = model(input_ids=ids_, attention_mask=mask, labels=labels)
        out.loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        total += out.loss.item()
    print(epoch, f"{total / 3:.4f}")
model.eval()
if device.type == "cuda":
    model.half()
with torch.no_grad():
    logits = model(input_ids=ids.to(device)).logits.float().cpu()
print(logits.shape, f"{logits.abs().max().item() > 0}")
