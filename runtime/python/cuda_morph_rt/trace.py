# SPDX-License-Identifier: Apache-2.0
"""Where CUDA's device is still asked for while a ported program runs: `cuda-morph run --trace`.

What reaches PyTorch at run time no port can see in the text: a device that a file of settings
names, a key of a table made of two halves. So the program's own modules, ported or not, are
compiled with questions in three kinds of places, and each answers at the program's end with its
file and line:

    a call           whether it is one of PyTorch's, and "cuda" is its name or among its arguments
    table[key]       whether the key is "cuda" and missing; get(), pop(), getattr() and hasattr(), too
    x == "cuda"      whether x is the target's device; !=, in and not in, too

A question gives back what it is given: a function that is not PyTorch's, a key that is there.
Nothing of Python or PyTorch is replaced."""

import ast
import atexit
import os
import re
import sys
import threading
import types
from collections.abc import Mapping
from multiprocessing import util

WORD = re.compile(r"cuda(:\d+)?\Z")
NAME = "__cuda_morph_trace__"  # what compiled code calls; a builtin, as it stands in every module
PACKAGES = ("torch", "functorch", "torchvision", "torchaudio")
# They read their caller's frame or its text: nothing may stand between.
READ_FRAMES = ("torch.jit", "torch.fx", "torch.library", "torch.package", "torch._", "torch.compiler")
FUNCTIONS = (types.FunctionType, types.MethodType, types.BuiltinFunctionType, type)
LOOK_UPS = ("get", "pop", "setdefault", "__getitem__", "index")
MOST_PLACES = 200


def spelled(x):
    """The word of CUDA's that x is: "cuda:1", or torch.device("cuda:1"); else None."""
    if type(x) is str:
        return x if WORD.match(x) else None
    if type(x).__name__ == "device" and type(x).__module__ == "torch":
        return str(x) if getattr(x, "type", None) == "cuda" else None
    return None


def word_in(x):
    """The first word of CUDA's in an argument: it alone, or an item of a list or dictionary."""
    word = spelled(x)
    if word is None and isinstance(x, (list, tuple, set)):
        word = next((w for w in map(spelled, x) if w), None)
    if word is None and type(x) is dict:  # of a map_location the values, which are devices to be
        word = next((w for w in map(spelled, x.values()) if w), None)
    return word


def _package(name):
    return (name or "").partition(".")[0]


def shown(kind, name):
    """Tensor.to; what stands in PyTorch's class of functions is torch.ones."""
    if kind.startswith("_VariableFunctions"):
        return f"torch.{name}"
    return f"{'Tensor' if kind.endswith('TensorBase') else kind}.{name}"


def torch_name(function):
    """How a function of PyTorch's is called, "Tensor.to"; None where it is another's."""
    owner = getattr(function, "__self__", None)
    module = getattr(function, "__module__", None)
    name = getattr(function, "__name__", "")
    if isinstance(module, str) and _package(module) in PACKAGES:
        if module.startswith(READ_FRAMES) or name == "compile":
            return None
        kind, _, name = getattr(function, "__qualname__", name).rpartition(".")
        return shown(kind, name) if kind else f"{module}.{name}"
    if owner is None or isinstance(owner, type(sys)):
        return None
    for kind in owner.__mro__ if isinstance(owner, type) else type(owner).__mro__:
        if _package(kind.__module__) in PACKAGES and name in vars(kind):
            return shown(kind.__name__, name)
    return None


def counted(n, what):
    return f"{n} {what}{'s' * (n != 1)}"


