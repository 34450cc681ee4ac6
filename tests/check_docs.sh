#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_docs.sh - holds README.md and the other pages for people against the program.
#
#   tests/check_docs.sh           check; the last line is "docs: N passed, N failed"
#   tests/check_docs.sh --write   run the commands of every ```console block, write what they print
#
# Checked: console blocks show what their commands ("$ ...") print today; files, options, commands,
# rule ids, make targets, functions and structs that are named exist; every target is listed, and
# its aliases are the program's; the picture is drawn from what it prints. BUILD is the build folder (default: build).
# Exit status: 0, or 1 when a check failed.
set -u
top=$(cd "${0%/*}/.." && pwd)
name=docs
. "$top/tests/helper"
cd "$top" || exit 2
docs='README.md docs/README_zh.md docs/guide.md docs/packages.md docs/tour.md docs/ci.md docs/run.md
docs/cpu.md docs/kernels.md docs/outcomes.md docs/start.md docs/faq.md docs/reference.md docs/performance.md
docs/guides/training.md docs/guides/cuda.md docs/guides/no-gpu.md docs/zh/start.md docs/zh/ci.md
docs/zh/targets/ascend.md docs/zh/targets/mlu.md docs/zh/targets/musa.md CONTRIBUTING.md SECURITY.md
docs/editors.md docs/conventions.md docs/runtime.md docs/score.md'
for page in docs/targets/*.md; do docs="$docs $page"; done
mkdir "$scratch/bin"
ln -s "$tool" "$scratch/bin/cuda-morph"
PATH=$scratch/bin:$PATH

# The document with its console blocks as they should be.
regenerated() {
    awk '
        /^```console$/ { inside = 1; print; next }
        /^```$/ { inside = 0 }
        inside && !/^[$] / { next }
        { print }
        inside {
            command = "exec 2>&1 </dev/null; " substr($0, 3)
            while ((command | getline line) > 0) print line
            close(command)
        }' "$1"
}

# named DOC PATTERN: what people wrote in the document and matches the ERE, each once.
written() { sed '/^<!-- made: /,/^<!-- .made/d' "$1"; }
named() { written "$1" | grep -oE -e "$2" | sort -u; }

check_examples() {
    regenerated "$1" >"$scratch/now"
    check "$1: an example prints something else; tests/check_docs.sh --write corrects it" \
        cmp -s "$1" "$scratch/now"
    cmp -s "$1" "$scratch/now" || diff "$1" "$scratch/now" | head -n 20 >&2
}

check_paths() {
    for path in $(named "$1" '\]\([A-Za-z0-9_./-]+\)' | tr -d '])('); do
        check "$1: the link to $path leads nowhere" test -e "$(dirname "$1")/$path"
    done
    for path in $(named "$1" \
        '(^|[^a-z/-])(docs|grammars|rules|runtime|src|tests|tools)/[A-Za-z0-9_./-]*' |
        sed 's/^[^a-z]//; s/\.$//'); do
        check "$1: there is no $path" test -e "$path"
    done
}

# Every folder of the checkout's first two levels has its line in the tour's table.
check_folders() {
    for folder in docs editors grammars rules src tests tools src/*/ runtime/*/ tests/*/; do
        [ "${folder#*/build}" = "$folder" ] || continue
        check "docs/tour.md: nothing is said of ${folder%/}/" grep -q "^|.*\`${folder%/}/\`" \
            docs/tour.md
    done
}

check_commands() {
    for command in $(named "$1" '(`|^    |^[$] )cuda-morph [a-z][a-z-]+' | sed 's/.* //'); do
        check "$1: there is no command $command" grep -q "^  $command " "$scratch/main-help"
    done
    # What follows the program of `cuda-morph run`, or pkg-config, is not ours.
    written "$1" | sed -e 's/\(cuda-morph run.* \)\([a-z_/]*[.]py\|-m\) .*/\1/' -e 's/pkg-config [^)`]*//' \
        >"$scratch/own"
    for option in $(named "$scratch/own" '(^|[^a-z-])--[a-z][a-z-]*' | grep -oE -e '--[a-z-]+' |
        sort -u); do
        check "$1: there is no option $option" grep -qE -e "(^|[ ,])$option([^a-z-]|\$)" \
            "$scratch/help"
    done
}

check_goals() {
    for goal in $(named "$1" '(`|^    )make [a-z0-9_/-]+' | grep -v / | sed 's/.* //'); do
        check "$1: there is no make target $goal" grep -qE "^([a-z-]+ )*$goal( [a-z-]+)*:" Makefile
    done
    for suite in $(named "$1" 'SUITE=[a-z0-9]+' | sed 's/.*=//'); do
        check "$1: there is no suite $suite" grep -q "^$suite " tests/suites.txt
    done
}

check_names() {
    for rule in $(named "$1" \
        '\b(torch-[a-z]+|environment|huggingface|third-party)/[a-z][a-z-]+'); do
        check "$1: there is no rule $rule" "$tool" explain "$rule"
    done
    for function in $(named "$1" '`[a-z_0-9]+\(\)' | tr -d '`()'); do
        check "$1: there is no function $function()" grep -rqE "\\b$function\\(" src tests tools
    done
    for struct in $(named "$1" 'struct [a-z_]+' | sed 's/struct //'); do
        check "$1: there is no struct $struct" grep -rqE "struct $struct \\{" src
    done
}

