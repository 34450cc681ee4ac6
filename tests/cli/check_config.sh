#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Configuration files: where they are found, what they may say, what wins.
. "${0%/*}/helper"

mkdir -p p/.git p/sub/deep p/vendor
cd p || exit 2
cuda_code >a.py
cuda_code >sub/deep/b.py
cuda_code >vendor/c.py
lines() { wc -l <"$out" | tr -d ' '; }
concise() { run check --format concise -q "$@"; }
found() { check "$2: $(lines) findings, not $1" test "$(lines)" -eq "$1"; }

concise
found 3 'without a configuration'
cat >cuda-morph.toml <<'END'
# what this project wants
target = "npu" # an alias
exclude = [
    "vendor/",   # not ours
    'sub/gen/*',
]
fail-on = "error"

[per-file-ignores]
"sub/**" = ["torch-cuda"]

[severity]
"torch-cuda/availability" = "note"
END
run check --format concise
exits 0 'severities and threshold'
prints 'torch.npu.is_available' target
prints ': note: ' severity
check 'per-file-ignores and exclude' test "$(lines)" -eq 1
cd sub/deep || exit 2
concise
found 0 'found upwards'
concise --isolated
found 1 isolated
run check --show-settings
exits 0 'show settings'
prints 'target = ["npu"]  # ' 'show settings'
prints 'cuda-morph.toml:2' 'show settings: origin'
prints '"sub/**" = ["torch-cuda"]' 'show settings: tables'
cd ../.. || exit 2
concise --target xpu --fail-on note
exits 1 'the command line wins'
prints 'torch.xpu' 'the command line wins'
concise --config fail-on=note --config 'target=["xpu"]'
exits 1 '--config KEY=VALUE'
prints 'torch.xpu' '--config KEY=VALUE'
run check --exclude a.py --show-files
check '--exclude adds' test "$(lines)" -eq 1

echo 'target = "mlu"' >other.toml
run check --config other.toml --format concise
prints 'torch.mlu' '--config FILE'
check '--config FILE: it alone' test "$(lines)" -eq 3
run check --config other.toml --isolated
exits 2 'both'

# The nearest one counts, alone; in a folder, by name.
printf '[tool.black]\nline-length = 99\n' >sub/pyproject.toml
concise sub
found 0 'a pyproject.toml without our table'
printf '[tool.cuda-morph]\ntarget = "musa"\n' >sub/pyproject.toml
concise sub
prints 'torch.musa' 'pyproject.toml'
echo 'target = "mlu"' >sub/.cuda-morph.toml
concise sub
found 1 '.cuda-morph.toml comes first'
check '.cuda-morph.toml comes first: mlu' grep -q torch.mlu "$out"
rm sub/.cuda-morph.toml sub/pyproject.toml
mkdir sub/.git
concise sub
found 1 'not beyond a repository'
rm -r sub/.git

# port reads what concerns it.
run port a.py
exits 0 'port takes the target'
prints 'torch.npu.is_available' 'port takes the target'

# What is wrong is said with its place.
# bad TEXT CONFIG
bad() {
    printf '%b' "$2" >bad.toml
    run check --config bad.toml
    exits 2 "$2"
    says "$1" "$2"
    says 'bad.toml:' "$2"
    silent out "$2"
}
bad "unknown key 'selct'; did you mean 'select'" 'selct = ["x"]'
bad 'this is not TOML' 'select = ["x"'
bad 'this is not TOML' 'select'
bad "'target' is there twice" 'target = "npu"\ntarget = "xpu"'
bad "'severity' is there twice" '[severity]\n[severity]'
bad "'unsafe-fixes' wants true or false" 'unsafe-fixes = "yes"'
bad "'fail-on' wants a string" 'fail-on = 1'
bad "'select' wants a list of strings" 'select = [1]'
bad "did you mean 'error'" 'fail-on = "eror"'
bad "'severity' wants a table" 'severity = "error"'
bad 'wants one of "off"' '[severity]\n"torch-cuda" = "loud"'
bad 'bad.toml:2:' '[per-file-ignores]\n"a" = "torch-cuda"'
bad 'the file is not UTF-8' 'target = "\0377"'
run check --config no-such.toml
exits 2 'no such file'
run check --config fail-no=error
exits 2 'unknown key'
says "did you mean 'fail-on'" 'unknown key'
for rules in 'select = ["torch-cda"]' '[per-file-ignores]\n"x" = ["torch-cda"]' \
    '[severity]\ntorch-cda = "off"'; do
    printf "$rules\n" >bad.toml
    run check --config bad.toml
    exits 2 "$rules"
    says "did you mean 'torch-cuda'" "$rules"
done

# TOML in all its spellings.
cat >spellings.toml <<'END'
"target" = 'xpu'
select = ["torch-\u0063uda", """
torch-device""", '''torch-cuda/memory''', ]
per-file-ignores."x/" = []
severity = { "torch-cuda/availability" = "warning", torch-device = "off" }
unsafe-fixes = true
END
run check --config spellings.toml --show-settings
exits 0 spellings
prints 'select = ["torch-cuda", "torch-device", "torch-cuda/memory"]' spellings
prints '"torch-device" = "off"' 'inline table'
prints '"x/" = []' 'dotted key'
prints 'unsafe-fixes = true' flag

# A path in it is its own.
cd sub || exit 2
run check .. --write-baseline ../known.json --isolated
printf 'baseline = "known.json"\n' >../cuda-morph.toml
run check ..
exits 0 'a baseline of the configuration'
says 'in the baseline' 'a baseline of the configuration'
run check .. --write-baseline ../new.json
exits 0 'a configured baseline can be written anew'
check 'a configured baseline can be written anew: all' cmp -s ../new.json ../known.json

printf 'rules = ["/"]\n' >../cuda-morph.toml
run check .. --no-cache
exits 2 'the root as a folder of rules'
check 'the root is named as it is' grep -q '^cuda-morph: /' "$err"

done_testing
