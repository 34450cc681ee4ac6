#!/bin/sh
# bootstrap.sh - installs what the build needs and does not find; otherwise changes nothing.
#
#   tools/bootstrap.sh           install what is missing
#   tools/bootstrap.sh --check   only say what is missing
#
# Tools and libraries come from apt-get (root on Debian); without it, the missing pieces and the
# command that installs them are printed. The grammars come from npm, into grammars/node_modules.
# CC names the compiler to look for. Exit status: 0 all is there, 2 something is missing.
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

# apt_install PACKAGE...: with the package lists as they are, and once more with fresh ones.
# apt-get is heard only when it fails.
apt_install() {
    set -- apt-get -qq -y --no-install-recommends -o DPkg::Lock::Timeout=300 install "$@"
    export DEBIAN_FRONTEND=noninteractive
    "$@" </dev/null >/dev/null 2>&1 && return
    log=$(mktemp)
    if { apt-get -qq update && "$@"; } </dev/null >"$log" 2>&1; then
        rm "$log"
    else
        cat "$log" >&2
        rm "$log"
        return 1
    fi
}

install_packages() {
    say "missing: $missing"
    if [ -n "$packages" ]; then
        if [ "$check" = no ] && [ "$(id -u)" = 0 ] && have apt-get; then
            say "installing $packages"
            # shellcheck disable=SC2086
            apt_install $packages || say 'apt-get failed'
            look
            [ -n "$missing" ] || return 0
            say "still missing: $missing"
        fi
        say "to install it: sudo apt-get install -y --no-install-recommends $packages"
    fi
    exit 2
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

check=no
case ${1-} in
'') ;;
--check) check=yes ;;
*)
    say "unknown argument '$1'; usage: tools/bootstrap.sh [--check]"
    exit 2
    ;;
esac

look
[ -z "$missing" ] || install_packages
if ! grammars_filled; then
    if [ "$check" = yes ]; then
        say 'missing: the grammars; to install them: tools/bootstrap.sh'
        exit 2
    fi
    fill_grammars
fi
