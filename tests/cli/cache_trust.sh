#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The caches of `run` and `check` trust their owner alone: what another user may have written is
# neither executed nor believed, and the program gives its own answer.
. "${0%/*}/helper"

needs python3
if grep -q __asan_init "$(dirname "$tool")/libcudamorph.so"; then
    skip everything 'python3 cannot load a library with a sanitizer'
    done_testing
fi
XDG_CACHE_HOME=$PWD/cache
export XDG_CACHE_HOME
python=cache/cuda-morph/python
printf 'import torch\n\n\ndef f():\n    return str(torch.device("cuda"))\n' >module.py
printf 'device = str\n' >torch.py
printf 'import module\nprint("own", module.f())\n' >main.py
entry() { find $python -type f; }
mode() { stat -c %a "$1"; }

fresh() {
    rm -rf cache evil
    run run --target cpu main.py
    exits 0 "$1: the first run"
}
# Whoever writes an entry writes code: the same digest of other code, as any writer would make it.
cat >forge.py <<'PY'
import marshal, os, sys
sys.path.insert(0, sys.argv[1])
from cuda_morph_rt import cache
body = marshal.dumps(compile("print('forged')\ndef f(): return 'forged'\n", "module.py", "exec"))
for path in sys.argv[2:]:
    key = "".join(path.split(os.sep)[-2:])
    for made in (cache._digest(body), cache._digest(key.encode(), body)):
        pass
    with open(path, "wb") as file:
        file.write(made.digest() + body)
PY
forge() { PYTHONPATH= python3 -B forge.py "$top/runtime/python" "$@"; }
own() {
    run run --target cpu main.py
    exits 0 "$1"
    prints 'own cpu' "$1: its own code runs"
    silent err "$1"
}

fresh 'a new cache'
for folder in cache/cuda-morph $python "$(dirname "$(entry)")"; do
    check "$folder is its owner's alone" test "$(mode "$folder")" = 700
done
check 'an entry is its owner'\''s alone' test "$(mode "$(entry)")" = 600
forge "$(entry)"
run run --target cpu main.py
prints forged 'an entry of the owner counts: this test forges rightly'

fresh 'an entry under another key'
printf 'import torch\n\n\ndef f():\n    return str(torch.device("cuda:0"))\n' >other.py
printf 'import other\n' >main2.py
first=$(entry)
run run --target cpu main2.py
second=$(entry | grep -vxF "$first")
cp "$second" "$first"
own 'an entry under another key'

fresh 'an entry that others may write'
forge "$(entry)"
chmod g+w "$(entry)"
own 'an entry that others may write'
fresh 'an entry with another name elsewhere'
forge "$(entry)"
ln "$(entry)" elsewhere
own 'an entry with another name elsewhere'
rm elsewhere
fresh 'a link to an entry'
forge "$(entry)"
path=$(entry)
mv "$path" entry && ln -s "$PWD/entry" "$path"
own 'a link to an entry'
for place in "$python" cache/cuda-morph; do
    fresh "a link instead of $place"
    forge "$(entry)"
    mv "$place" "$PWD/moved" && ln -s "$PWD/moved" "$place"
    own "a link instead of $place"
    rm -rf moved
done
fresh 'a pipe'
path=$(entry)
rm "$path" && mkfifo "$path"
timeout 20 "$tool" run --target cpu main.py >"$out" 2>"$err"
status=$?
exits 0 'a pipe'
prints 'own cpu' 'a pipe'

fresh 'folders that others may write'
chmod g+w cache/cuda-morph $python "$(dirname "$(entry)")"
own 'folders that others may write'
check 'folders that others may write: they are the owner'\''s again' test "$(mode $python)" = 700

fresh 'no cache'
forge "$(entry)"
run run --no-cache --target cpu main.py
prints 'own cpu' '--no-cache'
CUDA_MORPH_NO_CACHE=1 run run --target cpu main.py
prints 'own cpu' 'CUDA_MORPH_NO_CACHE'
rm -rf cache
run run --no-cache --target cpu main.py
check '--no-cache writes nothing' test ! -e cache

# The cache of check. An entry that others may have written is none: it could hide findings.
mkdir tree
answers() { find cache/cuda-morph/ -name 'check-*' 2>/dev/null; }
checked() {
    run check tree -v
    exits 1 "check: $1"
    prints torch-cuda/availability "check: $1"
}
remembered() { grep -q ' unchanged since the last run' "$err"; }
i=0
while [ $((i += 1)) -le 40 ]; do cuda_code >tree/$i.py; done
sleep 3 # what has just changed is not remembered
checked 'a first run'
check 'check: an entry' test -n "$(answers)"
check 'check: an entry is its owner'\''s alone' test "$(mode "$(answers)")" = 600
checked 'a second run'
check 'check: an entry of the owner counts' remembered
chmod g+w "$(answers)"
checked 'an entry that others may write'
check 'check: an entry that others may write is none' not remembered
checked 'it is replaced'
check 'check: it is replaced' remembered
mv cache/cuda-morph moved && ln -s "$PWD/moved" cache/cuda-morph
checked 'a link'
check 'check: a link is none' not remembered
rm cache/cuda-morph && mv moved cache/cuda-morph

if [ "$(id -u)" -ne 0 ] || ! command -v setpriv >/dev/null; then
    skip 'other users' 'only root can be several, with setpriv'
    done_testing
fi
other=65534
for place in "$(answers)" cache/cuda-morph cache; do
    chown $other "$place"
    checked "$place of another user"
    check "check: $place of another user is none" not remembered
    chown 0 "$place"
done
for place in "$python/??/*" "$python/??" "$python" cache/cuda-morph cache; do
    fresh "$place of another user"
    forge "$(entry)"
    chown $other $place
    own "$place of another user"
done
# As one user with the cache of another: the other's is left as it is.
stranger="setpriv --reuid=$other --regid=$other --clear-groups"
if $stranger test -x "$tool"; then
    fresh 'a stranger'
    chmod 755 "$scratch" "$PWD" && chmod -R a+rX cache
    find cache | sort >before
    $stranger env HOME=/nonexistent "$tool" run --target cpu main.py >"$out" 2>"$err"
    status=$?
    exits 0 'a stranger'
    prints 'own cpu' 'a stranger'
    find cache | sort >after
    check 'a stranger: nothing is written' cmp -s before after
else
    skip 'the cache of another user' 'other users cannot enter the folder of the build'
fi

done_testing
