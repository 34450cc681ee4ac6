#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# readme_targets.sh [--check] - the README's table of targets is that of docs/rules/targets.md,
# which `cuda-morph rules docs` makes of the targets' files. --check: exit 1 if it is another one.
set -eu
cd "$(dirname "$0")/.."
mark='<!-- targets -->' end='<!-- /targets -->'
new=$(mktemp "${TMPDIR:-/tmp}/readme.XXXXXX")
trap 'rm -f "$new"' EXIT
awk -v mark="$mark" -v end="$end" -v page=docs/rules/targets.md '
    $0 == mark {
        inside = 1
        while ((getline line <page) > 0) {
            if (line == mark) copying = 1
            if (copying) print line
            if (line == end) copying = 0
        }
    }
    !inside
    $0 == end { inside = 0 }
' README.md >"$new"
if [ "${1-}" = --check ]; then
    cmp -s "$new" README.md
else
    cmp -s "$new" README.md || cat "$new" >README.md
fi
