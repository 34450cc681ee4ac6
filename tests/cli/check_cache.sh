#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Unchanged files are not looked at again, and nobody can tell but by the time.
. "${0%/*}/helper"

cache=$XDG_CACHE_HOME/cuda-morph
git init -q . 2>/dev/null

tree() {
    rm -rf src "$XDG_CACHE_HOME"
    mkdir -p src/deep
    i=0
    while [ $i -lt 20 ]; do
        plain_code >src/plain$i.py
        i=$((i + 1))
    done
    cuda_code >src/a.py
    manual_code >src/deep/b.py
    printf 'import torch\nx = torch.zeros(2).cuda()  # cuda-morph: ignore[torch-device] why\n' \
        >src/quiet.py
    printf 'import torch\ny = 1  # cuda-morph: ignore[torch-device] unused\n' >src/unused.py
    printf 'class Box:\n    pass\n\n\nbox = Box()\nbox.cuda()\n' >src/box.py
}
files=25

# same WHAT ARGS...: with and without the cache the same comes out; $text holds it
same() {
    what=$1
    shift
    run check src --no-cache "$@"
    cp "$out" "$scratch/want"
    cp "$err" "$scratch/want.err"
    want=$status
    run check src "$@"
    check "$what: standard output differs" cmp "$out" "$scratch/want"
    check "$what: standard error differs" cmp "$err" "$scratch/want.err"
    exits "$want" "$what"
}
remembers() {
    run check src -v
    if [ "$1" -eq 0 ]; then
        check "$2: something is remembered" not grep -q 'unchanged since' "$err"
    else
        says "$1 unchanged since the last run" "$2"
    fi
}

tree
touch -d 2500-01-01 src/a.py # in nanoseconds more than 64 bits hold
same 'a date far from now'
same 'the same again'

tree
remembers 0 'the first run'
check 'the cache has a file' test "$(ls "$cache" | grep -c '^check-')" -eq 1
check 'backups are told' grep -q '^Signature: 8a477f597d28d172789f06886806bc55' \
    "$cache/CACHEDIR.TAG"
remembers $files 'the second run'
for format in full concise json jsonl sarif github gitlab junit; do
    same "a first run as $format" --format $format
    same "a second run as $format" --format $format
done
same 'statistics' --statistics
same 'every target' --target all
same 'every target again' --target all

# ---- what changes is seen ----

tree
run check src
sed 's/is_available/device_count/' src/a.py >"$scratch/a.py"
touch -r src/a.py "$scratch/stamp"
cat "$scratch/a.py" >src/a.py
touch -r "$scratch/stamp" src/a.py
same 'a change'
run check src --format concise
prints 'torch.cuda.device_count' 'a change'
remembers $files 'after the change'

# The same size and time, and long after: only the time of the change of the inode tells.
sleep 2.2
run check src
remembers $files 'long after'
sed 's/device_count/memory_stats/' src/a.py >"$scratch/a.py"
touch -r src/a.py "$scratch/stamp"
cat "$scratch/a.py" >src/a.py
touch -r "$scratch/stamp" src/a.py
remembers $((files - 1)) 'a change that hides'
run check src --format concise
prints 'torch.cuda.memory_stats' 'a change that hides'

