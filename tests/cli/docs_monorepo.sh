#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# docs/monorepo.md shows what its commands print, one after another in an empty folder.
# With --write the page is written anew.
. "${0%/*}/helper"
mkdir bin empty
ln -s "$tool" bin/cuda-morph
PATH=$PWD/bin:$PATH
replayed() (
    cd empty && awk '
        /^```console$/ { inside = 1; print; next }
        /^```$/ { inside = 0 }
        inside && !/^[$] / { next }
        { print }
        inside {
            command = "exec 2>&1 </dev/null; " substr($0, 3)
            while ((command | getline line) > 0) print line
            close(command)
        }' "$top/docs/monorepo.md"
)
replayed >page 2>"$err"
if [ "${1-}" = --write ]; then
    cp page "$top/docs/monorepo.md"
    exit
fi
check 'docs/monorepo.md is what its commands print' diff page "$top/docs/monorepo.md"
diff page "$top/docs/monorepo.md" | head -n 20
check 'it has commands' test "$(grep -c '^[$] ' page)" -gt 10
done_testing
