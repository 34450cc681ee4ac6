#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# init: what a repository needs, and nothing that is there; the schema of its configuration.
. "${0%/*}/helper"
mkdir -p repo/.git repo/src && cd repo || exit 2
cuda_code >src/a.py

run init
exits 1 'nobody to ask'
prints 'cuda-morph-baseline.json ' 'the plan'
says '--yes writes without a question' 'what to do'
check 'nothing is written' test ! -e cuda-morph.toml
(cd src && run init --target amd,huawei --yes && says 'variable CUDA_MORPH' 'what the job needs')
for f in cuda-morph.toml cuda-morph-baseline.json .pre-commit-config.yaml \
    .github/workflows/cuda-morph.yml; do
    check "$f is at the root" test -s "$f"
done
sed -n 's/^ *- run: //p' .github/workflows/cuda-morph.yml >steps.sh
check 'the steps of the job are lines of bash' bash -n steps.sh
rm steps.sh
check 'targets by their names' grep -qF 'target = ["rocm", "ascend"]' cuda-morph.toml
run check
exits 0 'what was there does not count'
cuda_code >src/b.py
run check
exits 1 'what is new does'
cp cuda-morph.toml before
run init --yes
exits 0 'again'
check 'the configuration stays' cmp -s before cuda-morph.toml
prints 'stays away: cuda-morph.toml is there' 'it is said'
run init x
exits 2 'an operand'

# Files of others get lines to copy.
cd .. && mkdir -p lab/.git lab/src && cd lab || exit 2
cuda_code >src/a.py
printf 'stages: [test]\n' >.gitlab-ci.yml
printf 'repos: []\n' >.pre-commit-config.yaml
run init --yes -q
exits 0 'GitLab'
prints 'For .gitlab-ci.yml:' 'a job to copy'
prints '- id: cuda-morph-check' 'a hook to copy'
check 'GitLab: no workflow' test ! -e .github
check 'their file stays' test "$(cat .gitlab-ci.yml)" = 'stages: [test]'
printf '[tool.cuda-morph]\ntarget = "rocm"\n' >pyproject.toml
rm cuda-morph.toml cuda-morph-baseline.json
run init --yes
prints 'stays away: pyproject.toml is there' 'a configuration elsewhere'
check 'no second one' test ! -e cuda-morph.toml
run init --yes --target nowhere
exits 2 'an unknown target'

# The schema takes what the program takes: each example of the docs, and no typo.
cd .. || exit 2
run help --schema
exits 0 'the schema'
cp "$out" schema.json
cat >try.py <<'END'
import json, re, sys, tomllib
import jsonschema
schema = json.load(open("schema.json"))
jsonschema.Draft7Validator.check_schema(schema)
v = jsonschema.Draft7Validator(schema)
seen = 0
for page in sys.argv[1:]:
    for lang, block in re.findall(r"```(toml)\n(.*?)```", open(page, encoding="utf-8").read(), re.S):
        d = tomllib.loads(block)
        d = d.get("tool", {}).get("cuda-morph", d)
        if "language-server" in d or "project" in d or "tool" in d: continue
        seen += 1
        for e in v.iter_errors(d): print(page, e.message)
for good in ['target = "rocm"', 'target = ["rocm"]', 'required-version = ">=0.2, <1"', 'no-cache = true',
             '[severity]\nsilent = "off"', '[per-file-ignores]\n"tests/**" = ["silent"]', 'extend = "../x.toml"']:
    for e in v.iter_errors(tomllib.loads(good)): print(good, e.message)
for bad in ['targets = "rocm"', 'target = 1', 'fail-on = "never ever"', 'no-cache = "yes"', 'baseline = ["a"]',
            '[severity]\nsilent = "fatal"', '[per-file-ignores]\na = "silent"', 'required-version = "new"']:
    if v.is_valid(tomllib.loads(bad)): print("taken:", bad)
print(seen, "examples")
END
if can jsonschema 'the schema by a validator'; then
    check 'the schema takes the examples and no typo' \
        sh -c 'python3 try.py "$1"/docs/*.md "$1"/rules/README.md >"$2" 2>&1 && test "$(wc -l <"$2")" -eq 1' \
        - "$top" "$out"
    check 'there are examples' grep -q '[1-9] examples' "$out"
fi
done_testing
