#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build.sh FOLDER: compiles src/ to FOLDER/_emulated_device.so with the g++ and the PyTorch of this
# system (inside Debian unstable: through enter.sh). Does nothing where that is up to date.
set -eu
out=$1
cd "$(dirname "$0")/src"
module=$out/_emulated_device.so
if [ -e "$module" ] && [ -z "$(find . ../build.sh -newer "$module")" ]; then
    exit 0
fi
mkdir -p "$out/obj"
flags="-std=c++20 -O1 -fPIC -DUSE_DISTRIBUTED $(python3-config --includes)
    -I/usr/include/torch/csrc/api/include"
# shellcheck disable=SC2016
printf '%s\n' ./*.cpp | xargs -P "$(nproc)" -I{} sh -c \
    'g++ $0 -w -c "$1" -o "$2/obj/$(basename "$1" .cpp).o"' \
    "$flags" {} "$out"
g++ -shared "$out"/obj/*.o -ltorch -ltorch_cpu -lc10 -ltorch_python -o "$module.new"
mv "$module.new" "$module"
