# SPDX-License-Identifier: Apache-2.0
"""Cross entropy with label smoothing, scaled logits and z-loss: the sum of flash-attn's options
in differentiable operators. Tensor parallel vocabularies are refused."""

import torch


def cross_entropy_loss(
    logits,
    labels,
    precomputed_lse=None,
    label_smoothing=0.0,
    logit_scale=1.0,
    lse_square_scale=0.0,
    ignore_index=-100,
    inplace_backward=False,
    process_group=None,
):
    """losses and z_losses, both (rows,) in float32, of logits (rows, classes). z_losses is the
    part of the loss that lse_square_scale adds, and has no gradient. inplace_backward only saves
    memory and is not needed here."""
    if process_group is not None and torch.distributed.get_world_size(process_group) > 1:
        raise NotImplementedError("cross_entropy_loss: the vocabulary cannot be split here")
    scaled = logits.float() * logit_scale
    ignored = labels == ignore_index
    if precomputed_lse is not None:
        lse = precomputed_lse.float()
        # Its gradient is the one of the log-sum-exp of these logits.
        lse = lse + (torch.logsumexp(scaled, dim=-1) - torch.logsumexp(scaled, dim=-1).detach())
    else:
        lse = torch.logsumexp(scaled, dim=-1)
    chosen = scaled.gather(-1, labels.masked_fill(ignored, 0).long()[:, None])[:, 0]
    loss = lse - (1.0 - label_smoothing) * chosen
    if label_smoothing:
        loss = loss - label_smoothing * scaled.mean(dim=-1)
    z_loss = lse_square_scale * lse * lse
    loss = (loss + z_loss).masked_fill(ignored, 0.0)
    return loss, z_loss.detach().masked_fill(ignored, 0.0)
