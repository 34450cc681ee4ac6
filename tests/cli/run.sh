#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `run`: a program behaves as it does under python3, and its sources are ported on the way in.
# The torch of these programs is a stub, so that nothing but python3 is needed.
. "${0%/*}/helper"

python=$(command -v python3) && "$python" -c 'import ctypes, multiprocessing' 2>/dev/null || {
    needs python3
}
if grep -q __asan_init "$(dirname "$tool")/libcudamorph.so"; then
    skip everything \
        'python3 cannot load a library with a sanitizer (tests/unit/test_capi.c has it)'
    done_testing
fi
XDG_CACHE_HOME=$scratch/cache
export XDG_CACHE_HOME PYTHONDONTWRITEBYTECODE=1
unset PYTHONPATH PYTHONSTARTUP VIRTUAL_ENV
for variable in $(env | sed -n 's/^\(CUDA_MORPH_[A-Z_]*\|[A-Z_]*VISIBLE_DEVICES\)=.*/\1/p'); do
    unset "$variable"
done
CUDA_MORPH_TARGET=cpu # whatever this machine has
export CUDA_MORPH_TARGET

mkdir torch
cat >torch/__init__.py <<'END'
class device(str):
    pass


def ones(n, device="cpu"):
    if device == "cuda":
        raise RuntimeError("no CUDA here")
    return device


class cuda:
    @staticmethod
    def is_available():
        return False

    @staticmethod
    def synchronize():
        raise RuntimeError("no CUDA here")
END
printf 'import torch\nprint(torch.cuda.is_available())\n' >adapter.py
CUDA_MORPH_TARGET= run run --target ascend adapter.py
exits 1 'no torch_npu'
says "cuda-morph: No module named 'torch_npu'; cuda-morph doctor --target ascend says what is missing here" 'no torch_npu'
CUDA_MORPH_TARGET= run run --target xpu adapter.py
says "has no attribute 'xpu'; cuda-morph doctor --target xpu says what is missing here" 'an old torch'
printf 'import torch\ntorch.no_such_thing\n' >other.py
CUDA_MORPH_TARGET= run run --target ascend other.py
check 'an error of the program alone' not grep -q 'no_such_thing.*doctor' "$err"

cat >sibling.py <<'END'
import torch


def place():
    return torch.ones(1, device="cuda")
END
cat >main.py <<'END'
import sys
import torch
import sibling

if __name__ == "__main__":
    print(sys.argv[1:], torch.ones(1, device="cuda"), sibling.place(), sibling.__file__[-10:])
END

# same WHAT ARGS...: the program's output and status are those of python3.
same() {
    same=$1
    shift
    "$python" "$@" >expected 2>expected-err </dev/null
    wanted=$?
    run run -- "$@"
    exits "$wanted" "$same"
    check "$same: standard output" cmp expected "$out"
    check "$same: standard error" cmp expected-err "$err"
}

touch torch_npu.py torch_mlu.py
run run main.py --lr 1 -v
exits 0 'a script'
prints "['--lr', '1', '-v'] cpu cpu sibling.py" 'run: arguments, siblings, devices'
silent err 'a script'
run run --target ascend -m main x
exits 0 'a module'
prints "['x'] npu npu" 'a module for Ascend'
run run --target=rocm -c 'import torch; print(torch.device("cuda"))'
prints cuda 'a command for ROCm'
(cd .. && "$tool" run in/main.py >"$out")
prints '[] cpu cpu' 'from another folder'
check 'the environment names the target' env CUDA_MORPH_TARGET=mlu "$tool" run -- -c \
    'import torch; assert torch.device("cuda") == "mlu"'
"$tool" run - <main.py >"$out" 2>"$err"
prints 'cpu cpu' 'from standard input'
mkdir app && echo 'import sys, torch; print(torch.device("cuda"), sys.path[0])' >app/__main__.py
PYTHONPATH=. "$tool" run app >"$out" 2>"$err"
prints "cpu $(pwd)/app" 'a folder with a program'

run run -c 'import sys; print(any(p.endswith("cuda_morph_rt") for p in sys.path))'
prints False 'modules of the runtime are no top-level modules'

# What ends a program, ends it in the same way, with the same words.
echo 'import sys; sys.exit(7)' >seven.py
echo 'import sys; sys.exit("a reason")' >reason.py
printf 'def f():\n    x = {}  # cuda\n    return x["key"]\n\n\nf()\n' >raises.py
printf 'import os, signal\nos.kill(os.getpid(), signal.SIGTERM)\n' >killed.py
printf 'def f(:\n' >broken.py
echo 'import broken' >imports_broken.py
printf 'import sys\nsys.excepthook = lambda t, e, tb: print(t, e, tb.tb_lineno)\n1 / 0\n' \
    >own_hook.py
printf 'import atexit\natexit.register(print, "bye")\nraise KeyError(1)\n' >at_exit.py
printf 'print(__name__, __file__, __spec__, __doc__, __builtins__, sorted(globals()))\n' >names.py
for program in seven reason raises killed broken imports_broken own_hook at_exit names; do
    same "$program" "$program.py"
