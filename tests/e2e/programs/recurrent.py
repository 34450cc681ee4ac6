"""An LSTM over packed sequences, with the old Variable-era helpers."""
import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def to_device(x):
    if torch.cuda.is_available():
        return x.cuda()
    return x


class Tagger(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Embedding(30, 8)
        self.lstm = torch.nn.LSTM(8, 12, batch_first=True, bidirectional=True)
        self.out = torch.nn.Linear(24, 4)

    def init_hidden(self, n):
        return tuple(to_device(torch.zeros(2, n, 12)) for _ in range(2))

    def forward(self, x, lengths):
        packed = pack_padded_sequence(self.embed(x), lengths, batch_first=True)
        y, _ = self.lstm(packed, self.init_hidden(len(x)))
        return self.out(pad_packed_sequence(y, batch_first=True)[0])


torch.manual_seed(6)
model = to_device(Tagger())
x = to_device(torch.randint(30, (3, 7)))
y = to_device(torch.randint(4, (3, 7)))
optimizer = torch.optim.RMSprop(model.parameters(), lr=0.01)
for step in range(4):
    loss = torch.nn.functional.cross_entropy(model(x, torch.tensor([7, 5, 2])).flatten(0, 1), y.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, f"{loss.item():.5f}")
