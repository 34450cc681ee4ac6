#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `rules` and `explain`.
. "${0%/*}/helper"

run rules
exits 0 rules
prints torch-cuda/memory rules
cp "$out" list
run rules list
check 'list is the default' cmp -s list "$out"
run rules list --target ascend,rocm
prints '    ascend: ' 'verdicts per target'
run rules list --target ascedn
exits 2 'unknown target'
says "did you mean 'ascend'" 'unknown target'
run rules list --format json
exits 0 'list as JSON'
if can python3 'JSON, read by others'; then
    check 'list as JSON: every rule and verdict' python3 - "$out" list <<'PY'
import json, sys
rules = json.load(open(sys.argv[1]))["rules"]
assert [r["id"] for r in rules] == [line.split()[0] for line in open(sys.argv[2])]
verdicts = {"same", "exact", "shim", "close", "manual", "none"}
assert all(v in verdicts for r in rules for row in r["rows"] for v in row["verdicts"].values())
PY
fi
run rules lst
exits 2 'misspelt'
says "did you mean 'list'" 'misspelt'

run rules check
exits 0 'check of the built-in rules'
says ', 0 failed' 'check of the built-in rules: their examples'
run rules test
exits 0 'the built-in examples reproduce'
says ', 0 failed' 'the built-in examples reproduce'

cat >mine.json <<'JSON'
{"domain": "mine", "language": "python", "title": "Mine", "rules": [
  {"id": "mine/probe", "title": "A probe", "why": "It is there to be found.", "severity": "warning",
   "match": "name", "default": {"*": "mine.other"}, "rows": {"mine.probe": {}},
   "examples": [{"target": "xpu", "before": "import mine\nmine.probe()", "after": "import mine\nmine.other()"}],
   "references": [{"source": "this test", "checked": "2026-11"}]}]}
JSON
run rules check mine.json
exits 0 'a sound rule file'
run rules list --rules mine.json
prints mine/probe '--rules adds rules'
run rules test mine.json
exits 0 'an example that reproduces'
says '1 passed, 0 failed' 'an example that reproduces'
sed 's/mine.other()/mine.wrong()/' mine.json >wrong.json
run rules test wrong.json
exits 1 'an example that does not'
prints 'mine/probe, xpu' 'an example that does not'
prints 'mine.wrong()' 'an example that does not: wanted'
prints 'mine.other()' 'an example that does not: got'

# A default is read twice where the namespace itself has a row, and its mistakes are said once.
sed 's/"mine.other"}/"mine.{nam}"}, "namespace": "mine"/; s/"mine.probe": {}/"mine": {}, &/' mine.json \
    >twice.json
run rules check twice.json
exits 2 'a default that is wrong, with a row of the namespace'
check 'it is said once' test "$(grep -c '{nam}' "$err")" -eq 1

# A rule about some calls of a name leaves the other calls to the built-in rules.
cat >some.json <<'JSON'
{"domain": "mine", "language": "python", "title": "Mine", "rules": [
  {"id": "mine/some", "title": "Loads", "why": "Ours.", "severity": "warning", "match": "name",
   "with": {"keyword": "device", "position": 0, "is": "^7$"}, "default": {"*": "manual"},
   "rows": {"torch.cuda.set_device": {}},
   "examples": [{"target": "xpu", "before": "import torch\ntorch.cuda.set_device(7)\n",
                 "after": "import torch\ntorch.cuda.set_device(7)\n"}],
   "references": [{"source": "this test", "checked": "2026-11"}]}]}
JSON
printf 'import torch\nfrom torch.cuda import set_device\ntorch.cuda.set_device(1)\nset_device(2)\ntorch.cuda.set_device(7)\n' >some.py
run port --rules some.json --target xpu --stdout some.py
prints 'torch.xpu.set_device(1)' 'a call that the rule of the user is not about'
prints 'from torch.xpu import set_device' 'an import, which no rule about calls is about'
prints 'torch.cuda.set_device(7)' 'a call that it is about'
says 'mine/some' 'a call that it is about'

# The templates of launches are templates as all others are.
cat >launch.json <<'JSON'
{"domain": "mine", "language": "cuda", "title": "Mine", "rules": [
  {"id": "mine/launch", "title": "A launch", "why": "It is there.", "severity": "warning",
   "match": "launch", "default": {"*": "manual"},
   "rows": {"chevron": {"rocm": {"call": "go({kernel}, \"{{x}}\", 0)"}}},
   "examples": [{"target": "rocm", "before": "__global__ void k();\nvoid f() { k<<<1, 2>>>(); }\n",
                 "after": "__global__ void k();\nvoid f() { go(k, \"{x}\", 0); }\n"}],
   "references": [{"source": "this test", "checked": "2026-11"}]}]}
JSON
run rules check launch.json
exits 0 'a template of a launch with braces'
run rules test launch.json
exits 0 'a template of a launch writes braces'
sed 's/, 0)"}}}/, {kernl}0)"}}}/' launch.json >kernl.json
run rules check kernl.json
exits 2 'a misspelt part of a launch'
says 'did you mean "kernel"?' 'a misspelt part of a launch'

run explain torch-cuda/memory
exits 0 explain
for text in 'torch-cuda/memory: ' torch.cuda.empty_cache ascend portable before: after: \
    References; do
    prints "$text" explain
