# SPDX-License-Identifier: Apache-2.0
"""apex.amp over torch.autocast: initialize(), scale_loss() and what goes with them.

O1, O2 and O3 run the model's forward() under autocast in the device's half type; parameters stay
in float32 and are their own master weights, so that O2 and O3 are more exact here than in apex,
and take O1's memory. O2 and O3 return float32, as O2 does in apex. On the CPU, and on devices
without a half type, all levels compute in float32. Losses are scaled as apex scales them, and its
checkpoints (`amp.state_dict()`) load."""

import contextlib
import functools

import torch

from .. import devices

_LEVELS = ("O0", "O1", "O2", "O3")
_HALF = (torch.float16, torch.bfloat16)


class _Scaler:
    """One loss's scale: halved after an overflow, doubled after 2000 steps without one."""

    def __init__(self, scale, lowest, highest):
        self.is_dynamic = scale == "dynamic"
        self.lowest, self.highest = lowest, highest
        self.scale = min(highest, 2.0**16) if self.is_dynamic else float(scale)
        self.unskipped = 0

    def update(self, overflow):
        """True where the step has to be skipped."""
        if not self.is_dynamic:
            self.unskipped += 1
            return False
        if overflow:
            self.scale = max(self.scale / 2.0, self.lowest or 0.0)
            self.unskipped = 0
            return True
        self.unskipped += 1
        if self.unskipped == 2000:
            self.scale, self.unskipped = min(self.scale * 2.0, self.highest), 0
        return False


class _State:
    enabled = False
    level = None  # None: initialize() was not called
    scalers = ()
    talks = True


_state = _State()


def _half_type(kind):
    """The narrow type that the device computes in, or None."""
    if kind in (None, "cpu", "meta"):
        return None
    return next((dtype for dtype in _HALF if devices.supports(dtype, kind)), None)


def _casts(kind, enabled=True):
    """torch.autocast for the device, or a context that does nothing."""
    half = _half_type(kind)
    if half is None:
        return contextlib.nullcontext()
    return torch.autocast(kind, dtype=half, enabled=enabled)


def _cast(value, dtype):
    """Floating-point tensors of a tree of lists, tuples and dicts in another type."""
    if isinstance(value, torch.Tensor):
        return value.to(dtype) if value.is_floating_point() else value
    if isinstance(value, dict):
        return type(value)((k, _cast(v, dtype)) for k, v in value.items())
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_cast(v, dtype) for v in value))
    if isinstance(value, (list, tuple)):
        return type(value)(_cast(v, dtype) for v in value)
    return value


@functools.lru_cache(maxsize=None)
def _under_autocast(base, outputs):
    """A subclass of a module's class that runs forward() under autocast. Copies and pickles of its
    objects are of `base` again, which computes the same in float32."""

    class Ported(base):
        def forward(self, *args, **kwargs):
            with _casts(devices.kind_of(self)):
                result = super().forward(*args, **kwargs)
            return result if outputs is None else _cast(result, outputs)

        def __reduce_ex__(self, protocol):
            plain = base.__new__(base)
            plain.__dict__ = self.__dict__
            return plain.__reduce_ex__(1)  # protocol 2 insists on self's own class

    Ported.__name__, Ported.__qualname__ = base.__name__, base.__qualname__
    Ported.__module__ = base.__module__
    return Ported


def _as_list(things):
    return list(things) if isinstance(things, (list, tuple)) else [things]


def initialize(
    models,
    optimizers=None,
    enabled=True,
    opt_level="O1",
    cast_model_type=None,
    patch_torch_functions=None,
    keep_batchnorm_fp32=None,
    master_weights=None,
    loss_scale=None,
    cast_model_outputs=None,
    num_losses=1,
    verbosity=1,
    min_loss_scale=None,
    max_loss_scale=2.0**24,
):
    """Models and optimizers as they were given, the models changed in place."""
    if opt_level not in _LEVELS:
        raise RuntimeError(f"opt_level is one of {', '.join(_LEVELS)}, not {opt_level!r}")
    _state.enabled, _state.level = bool(enabled), opt_level
    _state.talks = verbosity > 0
    if loss_scale is None:
        loss_scale = 1.0 if opt_level in ("O0", "O3") else "dynamic"
    if loss_scale != "dynamic":
        loss_scale = float(loss_scale)
    _state.scalers = [
        _Scaler(loss_scale, min_loss_scale, max_loss_scale) for _ in range(num_losses)
    ]
    if _state.enabled:
        outputs = cast_model_outputs
        if outputs is None and opt_level in ("O2", "O3"):
            outputs = torch.float32
        for model in _as_list(models):
            model.float()
            if opt_level != "O0":
                model.__class__ = _under_autocast(type(model), outputs)
    return models if optimizers is None else (models, optimizers)


