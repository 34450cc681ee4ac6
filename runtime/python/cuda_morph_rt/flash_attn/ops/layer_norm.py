"""flash_attn.ops.layer_norm: dropout, residual and layer normalisation in one call."""

from .norm import DropoutAddNorm, dropout_add_norm


def layer_norm(x, weight, bias, epsilon):
    return dropout_add_layer_norm(x, None, weight, bias, 0.0, epsilon)


def dropout_add_layer_norm(
    x0,
    residual,
    weight,
    bias,
    dropout_p,
    epsilon,
    rowscale=None,
    layerscale=None,
    prenorm=False,
    residual_in_fp32=False,
    return_dropout_mask=False,
):
    """The result, with prenorm also the sum, with return_dropout_mask also what was kept."""
    return dropout_add_norm(
        x0,
        residual,
        weight,
        bias,
        rowscale,
        layerscale,
        dropout_p,
        epsilon,
        prenorm,
        residual_in_fp32,
        return_dropout_mask,
        False,
    )


class DropoutAddLayerNorm(DropoutAddNorm):
    pass