done
same 'options of the interpreter' -O -W error -c \
    'import sys; print(sys.flags.optimize, sys.argv)' -x
same 'a cluster of options' -Bc 'import sys; print(sys.argv, sys.path[0], 1/0)' a -m b
same 'run: a module of the library' -m json.tool --help
"$python" -m nothing_of_this_name 2>expected-err
run run -m nothing_of_this_name
exits 1 'no such module'
says 'No module named nothing_of_this_name' 'no such module'
run run nothing.py
exits 2 'no such file'
says "can't open file" 'no such file'
"$python" nothing.py 2>expected-err
check 'no such file: the words of the interpreter' cmp expected-err "$err"
mkdir folder
echo 'import sys; print(__file__, sys.path[0], sys.argv)' >folder/__main__.py
same 'a folder as the program' folder a
"$python" -m zipfile -c folder.zip folder/__main__.py
same 'an archive as the program' folder.zip a

# Ctrl-C ends it by the signal.
printf 'import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nimport time\ntime.sleep(9)\n' \
    >ctrl_c.py
# A shell that runs in the background leaves it ignored.
"$python" -c 'import signal, subprocess, sys
p = subprocess.run(sys.argv[1:], stderr=subprocess.PIPE,
                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
assert p.returncode == -2, p.returncode
assert p.stderr.count(b"KeyboardInterrupt") == 1, p.stderr' "$tool" run ctrl_c.py 2>"$err"
check 'Ctrl-C ends the program by the signal' test $? -eq 0

# Places are the user's: ported code stands where the original stood.
cat >places.py <<'END'
"""A docstring."""
from __future__ import annotations
import torch
from torch.cuda.amp import autocast


def first():
    where = torch.device("cuda:0" if torch.cuda.is_available() else "cpu"); raise ValueError(where)


import sys, traceback
try:
    first()
except ValueError:
    print([(f.lineno, f.name, f.line) for f in traceback.extract_tb(sys.exc_info()[2])])
print(first.__code__.co_firstlineno)
END
sed 's/^from torch.cuda.*/class autocast: pass/' places.py >plain_places.py
"$python" plain_places.py >expected 2>&1
rm torch_npu.py
mkdir -p torch/amp
printf 'def autocast(*a):\n    pass\n' >torch/amp/__init__.py
run run --target ascend --python "$python" places.py
check 'a vendor module that is missing is the program'\''s error' grep -q torch_npu "$err"
touch torch_npu.py
sed -i \
    's/class cuda:/class npu:\n    is_available = staticmethod(lambda: True)\n\n\nclass cuda:/' \
    torch/__init__.py
run run --target ascend places.py
exits 0 'places'
check 'lines of a port that adds an import' cmp expected "$out"

# Processes that the program starts.
cat >workers.py <<'END'
import multiprocessing
import subprocess
import sys

import torch


def work(i):
    return i, torch.ones(1, device="cuda"), __name__


if __name__ == "__main__":
    for method in "spawn", "fork", "forkserver":
        with multiprocessing.get_context(method).Pool(1) as pool:
            print(pool.map(work, range(2)))
    child = "import torch; print(torch.device('cuda'))"
    print(subprocess.run([sys.executable, "-c", child], stdout=subprocess.PIPE).stdout)
END
run run workers.py
exits 0 'processes'
prints "[(0, 'cpu', '__mp_main__'), (1, 'cpu', '__mp_main__')]" 'spawn'
prints "[(0, 'cpu', '__main__'), (1, 'cpu', '__main__')]" 'fork'
prints "b'cpu\\n'" 'sys.executable'

# runpy reads files through the hook, too.
run run -c 'import runpy; runpy.run_path("main.py", run_name="__main__")'
prints 'cpu cpu' 'runpy.run_path'

# Modules that no finder is asked for, that are read again, and those in archives.
cat >plugin.py <<'END'
import torch

place = torch.device("cuda")
END
cat >loads.py <<'END'
import importlib.util
import sys
import zipfile
from importlib.machinery import SourceFileLoader

spec = importlib.util.spec_from_file_location("by_location", "plugin.py")
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
print("location", module.place, isinstance(spec.loader, SourceFileLoader))
print("loader", SourceFileLoader("by_loader", "plugin.py").load_module().place)
import plugin

print("reload", importlib.reload(plugin).place)
with zipfile.ZipFile("archive.zip", "w") as archive:
    archive.write("plugin.py", "package/__init__.py")
    archive.write("plugin.py", "package/inner.py")
    archive.writestr("__main__.py", "from package.inner import place; print('main', place)")
sys.path.insert(0, "archive.zip")
import package.inner

print("archive", package.place, package.inner.place, package.inner.__file__)
print("source", package.inner.__loader__.get_source("package.inner").count("cuda"))
END
run run -- -W ignore loads.py
exits 0 'modules from elsewhere'
for line in 'location cpu True' 'loader cpu' 'reload cpu' \
    'archive cpu cpu archive.zip/package/inner.py' \
    'source 1'; do
    prints "$line" "modules from elsewhere: $line"
done
PYTHONPATH=. run run archive.zip
prints 'main cpu' 'an archive as the program'
for rules in run_rules run_rules_cpu; do
    run rules check "${tool%/*}/python/cuda_morph_rt/$rules.json"
    exits 0 "the rules of run: $rules"
    run rules test "${tool%/*}/python/cuda_morph_rt/$rules.json"
    exits 0 "the examples of the rules of run: $rules"
done

# The cache: damage is noticed, another target is another entry, nothing has to be writable.
check 'the cache has entries' test -n "$(find "$XDG_CACHE_HOME/cuda-morph" -type f)"
run run main.py
cp "$out" expected
find "$XDG_CACHE_HOME/cuda-morph" -type f | while read -r entry; do echo damaged >"$entry"; done
run run main.py
check 'damaged entries are ignored' cmp expected "$out"
silent err 'damaged entries'
find "$XDG_CACHE_HOME/cuda-morph" -type f | while read -r entry; do : >"$entry"; done
run run main.py
check 'empty entries are ignored' cmp expected "$out"
sed -i 's/print(/print("edited", /' main.py
run run main.py
prints edited 'an edited file'
check 'a cache that is no folder' env XDG_CACHE_HOME=/dev/null "$tool" run main.py
run run --target cpu -c 'import os; os.environ["CUDA_MORPH_STATS"] = "1"'
exits 0 'statistics'
CUDA_MORPH_STATS=1 "$tool" run main.py >"$out" 2>"$err"
says 'from cache' 'run: statistics at the end of a process'

# The cache does not grow without end: a folder keeps what was used last.
mkdir -p full/cuda-morph/python
for i in 0 1 2 3 4 5 6 7 8 9 a b c d e f; do
    for k in 0 1 2 3 4 5 6 7 8 9 a b c d e f; do
        mkdir "full/cuda-morph/python/$i$k" && truncate -s 900K "full/cuda-morph/python/$i$k/old"
        truncate -s 300K "full/cuda-morph/python/$i$k/older"
        touch -d '2 days ago' "full/cuda-morph/python/$i$k/old"
        touch -d '3 days ago' "full/cuda-morph/python/$i$k/older"
    done
done
XDG_CACHE_HOME=$PWD/full "$tool" run main.py >"$out" 2>"$err"
status=$?
exits 0 'a full cache'
new=$(find full -type f -size -100k -printf '%h\n' | sort -u | wc -l)
check 'a full cache: new entries' test "$new" -ge 1
check 'a full cache: the oldest gives way' test "$(find full -name older | wc -l)" -eq $((256 - \
    new))
check 'a full cache: the others stay' test "$(find full -name old | wc -l)" -eq 256

# What cannot be ported runs as it is, and is named once.
printf '# -*- coding: utf-16 -*-\nimport torch\ntorch.cuda.synchronize()\n' >strange.py
run run -c 'import sibling
try:
    import strange
except BaseException as e:
    print(type(e).__name__)'
says 'strange.py runs as it is' 'a module that is not understood'
check 'it is named once' test "$(grep -c strange.py "$err")" -eq 1
run run --skip sibling main.py
exits 1 'skip'
says 'no CUDA here' 'a module that is skipped'
run run -v main.py
says 'ported, 1 edits' 'verbose'

# Devices.
for pair in ascend:ASCEND_RT_VISIBLE_DEVICES mlu:MLU_VISIBLE_DEVICES musa:MUSA_VISIBLE_DEVICES \
    xpu:ZE_AFFINITY_MASK; do
    CUDA_VISIBLE_DEVICES=1,2 "$tool" run --target "${pair%:*}" -c \
        "import os; print(os.getenv('${pair#*:}'))" >"$out"
    prints 1,2 "run: devices of ${pair%:*}"
done
CUDA_VISIBLE_DEVICES=1 MLU_VISIBLE_DEVICES=3 "$tool" run --target mlu -c \
    'import os; print(os.getenv("MLU_VISIBLE_DEVICES"))' >"$out"
prints 3 "run: the user's own setting stays"

env -u CUDA_MORPH_TARGET "$tool" run -v -c 'import os; print(os.environ["CUDA_MORPH_TARGET"])' \
    >"$out" 2>"$err"
says "no --target was given: $(cat "$out")" 'the target that info finds'

# Usage.
for words in 'run' 'run -u' 'run --python' 'run --target nosuch main.py' \
    'run --taget cpu main.py' \
    'run --target cpu,mlu main.py' 'run --python nosuch main.py' 'run --rules nosuch main.py'; do
    run $words
    exits 2 "$words"
    says 'cuda-morph: ' "$words"
    silent out "$words"
done
mkdir -p env/bin
printf '#!/bin/sh\necho of the environment\n' >env/bin/python3
chmod +x env/bin/python3
VIRTUAL_ENV=$PWD/env "$tool" run main.py >"$out"
prints 'of the environment' 'the interpreter of VIRTUAL_ENV'
PATH=$PWD/env/bin:$PATH "$tool" run main.py >"$out"
prints 'of the environment' 'the interpreter of PATH'

done_testing
