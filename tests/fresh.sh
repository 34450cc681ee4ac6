#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fresh.sh - the README's two commands, `make demo` and `make test`, in a Debian that has git
# and make and nothing else (`make test-fresh`): what a stranger sees. Neither may fail, and the list
# of what was skipped says what `make test` does not install by itself.
#
# Root only. The Debian is made once by debootstrap, from the mirror that this machine's apt uses,
# and kept as $BUILD/fresh-NAME.tar (300 MB); each run unpacks it beside that and removes it when it
# ends. The work tree is copied as it is. npm's registry is this machine's. The mounts are the
# run's own.
#
#   tests/fresh.sh [COMMAND]    COMMAND instead of the two, in the copy's folder
#   DEBIAN=trixie               another release than Debian 12, which is bookworm
#
# Exit status: that of the command that failed first, 0 for none, 2 when none could be run.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}
debian=${DEBIAN:-bookworm}
commands=${1-make demo && make test}

no() {
    echo "fresh: $*" >&2
    exit 2
}
[ "$(id -u)" = 0 ] || no 'only root can make a Debian'
unshare -m true 2>/dev/null || no 'mounts are not allowed here'
command -v debootstrap >/dev/null || tools/install.sh fresh debootstrap ||
    no 'debootstrap is not here'
. tests/mirror.sh
[ -n "$mirror" ] || no 'apt names no Debian mirror here'

mkdir -p "$build"
root=$(mktemp -d "$build/fresh.XXXXXX")
chmod 755 "$root" # as / is: tests run programs as other users
trap 'rm -rf --one-file-system "$root"' EXIT
trap 'exit 1' HUP INT TERM

if [ ! -f "$build/fresh-$debian.tar" ]; then
    echo "fresh: making a Debian ($debian), once"
    unshare --mount debootstrap --variant=minbase --include=git,make,ca-certificates \
        "$debian" "$root" "$mirror" >"$build/fresh-$debian.log" 2>&1 || no "debootstrap failed, see $build/fresh-$debian.log"
    rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*_*
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" # no services are started
    chmod +x "$root/usr/sbin/policy-rc.d"
    tar -C "$root" -cf "$build/fresh-$debian.tar.new" .
    mv "$build/fresh-$debian.tar.new" "$build/fresh-$debian.tar"
else
    tar -C "$root" -xpf "$build/fresh-$debian.tar"
fi

# This machine's ways to the network, and nothing of its programs.
cp /etc/resolv.conf "$root/etc/resolv.conf"
cat /etc/ssl/certs/ca-certificates.crt >"$root/etc/ssl/certs/ca-certificates.crt"
{
    echo 'Acquire::Check-Valid-Until "false";'
    [ -z "${http_proxy-}" ] || echo "Acquire::http::Proxy \"$http_proxy\";"
} >"$root/etc/apt/apt.conf.d/99fresh"
if command -v npm >/dev/null; then
    {
        echo "registry=$(npm config get registry 2>/dev/null)"
        echo 'cafile=/etc/ssl/certs/ca-certificates.crt'
    } >"$root/root/.npmrc"
fi

# A clone, so that it is a repository, and over it the files as they are now.
git clone -q --no-local "$PWD" "$root/root/cuda-morph"
git ls-files -z --cached --others --exclude-standard | tar --null -T - --ignore-failed-read -cf - \
    2>/dev/null | tar -xf - -C "$root/root/cuda-morph"
git ls-files -z --deleted | (cd "$root/root/cuda-morph" && xargs -0r rm -f)

start=$(date +%s)
status=0
# shellcheck disable=SC2016
unshare --mount --pid --fork --kill-child sh -c 'mount -t proc proc "$0/proc" &&
    mount -t tmpfs tmpfs "$0/dev/shm" && mkdir -p "$0/dev/pts" &&
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$0/dev/pts" &&
    ln -sf pts/ptmx "$0/dev/ptmx" && exec chroot "$0" /usr/bin/env -i HOME=/root \
        PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb sh -c "$1"' "$root" \
    "cd /root/cuda-morph && { $commands; }" </dev/null || status=$?
echo "fresh: $commands: status $status after $(($(date +%s) - start)) s"
exit $status