# The rows "| `name` | `alias`, ... |" against the rule files and the program.
check_targets() {
    for file in rules/targets/*.json; do
        target=$(basename "$file" .json)
        check "$1: target $target is not in the table" grep -q "^| \`$target\` |" "$1"
        row=$(grep "^| \`$target\` |" "$1" | cut -d '|' -f 3 | tr -d '`, ' | fold -w 1 | sort |
            tr -d '\n')
        real=$(tr -d '\n' <"$file" | sed 's/.*"aliases": *\[\([^]]*\)\].*/\1/' | tr -d '", ' |
            fold -w 1 | sort | tr -d '\n')
        check "$1: the aliases of $target are others" test "$row" = "$real"
    done
}

# The skeleton of a page: the level of each heading, and the commands and code without comments and without
# what is said to people in Chinese.
skeleton() {
    awk '/^```/ { fenced = !fenced; print; next }
        !fenced && /^#+ / { print $1; next }
        (fenced || /^    /) && !/<!--/ { sub(/ *# .*/, ""); if (NF) print }' "$1"
}
check_translation() {
    skeleton "$1" >"$scratch/one"
    skeleton "$2" >"$scratch/other"
    check "$2: other headings or commands than $1" cmp -s "$scratch/one" "$scratch/other"
    cmp -s "$scratch/one" "$scratch/other" || diff "$scratch/one" "$scratch/other" | head -n 20 >&2
}

# What docs/faq.md says of a message is found by its words: they have to be the program's.
check_messages() {
    find src -name '*.c' -exec sed -e ':a' -e '/"$/{N;s/"\n *"//;ba' -e '}' {} + >"$scratch/sources"
    sed -n '/^## Messages/,$s/^### //p' docs/faq.md | grep -vE '^(ModuleNotFound|An error code|It crashed)' >"$scratch/messages"
    while read -r message; do
        check "docs/faq.md: the program does not say '$message'" grep -qF -e "$message" "$scratch/sources"
    done <"$scratch/messages"
}

# What code asks of a target by name, rules/README.md tells those who write one. (Facts that only
# templates insert stand where the templates are.)
check_facts() {
    grep -rhoE 'fact\([^"()]*"[a-z_0-9]+"' src | sed 's/.*"\(.*\)"/\1/' | sort -u >"$scratch/facts"
    check 'there are facts that code asks for' test "$(wc -l <"$scratch/facts")" -gt 20
    while read -r fact; do
        check "rules/README.md: nothing is said of the fact $fact" \
            grep -qE "\`([a-z_]+\`, \`)*$fact\`" rules/README.md
    done <"$scratch/facts"
}

# A page that lists what works on the CPU names each library that docs/cpu.md has a row of, and not among those that do not.
check_libraries() {
    tr '\n' ' ' <"$1" | sed 's/[.:] /&\n/g' | grep -vE '\<not\>|manual' >"$scratch/works"
    grep -oE '^\| (cu[A-Z]+|Thrust|CUB|NCCL|NVRTC|OpenGL)\>' docs/cpu.md | cut -c 3- | sort -u >"$scratch/libraries"
    check 'docs/cpu.md has rows of libraries' test "$(wc -l <"$scratch/libraries")" -gt 8
    while read -r library; do
        check "$1: $library is not among what works" grep -qw "$library" "$scratch/works"
    done <"$scratch/libraries"
}

# What pages say of a target's CUDA C++ is what a port of a program does: "every place is manual" on its own page, a
# row of its own in docs/guides/cuda.md or the last one, "all others".
check_cuda_targets() {
    for file in rules/targets/*.json; do
        target=$(basename "$file" .json) others=no manual=no
        grep '^| `' docs/guides/cuda.md | cut -d '|' -f 2 | grep -qF "\`$target\`" || others=yes
        "$tool" port docs/examples/reduce.cu --target "$target" 2>&1 >"$scratch/ported" |
            grep -q "^$target: .* 0 ported, 0 kept" && manual=yes
        check "docs/guides/cuda.md: of $target's CUDA C++ each place is manual: $manual" test $others = $manual
        others=no
        tr '\n' ' ' <"docs/targets/$target.md" | grep -qE 'every place is manual|has no portable form' && others=yes
        check "docs/targets/$target.md: of CUDA C++ each place is manual: $manual" test $others = $manual
    done
}

if [ "${1-}" = --write ]; then
    for doc in $docs; do
        regenerated "$doc" >"$scratch/now" && cat "$scratch/now" >"$doc"
    done
    exit
fi

"$tool" help >"$scratch/main-help"
cp "$scratch/main-help" "$scratch/help"
sed -n 's/^  \([a-z]*\)  .*/\1/p' "$scratch/main-help" | while read -r command; do
    "$tool" help "$command" >>"$scratch/help" 2>/dev/null
done
for doc in $docs; do
    check_examples "$doc"
    check_paths "$doc"
    check_commands "$doc"
    check_names "$doc"
done
for doc in *.md docs/*.md runtime/*/README.md tests/*/README.md; do check_goals "$doc"; done
check_folders
CUDA_MORPH=$tool sh tools/picture.sh >"$scratch/picture"
check 'docs/picture.svg shows something else; make docs draws it' cmp -s "$scratch/picture" docs/picture.svg
check 'README.md has at most 120 lines' test "$(wc -l <README.md)" -le 120
check 'the README shows other targets than docs/rules/targets.md; make docs writes them' \
    sh tools/readme_targets.sh --check
check_targets docs/README_zh.md
check_cuda_targets
for doc in docs/guide.md docs/guides/no-gpu.md; do check_libraries "$doc"; done
check_facts
check_translation README.md docs/README_zh.md
check_translation docs/start.md docs/zh/start.md
check_translation docs/ci.md docs/zh/ci.md
for target in ascend mlu musa; do check_translation docs/targets/$target.md docs/zh/targets/$target.md; done
check_messages
if can python3 'pages that are made of the rules'; then
    check 'docs/cookbook.md: make docs writes something else' python3 tools/cookbook.py --check
fi

done_testing
