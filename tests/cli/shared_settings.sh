#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# portable: a setting that no project file can ask the machine for is a finding of each file that has
# it, in the counts and with its place, whatever the other files say; where it can be rewritten each
# file is.
. "${0%/*}/helper"

settings() {
    printf 'name: %s\n# of every size\n"distributed_backend": "nccl",\nhidden: 4\n' "$1" >"configs/$1.yml"
}
lacks() { ! grep -qF "$1" "$err"; }
mkdir configs
settings huge
settings large
settings small
printf '# backend: nccl\nbackend: gloo\n' >configs/host.yml
printf 'backend: nccl\n' >configs/other.yml

run port configs --target portable
exits 0 'port'
for name in huge large small; do
    says "configs/$name.yml:3:25: manual: \`nccl\`" "$name speaks for itself"
done
says 'configs/other.yml:1:10: manual: `nccl`' 'another setting, too'
says '4 CUDA tokens: 0 ported, 0 kept, 4 manual' 'each counts'
run port configs/large.yml --target portable
says 'large.yml:3:25: manual: `nccl`' 'a file by itself speaks'
run port configs --target ascend -o out
says '4 ported' 'where there is a name for it each place is rewritten'
check 'in every file' [ "$(grep -l hccl out/huge.yml out/large.yml out/small.yml out/other.yml | wc -l)" -eq 4 ]
run check configs --target portable --verbose
prints 'configs/large.yml:3' 'check names each place'

# What silences the first file's place says nothing about the others'.
mkdir silenced
printf 'backend: nccl  # cuda-morph: ignore\n' >silenced/a.yaml
printf 'dist:\n  backend: nccl\n' >silenced/b.yaml
printf 'dist:\n  backend: nccl\n  a: 1\n  backend: nccl\n' >silenced/c.yaml
run port silenced --target portable --strict --report r.json --accounting a.json
exits 1 '--strict sees what is left beside a silenced place'
says 'silenced/b.yaml:2:12: manual: `nccl`' 'the second file speaks'
says 'silenced/c.yaml:2:12: manual: `nccl`' 'and the third'
says 'and 1 more like it' 'once for its two places'
says '3 CUDA tokens: 0 ported, 0 kept, 2 manual, 1 suppressed' 'all are counted'
if can python3 'every place is in the JSON'; then
    check 'every place is in the JSON' python3 - <<'PY'
import json
report, tokens = ({f["path"]: f for f in json.load(open(name))["files"]} for name in ("r.json", "a.json"))
for path, lines in (("silenced/a.yaml", [1]), ("silenced/b.yaml", [2]), ("silenced/c.yaml", [2, 4])):
    f = tokens[path]
    assert [t["line"] for t in f["tokens"] + f["words"]] == lines, f
    assert len(report[path]["findings"]) == 1, report[path]
PY
fi
done_testing
