# SPDX-License-Identifier: Apache-2.0
"""flash_attn.losses.cross_entropy."""

from torch import nn

from ..ops.triton.cross_entropy import cross_entropy_loss


class CrossEntropyLoss(nn.Module):
    """torch.nn.CrossEntropyLoss with flash-attn's further options (see cross_entropy_loss)."""

    def __init__(
        self,
        ignore_index=-100,
        reduction="mean",
        label_smoothing=0.0,
        logit_scale=1.0,
        lse_square_scale=0.0,
        inplace_backward=False,
        process_group=None,
        return_z_loss=False,
    ):
        super().__init__()
        if reduction not in ("mean", "none", "sum"):
            raise NotImplementedError(f"reduction is mean, none or sum, not {reduction!r}")
        self.ignore_index, self.reduction = ignore_index, reduction
        self.label_smoothing, self.logit_scale = label_smoothing, logit_scale
        self.lse_square_scale, self.inplace_backward = lse_square_scale, inplace_backward
        self.process_group, self.return_z_loss = process_group, return_z_loss

    def forward(self, input, target, precomputed_lse=None):
        """The loss of input (rows, classes); with return_z_loss also its z-loss part."""
        parts = cross_entropy_loss(
            input,
            target,
            precomputed_lse,
            self.label_smoothing,
            self.logit_scale,
            self.lse_square_scale,
            self.ignore_index,
            self.inplace_backward,
            self.process_group,
        )
        if self.reduction == "mean":
            rows = (target != self.ignore_index).sum()
            parts = tuple(part.sum() / rows for part in parts)
        elif self.reduction == "sum":
            parts = tuple(part.sum() for part in parts)
        return parts if self.return_z_loss else parts[0]
