# SPDX-License-Identifier: Apache-2.0
"""apex.optimizers in PyTorch's own operators: the same updates, arguments and state keys (the step
is counted in the group, as apex does; its checkpoints load). Moments are float32 whatever the
parameter is. Read from apex's fused_adam.py, fused_sgd.py, fused_lamb.py, fused_adagrad.py,
fused_novograd.py and the multi_tensor kernels beside them. What they refuse, and options that only make sense inside a CUDA
graph, are refused."""

import torch
from torch.optim import SGD, Optimizer


def _refuse(**asked):
    for name, value in asked.items():
        if value:
            raise RuntimeError(f"{name}=True is not supported here")


class _Fused(Optimizer):
    """What they share: one step over the groups, gradients dropped rather than zeroed."""

    set_grad_none = True

    def zero_grad(self, set_to_none=None):
        super().zero_grad(self.set_grad_none if set_to_none is None else set_to_none)

    def step(self, closure=None):
        loss = None if closure is None else closure()
        with torch.no_grad():
            used = [[p for p in g["params"] if p.grad is not None] for g in self.param_groups]
            scale = self._scale(p for params in used for p in params)
            for group, params in zip(self.param_groups, used):
                group["step"] = group.get("step", 0) + 1
                self._begin(group, params)
                for p in params:
                    if p.grad.is_sparse:
                        raise RuntimeError(f"{type(self).__name__} takes no sparse gradients")
                    self._update(group, p, p.grad.float() / scale, self.state[p])
        return loss

    def _scale(self, parameters):
        """What every gradient is divided by."""
        return 1.0

    def _begin(self, group, params):
        """Before a group's parameters with gradients are updated."""


def _adam_direction(group, p, grad, state, weight_of_grad, decoupled):
    """The moments with this gradient in them, and where Adam goes from there."""
    beta1, beta2 = group["betas"]
    decay, x = group["weight_decay"], p.float()
    if not state:
        state["exp_avg"] = torch.zeros_like(p, dtype=torch.float32)
        state["exp_avg_sq"] = torch.zeros_like(p, dtype=torch.float32)
    if decay and not decoupled:
        grad = grad + decay * x
    m = state["exp_avg"].mul_(beta1).add_(grad, alpha=weight_of_grad)
    v = state["exp_avg_sq"].mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
    if group["bias_correction"]:
        m = m / (1 - beta1 ** group["step"])
        v = v / (1 - beta2 ** group["step"])
    way = m / (v.sqrt() + group["eps"])
    return way + decay * x if decay and decoupled else way


class FusedAdam(_Fused):
    """AdamW, or Adam with adam_w_mode=False."""

    def __init__(
        self,
        params,
        lr=1e-3,
        bias_correction=True,
        betas=(0.9, 0.999),
        eps=1e-8,
        adam_w_mode=True,
        weight_decay=0.0,
        amsgrad=False,
        set_grad_none=True,
        capturable=False,
        master_weights=False,
    ):
        _refuse(amsgrad=amsgrad, capturable=capturable, master_weights=master_weights)
        defaults = {"lr": lr, "bias_correction": bias_correction, "betas": betas, "eps": eps}
        super().__init__(params, {**defaults, "weight_decay": weight_decay})
        self.adam_w_mode, self.set_grad_none = 1 if adam_w_mode else 0, set_grad_none

    def _update(self, group, p, grad, state):
        beta1 = group["betas"][0]
        way = _adam_direction(group, p, grad, state, 1 - beta1, self.adam_w_mode)
        p.copy_(p.float() - group["lr"] * way)


class FusedLAMB(_Fused):
    """LAMB, with the norm of all gradients clipped to max_grad_norm."""

    def __init__(
        self,
        params,
        lr=1e-3,
        bias_correction=True,
        betas=(0.9, 0.999),
        eps=1e-6,
        weight_decay=0.01,
        amsgrad=False,
        adam_w_mode=True,
        grad_averaging=True,
        set_grad_none=True,
        max_grad_norm=1.0,
        use_nvlamb=False,
    ):
        _refuse(amsgrad=amsgrad)
        defaults = {"lr": lr, "bias_correction": bias_correction, "betas": betas, "eps": eps}
        defaults.update(weight_decay=weight_decay, grad_averaging=grad_averaging)
        super().__init__(params, {**defaults, "max_grad_norm": max_grad_norm})
        self.adam_w_mode, self.set_grad_none = 1 if adam_w_mode else 0, set_grad_none
        self.use_nvlamb = use_nvlamb

    def _scale(self, parameters):
        norms = [p.grad.float().norm() for p in parameters]
        most = self.defaults["max_grad_norm"]
        if not norms or not most:
            return 1.0
        return max(torch.stack(norms).norm().item() / most, 1.0)

    def _update(self, group, p, grad, state):
        weight = 1 - group["betas"][0] if group["grad_averaging"] else 1.0
        way = _adam_direction(group, p, grad, state, weight, self.adam_w_mode)
        rate = group["lr"]
        if self.use_nvlamb or group["weight_decay"]:
            size, length = p.float().norm().item(), way.norm().item()
            if size and length:
                rate = rate * size / length
        p.copy_(p.float() - rate * way)


