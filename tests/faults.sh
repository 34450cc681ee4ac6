#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Faults by number: every command with its n-th open, read, write, fsync, rename ... failing, and
# with the process killed at its n-th call. No file is torn, no failure is silent, and the next run
# is none the worse (tests/faults/faults.py). THOROUGH=1 tries every call with every error, RUNS=N
# so many of them.
top=$(cd "${0%/*}/.." && pwd)
. "$top/tests/helper"
needs python3

if nm -D "$tool" 2>/dev/null | grep -q __asan_init; then
    skip everything 'a sanitizer has calls of its own'
    done_testing
fi
if ! ${CC:-cc} -shared -fPIC -O1 -Wall -Wextra -o "$scratch/preload.so" \
    "$top/tests/faults/preload.c" -ldl 2>"$err"; then
    skip everything 'there is no C compiler'
    done_testing
fi
runs=${RUNS:-500}
[ -z "${THOROUGH-}" ] || runs=${RUNS:-0}
# A disk of memory, where there is one: it is written thousands of times.
lab=$scratch/lab
[ -w /dev/shm ] && lab=$(mktemp -d /dev/shm/cm-faults.XXXXXX) && trap 'rm -rf "$lab" "$scratch"' EXIT
python3 "$top/tests/faults/faults.py" "$tool" "$scratch/preload.so" "$lab" --runs "$runs" ${THOROUGH:+--broad}
