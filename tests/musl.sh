#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# musl.sh - every source of the program against the headers of another C library, musl: the static
# binary of `make dist` is built with it, and what only glibc has is found here, in seconds.
#
#   BUILD=DIR tests/musl.sh     the last line is "musl: N passed, N failed"
set -u
top=$(cd "${0%/*}/.." && pwd)
name=musl
. "$top/tests/helper"
cd "$top" || exit 2

if can musl 'the sources against another C library'; then
    # These two headers want nothing of a C library that musl lacks.
    mkdir "$scratch/include"
    for header in pcre2.h cjson; do
        for folder in $(pkg-config --cflags-only-I libpcre2-8 libcjson | sed 's/-I//g') /usr/include \
            /usr/local/include; do
            [ ! -e "$folder/$header" ] || { cp -r "$folder/$header" "$scratch/include" && break; }
        done
    done
    # shellcheck disable=SC2046
    musl-gcc -fsyntax-only -w -std=c11 -D_GNU_SOURCE -Isrc -I"$build" -I"$scratch/include" \
        -I"$scratch/include/cjson" -Igrammars/node_modules/tree-sitter/vendor/tree-sitter/lib/include \
        $(find src runtime/src -name '*.c' ! -name '*mpi*' ! -path '*/windows/*') -Iruntime/include -Iruntime/src \
        >"$out" 2>"$err"
    check 'every source compiles' test $? -eq 0
fi
done_testing
