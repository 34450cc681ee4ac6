#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# emulated.sh [EXPRESSION] - ported programs run on emulated accelerators, and compute the same
# (`make test SUITE=emulated`): tests/e2e/programs, tests/e2e/huggingface and docs/examples
# (tests/e2e/examples.json) whose path matches, as they are, ported and under `run`, in Debian
# unstable (tests/emulate/README.md).
# BUILD is the build folder; E2E_TARGETS=ascend,cpu: these targets only. EXISTING=1: only where a
# Debian unstable is there already.
set -u
cd "$(dirname "$0")/.." || exit 2
top=$PWD
cache=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/cuda-morph-e2e
LC_ALL=C.UTF-8
OMP_NUM_THREADS=1
PYTHONDONTWRITEBYTECODE=1
PYTHONWARNINGS=ignore
USE_LIBUV=0
GLOO_SOCKET_IFNAME=lo
HF_HUB_OFFLINE=1
export LC_ALL OMP_NUM_THREADS PYTHONDONTWRITEBYTECODE PYTHONWARNINGS USE_LIBUV GLOO_SOCKET_IFNAME
export HF_HUB_OFFLINE
scratch=$(mktemp -d "${TMPDIR:-/tmp}/cm-emulated.XXXXXX") || exit 2
trap '[ -n "${KEEP-}" ] && echo "kept: $scratch" || rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
if ! root=$(tests/emulate/sid.sh ${EXISTING:+--existing} 2>"$scratch/why"); then
    echo "emulated: skipped: everything: $(tail -n 1 "$scratch/why")"
    echo 'emulated: 0 passed, 0 failed, 1 skipped'
    exit 0
fi
native=${CUDA_MORPH_EMULATE_BUILD:-$cache/native}
mkdir -p "$native" || exit 2
tests/emulate/enter.sh "$root" "$native" -- sh tests/emulate/build.sh "$native" || exit 1
XDG_CACHE_HOME=$scratch/cache
export XDG_CACHE_HOME
tests/emulate/enter.sh "$root" "$native" "$scratch" -- \
    python3 "$top/tests/emulate/matrix.py" "$top" "$native" "$scratch" "${1-}"
