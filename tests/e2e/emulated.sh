#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Ported programs on an emulated accelerator, the quick part: two of them, on one target, where
# CUDA_MORPH_SID names a Debian unstable. `make test SUITE=emulated` tries all (tests/emulated.sh).
. "${0%/*}/../cli/helper"
cd "$top" || exit 2
if [ -z "${CUDA_MORPH_SID-}" ]; then
    skip everything 'CUDA_MORPH_SID names no Debian unstable; SUITE=emulated makes one'
    done_testing
fi
E2E_TARGETS=ascend exec tests/emulated.sh 'programs/(prefetcher|recurrent)'
