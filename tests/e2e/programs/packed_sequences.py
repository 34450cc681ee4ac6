"""Sequences of several lengths, packed, through a two-way LSTM and a GRU."""
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(6)
embed = nn.Embedding(20, 8, padding_idx=0).to(device)
lstm = nn.LSTM(8, 12, num_layers=2, bidirectional=True, batch_first=True).to(device)
gru = nn.GRU(24, 6, batch_first=True).to(device)
lengths = torch.tensor([5, 3, 2])
tokens = torch.randint(1, 20, (3, 5)) * (torch.arange(5) < lengths[:, None])
tokens = tokens.to(device)
parameters = [*embed.parameters(), *lstm.parameters(), *gru.parameters()]
optimizer = torch.optim.RMSprop(parameters, lr=1e-3)
for step in range(3):
    packed = pack_padded_sequence(embed(tokens), lengths.cpu(), batch_first=True).to(device)
    out, (h, c) = lstm(packed)
    out, sizes = pad_packed_sequence(out, batch_first=True)
    y, last = gru(out)
    loss = y.pow(2).mean() + h.mean() + c.abs().mean()
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(parameters, 1.0)
    optimizer.step()
    print(step, f"{loss.item():.5f}", sizes.tolist())
