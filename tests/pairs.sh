#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# pairs.sh - of CUDA programs that have a hand-made HIP version, which ports type-check with HIP
# 6.4 (make test SUITE=pairs CHECKOUT=DIR). tests/pairs.py says how DIR has to look, and which variables
# choose.
#
# With HIPIFY_PERL, or hipify-perl installed, that ports them, too. BUILD names the build folder.
# Nothing is asserted but that LEAST per cent of ours type-check (default: 97).
# Exit status: 0 so it is, 1 not so, 2 it could not be told.
set -u
cd "$(dirname "$0")/.." || exit 2

BUILD=${BUILD:-build}
if [ ! -d "${PAIRS:-}" ]; then
    echo 'pairs: PAIRS=DIR names a folder with NAME-cuda and NAME-hip in it' >&2
    exit 2
fi
HIPIFY_PERL=${HIPIFY_PERL:-$(command -v hipify-perl)}
export HIPIFY_PERL
compiler=$(sh tests/compile.sh --compiler) || {
    echo 'pairs: there is no clang with the headers of HIP 6.4'
    exit 2
}
exec "${PYTHON:-python3}" tests/pairs.py "$BUILD/cuda-morph" "$compiler" "$BUILD/pairs" "$PAIRS"
