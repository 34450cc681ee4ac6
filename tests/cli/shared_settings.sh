#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Settings that files of a project say alike and that none of them can decide are one finding, in the
# first of them that can speak, with the count of all; the others are accounted for. A comment that
# silences a place silences no other file; where a setting can be rewritten each file is.
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
printf 'device: cuda\n' >configs/alone.yml

run port configs --target portable
exits 0 'port'
says "configs/huge.yml:3:25: manual: \`nccl\`" 'the first file speaks'
says '3 other files say the same, and 3 more like it' 'with the count of all'
check 'the others do not' lacks 'large.yml'
says "configs/alone.yml:1:9: manual: \`cuda\`" 'what is said once is a finding by itself'
says '2 CUDA tokens: 0 ported, 0 kept, 2 manual' 'each decision counts'
run port configs/large.yml --target portable
says 'large.yml:3:25: manual: `nccl`' 'a file by itself speaks'
run port configs/large.yml configs/small.yml --target portable
says 'large.yml:3:25: manual: `nccl`' 'the first of those that are ported speaks'
run port configs --target ascend -o out
says '5 ported' 'where there is a name for it each place is rewritten'
check 'in every file' [ "$(grep -l hccl out/huge.yml out/large.yml out/small.yml out/other.yml | wc -l)" -eq 4 ]
run check configs --target portable --verbose
prints 'configs/large.yml:3' 'check names each place'

# JSON is settings or results on every target; it is no reason to be silent about YAML.
mkdir mixed
printf '{"device": "cuda"}\n' >mixed/a.json
printf '{"device": "cuda"}\n' >mixed/b.json
printf 'device: cuda\n' >mixed/c.yaml
run port mixed --target portable
says 'mixed/a.json:1:13: manual: `cuda`' 'data: the first speaks'
says 'mixed/c.yaml:1:9: manual: `cuda`' 'YAML beside it, too'
run port mixed --target ascend
says 'mixed/a.json:1:13: manual: `cuda`' 'data on ascend'
says '1 ported, 0 kept, 1 manual' 'where YAML is ported'

# Who cannot speak for certain speaks for nobody: a place may be silenced by a comment, a file
# unreadable, a workflow one decision of its own.
mkdir silenced
printf 'backend: nccl  # cuda-morph: ignore\n' >silenced/a.yaml
printf 'dist:\n  backend: nccl\n' >silenced/b.yaml
printf 'dist:\n  backend: nccl\n  a: 1\n  backend: nccl\n' >silenced/c.yaml
printf 'backend: nccl\n\0' >silenced/0.yaml
run port silenced --target portable --strict --report r.json --accounting a.json
exits 2 '--strict sees what is left beside a silenced place'
says 'silenced/b.yaml:2:12: manual: `nccl`' 'the second file speaks'
says '1 other file says the same, and 2 more like it' 'for the third'
says '2 CUDA tokens: 0 ported, 0 kept, 1 manual, 1 suppressed' 'all are counted'
printf 'backend: nccl  # cuda-morph: ignore[torch-device]\n' >silenced/b.yaml
rm silenced/0.yaml
run port silenced --target portable --accounting b.json
says 'silenced/b.yaml:1:10: manual: `nccl`' 'a file with a comment speaks for itself'
says 'silenced/c.yaml:2:12: manual: `nccl`' 'and is not spoken for'
if can python3 'every place is in the JSON'; then
    check 'every place is in the JSON' python3 - <<'PY'
import json
report, tokens = ({f["path"]: f for f in json.load(open(name))["files"]} for name in ("r.json", "a.json"))
for path, lines, n in (("silenced/a.yaml", [1], 1), ("silenced/b.yaml", [2], 1), ("silenced/c.yaml", [2, 4], 0)):
    f = tokens[path]
    assert [t["line"] for t in f["tokens"] + f["words"]] == lines, f
    assert len(report[path]["findings"]) == n, report[path]
assert tokens["silenced/c.yaml"]["words"][0]["reason"] == "a finding in another file is about it"
PY
fi
done_testing