class Trace:
    """What was seen, by place. Its methods are what compiled code calls."""

    def __init__(self, device):
        self.named = device  # "": of portable, the accelerator that is there
        self.places = {}  # (path, line, what): how often
        self.modules = 0
        self.is_child = False
        self._lock = threading.Lock()

    @property
    def device(self):
        """The type of the target's device; "" until PyTorch is there to be asked."""
        if not self.named and "torch" in sys.modules:
            from .devices import current

            self.named = current()
        return self.named

    def note(self, frame, what):
        if self.device == "cuda":
            return  # on portable, where the accelerator is CUDA's
        key = frame.f_code.co_filename, frame.f_lineno, what
        with self._lock:
            if key in self.places or len(self.places) < MOST_PLACES:
                self.places[key] = self.places.get(key, 0) + 1

    # ---- a call ----

    def call(self, function):
        """The function that is about to be called, or one that calls it and looks."""
        if not isinstance(function, FUNCTIONS):
            return function
        if function is getattr or function is hasattr:
            return self._by_name(function, sys._getframe(1))
        owner = getattr(function, "__self__", None)
        if isinstance(owner, (Mapping, list, tuple)) and function.__name__ in LOOK_UPS:
            return self._look_up(function, owner, sys._getframe(1))
        name = torch_name(function)
        return function if name is None else self._into_torch(function, name, sys._getframe(1))

    def _into_torch(self, function, name, frame):
        by_name = (name.endswith(".cuda") or name.startswith("torch.cuda.")) and self.device != "cpu"

        def called(*args, **kwargs):
            word = next((w for w in map(word_in, (*args, *kwargs.values())) if w), None)
            if word:
                self.note(frame, f'"{word}" reaches {name}()')
            elif by_name:
                self.note(frame, f"{name}() is called")
            try:
                return function(*args, **kwargs)
            except (RuntimeError, AssertionError) as error:
                if not word and name.endswith(".load") and "cuda" in str(error).lower():
                    self.note(frame, "torch.load() finds tensors of CUDA's in the file")
                raise

        return called

    def _look_up(self, function, owner, frame):
        def called(*args, **kwargs):
            word = spelled(args[0]) if args else None
            if word and args[0] not in owner:
                self.note(frame, f'a look-up of "{word}" misses')
            return function(*args, **kwargs)

        return called

    def _by_name(self, function, frame):
        def called(*args):
            word = spelled(args[1]) if len(args) > 1 else None
            if word and not hasattr(*args[:2]):
                self.note(frame, f'an attribute "{word}" is missing')
            return function(*args)

        return called

    # ---- a key ----

    def key(self, table, key):
        """The key, for a table that is a name."""
        self._miss(table, key, sys._getframe(1))
        return key

    def item(self, table, key):
        """table[key], for a table that must not be made twice."""
        self._miss(table, key, sys._getframe(1))
        return table[key]

    def _miss(self, table, key, frame):
        word = spelled(key)
        if word and isinstance(table, Mapping) and key not in table:
            self.note(frame, f'a look-up of "{word}" misses')

    # ---- a comparison ----

    def _is_target(self, x):
        if self.device == "cpu":
            return False  # what a program does without an accelerator is what it was to do
        kind = x if type(x) is str else getattr(x, "type", None)
        return type(kind) is str and kind.partition(":")[0] == self.device

    def compare(self, left, right):
        """The right side of left == right and left != right."""
        for x, y in ((left, right), (right, left)):
            word = spelled(x)
            if word and self._is_target(y):
                self.note(sys._getframe(1), f'"{word}" is compared with {str(y)!r}')
        return right

    def contain(self, item, box):
        """The right side of item in box: a list of devices that lacks the target's."""
        plain = isinstance(box, (list, tuple, set, frozenset, Mapping))
        word = next((w for w in map(spelled, box) if w), None) if plain else None
        if word and self._is_target(item) and item not in box:
            self.note(sys._getframe(1), f'{str(item)!r} is looked for beside "{word}"')
        elif plain and spelled(item) and item not in box:
            target = next((x for x in box if self._is_target(x)), None)
            if target is not None:
                what = f'"{spelled(item)}" is looked for beside {str(target)!r}'
                self.note(sys._getframe(1), what)
        return box

    # ---- the end ----

    def begin_child(self):
        """In a process that multiprocessing has forked: it tells what it sees itself."""
        self.places, self.is_child = {}, True
        util.Finalize(None, self.report, exitpriority=0)

    def report(self, file=None):
        """Each place, by file and line; `file` is standard error."""
        if not self.places and self.is_child:
            return
        here = os.getcwd() + os.sep
        lines = []
        for (path, line, what), n in sorted(self.places.items()):
            path = path[len(here) :] if path.startswith(here) else path
            lines.append(f"{path}:{line}: {what}" + (f", {n} times" if n > 1 else ""))
        if self.named == "cuda":
            lines = ["trace: the accelerator here is CUDA's own; nothing is traced"]
        else:
            found = counted(len(lines), "place") if lines else "no place"
            modules = counted(self.modules, "module")
            lines.insert(0, f'trace: {found} of {modules} asked for "cuda"')
        text = "".join(f"cuda-morph: {line}\n" for line in lines)
        try:
            (file or sys.stderr).write(text)
        except (AttributeError, OSError, ValueError):
            pass  # standard error is gone


