#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A vendor that nobody here knows: `rules new-target`, what `rules check` says of its file, and
# that what its lists do not have is never written.
. "${0%/*}/helper"

run rules new-target fpu --like ascend
exits 0 'a skeleton'
check 'a skeleton: the file' test -s fpu.json
check 'a skeleton: its own words' grep -q '"module": "torch.fpu"' fpu.json
check 'a skeleton: nothing of the other vendor' sh -c '! grep -iq "npu_\|hccl\|_npu\|cann" fpu.json'
run rules new-target fpu --like ascend
exits 2 'never over a file that is there'
run rules new-target ascend --like mlu
says "is a name or alias of target ascend already" 'a name that is taken'
run rules new-target Fpu --like mlu
says 'cannot be the name of a target' 'no kebab-name'
run rules new-target other
says '--like TARGET' 'like what?'
run rules new-target other --like ascedn
says "there is no target 'ascedn'" 'like nothing'
run rules new-target fpu --like ascend -o nowhere
exits 2 'no such folder'
run rules check fpu.json
exits 2 'the skeleton is not done'
says '/title: is empty' 'the skeleton: what is missing'
says '/references/0/source: is empty' 'the skeleton: a source'

# The stranger's device: torch_fpu, its back end fpccl, streams but no graphs.
sed 's/"title": ""/"title": "Fabrikam FPU"/; s/"summary": ""/"summary": "PyTorch through torch_fpu"/
    s/"references": .*/"references": [{"source": "this test", "checked": "2026-11"}]/
    s/{"readme": {"source": "", "checked": ""}}/{"readme": {"source": "this test", "checked": "2026-11"}}/
    s/"graph_class": "[^"]*"/"graph_class": ""/' fpu.json >named.json
run rules check named.json
exits 2 'facts are empty'
mkdir two
cp named.json two/
sed 's/"target": "fpu"/"target": "gpx"/; s/"order": [0-9]*/"order": 98/' named.json >two/gpx.json
run rules check two
for file in named gpx; do
    says "two/$file.json: /facts: \"backend\" is empty" "two new vendors: $file"
    says "two/$file.json: /releases/names" "two new vendors: the names of $file"
done
says '"backend" is empty' 'which fact'
says 'torch-distributed/backend-string' 'whose rows need it'
says 'rows would write names that are not listed' 'names that nobody looked for'
cat >train.py <<'PY'
import os
import torch
import torch.distributed as dist

os.environ["CUDA_VISIBLE_DEVICES"] = "0"
os.environ["NCCL_DEBUG"] = "INFO"
dist.init_process_group("nccl")
x = torch.ones(2, device="cuda:0").cuda()
torch.cuda.synchronize()
torch.cuda.empty_cache()
s = torch.cuda.Stream()
g = torch.cuda.CUDAGraph()
e = torch.cuda.Event()
print(x.is_cuda)
PY
run port train.py --target fpu --rules named.json
check 'no name is written that is in no list' sh -c "! grep -q 'torch[.]fpu\\|[.]is_fpu' '$out'"
says 'torch.fpu.synchronize was not looked for in torch_fpu, so it is not written unverified' 'the reason'
sed 's/fpu/qd/g; s/Fabrikam FPU/QD/' named.json >short.json
run port train.py --target qd --rules short.json
says 'torch.qd.synchronize was not looked for in torch_qd' 'a device of two letters'
run rules names --target fpu --rules named.json
prints 'fpu torch.fpu.synchronize' 'the names to look for'

sed 's/"import_words": "fpu"/"import_words": "fpu fpccl"/; s/"backend": ""/"backend": "fpccl"/; s/"backend_upper": ""/"backend_upper": "FPCCL"/
    s/"backend_expr": ""/"backend_expr": "\\"fpccl\\""/
    s/"backend_available": ""/"backend_available": "is_fpccl_available"/
    s/"process_group": ""/"process_group": "ProcessGroupFPCCL"/
    s|"names": {}|"names": {".fpu": {"file": "torch_fpu/__init__.py"}, ".is_fpu": {}, "FPU_VISIBLE_DEVICES": {"file": "README.md"}, "torch.fpu": {}, "torch.fpu.Stream": {"file": "torch_fpu/streams.py"}, "torch.fpu.synchronize": {}}|
    s|"cells": {}|"templates": {"no-graphs": {"verdict": "none", "note": "torch_fpu has no graphs"}}, "cells": {"environment/variable": {"CUDA_VISIBLE_DEVICES": "FPU_VISIBLE_DEVICES"}, "torch-cuda/graph": {"torch.cuda.CUDAGraph": "@no-graphs", "torch.cuda.graphs.CUDAGraph": "@no-graphs"}, "torch-device/raw-handle": {"*": "manual"}}|' named.json >whole.json
cat >want.py <<'PY'
import os
import torch
import torch_fpu
import torch.distributed as dist

os.environ["FPU_VISIBLE_DEVICES"] = "0"
os.environ["NCCL_DEBUG"] = "INFO"
dist.init_process_group("fpccl")
x = torch.ones(2, device="fpu:0").fpu()
torch.fpu.synchronize()
torch.cuda.empty_cache()
s = torch.fpu.Stream()
g = torch.cuda.CUDAGraph()
e = torch.cuda.Event()
print(x.is_fpu)
PY
run port train.py --target fpu --rules whole.json
check 'the file alone is a target' cmp -s want.py "$out"
says 'torch_fpu has no graphs' 'a cell of its own, by a template of its own'
says 'torch.fpu.Event was not looked for in torch_fpu' 'what the list lacks'
run explain torch-cuda/graph --target fpu --rules whole.json
prints 'torch_fpu has no graphs' 'explain knows the column'
run port train.py --target ascend --rules whole.json
check 'nobody else is touched' grep -q 'torch.npu.NPUGraph()' "$out"
run rules list --rules whole.json --target fpu,ascend
exits 0 'rules list'

