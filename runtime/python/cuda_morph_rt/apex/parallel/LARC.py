# SPDX-License-Identifier: Apache-2.0
"""apex.parallel.LARC: the module that apex has its class in, too."""

import torch


class LARC:
    """Layer-wise adaptive rates around another optimizer: before each step a gradient is scaled by
    trust_coefficient |p| / (|g| + weight_decay |p| + eps), with `clip` at most to the group's lr.
    The weight decay goes into the gradient first."""

    def __init__(self, optimizer, trust_coefficient=0.02, clip=True, eps=1e-8):
        self.optim = optimizer
        self.trust_coefficient, self.clip, self.eps = trust_coefficient, clip, eps

    def __getattr__(self, name):
        if name == "optim":
            raise AttributeError(name)
        return getattr(self.optim, name)

    def __repr__(self):
        return repr(self.optim)

    @property
    def param_groups(self):
        return self.optim.param_groups

    @param_groups.setter
    def param_groups(self, value):
        self.optim.param_groups = value

    def _adapt(self, group, decay):
        for p in group["params"]:
            if p.grad is None:
                continue
            of_p, of_grad = torch.linalg.norm(p), torch.linalg.norm(p.grad)
            if not (of_p and of_grad):
                continue
            rate = self.trust_coefficient * of_p / (of_grad + of_p * decay + self.eps)
            if self.clip:
                rate = torch.clamp(rate / group["lr"], max=1.0)
            p.grad.add_(p, alpha=decay).mul_(rate)

    def step(self):
        groups = self.optim.param_groups
        decays = [group.get("weight_decay", 0) for group in groups]
        with torch.no_grad():
            for group, decay in zip(groups, decays):
                group["weight_decay"] = 0
                self._adapt(group, decay)
        self.optim.step()
        for group, decay in zip(groups, decays):
            group["weight_decay"] = decay
