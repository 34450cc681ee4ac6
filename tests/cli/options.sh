#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The command line itself: help, versions, misspellings, completions, the manual page.
. "${0%/*}/helper"

run --version
exits 0 version
check 'version: name and number' grep -qE '^cuda-morph [0-9]+\.[0-9]+\.[0-9]+$' "$out"
silent err version
version=$(sed -n 's/^cuda-morph //p' "$out")
check 'version: the newest in CHANGELOG.md' test "$version" = \
    "$(sed -n '/^## /{s/^## \([^ ]*\) .*/\1/p;q;}' "$top/CHANGELOG.md")"
check 'version: said in one place of the source' test \
    "$(grep -rlF "\"$version\"" "$top/src" "$top/tools" "$top/pyproject.toml")" = \
    "$top/src/cudamorph.h"
if command -v python3 >/dev/null; then
    PYTHONPATH=$top/tools/pip python3 -B -c \
        'import cuda_morph_backend as b; print(b.version())' >wheel 2>"$err"
    check 'version: that of the wheel' test "$version" = "$(cat wheel)"
fi
run info --format json
prints "\"version\": \"$version\"" 'version: that of info'

for words in --help 'help' 'help port' 'port --help' 'port -h' 'help rules' 'explain -h'; do
    run $words
    exits 0 "$words"
    prints 'Usage: cuda-morph' "$words"
    silent err "$words"
done

