# SPDX-License-Identifier: Apache-2.0
"""Packing of padded batches and back: flash_attn.bert_padding in plain indexing."""

import torch
import torch.nn.functional as F


def index_first_axis(input, indices):
    """Rows of the first axis; differentiable."""
    return input[indices]


def index_put_first_axis(values, indices, first_axis_dim):
    """A zero tensor of first_axis_dim rows with `values` in the rows `indices`."""
    whole = values.new_zeros(first_axis_dim, *values.shape[1:])
    return whole.index_put((indices,), values)


def index_first_axis_residual(input, indices):
    """The rows, and the input itself for the residual connection."""
    return input[indices], input


def unpad_input(hidden_states, attention_mask, unused_mask=None):
    """Drops the padding of (batch, n, ...). Returns the tokens (total, ...), their indices in the
    flattened batch, cu_seqlens (batch + 1, int32), the longest length, and how many tokens of
    each sequence attention_mask itself has."""
    mask = attention_mask if unused_mask is None else attention_mask + unused_mask
    lengths = mask.sum(dim=-1, dtype=torch.int32)
    used = attention_mask.sum(dim=-1, dtype=torch.int32)
    indices = torch.nonzero(mask.flatten(), as_tuple=False).flatten()
    bounds = F.pad(torch.cumsum(lengths, dim=0, dtype=torch.int32), (1, 0))
    tokens = index_first_axis(hidden_states.flatten(0, 1), indices)
    return tokens, indices, bounds, int(lengths.max()), used


def unpad_input_for_concatenated_sequences(hidden_states, attention_mask_in_length):
    """The same for rows that hold several short sequences, whose lengths stand at the start of
    each row of attention_mask_in_length."""
    totals = attention_mask_in_length.sum(dim=-1)
    columns = torch.arange(attention_mask_in_length.shape[-1], device=totals.device)
    indices = torch.nonzero((columns < totals[:, None]).flatten(), as_tuple=False).flatten()
    lengths = attention_mask_in_length.flatten()
    lengths = lengths[lengths != 0]
    bounds = F.pad(torch.cumsum(lengths, dim=0, dtype=torch.int32), (1, 0))
    tokens = index_first_axis(hidden_states.flatten(0, 1), indices)
    return tokens, indices, bounds, int(lengths.max())


def pad_input(hidden_states, indices, batch, seqlen):
    """unpad_input undone: (batch, seqlen, ...), zero where there was padding."""
    whole = index_put_first_axis(hidden_states, indices, batch * seqlen)
    return whole.reshape(batch, seqlen, *hidden_states.shape[1:])
