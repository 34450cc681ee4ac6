#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# precision.sh - how well check does on the labelled programs in precision/: precision and recall
# of every rule and overall. BUILD names the folder of the program, PYTHON the interpreter that
# counts.
# Exit status: 0 both are 95 % or more and no near miss was found, 1 not so, 2 it could not be
# told.
set -u
top=$(cd "${0%/*}/.." && pwd)
. "$top/tests/helper"
cd "$top" || exit 2
[ -n "${PYTHON-}" ] || needs python3
"${PYTHON:-python3}" tests/precision_score.py "$tool" tests/precision "$@"
