#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sid.sh - prints the folder of a Debian unstable that has PyTorch, transformers and accelerate.
#
# CUDA_MORPH_SID names one; otherwise it is made once, by debootstrap, with the mirror that this
# machine's apt uses, and kept under ${XDG_CACHE_HOME:-~/.cache}/cuda-morph-e2e (2.6 GB). With
# --existing none is made. Where there is none, exit status 1 and the reason on standard error.
set -u
packages='python3-torch python3-transformers python3-accelerate libtorch-dev pybind11-dev
    python3-dev g++ libcjson1 libpcre2-8-0'

no() {
    echo "$*" >&2
    exit 1
}

ready() {
    [ -x "$1/usr/bin/g++" ] && [ -d "$1/usr/include/ATen" ] && [ -e "$1/usr/bin/python3" ]
}

[ "$(id -u)" -eq 0 ] || no 'only root can enter a Debian unstable'
unshare -m true 2>/dev/null || no 'mounts are not allowed here'
if [ -n "${CUDA_MORPH_SID-}" ]; then
    ready "$CUDA_MORPH_SID" || no \
        "CUDA_MORPH_SID=$CUDA_MORPH_SID lacks PyTorch, its headers or g++"
    echo "$CUDA_MORPH_SID"
    exit
fi
cache=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/cuda-morph-e2e
root=$cache/sid
if ready "$root" && [ -e "$root/.complete" ]; then
    echo "$root"
    exit
fi
[ "${1-}" != --existing ] || no 'there is no Debian unstable yet: make test SUITE=emulated makes one'

command -v apt-get >/dev/null || no 'this is no Debian: CUDA_MORPH_SID can name a Debian unstable'
command -v debootstrap >/dev/null ||
    "${0%/*}/../../tools/install.sh" emulated debootstrap || no 'debootstrap is not installed'
. "${0%/*}/../mirror.sh"
[ -n "$mirror" ] || no 'apt names no Debian mirror here'

# Built beside its place and renamed: an interrupted one is never taken for a whole one.
echo "making a Debian unstable in $root: some minutes, 2.6 GB" >&2
mkdir -p "$cache" || no "cannot write to $cache"
new=$cache/sid.$$
trap 'rm -rf --one-file-system "$new"' EXIT
trap 'exit 1' HUP INT TERM
log=$cache/log
debootstrap --variant=minbase --include=ca-certificates sid "$new" "$mirror" >"$log" 2>&1 ||
    no "debootstrap failed, see $log"
printf '#!/bin/sh\nexit 101\n' >"$new/usr/sbin/policy-rc.d"
chmod +x "$new/usr/sbin/policy-rc.d"
{
    echo 'Acquire::Check-Valid-Until "false";'
    [ -z "${http_proxy-}" ] || echo "Acquire::http::Proxy \"$http_proxy\";"
} >"$new/etc/apt/apt.conf.d/99emulate"
# shellcheck disable=SC2086,SC2016
DEBIAN_FRONTEND=noninteractive unshare -m sh -c 'mount -t proc proc "$0/proc" &&
    chroot "$0" apt-get update && chroot "$0" apt-get install -y --no-install-recommends "$@" &&
    chroot "$0" apt-get clean' "$new" $packages >>"$log" 2>&1 || no "apt-get failed, see $log"
: >"$new/.complete"
rm -rf --one-file-system "$root"
mv "$new" "$root" || no "cannot write $root"
echo "$root"
