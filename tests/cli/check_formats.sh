#!/bin/sh
# Every format of check, read back by parsers that are not ours; see check_formats.py.
. "${0%/*}/helper"
if ! command -v python3 >/dev/null; then
    echo 'check_formats: python3 is not there'
    done_testing
fi
python3 "$top/tests/check_formats.py" "$tool"
