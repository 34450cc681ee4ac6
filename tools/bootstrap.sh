#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bootstrap.sh - installs what the build needs and does not find; otherwise changes nothing.
#
#   tools/bootstrap.sh [--tests=WHICH]   install what is missing
#   tools/bootstrap.sh --check           only say what is missing
#
# Tools and libraries are Debian's packages, by way of tools/install.sh: root gets them installed,
# others are told the command. The grammars come from npm, into grammars/node_modules. With
# --tests, what the tests look for (tests/needs.sh; WHICH: test or all) is installed, too; where
# that cannot be done, tests skip what needs it and say so. CC names the compiler to look for.
# Exit status: 0 all that the build needs is there, 2 something is missing.
set -eu
cd "$(dirname "$0")/.."

cc=${CC:-cc}
lock=grammars/package-lock.json
stamp=grammars/node_modules/.lock-sha256

say() { printf 'bootstrap: %s\n' "$*" >&2; }
have() { command -v "$1" >/dev/null 2>&1; }

# need WHAT PACKAGE...: notes a missing piece and the Debian packages that hold it.
need() {
    missing="$missing${missing:+, }$1"
    shift
    packages="$packages${packages:+ }$*"
}

lock_hash() { sha256sum "$lock" | cut -d ' ' -f 1; }
grammars_filled() { [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(lock_hash)" ]; }

look() {
    missing='' packages=''
    # A compiler without the C library's headers is as good as none. CC may hold arguments.
    # shellcheck disable=SC2086
    if ! echo '#include <stdio.h>' | $cc -E -x c - >/dev/null 2>&1; then
        case ${cc##*/} in
        cc | gcc) need "a C compiler ($cc)" gcc libc6-dev ;;
        clang) need "a C compiler ($cc)" clang libc6-dev ;;
        *) need "a C compiler (CC=$cc)" ;;
        esac
    fi
    have make || need make make
    have pkg-config || need pkg-config pkg-config
    pkg-config --exists libpcre2-8 2>/dev/null || need libpcre2-8 libpcre2-dev
    pkg-config --exists libcjson 2>/dev/null || need libcjson libcjson-dev
    if ! grammars_filled; then
        have node || need node nodejs
        have npm || need npm npm
    fi
}

install_packages() {
    say "missing: $missing"
    if [ -n "$packages" ]; then
        # shellcheck disable=SC2086
        INSTALL=$install tools/install.sh bootstrap $packages && look
        [ -n "$missing" ] || return 0
        [ "$install" = no ] || say "still missing: $missing"
    fi
    exit 2
}

install_for_tests() {
    . tests/needs.sh
    lacks=$(needs_missing "$1")
    [ -n "$lacks" ] || return 0
    say "for the tests: $(echo $lacks)"
    # shellcheck disable=SC2046
    INSTALL=$install tools/install.sh bootstrap $(for need in $lacks; do
        needs_packages "$need"
    done) || say 'tests skip what needs them'
}

# npm ci empties node_modules first, so the stamp of an interrupted run cannot survive.
fill_grammars() {
    say 'filling grammars/node_modules (npm ci)'
    if ! (cd grammars && npm ci --loglevel=error </dev/null >&2); then
        say 'npm ci failed: the pinned grammars could not be fetched from the npm registry'
        exit 2
    fi
    lock_hash >"$stamp"
}

install=${INSTALL-}
tests=''
for argument in "$@"; do
    case $argument in
    --check) install=no ;;
    --tests=test | --tests=all) tests=${argument#*=} ;;
    *)
        say "unknown argument '$argument'; usage: tools/bootstrap.sh [--check] [--tests=test|all]"
        exit 2
        ;;
    esac
done

look
[ -z "$missing" ] || install_packages
if ! grammars_filled; then
    if [ "$install" = no ]; then
        say 'missing: the grammars; to install them: tools/bootstrap.sh'
        exit 2
    fi
    fill_grammars
fi
[ -z "$tests" ] || install_for_tests "$tests"
