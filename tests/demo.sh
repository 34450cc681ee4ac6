#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# demo.sh - shows what cuda-morph does, on the programs of docs/examples.
#
# `make demo` calls it. BUILD is the build folder (default: build); what was ported is left in its
# demo/ folder. PYTHON names the interpreter to run one port with (default: the first of python3
# and /usr/bin/python3 that has torch). When there is none, root on Debian gets python3-torch;
# without it everything else is shown all the same.
# Exit status: 0, or that of the first command that failed.
set -eu
cd "$(dirname "$0")/.."

tool=${BUILD:-build}/cuda-morph
demo=${BUILD:-build}/demo
examples=docs/examples
targets=rocm,ascend,xpu,mlu,musa,cpu,portable

if [ -t 1 ] && [ -z "${NO_COLOR-}" ]; then
    bold=$(printf '\033[1m') plain=$(printf '\033[0m')
else
    bold='' plain=''
fi

title() { printf '\n%s%s%s\n\n' "$bold" "$*" "$plain"; }
show() {
    printf '$ %s\n' "$*"
    "$@"
}

# The first interpreter that can import torch; nothing when there is none.
python_with_torch() {
    for python in ${PYTHON:-python3 /usr/bin/python3}; do
        if "$python" -c 'import torch' >/dev/null 2>&1; then
            echo "$python"
            return
        fi
    done
}

rm -rf "$demo"
mkdir -p "$demo"

title "CUDA programs, ported to seven targets"
printf '$ %s\n' "$tool port $examples --target $targets -o $demo"
"$tool" port "$examples" --target "$targets" -o "$demo" 2>"$demo/port.log" || {
    status=$?
    cat "$demo/port.log"
    exit "$status"
}
grep -E '^[a-z]+: [0-9]+ files?,' "$demo/port.log"
echo
echo 'ported: rewritten. kept: runs there as it is. manual: for a human, never guessed.'
echo "The programs are in $demo/TARGET, what is manual is in $demo/port.log."

title 'What one of them looks like'
show "$tool" port "$examples/train_ddp.py" --target ascend --diff 2>&1

title 'And the CPU port of another one, running'
python=$(python_with_torch)
if [ -z "$python" ]; then
    echo 'No Python here has torch; to install it may take a few minutes.'
    tools/install.sh demo python3-torch 2>&1 || :
    python=$(python_with_torch)
fi
if [ -n "$python" ]; then
    show "$python" "$demo/cpu/train_amp.py" --checkpoint "$demo/checkpoint.pt"
else
    echo 'Not shown, because no Python here has torch.'
fi
