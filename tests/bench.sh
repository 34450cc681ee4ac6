#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bench.sh - measures cuda-morph beside ast-grep and, where they are installed, ripgrep and ruff.
# It prints and asserts nothing: a figure holds for the machine and the moment, only the ratios
# travel.
#
# ast-grep comes from npm (tests/bench/package-lock.json) into BUILD/bench, the files to read from
# Debian's Python packages. With hipify-perl, installed or named by HIPIFY_PERL, both port the CUDA
# programs of CUDA_FOLDER (default: tests/compile) first, and what they did is compared. PYTHON
# names the interpreter that runs the measurements.
set -eu
cd "$(dirname "$0")/.."

BUILD=${BUILD:-build}
PYTHON=${PYTHON:-python3}
tool=$BUILD/cuda-morph
work=$BUILD/bench
corpus=$work/corpus
files=5000

say() { printf 'bench: %s\n' "$*"; }
have() { command -v "$1" >/dev/null 2>&1; }

# Where npm put the program for this machine; fetched again when the lock changes.
ast_grep() {
    find "$work/npm/node_modules/@ast-grep" -path '*/cli-*/ast-grep' -perm -u+x | head -n 1
}
fetch_ast_grep() {
    cmp -s tests/bench/package-lock.json "$work/npm/.done" && return
    rm -rf "$work/npm"
    mkdir -p "$work/npm"
    cp tests/bench/package.json tests/bench/package-lock.json tests/bench/.npmrc "$work/npm"
    (cd "$work/npm" && npm ci --loglevel=error </dev/null >&2) || return
    cp tests/bench/package-lock.json "$work/npm/.done"
}

[ -x "$tool" ] || { say "$tool is missing; build it with: make"; exit 2; }
have "$PYTHON" || { say "no Python to measure with (PYTHON=$PYTHON)"; exit 2; }

rival=''
if have npm && fetch_ast_grep; then
    rival=$(ast_grep)
else
    say 'ast-grep is left out: npm could not install it'
fi
have rg || say 'ripgrep is left out: it is not installed'
have ruff || say 'ruff is left out: it is not installed, and neither Debian 12 nor npm has it'
"$BUILD/rulec" --words rules | sort -u >"$work/words"

say "$("$PYTHON" tests/bench/corpus.py "$corpus" $files)"
say "$("$tool" --version), $(uname -m), $(nproc) CPUs, $(date -u +%Y-%m-%d)"
hipify=${HIPIFY_PERL:-$(command -v hipify-perl || :)}
if [ -n "$hipify" ]; then
    "$PYTHON" tests/bench/hipify.py "$tool" "$hipify" "${CUDA_FOLDER:-tests/compile}"
else
    say 'hipify-perl is left out: it is not installed, and HIPIFY_PERL does not name it'
fi
"$PYTHON" tests/bench/targets.py "$tool" "$corpus/part0/torch"
echo
exec "$PYTHON" tests/bench/measure.py "$tool" "$corpus" "$work/words" ${rival:+"$rival"}
