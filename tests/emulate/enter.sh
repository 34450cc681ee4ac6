#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# enter.sh DEBIAN FOLDER... -- COMMAND...: runs COMMAND inside DEBIAN, where this working tree and
# the folders have the same paths as here. The mounts are the command's own and end with it.
set -eu
root=$1
shift
tree=$(cd "$(dirname "$0")/../.." && pwd -P)
folders=$tree
while [ "$1" != -- ]; do
    folders="$folders
$1"
    shift
done
shift
export folders root
# shellcheck disable=SC2016
exec unshare -m sh -c '
    IFS="
"
    for folder in $folders; do
        mkdir -p "$root$folder"
        mount --rbind "$folder" "$root$folder"
    done
    mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
    mkdir -p "$root/dev/shm"
    mount -t tmpfs tmpfs "$root/dev/shm"
    here=$PWD debian=$root
    unset folders root IFS
    exec chroot "$debian" sh -c "cd \"\$0\" 2>/dev/null || cd /; exec \"\$@\"" "$here" "$@"
' enter "$@"
