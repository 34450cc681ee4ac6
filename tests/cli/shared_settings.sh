#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# portable: a setting that no project file can ask the machine for is one decision, however many
# files have it; where it can be rewritten each file is; a linter speaks of each place.
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
says 'configs/huge.yml:3:25: manual: `nccl`' 'the first speaks'
says '2 other files have the same setting' 'for the others'
check 'which have no finding of their own' lacks 'configs/large.yml'
says 'configs/other.yml:1:10: manual: `nccl`' 'another setting is another decision'
says '2 manual' 'both count once'
run port configs/large.yml --target portable
says 'large.yml:3:25: manual: `nccl`' 'a file by itself speaks'
check 'for itself' lacks 'same setting'
run port configs --target ascend -o out
says '4 ported' 'where there is a name for it each place is rewritten'
check 'in every file' [ "$(grep -l hccl out/huge.yml out/large.yml out/small.yml out/other.yml | wc -l)" -eq 4 ]
run check configs --target portable --verbose
prints 'configs/large.yml:3' 'check names each place'
done_testing