touch src/*.py
remembers $files 'a new time is no change'
cp src/a.py src/z.py
same 'a new file'
rm src/z.py src/plain0.py
same 'a file less'
tree
run check src
printf 'class Box:\n    def cuda(self):\n        return self\n' >src/plain1.py
same 'a class of the project with a method of its own'
plain_code >src/plain1.py
same 'and without it'

# ---- what lies around the sources is asked again ----

tree
: >src/__init__.py
printf 'from flash_attn import flash_attn_func\n\n\ndef f(q):\n    return flash_attn_func(q, q, q)\n' >src/uses.py
run check src
remembers $((files + 2)) 'files that asked the disk'
run check src --format concise
prints 'src/uses.py:1' "a library's function"
echo 'def flash_attn_func(q, k, v): return q' >flash_attn.py
same 'a module of ours with the name of a library'
check 'a module of ours is no library' not grep -q 'src/uses.py' "$out"
remembers $((files + 2)) 'and then'
rm flash_attn.py
same 'and without it'
prints 'src/uses.py' 'and without it'

# ---- what else answers depend on ----

tree
run check src
same 'a selection' --select torch-cuda
same 'another selection' --select torch-device
same 'all but' --ignore torch-cuda
same 'foreign suppressions' --import-suppressions
same 'a severity' --fail-on note
printf '[per-file-ignores]\n"src/deep/" = ["torch-cuda"]\n' >cuda-morph.toml
same 'per-file-ignores'
printf '[severity]\n"torch-cuda" = "off"\n' >cuda-morph.toml
same 'a rule that is off'
printf '[severity]\n"torch-cuda" = "note"\n' >cuda-morph.toml
same 'another severity'
rm cuda-morph.toml
rules() {
    printf '{"domain": "mine", "language": "python", "title": "Mine", "rules": [{"id": "mine/plain",
"title": "Print", "why": "%s", "severity": "warning", "match": "module", "default": {"*": "manual"},
"rows": {"%s": {}}}]}\n' "$1" "$2" >mine.json
}
rules one nothing
same 'a rule of mine' --rules mine.json
rules one torch
same 'another rule of mine' --rules mine.json
same 'a baseline' --write-baseline base.json
same 'a baseline read' --baseline base.json

# ---- damage ----

tree
run check src
file=$(ls "$cache"/check-*)
size=$(wc -c <"$file")
for n in 0 1 39 40 200 $((size / 2)) $((size - 1)); do
    cp "$file" "$scratch/whole"
    head -c "$n" "$scratch/whole" >"$file"
    same "a cache of $n bytes"
    run check src
done
for at in 0 8 16 30 100 $((size / 2)) $((size - 2)); do
    run check src
    printf '\377\377\377' | dd of="$file" bs=1 seek="$at" conv=notrunc 2>/dev/null
    same "damage at byte $at"
done
run check src
printf 'more' >>"$file"
same 'a cache with a tail'
rm -f "$file"
mkdir "$file"
same 'a folder in its place'
rmdir "$file"

printf 'not a folder' >"$scratch/blocked"
for home in "$scratch/blocked" "$scratch/blocked/x" relative ''; do
    XDG_CACHE_HOME=$home
    HOME=$scratch/blocked
    same "XDG_CACHE_HOME='$home' that cannot be used"
done
unset HOME
same 'no HOME'
HOME=$scratch/home
export HOME
mkdir "$HOME"
unset XDG_CACHE_HOME
same 'the folder of HOME'
check '~/.cache is the default' test -d "$HOME/.cache/cuda-morph"
XDG_CACHE_HOME=$scratch/cache
export XDG_CACHE_HOME

# ---- files that cannot be checked are tried again ----

tree
printf '\377\376p\000' >src/wide.py
same 'a file in UTF-16'
same 'a file in UTF-16, again'
exits 2 'a file in UTF-16'
rm src/wide.py

# ---- only where it is worth it, and not for ever ----

tree
run check src --no-cache
run check src/a.py
run check src --diff
run port src --target xpu
run rules list
run check --help
check 'nothing is made that nobody needs' not test -e "$XDG_CACHE_HOME"
printf 'no-cache = true\n' >cuda-morph.toml
run check src
check 'the configuration can say no' not test -e "$XDG_CACHE_HOME"
rm cuda-morph.toml
mkdir -p "$cache"
i=0
while [ $i -lt 90 ]; do
    printf 'old' >"$cache/check-$i"
    i=$((i + 1))
done
run check src
check 'old files go' test "$(ls "$cache" | grep -c '^check-')" -le 64
remembers $files 'the newest stays'

# ---- at the same time ----

tree
run check src --no-cache --format jsonl
cp "$out" "$scratch/want"
for i in 1 2 3 4 5 6; do
    "$tool" check src --format jsonl >"$scratch/at.$i" 2>/dev/null &
done
wait
for i in 1 2 3 4 5 6; do
    check "run $i of six at once" cmp "$scratch/at.$i" "$scratch/want"
done
check 'no leftovers' test \
    "$(ls -A "$cache" | grep -vc -e '^check-' -e '^CACHEDIR.TAG$' -e '^.gitignore$')" -eq 0

done_testing
