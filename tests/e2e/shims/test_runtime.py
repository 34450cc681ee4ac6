"""The small parts of cuda_morph_rt: devices, types, buckets, the compiler's back end, markers,
counts."""

import os
import subprocess
import sys
import threading
import types
import unittest
import warnings
from unittest import mock

import torch

import cuda_morph_rt
from cuda_morph_rt import buckets, compiler, cpu, devices, dtypes, fallbacks, nvtx, tensor_types

# What the adapters print, and a line that is about something else.
LOG = """\
[W1 VariableFallbackKernel.cpp:250] Warning: CAUTION: The operator 'aten::unique2' is not \
currently supported on the NPU backend and will fall back to run on the CPU. \
(function npu_cpu_fallback)
epoch 1 loss 2.5
UserWarning: The operator 'aten::histc' is not currently supported on the XPU backend and will \
fall back to run on the CPU. This may have performance implications.
UserWarning: Aten Op fallback from XPU to CPU happends. This may have performance implications.
the operator 'aten::unique2' is not currently supported on the NPU backend and will fall back \
to run on the CPU.
falling back to the eager mode
The operator 'aten::foo.out' is not currently implemented for the XPU device. Falling back on CPU
"""


def with_variables(**variables):
    return mock.patch.dict(os.environ, variables)


class Devices(unittest.TestCase):
    def test_what_is_a_gpu(self):
        for device in "musa:0", "cuda", "npu:3", "xpu", torch.device("cuda", 1):
            self.assertTrue(cuda_morph_rt.is_gpu_device(device), device)
        module = torch.nn.Linear(1, 1)
        for device in "cpu", "meta", None, torch.device("cpu"), torch.ones(1), module:
            self.assertFalse(cuda_morph_rt.is_gpu_device(device), device)
        self.assertFalse(devices.is_gpu_device(torch.nn.ReLU()))
        self.assertEqual(devices.is_gpu_device(0), devices.current() != "cpu")
        self.assertRaises(TypeError, devices.is_gpu_device, True)

    def test_what_the_cpu_can(self):
        self.assertTrue(devices.supports(torch.float64, "cpu"))
        self.assertTrue(devices.supports(torch.float32, torch.ones(1)))
        with mock.patch.object(torch, "ones", side_effect=RuntimeError("not here")):
            self.assertFalse(devices.supports(torch.float64, "mtia"))

    def test_the_memory_of_the_machine(self):
        free, total = cpu.mem_get_info()
        self.assertTrue(0 <= free <= total and total > 1 << 20)
        properties = cpu.get_device_properties(0)
        self.assertEqual(properties.total_memory, total)
        self.assertEqual((properties.major, properties.minor), (0, 0))
        self.assertGreaterEqual(properties.multi_processor_count, 1)


    def test_answers_for_programs_that_asked_cuda(self):
        with mock.patch.object(devices, "current", return_value="cpu"):
            self.assertEqual(devices.get_device_capability(0), (0, 0))
            self.assertEqual(devices.default_stream(), cpu.current_stream())
            x = torch.ones(2)
            self.assertIs(devices.pin_memory(x), x)
            own = mock.Mock(**{"pin_memory.return_value": 7})
            self.assertEqual(devices.pin_memory(own), 7)

    def test_what_a_class_moves_itself(self):
        """to_accelerator(x): a class of the program's, a module, a tensor, and their arguments."""

        class Scene:
            def cuda(self, device=None, non_blocking=False):
                return device, non_blocking

            to_accelerator = cuda

        class Layer(torch.nn.Linear):
            pass

        self.assertEqual(devices.to_accelerator(Scene(), 1, non_blocking=True), (1, True))
        self.assertEqual(devices.to_accelerator(Scene()), (None, False))
        with mock.patch.object(devices, "current", return_value="cpu"):
            layer, x = Layer(1, 1), torch.ones(2)
            self.assertIs(devices.to_accelerator(layer), layer)
            self.assertIs(devices.to_accelerator(x, None, non_blocking=True), x)
            self.assertEqual(devices.to_accelerator(x, "meta", True).device.type, "meta")

    def test_the_stream_that_nobody_chose(self):
        """A vendor without default_stream(), whose current stream belongs to the thread."""
        mine = threading.local()
        vendor = types.SimpleNamespace(
            current_device=lambda: 3,
            current_stream=lambda device: (device, getattr(mine, "stream", "first")),
        )
        mine.stream = "another"
        with mock.patch.object(devices, "current", return_value="xpu"):
            with mock.patch.object(torch, "xpu", vendor, create=True):
                self.assertEqual(devices.default_stream(), (3, "first"))
                self.assertEqual(devices.default_stream(1), (1, "first"))


