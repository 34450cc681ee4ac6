#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh [SUITE...] - runs suites of tests on what was built in $BUILD, and sums up.
#
# SUITE: a row of tests/suites.txt, `test` (the default) or `all` for all rows that say so, or a
# script: tests/cli/doctor.sh. Each part ends with a line "NAME: N passed, N failed[, N skipped]";
# a part without one counts as one test, and one that ends with another status than 0 has failed.
# What is skipped is named in lines "NAME: skipped: WHAT: WHY", which stand together at the end. So
# does what failed, behind it, since a log is read from its end: for each part that failed the first
# lines that say FAILED or "failed:" with the indented lines below them, or else its last lines.
# Exit status: 0 nothing failed, 1 something did, 2 there is no such suite.

BUILD=${BUILD:-build}
CHECKOUT=${CHECKOUT-}
export BUILD CHECKOUT
unset MAKEFLAGS MFLAGS # of the make that runs this: tests run make, too
cd "${0%/*}/.." || exit 2
output=$(mktemp "${TMPDIR:-/tmp}/cm-tests.XXXXXX") || exit 2
trap 'rm -f "$output" "$output".*' EXIT
trap 'exit 1' HUP INT TERM
passed=0
failed=0
skipped=0
: >"$output.skipped"
: >"$output.failed"
shown=20 # lines of a part that failed, at the end

# tells_failures FILE: the lines of a part's output that tell what failed
tells_failures() {
    awk '
        /(^|: )FAILED[: ]/ || /: failed: / { inside = 1; print; next }
        inside && /^ / { print; next }
        { inside = 0 }' "$1" >"$output.told"
    lines=$(wc -l <"$output.told")
    if [ "$lines" -eq 0 ]; then
        tail -n "$shown" "$1"
    else
        head -n "$shown" "$output.told"
        [ "$lines" -le "$shown" ] || echo "... and $((lines - shown)) lines more"
    fi | cut -c 1-300
}

# part NAME COMMAND...
part() {
    what=$1
    shift
    "$@" >"$output" 2>&1 </dev/null
    status=$?
    cat "$output"
    grep ': skipped: ' "$output" >>"$output.skipped"
    # shellcheck disable=SC2046
    set -- $(sed -nE 's/^.*: ([0-9]+) passed, ([0-9]+) failed(, ([0-9]+) skipped)?$/\1 \2 \4/p' \
        "$output" | tail -n 1)
    p=${1-} f=${2-} s=${3:-0}
    if [ -z "$p" ]; then
        p=$((status == 0))
        f=$((status != 0))
        echo "$what: $p passed, $f failed"
    elif [ "$status" -ne 0 ] && [ "$f" -eq 0 ]; then
        f=1
        echo "$what: ended with status $status"
    fi
    if [ "$f" -gt 0 ]; then
        echo "failed: $what, with status $status"
        tells_failures "$output" | sed 's/^/    /'
    fi >>"$output.failed"
    passed=$((passed + p))
    failed=$((failed + f))
    skipped=$((skipped + s))
}

# each FILE...: programs and scripts, a part each
each() {
    for file in "$@"; do
        case $file in
        *.sh) part "$file" sh "$file" ;;
        *) [ ! -x "$file" ] || part "${file##*/}" "$file" ;;
        esac
    done
}

# rows COLUMN VALUE: "SUITE COMMAND" of the rows with that value
rows() {
    awk -v column="$1" -v value="$2" '
        /^#/ { next }
        {
            n = split($0, cell, / +[|] /)
            command = cell[4]
            for (i = 5; i <= n; i++) command = command " | " cell[i]
            if (cell[column] == value) print cell[1], command
        }' tests/suites.txt
}

# chosen SUITE: the same of the rows that are meant
chosen() {
    case $1 in
    test) rows 2 test ;;
    all) rows 2 test && rows 2 all ;;
    *) rows 1 "$1" ;;
    esac
}

[ $# -gt 0 ] || set -- test
for suite in "$@"; do
    if [ -f "$suite" ]; then
        each "$suite"
        continue
    fi
    chosen "$suite" >"$output.rows"
    [ -s "$output.rows" ] || {
        # shellcheck disable=SC2046
        echo "there is no suite '$suite'; tests/suites.txt has:" \
            $(sed -n 's/^\([a-z0-9]*\) .*/\1/p' tests/suites.txt) >&2
        exit 2
    }
    while read -r suite command; do
        start=$(date +%s)
        case $command in
        'each '*) eval "$command" ;;
        *) part "$suite" sh -c "$command" ;;
        esac
        seconds="${seconds-}${seconds+, }$suite $(($(date +%s) - start))"
    done <"$output.rows"
done

echo "seconds: ${seconds-}"
sort "$output.skipped"
cat "$output.failed"
echo "total: $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
