#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --watch: the command again when a file changes, and not for what it writes itself.
. "${0%/*}/helper"
mkdir -p tree/sub tree/.hidden
cuda_code >tree/a.py
plain_code >tree/sub/b.py

# start ARGS...: a watch in the background; within FILE N TEXT: it holds TEXT N times before long
start() {
    : >"$err" # what the one before said is no sign of this one
    "$tool" "$@" >"$out" 2>"$err" </dev/null &
    watched=$!
}
within() {
    for _ in $(seq 100); do
        test "$(grep -cF -e "$3" "$1")" -ge "$2" && return 0
        sleep 0.1
    done
    return 1
}
stop() {
    kill "$watched" 2>/dev/null
    wait "$watched" 2>/dev/null
}

start check tree --watch --format concise --output-file tree/found.txt
check 'the first run' within "$err" 1 'watching 2 folders; Ctrl-C ends it'
check 'with its findings' grep -q 'tree/a.py:4' tree/found.txt
cuda_code >tree/sub/b.py
check 'another when a file changes' within "$err" 2 'watching 2 folders'
check 'it names the file' grep -q -- '---- ..:..:..: b.py changed ----' "$err"
check 'and sees the change' grep -q 'tree/sub/b.py:4' tree/found.txt
: >tree/.hidden/x
: >tree/x.py~
sleep 0.6
check 'not for hidden files, backups and its own' test "$(grep -c watching "$err")" -eq 2
mkdir tree/new
check 'a new folder' within "$err" 3 'watching'
cuda_code >tree/new/c.py
check 'is watched' within "$err" 4 'watching'
prints_new() { grep -qF 'tree/new/c.py:4' tree/found.txt; }
check 'and read' prints_new
for i in 1 2 3 4 5 6 7 8; do cuda_code >tree/new/c$i.py; done
check 'a burst' within "$err" 5 'watching'
sleep 0.6
check 'is one run, or two' test "$(grep -c watching "$err")" -le 6
stop

start port tree --target ascend --in-place --watch
check 'port, in place' within "$err" 2 'watching'
check 'a file is ported' grep -q npu tree/a.py
sleep 0.6
check 'its own writes end' test "$(grep -c watching "$err")" -le 3
stop
start port tree -o tree/out --target rocm --watch -q
sleep 1
cuda_code >tree/a.py
check 'port into a folder below' within "$err" 1 'a.py changed'
sleep 0.6
check 'which is not watched' test "$(grep -c changed "$err")" -eq 1
stop
start check tree/a.py --watch
check 'one file' within "$err" 1 'watching 1 folder;'
cuda_code >tree/z.py
sleep 0.5
check 'not its neighbours' test "$(grep -c watching "$err")" -eq 1
plain_code >tree/a.tmp && mv tree/a.tmp tree/a.py
check 'replaced as editors do' within "$err" 2 'watching'
stop
run check - --watch
exits 2 'standard input'
"$tool" check nowhere --watch >"$out" 2>"$err" </dev/null &
watched=$!
check 'nothing there' within "$err" 1 'nothing to watch'
stop
done_testing
