"""A test suite as projects have it: devices to go through, skips, and calls that are replaced."""
# e2e: manual on portable,cpu: functions of torch.cuda that are replaced by their names
import io
import unittest
from unittest import mock

import torch

DEVICES = ["cpu"] + (["cuda"] if torch.cuda.is_available() else [])
needs_gpu = unittest.skipUnless(torch.cuda.is_available(), "needs a GPU")


def free_everything():
    if torch.cuda.is_available():
        torch.cuda.synchronize()
        torch.cuda.empty_cache()
        return "freed"
    return "nothing to free"


def pick():
    return torch.device("cuda") if torch.cuda.is_available() else torch.device("cpu")


class Numbers(unittest.TestCase):
    def test_matmul(self):
        for device in DEVICES:
            with self.subTest(device=device):
                a = torch.eye(3, device=device) * 2
                self.assertEqual((a @ a).diagonal().sum().item(), 12)
                self.assertEqual(a.device.type, device)

    @needs_gpu
    def test_moves(self):
        a = torch.ones(2).cuda()
        self.assertTrue(a.is_cuda)
        self.assertEqual(a.device.type, "cuda")
        self.assertFalse(a.cpu().is_cuda)


class Replaced(unittest.TestCase):
    def test_without(self):
        with mock.patch.object(torch.cuda, "is_available", return_value=False):
            self.assertEqual(pick().type, "cpu")
            self.assertEqual(free_everything(), "nothing to free")

    @mock.patch("torch.cuda.empty_cache")
    @mock.patch("torch.cuda.synchronize")
    @mock.patch("torch.cuda.is_available", return_value=True)
    def test_with(self, available, synchronize, empty_cache):
        self.assertEqual(free_everything(), "freed")
        synchronize.assert_called_once_with()
        empty_cache.assert_called_once_with()
        self.assertEqual(available.call_count, 1)


suite = unittest.defaultTestLoader.loadTestsFromModule(__import__("__main__"))
if suite.countTestCases() == 0:  # run by something that is __main__ itself
    suite = unittest.TestSuite(
        unittest.defaultTestLoader.loadTestsFromTestCase(case) for case in (Numbers, Replaced)
    )
result = unittest.TextTestRunner(stream=io.StringIO()).run(suite)
problems = [text for _, text in result.failures + result.errors]
assert not problems, "\n".join(problems)
assert result.testsRun == 4
assert len(result.skipped) == (0 if torch.cuda.is_available() else 1)
print(result.testsRun, "tests")
