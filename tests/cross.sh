#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cross.sh - the compiler for other processors, one of them big-endian: compiled with Debian's cross
# compilers, run with qemu-user: unit tests, the rules' examples, fixtures. See docs/packages.md.
#
#   tests/cross.sh [MACHINE...]     default: aarch64 s390x
#   ONLY=torch                      fixtures whose name holds it; default: all
set -u
top=$(cd "${0%/*}/.." && pwd)
. "$top/tests/helper"
cd "$top" || exit 2
unset CPATH LIBRARY_PATH LD_LIBRARY_PATH

for machine in ${*:-aarch64 s390x}; do
    can "$machine" "$machine" || continue
    compiler=$machine-linux-gnu-gcc
    qemu=qemu-$machine-static
    CC=$compiler tools/dist/dist.sh libraries >"$scratch/libraries" 2>"$err" ||
        { check "$machine: PCRE2 and cJSON" false && continue; }
    there=build/cross/$machine
    make -s -j"$(getconf _NPROCESSORS_ONLN)" INSTALL=no BUILD="$there" CC="$compiler" RUN="$qemu" \
        CFLAGS="-O1 -Wall -Wextra -I$top/build/dist/lib/$compiler/include" LDFLAGS=-static PKG_CFLAGS= \
        PKG_LIBS="$(grep '\.a$' "$scratch/libraries" | tr '\n' ' ')" test-programs >"$out" 2>"$err"
    status=$?
    check "$machine: it compiles" test $status -eq 0
    [ $status -eq 0 ] || continue # what an earlier run left there is no answer
    for program in "$there"/tests/test_*; do
        "$qemu" "$program" >"$out" 2>"$err" </dev/null
        status=$?
        check "$machine: ${program##*/}" test $status -eq 0
    done
    "$qemu" "$there/cuda-morph" rules test >"$out" 2>"$err"
    status=$?
    check "$machine: the rules' examples" test $status -eq 0
    "$qemu" "$there/tests/run_fixtures" tests/fixtures ${ONLY:+--only "$ONLY"} >"$out" 2>"$err"
    status=$?
    check "$machine: fixtures" test $status -eq 0
    echo "$machine: $(tail -n 1 "$out")"
done
done_testing
