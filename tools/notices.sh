#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# notices.sh - prints the licences of what is inside the binary besides this project's own code.
#
# The grammars' licences are in their packages (grammars/node_modules), those of PCRE2 and cJSON
# where Debian and its like keep them; another system's build names the licence and the library.
set -eu
cd "$(dirname "$0")/.."
modules=grammars/node_modules

# part NAME VERSION LICENCE FILE...: the first of the files is its text
part() {
    printf '\n---- %s %s: %s ----\n\n' "$1" "$2" "$3"
    shift 3
    for file in "$@"; do
        [ -f "$file" ] || continue
        sed 's/[[:space:]]*$//' "$file"
        return
    done
    echo 'The text of the licence was not on the machine that this was built on.'
}
package() {
    folder=$modules/$1
    part "$1" "$(sed -n 's/^  "version": "\(.*\)",*$/\1/p' "$folder/package.json")" MIT \
        "$folder/LICENSE" "$folder/LICENSE.md"
}
library() { # NAME MODULE LICENCE PACKAGE
    part "$1" "$(pkg-config --modversion "$2" 2>/dev/null || echo unknown)" "$3" \
        "/usr/share/doc/$4/copyright" "/usr/share/licenses/$4/LICENSE"
}

echo 'cuda-morph is licensed under the Apache License, Version 2.0. It contains or uses:'
package tree-sitter
part "Unicode tables of tree-sitter's from ICU" 57 Unicode-ICU \
    $modules/tree-sitter/vendor/tree-sitter/lib/src/unicode/LICENSE
package tree-sitter-python
package tree-sitter-cuda
package @tree-sitter-grammars/tree-sitter-toml
library PCRE2 libpcre2-8 'BSD-3-Clause, with an exemption for binaries' libpcre2-dev
library cJSON libcjson MIT libcjson-dev
