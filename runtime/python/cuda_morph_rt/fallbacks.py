# SPDX-License-Identifier: Apache-2.0
"""Counts the operators that ran on the CPU because the accelerator lacks them, from a log.

    python3 -m cuda_morph_rt.fallbacks train.log
    cuda-morph run train.py 2>&1 | python3 -m cuda_morph_rt.fallbacks -

The adapters print one line for each: torch_npu, PyTorch's XPU and MPS say that "the operator
'aten::x' is not currently supported on the N backend and will fall back to run on the CPU"
(VariableFallbackKernel.cpp, XPUFallback.template, MPSFallback.mm), Intel's extension "Aten Op
fallback from XPU to CPU", without a name. Most print it once per operator and process."""

import re
import sys
from collections import Counter

_NAMED = re.compile(r"operator '([\w:.]+)' is not currently (?:supported|implemented)")
_TO_CPU = re.compile(r"fall(?:ing)?[ -]?backs? .*\bCPU\b", re.IGNORECASE)
UNNAMED = "(not named)"


def count(lines):
    """A Counter of operators over the lines of a log."""
    found = Counter()
    for line in lines:
        if _TO_CPU.search(line):
            name = _NAMED.search(line)
            found[name.group(1) if name else UNNAMED] += 1
    return found


def table(found):
    """Operators and their counts, the most frequent first."""
    if not found:
        return "no operator fell back to the CPU\n"
    rows = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return "".join(f"{n:6}  {name}\n" for name, n in rows)


def main(arguments):
    """Exit status: 0, or 2 where a log cannot be read."""
    found = Counter()
    for path in arguments or ["-"]:
        try:
            if path == "-":
                found.update(count(sys.stdin))
            else:
                with open(path, encoding="utf-8", errors="replace") as file:
                    found.update(count(file))
        except OSError as error:
            sys.stderr.write(f"fallbacks: {path}: {error.strerror}\n")
            return 2
    sys.stdout.write(table(found))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