# What `doctor` would refuse is said by `rules check`, too, when nothing else is wrong.
sed 's/"source": "PyTorch 2.6: torch.accelerator"/"source": ""/' "$top/rules/targets/portable.json" >portable.json
run rules check portable.json
exits 2 'a probe without a source'
says '/probes/sources/torch: "source" is empty' 'a probe without a source'

# The names of the vendor's sources go into the file by themselves.
if command -v python3 >/dev/null; then
    mkdir -p sources/torch_fpu/fpu
    cat >sources/torch_fpu/__init__.py <<'PY'
torch.utils.generate_methods_for_privateuse1_backend()
torch.distributed.Backend.register_backend("fpccl", create, devices=["fpu"])
PY
    cat >sources/torch_fpu/fpu/__init__.py <<'PY'
visible = os.getenv("FPU_CHOSEN")
def synchronize(device=None): pass
class Stream:
    @property
    def fpu_stream(self): return 0
PY
    sed 's/"backend": ""/"backend": "fpccl"/; s/"backend_upper": ""/"backend_upper": "FPCCL"/
        s/"import_words": "fpu"/"import_words": "fpu fpccl"/
        s|"cells": {}|"cells": {"environment/variable": {"CUDA_VISIBLE_DEVICES": "FPU_CHOSEN"}}|' named.json >mined.json
    run rules check mined.json
    says 'FPU_CHOSEN' 'a variable of a cell that nobody looked for'
    run rules names --target fpu --rules mined.json
    prints 'fpu FPU_CHOSEN' 'a variable of a cell is to be looked for'
    python3 "$top/tools/releases.py" mined.json sources --program "$tool" --write >mined.log 2>&1
    check 'names are mined: what is there' grep -q '"torch.fpu.synchronize": {$' mined.json
    check 'names are mined: where' grep -q '"file": "torch_fpu/fpu/__init__.py"' mined.json
    run port train.py --target fpu --rules mined.json
    check 'names are mined: and written' grep -q 'torch.fpu.synchronize()' "$out"
    says 'no release of torch_fpu has torch.fpu.' 'names are mined: what is not there'
    check 'names are mined: a variable' grep -q 'os.environ."FPU_CHOSEN"' "$out"
    check 'names are mined: a property of a class' grep -q '"[.]fpu_stream": {$' mined.json
    check 'names are mined: its place' sh -c \
        "sed -n '/\"[.]fpu_stream\"/,/}/p' mined.json | grep -q torch_fpu/fpu/__init__.py"
    check 'names are mined: a back end that is registered' sh -c \
        "sed -n '/Backend[.]FPCCL/,/}/p' mined.json | grep -q torch_fpu/__init__.py"
fi

# Mistakes in a column have a place.
sed 's|"import_words": "fpu fpccl"|"import_words": "fpu"|' whole.json >wrong.json
run rules check wrong.json
says '/facts/backend: has none of the "import_words" (fpu)' 'a word that would get no import'
sed 's|"is_fpccl_available"|"is_backend_available(1)"|' whole.json >wrong.json
run rules check wrong.json
says '/facts/backend_available: must be the name of a function' 'an expression where a name belongs'
sed 's|"environment/variable"|"enviroment/variable"|' whole.json >wrong.json
run rules check wrong.json
says 'there is no rule "enviroment/variable", did you mean "environment/variable"?' 'a rule that is not there'
sed 's|"CUDA_VISIBLE_DEVICES": "FPU|"CUDA_VISIBLE_DEVICE": "FPU|' whole.json >wrong.json
run rules check wrong.json
says 'has no row "CUDA_VISIBLE_DEVICE", did you mean "CUDA_VISIBLE_DEVICES"?' 'a row that is not there'
sed 's|@no-graphs|@nographs|g' whole.json >wrong.json
run rules check wrong.json
says 'the rule has no template "nographs"' 'a template that is not there'
sed 's|"names": "port"|"names": "prot"|' whole.json >wrong.json
run rules check wrong.json
says 'did you mean "port"?' 'a word that is not there'

# A name that several vendors' people use.
sed 's|"aliases": \[\]|"aliases": [], "also": ["xpu", "gizmo"]|' whole.json >also.json
run port train.py --target xpu --rules also.json
says "note: 'xpu' is Intel XPU here; --target fpu is Fabrikam FPU" 'a name of two'
run check train.py --target xpu --rules also.json
check 'a name of two: not at each check' not grep -q 'Fabrikam' "$err"
run port train.py --target xpu --rules also.json -q
check 'a name of two: silent with -q' test ! -s "$err"
run doctor --target xpu --rules also.json
says "note: 'xpu' is Intel XPU here; --target fpu is Fabrikam FPU" 'a name of two, to those who look at a machine'
run explain torch-cuda/amp --target ascend,xpu --rules also.json
says "note: 'xpu' is Intel XPU here; --target fpu is Fabrikam FPU" 'a name of two among others'
run info --target gizmo --rules also.json
says "'gizmo' is no target by itself: --target fpu is Fabrikam FPU" 'a name of nobody, to those who look'
run port train.py --target gizmo --rules also.json
exits 2 'a name of nobody'
says "'gizmo' is no target by itself: --target fpu is Fabrikam FPU" 'a name of nobody'

# Many targets: those of a family stand together.
run report train.py --target all --rules whole.json
prints '  a device of its own' 'a family'
check 'a family: its members' sh -c "sed -n '/^  a device of its own/,/^  [^ ]/p' '$out' | grep -q 'fpu, Fabrikam FPU'"
run report train.py --target all --format json
prints '"family": "a device of its own"' 'a family in JSON'
done_testing