class FusedAdagrad(_Fused):
    def __init__(
        self,
        params,
        lr=1e-2,
        eps=1e-10,
        weight_decay=0.0,
        set_grad_none=True,
        adagrad_w_mode=False,
    ):
        super().__init__(params, {"lr": lr, "eps": eps, "weight_decay": weight_decay})
        self.adagrad_w_mode, self.set_grad_none = 1 if adagrad_w_mode else 0, set_grad_none

    def _update(self, group, p, grad, state):
        decay, x = group["weight_decay"], p.float()
        if not state:
            state["sum"] = torch.zeros_like(p, dtype=torch.float32)
        if not self.adagrad_w_mode:
            grad = grad + decay * x
        total = state["sum"].addcmul_(grad, grad)
        way = grad / (total.sqrt() + group["eps"])
        if self.adagrad_w_mode:
            way = way + decay * x
        p.copy_(x - group["lr"] * way)


class FusedNovoGrad(_Fused):
    """NovoGrad: a gradient is divided by the running norm of its whole tensor. The running norms are
    the group's, as apex keeps them: those of half precision, then those of float32, in the order of
    the parameters that have gradients, and always of the same ones."""

    def __init__(
        self,
        params,
        lr=1e-3,
        bias_correction=True,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=0.0,
        amsgrad=False,
        reg_inside_moment=False,
        grad_averaging=True,
        norm_type=2,
        init_zero=False,
        set_grad_none=True,
    ):
        _refuse(amsgrad=amsgrad)
        if norm_type not in (0, 2):
            raise RuntimeError("norm_type is 2, or 0 for the largest element")
        defaults = {"lr": lr, "bias_correction": bias_correction, "betas": betas, "eps": eps}
        defaults.update(weight_decay=weight_decay, grad_averaging=grad_averaging)
        super().__init__(params, {**defaults, "norm_type": norm_type, "init_zero": init_zero})
        self.moment_mode, self.set_grad_none = 0 if reg_inside_moment else 1, set_grad_none

    def _begin(self, group, params):
        self._norms = {}
        kept = group.setdefault("exp_avg_sq", [None, None])
        for slot, full in enumerate((False, True)):
            mine = [p for p in params if (p.dtype == torch.float32) == full]
            order = 2 if group["norm_type"] == 2 else float("inf")
            now = [p.grad.float().norm(order) for p in mine]
            now = torch.stack(now) if now else torch.zeros(0)
            if kept[slot] is None:
                kept[slot] = torch.zeros_like(now) if group["init_zero"] else now.clone()
            if len(kept[slot]) != len(mine):
                raise RuntimeError("FusedNovoGrad: other parameters than before have gradients")
            old, beta2 = kept[slot].to(now), group["betas"][1]
            if group["norm_type"] == 2:
                kept[slot] = (beta2 * old.square() + (1 - beta2) * now.square()).sqrt()
            else:
                kept[slot] = beta2 * old + (1 - beta2) * now
            self._norms.update(zip(mine, kept[slot]))

    def _update(self, group, p, grad, state):
        (beta1, beta2), x = group["betas"], p.float()
        first = second = 1.0
        if group["bias_correction"]:
            first, second = 1 - beta1 ** group["step"], (1 - beta2 ** group["step"]) ** 0.5
        size = self._norms[p] / second + group["eps"]
        if not state:
            state["exp_avg"] = torch.zeros_like(p, dtype=torch.float32)
        if self.moment_mode == 0:
            grad = grad / size + group["weight_decay"] * x
        weight = 1 - beta1 if group["grad_averaging"] else 1.0
        way = state["exp_avg"].mul_(beta1).add_(grad, alpha=weight) / first
        if self.moment_mode:
            way = way / size + group["weight_decay"] * x
        p.copy_(x - group["lr"] * way)


class FusedSGD(SGD):
    """torch.optim.SGD, which computes the same."""

    def __init__(
        self,
        params,
        lr,
        momentum=0.0,
        dampening=0.0,
        weight_decay=0.0,
        nesterov=False,
        wd_after_momentum=False,
        materialize_master_grads=True,
        set_grad_none=False,
    ):
        _refuse(wd_after_momentum=wd_after_momentum)
        super().__init__(params, lr, momentum, dampening, weight_decay, nesterov)
        self.set_grad_none = set_grad_none

    def zero_grad(self, set_to_none=None):
        super().zero_grad(self.set_grad_none if set_to_none is None else set_to_none)