def master_params(optimizer):
    """The parameters that the optimizer steps, one after the other."""
    for group in optimizer.param_groups:
        yield from group["params"]


def _step_once_skipped(optimizer, scaler, loss_id):
    step = optimizer.step
    if getattr(step, "is_skipped", False):
        return

    def skip(closure=None):
        if closure is not None:
            raise RuntimeError("amp takes no closure")
        if _state.talks:
            print(f"Gradient overflow: the step is skipped, the scale of loss {loss_id} is now "
                  f"{scaler.scale}")
        optimizer.step = step

    skip.is_skipped = True
    optimizer.step = skip


def _set_aside(optimizer):
    """Takes away the gradients of earlier backward passes, which are not scaled."""
    kept = []
    for p in master_params(optimizer):
        kept.append((p, p.grad))
        p.grad = None
    return kept


def _unscale(parameters, before, scale):
    """Divides the gradients, adds those that were set aside; True where one is not finite."""
    overflow = False
    for p, old in zip(parameters, before):
        if p.grad is None:
            p.grad = old
            continue
        overflow = overflow or not bool(torch.isfinite(p.grad.sum()))
        p.grad = p.grad / scale if old is None else old + p.grad / scale
    return overflow


@contextlib.contextmanager
def scale_loss(
    loss, optimizers, loss_id=0, model=None, delay_unscale=False, delay_overflow_check=False
):
    """The scaled loss; at the end the gradients of the optimizers' parameters are unscaled. With
    delay_unscale they stay scaled, and a later pass adds to them."""
    if _state.level is None:
        raise RuntimeError("amp.initialize() comes before amp.scale_loss()")
    if not _state.enabled:
        yield loss
        return
    optimizers = _as_list(optimizers)
    scaler = _state.scalers[loss_id]
    before = {}
    for optimizer in optimizers:
        scaled = getattr(optimizer, "_cm_scaled", False)
        pairs = [] if delay_unscale or scaled else _set_aside(optimizer)
        before[optimizer] = [old for _, old in pairs]
    yield loss.float() * scaler.scale
    if delay_unscale:
        for optimizer in optimizers:
            optimizer._cm_scaled = True
        return
    overflow = False
    for optimizer in optimizers:
        parameters = list(master_params(optimizer))
        old = before[optimizer] or [None] * len(parameters)
        overflow = _unscale(parameters, old, scaler.scale) or overflow
        optimizer._cm_scaled = False
    if not delay_overflow_check and scaler.update(overflow):
        for optimizer in optimizers:
            _step_once_skipped(optimizer, scaler, loss_id)


def state_dict(destination=None):
    """The losses' scales, under apex's keys."""
    destination = {} if destination is None else destination
    for i, scaler in enumerate(_state.scalers):
        destination[f"loss_scaler{i}"] = {
            "loss_scale": scaler.scale,
            "unskipped": scaler.unskipped,
        }
    return destination


def load_state_dict(state_dict):
    """What state_dict() or apex's own gave. More scalers than there are losses are left out."""
    for i, scaler in enumerate(_state.scalers):
        saved = state_dict.get(f"loss_scaler{i}")
        if saved is not None:
            scaler.scale, scaler.unskipped = saved["loss_scale"], saved["unskipped"]


# ---- functions with a type of their own ----


def _kind_of_arguments(args, kwargs):
    for value in (*args, *kwargs.values()):
        if isinstance(value, torch.Tensor):
            return value.device.type
    return None


def _typed(choose):
    """A decorator: floating-point arguments in the type that choose(device, arguments) tells."""

    def decorate(function):
        @functools.wraps(function)
        def typed(*args, **kwargs):
            kind = _kind_of_arguments(args, kwargs)
            if not _state.enabled or _state.level == "O0" or _half_type(kind) is None:
                return function(*args, **kwargs)
            dtype = choose(kind, (*args, *kwargs.values()))
            with _casts(kind, enabled=False):
                return function(*_cast(args, dtype), **_cast(kwargs, dtype))

        return typed

    return decorate


def _widest(kind, values):
    types = [v.dtype for v in values if isinstance(v, torch.Tensor) and v.is_floating_point()]
    return functools.reduce(torch.promote_types, types, _half_type(kind))


half_function = _typed(lambda kind, values: _half_type(kind))
float_function = _typed(lambda kind, values: torch.float32)
promote_function = _typed(_widest)


def register_half_function(module, name):
    setattr(module, name, half_function(getattr(module, name)))


def register_float_function(module, name):
    setattr(module, name, float_function(getattr(module, name)))


def register_promote_function(module, name):
    setattr(module, name, promote_function(getattr(module, name)))


def disable_casts():
    """A context in which nothing is cast."""
    return _casts(devices.current(), enabled=False)