# ---- questions in the text ----


def _is_plain_name(node):
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _can_be_word(node):
    """Whether an index or a side of a comparison may be a device at run time."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    if isinstance(node, ast.Tuple):
        return False
    return not isinstance(node, (ast.Slice, ast.BinOp, ast.UnaryOp, ast.Lambda))


class Questions(ast.NodeTransformer):
    """Puts the questions in. Annotations stay: what reads them wants what the file says."""

    def _ask(self, method, arguments, at):
        trace = ast.Attribute(ast.Name(NAME, ast.Load()), method, ast.Load())
        call = ast.Call(trace, arguments, [])
        for node in (trace.value, trace, call):
            ast.copy_location(node, at)
        return call

    def visit_Call(self, node):
        self.generic_visit(node)
        is_super = isinstance(node.func, ast.Name) and node.func.id == "super"
        if not is_super:
            node.func = self._ask("call", [node.func], node.func)
        return node

    def visit_Subscript(self, node):
        self.generic_visit(node)
        index = node.slice.value if type(node.slice).__name__ == "Index" else node.slice
        if not isinstance(node.ctx, ast.Load) or not _can_be_word(index):
            return node
        if type(index).__name__ == "ExtSlice":
            return node
        if not _is_plain_name(node.value):
            return self._ask("item", [node.value, index], node)
        node.slice = self._ask("key", [self._again(node.value), index], index)
        if sys.version_info < (3, 9):
            node.slice = ast.Index(node.slice)
        return node

    def _again(self, node):
        """A dotted name a second time."""
        if isinstance(node, ast.Name):
            return ast.copy_location(ast.Name(node.id, ast.Load()), node)
        again = ast.Attribute(self._again(node.value), node.attr, ast.Load())
        return ast.copy_location(again, node)

    def visit_Compare(self, node):
        self.generic_visit(node)
        if len(node.ops) != 1:
            return node
        left, right, op = node.left, node.comparators[0], node.ops[0]
        asks = {ast.Eq: "compare", ast.NotEq: "compare", ast.In: "contain", ast.NotIn: "contain"}
        method = asks.get(type(op))
        known = all(isinstance(x, ast.Constant) or _is_plain_name(x) for x in (left, right))
        if method == "contain":
            known = isinstance(left, ast.Constant) or _is_plain_name(left)
        if method is None or not known or not (_can_be_word(left) and _can_be_word(right)):
            return node
        again = left if isinstance(left, ast.Constant) else self._again(left)
        node.comparators[0] = self._ask(method, [again, right], right)
        return node

    def visit_AnnAssign(self, node):
        node.target = self.visit(node.target)
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_arg(self, node):
        return node

    def _function(self, node):
        returns, node.returns = node.returns, None
        self.generic_visit(node)
        node.returns = returns
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = _function

    def visit_JoinedStr(self, node):
        return node  # f"{x['a']}": positions within are no file's on older Pythons


def asking(tree):
    """The syntax tree with the questions, for compile()."""
    return Questions().visit(tree)


_trace = None  # of this process


def count_module():
    """Another module has the questions in it."""
    _trace.modules += 1


def install(device, target, say):
    """Begins to trace for a target whose device is called `device`: this module, or None where CUDA's
    name is the device's own. What it has to say of that goes to say()."""
    global _trace
    import builtins

    if device == "cuda":
        say(f'trace: on {target} the device is called "cuda" itself; nothing is traced')
        return None
    _trace = Trace(device)
    setattr(builtins, NAME, _trace)
    atexit.register(_trace.report)
    util.register_after_fork(_trace, Trace.begin_child)
    return sys.modules[__name__]
