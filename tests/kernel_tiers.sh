#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# kernel_tiers.sh - how the kernels of real programs run on the CPU (make test
# SUITE=tiers CHECKOUT=DIR).
#
# KERNELS names a folder of checkouts, each ported as one tree, or several, separated by blanks.
# For each: how many kernels become loops for certain (thread loops, fission), how many are loops
# that turn to fibers where a function waits, and how many are fibers. Then the most frequent
# reasons for what are no loops. BUILD names the build folder, LEAST the per cent of loops and
# fission together, certain or not, below which it fails (80).
# Exit status: 0 so it is, 1 fewer, 2 nothing to count.
set -u
cd "$(dirname "$0")/.." || exit 2
LC_ALL=C
export LC_ALL
tool=${BUILD:-build}/cuda-morph
all=${BUILD:-build}/kernels.txt
: >"$all"

# share TREE FILE: one line of the table
share() {
    awk -F '\t' -v tree="$1" '
        { n++ }
        $1 == "thread loop" || $1 == "thread loop, not vectorised" { loop++; next }
        $1 == "fission" { fission++; next }
        $1 ~ /^thread loop/ { loop_if++; next }
        $1 ~ /^fission/ { fission_if++; next }
        END {
            if (!n) exit
            fibers = n - loop - fission - loop_if - fission_if
            printf "%-22s %7d %6d %7d %8.1f%% %9d %8d %6d\n", tree, n, loop, fission,
                   100 * (loop + fission) / n, loop_if, fission_if, fibers
        }' "$2"
}

echo 'tree                   kernels  loops fission  certain  loops, if fission, if fibers'
for folder in ${KERNELS:-}; do
    for tree in "$folder" "$folder"/*/; do
        [ -d "$tree/.git" ] || [ "$tree" != "$folder" ] || continue
        [ -d "$tree" ] || continue
        "$tool" port "$tree" --target cpu --explain-kernels -q --no-ignore 2>/dev/null |
            sed -E 's/^[^ ]*: [^:]*: //; s/; [0-9]+:[0-9]+: /\t/' >"$all.one"
        [ -s "$all.one" ] || continue
        name=${tree%/}
        share "${name##*/}" "$all.one"
        cat "$all.one" >>"$all"
        [ "$tree" != "$folder" ] || break
    done
done
rm -f "$all.one"
[ -s "$all" ] || {
    echo 'tiers: KERNELS=DIR names a folder of checkouts with kernels in them' >&2
    exit 2
}
share all "$all"
echo
echo 'why not, most frequent first:'
cut -f 1,2 -s "$all" | sed -E 's/`[^`]*`/.../g' | sort | uniq -c | sort -rn | sed 12q
awk -F '\t' -v least="${LEAST:-80}" '
    $1 != "fibers" { good++ }
    END { exit 100 * good / NR < least }' "$all"