class LegacyTypes(unittest.TestCase):
    """Stand-ins for a device without legacy types: the CPU takes its place."""

    def setUp(self):
        self.float = tensor_types._stand_in("cpu", "FloatTensor")

    def test_what_pytorch_has_is_itself(self):
        with mock.patch.object(devices, "current", return_value="cpu"):
            self.assertIs(tensor_types.FloatTensor, torch.FloatTensor)
            self.assertEqual(tensor_types.name("HalfTensor"), "torch.HalfTensor")
        with mock.patch.object(devices, "current", return_value="cuda"):
            self.assertIs(tensor_types.LongTensor, torch.cuda.LongTensor)
            self.assertEqual(tensor_types.name("LongTensor"), "torch.cuda.LongTensor")
        self.assertFalse(hasattr(tensor_types, "NoTensor"))

    def test_they_make_what_the_legacy_constructors_make(self):
        table = torch.arange(6.0).reshape(2, 3)
        for arguments in (
            (),
            (3,),
            (2, 3),
            (torch.Size([2, 1]),),
            ([1, 2, 3],),
            ((2, 3),),
            ([[1.5], [2.5]],),
            (table.numpy(),),
            (table,),
        ):
            ours, theirs = self.float(*arguments), torch.FloatTensor(*arguments)
            self.assertEqual((ours.shape, ours.dtype), (theirs.shape, theirs.dtype), arguments)
            if arguments and not isinstance(arguments[0], (int, torch.Size)):
                self.assertTrue(torch.equal(ours, theirs), arguments)
        self.assertEqual(self.float(table).data_ptr(), table.data_ptr())
        for wrong in table.double(), torch.ones(2).storage():
            self.assertRaises(TypeError, self.float, wrong)
        self.assertRaises(RuntimeError, self.float, 3, device="meta")

    def test_they_know_their_tensors(self):
        self.assertIsInstance(torch.ones(1), self.float)
        self.assertNotIsInstance(torch.ones(1).double(), self.float)
        self.assertNotIsInstance(1.0, self.float)
        self.assertEqual(self.float.__name__, "torch.cpu.FloatTensor")

    @unittest.skipUnless(hasattr(torch, "set_default_device"), "came with torch 2.0")
    def test_the_default(self):
        self.addCleanup(torch.set_default_device, None)
        self.addCleanup(torch.set_default_dtype, torch.float32)
        tensor_types.set_default_tensor_type(tensor_types._stand_in("cpu", "DoubleTensor"))
        self.assertEqual(torch.ones(1).dtype, torch.float64)
        tensor_types.set_default_tensor_type("torch.FloatTensor")
        self.assertEqual(torch.ones(1).dtype, torch.float32)
        self.assertRaises(TypeError, tensor_types.set_default_tensor_type, "torch.xpu.IntTensor")


