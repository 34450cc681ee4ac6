#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Help, manual page and completions have the options of options.def, each where it belongs, and no
# others; so have the pages that name options and rules.
. "${0%/*}/helper"

# ---- the table, read by the C preprocessor ----

cat >rows.h <<'C'
#define COMMAND(id, name, operands, summary, text) COMMAND id name
#define COMMAND_AS(id, name, spelling, operands, summary, text) COMMAND id spelling
#define OPTION(id, long_name, short_name, value, kind, commands, help) OPTION long_name short_name commands
#include "cli/options.def"
C
if ! ${CC:-cc} -E -P -x c -I "$top/src" rows.h >rows 2>"$err"; then
    skip everything 'there is no C preprocessor'
    done_testing
fi
# Lines "COMMAND --long", and "COMMAND -l" for letters; "*" for what every command has.
tr '\n' ' ' <rows | sed 's/ \(COMMAND\|OPTION\) /\n\1 /g' | sed 's/ *$//' | awk '
    $1 == "COMMAND" { gsub(/"/, "", $3); name[$2] = $3; next }
    $1 == "OPTION" {
        commands = ""
        if (/EVERYWHERE/) commands = "*"
        line = $0
        while (match(line, /IN\([A-Z_]+\)/)) {
            commands = commands " " name[substr(line, RSTART + 3, RLENGTH - 4)]
            line = substr(line, RSTART + RLENGTH)
        }
        gsub(/"/, "", $2)
        letter = $3 == "0" ? "" : substr($3, 2, 1)
        n = split(commands, list, " ")
        for (i = 1; i <= n; i++) {
            print list[i], "--" $2
            if (letter != "") print list[i], "-" letter
        }
    }' | sort -u >table
sed -n 's/^COMMAND [A-Z_]* "\{0,1\}\([a-z-]*\).*/\1/p' rows >commands
check 'the table was read' test "$(wc -l <table)" -gt 60 -a "$(wc -l <commands)" -ge 6

# same WHAT: the lines of the file seen are those of the table.
same() {
    sort -u -o seen seen
    diff table seen >differs
    check "$1: $(grep '^[<>]' differs | head -n 3 | tr '\n' ';') (< is missing, > is too much)" \
        test ! -s differs
}

# "  -o, --output=DIR ..." -> "-o" and "--output"
labels() { sed -n 's/^  \(-[^ ,=[]*\)\(, \(--[a-z-]*\)\)\{0,1\}.*/\1 \3/p' | tr ' ' '\n' |
    grep .; }
{
    run help
    sed -n '/^Options:/,/^$/p' "$out" | labels | sed 's/^/* /'
    while read -r command; do
        run help "$command"
        sed -n '/^Options:/,/^$/p' "$out" | labels | sed "s/^/$command /"
    done <commands
} >seen
same help

run help --man
sed 's/\\-/-/g' "$out" | awk '
    /^\.SH GLOBAL/ { where = "*" }
    /^\.SH [^G]/ { where = "" }
    /^\.SS / { where = $2 }
    bold && where { gsub(/,/, ""); for (i = 2; i <= NF; i++) { sub(/[=[].*/, "", $i); print where, $i } }
    { bold = 0 }
    /^\.TP/ { getline; $0 = $0; gsub(/,/, "")
        for (i = 2; where && i <= NF; i++) { sub(/[=[].*/, "", $i); print where, $i } }' >seen
same 'the manual page'

# The pages of single commands have the options of the one page, and no warning of man's.
: >seen
for command in $("$tool" help | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\)  .*/\1/p'); do
    run help --man "$command"
    check "help --man $command names the command" grep -q "^cuda..morph..*$(echo "$command" | sed 's/-/.*/')" "$out"
    sed 's/\\-/-/g' "$out" | awk -v command="$command" '
        /^\.SH OPTIONS/ { where = command } /^\.SH GLOBAL/ { where = "*" } /^\.SH [^OG]/ { where = "" }
        /^\.TP/ { getline; gsub(/,/, "")
            for (i = 2; where && i <= NF; i++) { sub(/[=[].*/, "", $i); print where, $i } }' >>seen
    if command -v groff >/dev/null; then
        groff -man -Tutf8 -ww -z "$out" >"$scratch/groff" 2>&1
        check "groff reads the page of $command" test ! -s "$scratch/groff"
    fi
done
sort -u -o seen seen
same 'the pages of the commands'

# Bash lists those of every command with each command.
run completion bash
sed -n "s/^    '') words='\(.*\)' ;;/* \1/p; s/^    \([a-z-]*\)) words='\(.*\)' ;;/\1 \2/p" "$out" | awk '
    { for (i = 2; i <= NF; i++) if ($i ~ /^-/) { if ($1 == "*") every[$i] = 1; has[$1 " " $i] = 1 } }
    END { for (x in has) { split(x, w, " ")
        if (w[1] == "*" || !(w[2] in every)) print x } }' >seen
same bash

run completion zsh
awk '/_arguments -C/ { where = "*" }
    /^ *[a-z-]*\) _arguments/ { where = $1; sub(/\)/, "", where) }
    where && /^        .*[^a-z]-/ { print where, $1 }' "$out" |
    sed "s/'\*'//; s/\[.*//; s/'.*//" | awk '
    { sub(/=-$/, "", $2); sub(/=$/, "", $2); gsub(/[{}]/, "", $2); sub(/=$/, "", $2)
      n = split($2, w, ","); for (i = 1; i <= n; i++) if (w[i] ~ /^-/) has[$1 " " w[i]] = 1 }
    END { for (x in has) if (substr(x, 1, 1) == "*") { split(x, w, " "); every[w[2]] = 1 }
        for (x in has) { split(x, w, " "); if (w[1] == "*" || !(w[2] in every)) print x } }' >seen
same zsh

run completion fish
sed -n "s/^complete -c cuda-morph -l \([a-z-]*\)/* -l \1/p
    s/^complete -c cuda-morph -n '__fish_seen_subcommand_from \([a-z-]*\)' -l/\1 -l/p" "$out" | awk '
    { print $1, "--" $3; if ($4 == "-s") print $1, "-" $5 }' >seen
same fish

run completion powershell
sed -n "/@'\$/,/^'@/p" "$out" | awk -F '\t' 'NF == 3 && $1 !~ /^-/ && $2 ~ /^-/ { print $1, $2 }' >seen
same powershell
check 'powershell: every row of its table has three fields' test -z \
    "$(sed -n "/@'\$/,/^'@/p" "$out" | sed '1d;$d' | awk -F '\t' 'NF != 3 || $2 == "" || $3 == ""')"
if command -v pwsh >/dev/null; then # which Debian lacks
    cp "$out" completion.ps1
    cat >ask.ps1 <<'END'
. ./completion.ps1
foreach ($line in 'cuda-morph che', 'cuda-morph port --target as', 'cuda-morph check --fix-') {
    [System.Management.Automation.CommandCompletion]::CompleteInput($line, $line.Length, $null).CompletionMatches.CompletionText
}
END
    pwsh -NoProfile -File ask.ps1 >"$out" 2>"$err"
    printf '%s\n' check ascend --fix-only | check 'PowerShell completes' cmp -s - "$out"
fi

run completion fish
# An apostrophe of a description must not end its quotes: a shell would run what follows.
check 'fish: descriptions are quoted to their ends' not grep -vqE \
    "^complete( -[a-zA-Z]+|  *[a-zA-Z0-9_-]+|  *'([^'\\\\]|\\\\.)*')*\$" "$out"
cp "$out" completion.fish
if can fish "completions, asked of fish"; then
    fish --no-config -c 'source completion.fish' >"$out" 2>"$err"
    silent out 'fish reads its script'
    silent err 'fish reads its script'
fi

# ---- pages ----

cut -d ' ' -f 2 table | grep '^--' | sort -u >options
"$tool" rules list -q | cut -d ' ' -f 1 >rules
echo cuda-morph/unused-suppression >>rules
sed 's,/.*,,' rules | sort -u | tr '\n' '|' | sed 's/|$//' >domains
# Options of other programs that the pages speak of; a program that `run` starts has its own, too.
printf '%s\n' --depth --branch --no-install-recommends --all-files --help --epochs --nproc \
    --assert --cflags --libs --acpp-targets --index-url --name --eval-device >others
# The compiler's, for cc: those of its table.
grep -oE '"name": "[A-Za-z_-]+"' "$top/rules/data/nvcc-options.json" | sed 's/.*"\([^_"]*\).*"$/--\1/' >>others

cd "$top" || exit 2
for page in README.md docs/*.md docs/gitlab-ci.yml rules/README.md action.yml \
    .pre-commit-hooks.yaml; do
    sed -E 's/(cuda-morph run .*(\.py|-m [a-z]+)) .*/\1/' "$page" |
        grep -oE '(^|[^a-zA-Z0-9-])--[a-z][a-z-]*' | grep -oE -e '--[a-z-]+' | sort -u |
        grep -vxF -f "$scratch/in/options" | grep -vxF -f "$scratch/in/others" >"$out"
    check "$page names options that do not exist: $(tr '\n' ' ' <"$out")" test ! -s "$out"
    grep -oE "(^|[^a-zA-Z0-9/.])($(cat "$scratch/in/domains"))/[a-z][a-z0-9-]*([^a-z0-9.-]|\$)" \
        "$page" |
        grep -oE '[a-z][a-z0-9-]*/[a-z][a-z0-9-]*' | sort -u |
            grep -vxF -f "$scratch/in/rules" >"$out"
    check "$page names rules that do not exist: $(tr '\n' ' ' <"$out")" test ! -s "$out"
done

done_testing
