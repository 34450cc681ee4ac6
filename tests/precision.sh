#!/bin/sh
# precision.sh - how well check does on the labelled programs in precision/: precision and recall
# of every rule and overall. BUILD names the folder of the program, PYTHON the interpreter that
# counts.
# Exit status: 0 both are 95 % or more and no near miss was found, 1 not so, 2 it could not be
# told.
set -eu
cd "$(dirname "$0")/.."
if ! command -v "${PYTHON:-python3}" >/dev/null; then
    echo 'precision: python3 is not there'
    exit 0
fi
exec "${PYTHON:-python3}" tests/precision_score.py "${BUILD:-build}/cuda-morph" tests/precision \
    "$@"