class Types(unittest.TestCase):
    """On a device that has neither float64 nor bfloat16."""

    def setUp(self):
        lacks = {("npu", dtype): False for dtype in dtypes.NARROWER}
        for patch in (
            mock.patch.dict(devices._answers, lacks),
            mock.patch.object(devices, "current", return_value="npu"),
            mock.patch.object(dtypes, "_told", set()),
        ):
            patch.start()
            self.addCleanup(patch.stop)

    def test_auto_takes_the_narrower_type(self):
        with with_variables(CUDA_MORPH_DTYPE=""), warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertEqual(dtypes.float64, torch.float32)
            self.assertEqual((dtypes.double, dtypes.cdouble), (torch.float32, torch.complex64))
            self.assertEqual(dtypes.resolve(torch.bfloat16, "npu:0"), torch.float16)
            self.assertEqual(dtypes.resolve(torch.float64, "cpu"), torch.float64)
            self.assertEqual(dtypes.resolve(torch.int64), torch.int64)

    def test_warn_warns_once(self):
        with with_variables(CUDA_MORPH_DTYPE="warn"), warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            self.assertEqual([dtypes.float64, dtypes.float64], [torch.float32] * 2)
            self.assertEqual(dtypes.bfloat16, torch.float16)
        self.assertEqual(len(told), 2)
        self.assertIn("npu has no torch.float64", str(told[0].message))

    def test_strict_raises_and_off_does_nothing(self):
        with with_variables(CUDA_MORPH_DTYPE="strict"):
            with self.assertRaises(TypeError):
                dtypes.resolve(torch.float64)
            self.assertEqual(dtypes.resolve(torch.float32), torch.float32)
        with with_variables(CUDA_MORPH_DTYPE="off"):
            self.assertEqual(dtypes.float64, torch.float64)
        with with_variables(CUDA_MORPH_DTYPE="loose"):
            self.assertRaises(ValueError, dtypes.resolve, torch.float64)
        self.assertFalse(hasattr(dtypes, "int32"))


class Shapes(unittest.TestCase):
    def test_sizes_are_rounded_up_and_never_cut(self):
        b = buckets.Buckets([256, 128, 256])
        self.assertEqual(
            [b.size(n) for n in (0, 1, 128, 129, 137, 256)], [128, 128, 128, 256, 256, 256]
        )
        for n in (257, -1):
            self.assertRaises(ValueError, b.size, n)
        self.assertEqual(buckets.Buckets.powers(32, 4096).sizes, [2**i for i in range(5, 13)])
        for sizes in ([], [0, 4], [1.5]):
            self.assertRaises(ValueError, buckets.Buckets, sizes)

    def test_padding_is_of_this_input(self):
        """The same shape with other values gives other values: nothing stale is kept."""
        b = buckets.Buckets([4, 8])
        for value in 1.0, 2.0:
            x = torch.full((2, 3), value)
            y = b.pad(x, value=-1.0)
            self.assertEqual(y.tolist(), [[value] * 3 + [-1.0]] * 2)
        full = torch.ones(4, 2)
        self.assertIs(b.pad(full, dim=0), full)
        self.assertEqual(b.pad(torch.ones(5, 2), dim=0).shape, (8, 2))
        self.assertEqual(b.counts, {4: 3, 8: 1})
        self.assertEqual(b.mask(3).tolist(), [True, True, True, False])
        self.assertRaises(ValueError, b.pad, torch.ones(9))


class Compiling(unittest.TestCase):
    def backend_on(self, kind, modules, mode=None):
        with mock.patch.object(devices, "current", return_value=kind), mock.patch.object(
            compiler, "_is_installed", modules.__contains__
        ), mock.patch.dict(sys.modules, modules):
            return compiler.backend(mode)

    def test_the_back_end(self):
        made = []
        torchair = types.ModuleType("torchair")
        torchair.CompilerConfig = types.SimpleNamespace
        torchair.get_npu_backend = lambda *, compiler_config: made.append(compiler_config) or made
        self.assertIs(self.backend_on("npu", {"torchair": torchair}), made)
        self.backend_on("npu", {"torchair": torchair}, "reduce-overhead")
        self.assertEqual([vars(c) for c in made], [{}, {"mode": "reduce-overhead"}])
        for kind in "cpu", "xpu", "cuda", "musa":
            self.assertEqual(self.backend_on(kind, {}), "inductor")
        with self.assertWarns(UserWarning):
            self.assertEqual(self.backend_on("npu", {}), "eager")

    @unittest.skipUnless(hasattr(torch, "compile"), "torch.compile came with 2.0")
    def test_a_named_back_end_is_used(self):
        x = torch.ones(3)
        self.assertEqual(
            compiler.compile(torch.sin, backend="eager")(x).tolist(), x.sin().tolist()
        )

        @compiler.compile(backend="eager", dynamic=True)
        def twice(y):
            return 2 * y

        self.assertEqual(twice(x).tolist(), [2.0] * 3)

    def test_on_a_device_without_one(self):
        with mock.patch.object(devices, "current", return_value="npu"), self.assertWarns(
            UserWarning
        ):
            f = (
                compiler.compile(torch.cos, mode="max-autotune")
                if hasattr(torch, "compile")
                else warnings.warn("none") or torch.cos
            )
        self.assertEqual(f(torch.zeros(1)).item(), 1.0)


