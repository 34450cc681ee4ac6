#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every format of check, read back by parsers that are not ours; see check_formats.py.
. "${0%/*}/helper"
needs python3
python3 "$top/tests/check_formats.py" "$tool"
