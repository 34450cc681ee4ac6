#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_layers.sh - no cycle between the folders of src/, and none between the files of a folder,
# by what the objects of the build need of each other (cycles.sh) and by what the sources include.
#
#   tests/check_layers.sh     the last line is "layers: N passed, N failed"
#
# BUILD is the build folder (default: build). Exit status: 0, or 1 when a check failed.
set -u
top=$(cd "${0%/*}/.." && pwd)
name=layers
. "$top/tests/helper"
cd "$top" || exit 2

# The objects of the sources in the folders that are named: not of sources that are gone.
objects() {
    for folder; do
        for source in "$folder"/*.c; do echo "$build/obj/${source%.c}.o"; done
    done
}

# FOLDER USES FOLDER, by #include lines.
include_arrows() {
    grep -rEo '^#include "[a-z_]+/[a-z_.]+"' src/*/ --include='*.[ch]' |
        sed 's|/[^/]*:#include "| src/|; s|/[^/]*"$||' | awk '$1 != $2' | sort -u |
        while read -r user used; do [ ! -d "$used" ] || echo "$user $used"; done
}

set -- src/*/
check 'the folders of src/ need each other in a circle' \
    sh -c 'sh tests/cycles.sh -d "$@" >"$0"' "$out" $(objects "${@%/}")
: >"$out"
include_arrows >"$scratch/arrows"
check 'the folders of src/ include each other in a circle' \
    sh -c 'tsort "$1" 2>"$0" >/dev/null' "$err" "$scratch/arrows"
: >"$err"
for folder; do
    folder=${folder%/}
    check "files of $folder/ need each other in a circle" \
        sh -c 'sh tests/cycles.sh "$@" >"$0"' "$out" $(objects "$folder")
done
done_testing
