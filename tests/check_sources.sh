#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_sources.sh - what CONTRIBUTING.md asks of every source: files of at most 800 lines, lines of
# at most 99 columns, a license line and a head that says what a file is for, and in headers a comment on
# every function (one on a run of declarations that no blank line parts). Beside it, that each row of
# tests/mutate/mutants.txt still fits its place.
#
#   tests/check_sources.sh     the last line is "sources: N passed, N failed"
#
# Exit status: 0, or 1 when a check failed.
set -u
top=$(cd "${0%/*}/.." && pwd)
name=sources
. "$top/tests/helper"
cd "$top" || exit 2

# What people write; tests/fixtures, folders of tests/cli and the like are data.
sources() {
    find src tools runtime tests -type f \( -name '*.[ch]' -o -name '*.hpp' -o -name '*.sh' -o \
        -name '*.py' -o -name '*.def' \) ! -path '*/fixtures/*' ! -path '*/precision/*' \
        ! -path '*/build/*' ! -path 'tests/cli/*/*' | LC_ALL=C sort
}

too_long() { sources | while read -r f; do awk -v f="$f" 'END { if (NR > 800) print f ": " NR " lines" }' "$f"; done; }

too_wide() { find src tools runtime -name '*.[ch]' -exec awk 'length($0) > 99 { print FILENAME ":" FNR }' {} +; }

# The license's line may come first.
without_head() {
    for f in $(find src tools runtime/src runtime/mpi -name '*.[ch]'); do
        grep -v 'SPDX-License-Identifier' "$f" | awk -v f="$f" '
            NR == 1 && !/^\/\*/ { print f ": no comment at its head"; exit }
            NR > 1 { exit }'
    done
}

undocumented() {
    find src runtime/src runtime/include/cuda_morph -name '*.h' -exec awk '
        FNR == 1 || /^[ \t]*$/ { said = 0 }
        /\*\/|^[ \t]*\/\// { said = 1 }
        /^[A-Za-z_][A-Za-z_0-9 *]*[ *][a-zA-Z_0-9]+\(/ && !/^(typedef|inline|static inline)/ &&
            !/[{=]/ && !said { print FILENAME ":" FNR ": " $0 }' {} +
}

none() {
    "$1" >"$out"
    check "$2" test ! -s "$out"
}
# So that a file that is copied out of here says under which license.
without_license() {
    sources | grep -v -E '^tests/(cpu|e2e|kernels|compile|scaffold)/' | while read -r f; do
        head -n 2 "$f" | grep -q 'SPDX-License-Identifier: Apache-2.0' || echo "$f: no license line"
    done
}

# "it" without a word before it that says what: a message names its subject.
dangling() {
    find src -name '*.[ch]' -o -name '*.def' | while read -r f; do
        awk -v f="$f" '/(^|[^"])"[Ii]ts? / && before !~ /"$/ { print f ":" FNR } { before = $0 }' "$f"
    done
    grep -rnoE '"fix": "[Ii]ts? [^"]*"' rules --include='*.json'
}

# What others made is installed, not kept; and a binary or a large file is not written by hand.
not_ours() {
    git rev-parse --git-dir >/dev/null 2>&1 || return 0
    git ls-files | grep -E '(^|/)(node_modules|dist-packages|site-packages|__pycache__|\.venv)/|\.(vsix|whl|deb|o|so|a)$'
    git ls-files -z | xargs -0 -r wc -c | awk '$2 != "total" && $1 > 524288 { print $2 ": " $1 " bytes" }'
}

none too_long 'files of more than 800 lines'
none too_wide 'lines of more than 99 columns'
none without_head 'files that do not say what they are for'
none undocumented 'functions of headers without a comment'
none not_ours 'tracked files that are not written here, or larger than 512 KiB'
none dangling 'messages that begin with "it"'
none without_license 'files without an SPDX line'
if can python3 'rows of tests/mutate/mutants.txt'; then
    python3 tests/mutate/mutate.py --check >"$out" 2>"$err"
    check 'rows of tests/mutate/mutants.txt that fit no place, or several' test $? -eq 0
fi
done_testing
