#!/bin/sh
# Ported programs on an emulated accelerator, the quick part: two of them, on one target, where
# CUDA_MORPH_SID names a Debian unstable. `make test-e2e` tries everything (tests/emulated.sh).
cd "${0%/*}/../.." || exit 2
if [ -z "${CUDA_MORPH_SID-}" ]; then
    echo 'emulated: skipped, CUDA_MORPH_SID is not set (make test-e2e makes a Debian unstable)'
    echo 'emulated: 0 passed, 0 failed'
    exit 0
fi
E2E_TARGETS=ascend exec tests/emulated.sh 'programs/(prefetcher|recurrent)'