run --help
commands=$(sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p' "$out")
check 'the commands are listed' test "$(echo "$commands" | wc -l)" -ge 18
for command in $commands; do
    run "$command" --help
    exits 0 "$command --help"
    prints "Usage: cuda-morph $command" "$command --help"
    check "$command --help: names, no places for them" not grep -qE '\{[a-z]+:' "$out"
done
for shell in bash zsh fish powershell; do
    run completion $shell
    check "completion $shell: names, no places for them" not grep -qE '\{(default|with|each|example|devices)\b' "$out"
done

run
exits 2 'no command'
says 'no command' 'no command'
silent out 'no command'

# bad TEXT ARGS...: status 2, and one line that holds TEXT.
bad() {
    sentence=$1
    shift
    run "$@"
    exits 2 "$*"
    says "$sentence" "$*"
    silent out "$*"
    check "$*: one line" test "$(wc -l <"$err")" -eq 1
}
cuda_code >a.py
bad "did you mean 'port'" prot a.py
bad 'unknown command' zzzzzz
bad "did you mean '--target'" port a.py --taget ascend
bad 'unknown option' port a.py --zzzzzz
bad 'unknown option' port a.py -Z
bad "did you mean 'ascend'" port a.py --target ascedn
bad 'there are' port a.py --target zzzzzz
bad "did you mean 'always'" port a.py --target ascend --color alway
bad 'needs a value' port a.py --target
bad 'takes no value' port a.py --diff=x --target ascend
bad 'goes after the command' --target ascend port a.py
bad 'these commands have it: ' alias-header a.cu --target rocm --format json
bad 'needs --target' port a.py
bad 'needs a file' port --target ascend
bad 'exclude each other' port a.py --target ascend --diff --in-place
bad 'exclude each other' port a.py --target ascend -o x --check
bad 'takes one target' port a.py --target ascend,xpu --in-place
bad 'goes with --in-place' port a.py --target ascend --backup
bad 'takes a number' port a.py --target ascend -j x
bad 'goes with --files-from' port a.py --target ascend -0
bad 'use --target portable' port a.py --target ascend --style guarded
bad 'cannot be opened' port a.py --target ascend --config x
bad 'no help on' help prot
run port --help
check 'help does not offer what is refused' not grep -q -e '--style' "$out"

# Spellings that mean the same.
run port a.py --target ascend
cp "$out" expected
for words in 'port --target=ascend a.py' 'port a.py --target npu -q' \
    'port -qv --target ascend a.py' \
    '-q port --target ascend -- a.py' 'port -j2 --target huawei a.py' \
        'port --target ascend --stdout a.py' \
    '--color never port a.py --target ascend --target ascend'; do
    run $words
    exits 0 "$words"
    check "$words: same text" cmp -s expected "$out"
done

# Everything that is generated has every option.
run help port
sed -n 's/^  .*--\([a-z-]*\).*/\1/p' "$out" | sort -u >options
check 'port has many options' test "$(wc -l <options)" -gt 20
for shell in bash zsh fish powershell; do
    run completion $shell
    exits 0 "completion $shell"
    while read -r option; do
        check "completion $shell has --$option" grep -qE -e "(--|-l )$option" "$out"
    done <options
    prints ascend "completion $shell knows the targets"
    [ $shell != powershell ] || continue # has no way to read without running
    if can $shell "completions, read by $shell"; then check "$shell reads its script" $shell -n "$out"; fi
done
bad 'one of bash, zsh, fish, powershell' completion
bad "did you mean 'fish'" completion fihs
if can bash 'completions of bash'; then
    "$tool" completion bash >completion
    complete_words() {
        bash -c '. ./completion; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cuda_morph
            printf "%s\n" "${COMPREPLY[@]}"' bash "$@" >"$out" 2>"$err"
    }
    complete_words cuda-morph po
    prints port 'completes commands'
    complete_words cuda-morph port --unsa
    prints --unsafe-fixes 'completes options'
    complete_words cuda-morph port --target asc
    prints ascend 'completes targets'
    complete_words cuda-morph port --color = al
    prints always 'completes values after ='
fi

run help --man
exits 0 'help --man'
while read -r option; do
    escaped=$(printf '%s' "--$option" | sed 's/-/\\-/g')
    check "the manual page has --$option" grep -qF -e "$escaped" "$out"
done <options
if can man 'the manual page, read by man'; then
    check 'the manual page is sound troff' sh -c \
        "test -z \"\$(man --warnings -E UTF-8 -l '$out' 2>&1 >/dev/null)\""
fi

# Colours.
if can python3 'colours of a terminal'; then
    on_terminal() {
        env -u NO_COLOR -u FORCE_COLOR "$@" python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' \
            "$tool" port a.py --target ascend >"$out" 2>"$err" </dev/null
    }
    on_terminal TERM=xterm
    check 'a terminal: colours' grep -q "$(printf '\033\[[0-9]')" "$out"
    on_terminal TERM=xterm CLICOLOR=1
    check 'CLICOLOR=1: colours' grep -q "$(printf '\033\[[0-9]')" "$out"
    on_terminal TERM=xterm CLICOLOR=0
    check 'CLICOLOR=0: none' not grep -q "$(printf '\033\[[0-9]')" "$out"
    check 'CLICOLOR=0: the same text' grep -q 'manual\|ported' "$out"
    on_terminal TERM=dumb
    check 'a dumb terminal: none' not grep -q "$(printf '\033\[[0-9]')" "$out"
    on_terminal -u TERM
    check 'no TERM: none' not grep -q "$(printf '\033\[[0-9]')" "$out"
    on_terminal TERM=dumb CLICOLOR_FORCE=1
    check 'CLICOLOR_FORCE: colours' grep -q "$(printf '\033\[[0-9]')" "$out"
fi
run port a.py --target ascend --color always
check 'always: colours' grep -q "$(printf '\033')" "$err"
run port a.py --target ascend
check 'auto: no colours in a pipe' not grep -q "$(printf '\033')" "$err"
FORCE_COLOR=1
export FORCE_COLOR
run port a.py --target ascend
check 'FORCE_COLOR: colours' grep -q "$(printf '\033')" "$err"
NO_COLOR=1
export NO_COLOR
run port a.py --target ascend
check 'NO_COLOR wins' not grep -q "$(printf '\033')" "$err"
run port a.py --target ascend --diff --color always
check 'the option wins over NO_COLOR' grep -q "$(printf '\033')" "$out"

done_testing
