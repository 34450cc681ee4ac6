#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# coverage.sh FOLDER - how many of the lines in src/ the tests have run, by folder, and the files
# that have most of the others. FOLDER is one that `make coverage` built and ran suites in, with
# gcc's --coverage: this only adds up what gcov says. It is a map of what is not looked at; that
# what runs is looked at, too, is for `make mutate` to say.
set -u
cd "${0%/*}/.." || exit 2
find "$1/obj/src" -name '*.gcda' -exec gcov -n {} + 2>/dev/null | awk '
    /^File / { file = $2; gsub(/\047/, "", file) }
    /^Lines executed/ && file ~ /^src\/.*[.]c$/ {
        split($0, part, /[:%]| of /)
        folder = file
        sub("/[^/]*$", "", folder)
        lines[folder] += part[4]
        missed = part[4] - int(part[4] * part[2] / 100 + 0.5)
        left[folder] += missed
        all += part[4]
        all_left += missed
        if (missed > 0) print missed, file | "sort -rn | sed 10q >&2"
        file = "" # what follows without one is the total
    }
    END {
        if (!all) exit 2
        for (folder in lines)
            printf "%-16s %6d lines %6.1f %%\n", folder, lines[folder],
                   100 - 100 * left[folder] / lines[folder] | "sort"
        close("sort")
        printf "%-16s %6d lines %6.1f %%\n", "src", all, 100 - 100 * all_left / all
        print "not run, by file:"
    }' 2>"$1/files" && cat "$1/files"