class Markers(unittest.TestCase):
    def test_torch_cuda_nvtx(self):
        self.assertEqual([nvtx.range_push("a"), nvtx.range_push("b")], [0, 1])
        self.assertEqual([nvtx.range_pop(), nvtx.range_pop(), nvtx.range_pop()], [1, 0, -2])
        first, second = nvtx.range_start("x"), nvtx.range_start("y")
        nvtx.range_end(first)
        nvtx.range_end(second)
        nvtx.mark("here")
        with torch.profiler.profile() as profile, nvtx.range("step {}", 3):
            torch.ones(1)
        self.assertIn("step 3", [event.key for event in profile.key_averages()])

    def test_the_package(self):
        @nvtx.annotate("named", color="blue")
        def named(x, y=1):
            return x + y

        @nvtx.annotate
        def bare():
            """It has one."""

        self.assertEqual((named(1, y=2), bare.__doc__), (3, "It has one."))
        with nvtx.annotate(message="m", domain="d"):
            nvtx.push_range("p", color=1)
            nvtx.pop_range()
        nvtx.end_range(nvtx.start_range("q"))
        self.assertFalse(nvtx.enabled())
        domain = nvtx.get_domain("d")
        domain.push_range(domain.get_event_attributes(message="m"))
        domain.pop_range()
        domain.end_range(domain.start_range("q"))
        domain.mark("here")
        self.assertEqual(domain.name, "d")

    def test_the_vendor_gets_them(self):
        said = []
        vendor = types.SimpleNamespace(
            range_start=lambda m: said.append(("start", m)) or 7,
            range_end=lambda i: said.append(("end", i)),
            mark=lambda m: said.append(("mark", m)),
        )
        with mock.patch.object(nvtx, "_vendor", return_value=vendor):
            with nvtx.range("r"):
                nvtx.mark("m")
        self.assertEqual(said, [("start", "r"), ("mark", "m"), ("end", 7)])


class Counts(unittest.TestCase):
    def test_operators_that_fell_back(self):
        found = fallbacks.count(LOG.splitlines())
        self.assertEqual(
            found, {"aten::unique2": 2, "aten::histc": 1, "aten::foo.out": 1, fallbacks.UNNAMED: 1}
        )
        self.assertEqual(fallbacks.table(found).splitlines()[0].split(), ["2", "aten::unique2"])
        self.assertIn("no operator", fallbacks.table(fallbacks.count([])))

    def test_as_a_program(self):
        run = [sys.executable, "-m", "cuda_morph_rt.fallbacks"]
        done = subprocess.run(run, input=LOG, capture_output=True, text=True, check=True)
        self.assertEqual(len(done.stdout.splitlines()), 4)
        done = subprocess.run(run + ["/nowhere"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (2, ""))

    def test_calls(self):
        program = (
            "import torch, cuda_morph_rt as c; x = torch.ones(1, 2, 1, 8);"
            "[c.flash_attn.flash_attn_func(x, x, x) for _ in range(3)]"
        )
        said = {}
        for on in "1", "0", "":
            with with_variables(CUDA_MORPH_STATS=on):
                said[on] = subprocess.run(
                    [sys.executable, "-W", "ignore", "-c", program],
                    capture_output=True,
                    text=True,
                    check=True,
                ).stderr
        self.assertIn("3 calls of flash_attn.flash_attn_interface.flash_attn_func", said["1"])
        self.assertEqual([said["0"], said[""]], ["", ""])


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=0).result
    bad = len(result.failures) + len(result.errors)
    print(f"runtime with torch {torch.__version__}: {result.testsRun - bad} passed, {bad} failed")
    sys.exit(bad > 0)
