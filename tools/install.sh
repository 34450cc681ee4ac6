#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install.sh WHO PACKAGE... - installs Debian packages; the one place of this project that does.
#
# Root on a machine with apt-get installs them, and is told so before; with INSTALL=no, and
# everybody else, is told the command that would. apt-get is heard only when it fails. WHO says
# this to the user: the script that wants the packages. Exit status: 0 installed, 1 not.
set -u
who=$1
shift
say() { printf '%s: %s\n' "$who" "$*" >&2; }

if [ "${INSTALL-}" = no ] || [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    say "to install it: sudo apt-get install -y --no-install-recommends $*"
    exit 1
fi
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
fetch() {
    apt-get -qq -y --no-install-recommends -o DPkg::Lock::Timeout=300 install "$@" \
        </dev/null >"$log" 2>&1
}

# With the package lists as they are, and once more with fresh ones; then each by itself, since
# one that this Debian does not have would keep all others out.
say "installing $*"
fetch "$@" && exit
apt-get -qq update </dev/null >"$log" 2>&1 && fetch "$@" && exit
grep '^E:' "$log" >&2
status=1
if [ $# -gt 1 ]; then
    status=0
    for package in "$@"; do
        fetch "$package" && continue
        say "apt-get could not install $package"
        status=1
    done
fi
exit $status
