#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build.sh FOLDER: compiles src/ to FOLDER/_emulated_device.so with the g++ and the PyTorch of this
# system (inside Debian unstable: through enter.sh). Does nothing where that is up to date: what
# counts is what the sources say, for a new checkout gives each of them a new time, and several
# checkouts share the folder. For the same reason objects are made in a folder of this run's own.
set -eu
out=$1
cd "$(dirname "$0")/src"
module=$out/_emulated_device.so
sum=$({ cat ../build.sh ./* && python3 -c 'import sys; print(sys.version)'; } | cksum)
if [ -e "$module" ] && [ "$(cat "$module.sum" 2>/dev/null)" = "$sum" ]; then
    exit 0
fi
objects=$(mktemp -d "$out/obj.XXXXXX")
trap 'rm -rf "$objects"' EXIT
trap 'exit 1' HUP INT TERM
flags="-std=c++20 -O1 -fPIC -DUSE_DISTRIBUTED $(python3-config --includes)
    -I/usr/include/torch/csrc/api/include"
# shellcheck disable=SC2016
printf '%s\n' ./*.cpp | xargs -P "$(nproc)" -I{} sh -c \
    'g++ $0 -w -c "$1" -o "$2/$(basename "$1" .cpp).o"' \
    "$flags" {} "$objects"
g++ -shared "$objects"/*.o -ltorch -ltorch_cpu -lc10 -ltorch_python -o "$objects/module"
mv "$objects/module" "$module"
echo "$sum" >"$module.sum"
