#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cycles.sh OBJECT|LIBRARY.a...: which files need each other in a circle. A file needs another one when it has
# an undefined symbol that the other one defines: what the linker sees, and no reading of sources.
# Prints each circle's arrows and fails where there is one; says nothing else.
# cycles.sh -d OBJECT...: the same for their folders. (A library has no object of a source that is gone.)
LC_ALL=C
export LC_ALL
by='file'
[ "$1" = -d ] && by='folder' && shift
[ $# -gt 0 ] || exit 2
arrows=$(mktemp "${TMPDIR:-/tmp}/cm-arrows.XXXXXX") || exit 2
trap 'rm -f "$arrows"' EXIT

nm -A -P "$@" | awk -v by="$by" '
{
    place = $1
    sub(/:$/, "", place)
    sub(by == "folder" ? "/[^/]*$" : "\\.o\\]?$", "", place)
    n++
    where[n] = place; symbol[n] = $2; kind[n] = $3
    if ($3 ~ /^[A-TV-Z]$/) home[$2] = place # not U: defined, for all to see
}
END {
    for (i = 1; i <= n; i++)
        if (kind[i] == "U" && symbol[i] in home && home[symbol[i]] != where[i])
            print where[i], home[symbol[i]], symbol[i]
}' | sort -u >"$arrows"

# tsort names the members of a circle on standard error; then the arrows between them are shown.
circle=$(cut -d ' ' -f 1,2 "$arrows" | tsort 2>&1 >/dev/null |
    sed -n 's/^tsort: \([^ ]*\)$/\1/p' | sort -u)
[ -z "$circle" ] && exit 0
awk -v members="$circle" '
BEGIN { split(members, m, "\n"); for (i in m) in_circle[m[i]] }
($1 in in_circle) && ($2 in in_circle) { print $1 " needs " $3 " of " $2 }
' "$arrows"
exit 1
