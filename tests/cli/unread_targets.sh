#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# unread_targets.sh - vendors whose PyTorch nobody can read ("unread" in their files): what the
# tool takes over from CUDA's names is called unverified, and nothing is rewritten on a guess.
. "${0%/*}/helper"

cp -r "$top/tests/fixtures/torch-cuda" "$top/tests/fixtures/torch-device" \
    "$top/tests/fixtures/torch-distributed" "$top/docs/examples" .
find . -name 'expected.*' -exec rm -r {} +
unread=$(cd "$top/rules/targets" && grep -l '"unread": {[^}]*"python"' *.json | sed 's/\.json//')
check 'corex, dtk, kunlunxin and ppu have no public source' \
    sh -c 'for t in corex dtk kunlunxin ppu; do echo "$1" | grep -qx $t || exit 1; done' _ "$unread"

for word in torch.cuda.empty_cache torch.cuda.Stream torch.cuda.amp.GradScaler; do
    "$tool" explain "$word" >"$out" 2>"$err"
    for t in $unread; do
        check "$word is not called unverified for $t" \
            grep -qE "^ +$t +(same \(unverified\)|manual|none)" "$out"
    done
done
for t in $unread; do
    "$tool" port . --target "$t" -q -o "$scratch/$t" >"$out" 2>"$err"
    check "$t: something is rewritten that nobody has read" diff -r . "$scratch/$t"
    "$tool" port . --target "$t" --unsafe-fixes -q -o "$scratch/$t.unsafe" >"$out" 2>"$err"
    # torch.version.hip: Hygon's is AMD's PyTorch, which has it.
    diff -r . "$scratch/$t.unsafe" | grep '^[<>]' | grep -v 'torch[.]version[.]' >"$scratch/guessed"
    check "$t: --unsafe-fixes applies what nobody has read" test ! -s "$scratch/guessed"
done
done_testing
