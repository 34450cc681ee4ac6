#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# undo: the last run that rewrote files in place is taken back, byte for byte; what was changed
# since is never overwritten.
. "${0%/*}/helper"

tree() {
    rm -rf tree && mkdir -p tree/sub
    for i in 1 2 3; do
        cuda_code >"tree/$i.py"
        printf '# -*- coding: latin-1 -*-\r\n# \351 %s\r\nimport torch\r\ntorch.cuda.synchronize()' "$i" >"tree/sub/$i.py"
    done
    plain_code >tree/plain.py
    chmod 640 tree/1.py
    rm -rf before && cp -a tree before
}
same() { diff -r before tree >/dev/null; }

run undo
exits 2 'nothing was recorded'
says 'no run that rewrote files in place was started in this folder' 'nothing was recorded'

tree
run port tree --target ascend --in-place -j3
exits 0 'port'
check 'port rewrites' not same
cp -a tree ported
run undo
exits 0 'undo'
check 'undo: every file is as it was' same
check 'undo: modes stay' test "$(stat -c %a tree/1.py)" = 640
says '6 files taken back' 'undo'
prints 'tree/1.py: taken back' 'undo'
run undo
exits 2 'undo once more'

# Changed and gone since: left alone, and the rest is taken back.
run port tree --target ascend --in-place
printf '# mine\n' >>tree/2.py
cp tree/2.py mine
rm tree/sub/1.py
run undo -q
exits 1 'changed since'
prints 'tree/2.py: changed since: left alone' 'changed since'
prints 'tree/sub/1.py: gone since: left alone' 'gone since'
check 'changed since: untouched' cmp -s mine tree/2.py
check 'gone since: not made again' not test -e tree/sub/1.py
check 'the rest is taken back' cmp -s before/3.py tree/3.py
cp ported/2.py tree/2.py
cp ported/sub/1.py tree/sub/1.py
run undo
exits 0 'undo again, when they are there again'
says '2 files taken back, 4 as before already' 'undo again'
check 'undo again: all is as it was' same

# The last run counts, one that rewrites nothing does not.
run port tree --target ascend --in-place
cp -a tree/. ported
run port tree --target ascend --in-place
run undo
exits 0 'a run without changes'
check 'a run without changes is none' same
run check tree --target portable --fix -q
check 'check --fix rewrites' not same
run undo
exits 0 'check --fix'
check 'check --fix is taken back' same
run check tree --target portable --diff -q
run port tree --target ascend --diff -q
run port tree --target ascend -o elsewhere -q
run undo
exits 2 'runs that rewrite nothing in place'

# A run belongs to the folder that it was started in.
run port tree --target ascend --in-place
mkdir other && cd other || exit 2
run undo
exits 2 'another folder'
says 'there were some in other folders' 'another folder'
cd ..
run undo
check 'the folder itself' same
run port tree --target ascend --in-place
run port tree --target cpu --in-place
check 'one run is kept for a folder' test "$(ls "$XDG_CACHE_HOME/cuda-morph/undo" | wc -l)" -le 1
run undo
tree

# A link is followed and stays, a write-protected file is named.
cuda_code >real.py
ln -s ../real.py tree/link.py
run port tree/link.py tree/3.py --target ascend --in-place
chmod a-w tree/3.py
run undo
exits 2 'write-protected since'
says 'is write-protected' 'write-protected since'
cuda_code >expected
check 'a link is followed' cmp -s expected real.py
check 'a link stays' test -L tree/link.py
tree

# Damaged records take nothing back that is not whole; others' folders are not believed.
records=$XDG_CACHE_HOME/cuda-morph/undo
rm -f "$records"/*
run port tree --target ascend --in-place -j1
cp -a tree ported2
file=$(ls -d "$records"/*)
cp "$file" whole
size=$(wc -c <whole)
for at in 0 1 50 100 150 200 300 $((size - 1)); do
    rm -rf tree && cp -a ported2 tree
    head -c "$at" whole >"$file"
    run undo
    for f in 1 2 3 sub/1 sub/2 sub/3; do
        check "cut at $at: $f.py is old or new" \
            sh -c "cmp -s tree/$f.py before/$f.py || cmp -s tree/$f.py ported2/$f.py"
    done
done
for at in 8 20 60 110 150 260; do
    rm -rf tree && cp -a ported2 tree
    cp whole "$file"
    printf 'X' | dd of="$file" bs=1 seek="$at" conv=notrunc 2>/dev/null
    run undo
    for f in 1 2 3 sub/1 sub/2 sub/3; do
        check "damaged at $at: $f.py is old or new" \
            sh -c "cmp -s tree/$f.py before/$f.py || cmp -s tree/$f.py ported2/$f.py"
    done
done
tree
run port tree --target ascend --in-place --backup
check 'a backup' test -f tree/1.py.orig
run undo
exits 0 'undo of a run with backups'
check 'the backup goes' test ! -e tree/1.py.orig
check 'the file is back' cmp -s tree/1.py before/1.py
cp tree/1.py tree/1.py.orig # somebody's own, before the run
echo mine >tree/2.py.orig
run port tree --target ascend --in-place --backup
run undo
exits 0 'undo of a run that found backups'
check 'a copy that was there stays' cmp -s tree/1.py.orig before/1.py
check 'and another' grep -qx mine tree/2.py.orig
rm tree/*.orig
XDG_CACHE_HOME=$scratch/none/of/it
export XDG_CACHE_HOME
mkdir -p "$scratch/none" && : >"$scratch/none/of"
run port tree --target ascend --in-place
exits 0 'no cache folder: the port goes on'
run undo
exits 2 'no cache folder'
says 'nothing was recorded' 'no cache folder'
done_testing
