#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every name of runtime/python that a rule can write is there, and the rules know which names are.
. "${0%/*}/helper"

needs python3
python3 "$top/tools/runtime_names.py" --check >"$out" 2>"$err"
check 'rules and runtime/python agree' test $? -eq 0

done_testing