done
run explain third-party/ctranslate2
prints 'Since 0.2.0.' 'since which version'
run explain torch-cuda/memory --target ascend
check 'explain --target leaves the others out' not grep -q '    xpu ' "$out"
printf '{"words": {"mine.count": {"about": "a", "within": ["torch.count"], "words": ["x"]}}}' >words.json
run rules check words.json
exits 2 'a word that is missing in the list around'
says 'is missing in torch.count' 'a list of the built-in rules with one word is a list'

# Where an answer was read: file, repository and commit, or a document.
run explain torch-cuda
exits 0 'explain takes a domain'
prints '  torch-cuda/amp ' 'its rules'
run explain at::cuda::getCurrentCUDAStream --target xpu
prints 'with kernels in SYCL: exact  -> cm::getCurrentXPUStream' 'what only holds for SYCL'
run explain torch.cuda.synchronize --target ascend
exits 0 'explain takes a name'
check 'explain: file, repository, commit' grep -q \
    'source: torch_npu/npu/utils.py, github.com/Ascend/pytorch v[0-9.-]* [0-9a-f]\{12\} (20' "$out"
run explain cudaMalloc --target rocm,ascend
prints 'source: Headers of the HIP' 'explain: a document'
prints 'source: the runtime of this project' 'explain: a name of the runtime'
run explain ncclCommInitAll --target musa,xpu
prints 'source: torchada' 'explain: the reference that names the row'
prints 'with --kernels host; in SYCL it has no counterpart' 'explain: what SYCL lacks'
run explain cudaMalloc --target xpu
check 'explain: what SYCL has' not grep -q 'in SYCL' "$out"
run explain ncclCommSplit --target musa
prints 'unverified  -> mcclCommSplit (never applied)' 'explain: what nobody could check'
for rule in stale/ipex triton/cuda-library torch-cuda/runtime; do
    run explain "$rule" --target portable
    check "explain: who names PyTorch is no source of portable ($rule)" \
        sh -c 'grep -q source: "$1" && ! grep -E "source: .*(-for-pytorch|openxla|gaudi)" "$1"' sh "$out"
done
run explain stale/npu-contrib --target portable
prints 'iou.py: what the functions pass on' 'explain: a reference to rows, for every target'
run explain noSuchNameAnywhere
exits 2 'explain: no such name'
run rules list --unverified --target musa
exits 0 'rules list --unverified'
check 'unverified: rule, target, name' grep -q '^nccl/functions  *musa  *ncclCommSplit$' "$out"
check 'unverified: the number' grep -q 'answers are unverified and never applied' "$err"
run rules list --target musa
check 'rules list counts them' grep -q 'unverified [0-9]' "$out"

run explain silent/custom-function --target rocm
prints 'torch.amp.NAME(..., device_type="cuda")' 'explain shows code, not templates'
run explain cuda-device/arch-test --target cpu
prints 'CM_CUDA_ARCH < $n' 'explain names what a row captures'
"$tool" rules list --format json | grep -oE '"id": *"[^"]+"' | cut -d '"' -f 4 |
    while read -r rule; do "$tool" explain "$rule"; done |
    grep -E -- '-> .*[{][a-z0-9.*<]+[}]' >"$scratch/templates"
check 'explain shows no template' test ! -s "$scratch/templates"
run explain torch-cuda/memroy
exits 2 'a misspelt rule'
says "did you mean 'torch-cuda/memory'" 'a misspelt rule'
run explain mine/probe --rules mine.json
prints 'A probe' 'explain with --rules'

# Files and the folder that they lie in are the same set, however many; folders add up.
mkdir many another
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
    sed "s/mine/mine$i/g; s/probe/probe$i/g" mine.json >many/r$i.json
done
"$tool" rules check many/*.json 2>&1 | sort >by_file
"$tool" rules check many 2>&1 | sort >by_folder
check 'rules check says something else of files than of their folder' diff by_file by_folder
mv many/r7.json another
run explain mine7/probe7 --rules many --rules another
exits 0 'a rule of the second folder'
run explain mine7/probe7 --rules many
exits 2 'a rule of a folder that was not named'

# The lists of words.json are those that the sources ask for.
cat "$top/rules/words.json" "$top/rules/sycl.json" | grep -o '"[a-z]*\.[a-z0-9_]*": {' | tr -d '": {' | sort >lists
grep -rhoE '"(check|cuda|python|runtime|sycl|text|torch)\.[a-z0-9_]+"' "$top/src" | tr -d '"' | sort -u >named
check "lists that nobody asks for: $(comm -23 lists named | tr '\n' ' ')" \
    test -z "$(comm -23 lists named)"
grep -rhoE '(_lists\(f|(_lists|_next_word)\([a-z>-]*rules), *"[a-z]+\.[a-z0-9_]+"' "$top/src" |
    sed 's/.*"\(.*\)"/\1/' | sort -u >asked
check "lists that are not there: $(comm -13 lists asked | tr '\n' ' ')" \
    test -z "$(comm -13 lists asked)"

# What explain shows of an example is what port writes, for every target asked for.
run explain torch-device/cuda-method
prints 'The first example, target by target' 'an example everywhere'
prints '    rocm, maca, corex, dtk, kunlunxin, ppu: stays as it is' 'a target that keeps it'
prints '      y = x.xpu(0, non_blocking=True)' 'one whose example stands nowhere'
run explain cuda-runtime/memory
prints '    ascend, xpu, mlu, cpu:' 'the same answer once'
prints '    portable: is left' 'a target without an answer'
run explain torch-device/cuda-method --target mlu
check 'one target has its own example' not grep -q 'target by target' "$out"
done_testing
