#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# action.sh - the steps of action.yml.
#
#   tools/action.sh install   puts cuda-morph on the path of the steps that follow, unless it is
#                             there already: from CHECK_ARCHIVE, or built from the sources
#   tools/action.sh check     runs check and writes the step's outputs and the job's summary
#
# The inputs come as environment variables, CHECK_*, and are only ever used as words: none is
# evaluated. The rest is the runner's: GITHUB_ACTION_PATH, GITHUB_OUTPUT, GITHUB_PATH,
# GITHUB_STEP_SUMMARY, RUNNER_TEMP. Exit status of check: cuda-morph's.
set -euf

# An archive of `make dist`, which holds bin/cuda-morph, or the program alone, in one folder.
unpack_program() {
    archive=$RUNNER_TEMP/cuda-morph.tar.xz
    case $CHECK_ARCHIVE in
    https://*) curl -fsSL --proto '=https' --retry 3 -o "$archive" -- "$CHECK_ARCHIVE" ;;
    *) cp -- "$CHECK_ARCHIVE" "$archive" ;;
    esac
    if ! echo "${CHECK_SHA256-}  $archive" | sha256sum -c --status 2>/dev/null; then
        echo 'cuda-morph: the archive is not the one of the input sha256' >&2
        exit 2
    fi
    mkdir -p "$RUNNER_TEMP/cuda-morph"
    tar -xJf "$archive" -C "$RUNNER_TEMP/cuda-morph" --strip-components=1 --no-same-owner
    bin=$RUNNER_TEMP/cuda-morph/bin
    [ -x "$bin/cuda-morph" ] || bin=$RUNNER_TEMP/cuda-morph
    echo "$bin" >>"$GITHUB_PATH"
}

install_program() {
    command -v cuda-morph >/dev/null && return
    if [ -n "${CHECK_ARCHIVE-}" ]; then
        unpack_program
        return
    fi
    cd "$GITHUB_ACTION_PATH"
    # Root's build installs what is missing by itself.
    if [ "$(id -u)" != 0 ] && ! pkg-config --exists libpcre2-8 libcjson; then
        sudo apt-get -qq update
        sudo apt-get -qq -y --no-install-recommends install \
            gcc libc6-dev make pkg-config libpcre2-dev libcjson-dev
    fi
    make -j"$(nproc)" CFLAGS=-O2 PREFIX="$RUNNER_TEMP/cuda-morph" install
    echo "$RUNNER_TEMP/cuda-morph/bin" >>"$GITHUB_PATH"
}

# The lines that the commits since $CHECK_DIFF_BASE add, as a unified diff.
write_diff() {
    if ! base=$(git rev-parse --verify --quiet --end-of-options "$CHECK_DIFF_BASE^{commit}") ||
        ! git diff -U0 --no-color --no-ext-diff --src-prefix=a/ --dst-prefix=b/ "$base...HEAD" \
            >"$1"; then
        echo 'cuda-morph: diff-base is not in this clone; actions/checkout needs fetch-depth: 0' \
            >&2
        exit 2
    fi
}

# The number of findings of each rule, as a table.
write_summary() {
    echo "### cuda-morph: $findings findings, $fixable fixable"
    [ "$findings" = 0 ] && return
    printf '\n| findings | rule |\n|---:|---|\n'
    sed -n 's/.*"rule": "\([a-z0-9/-]*\)".*/\1/p' "$1" | sort | uniq -c | sort -rn |
        sed 's/^ *\([0-9]*\) \(.*\)/| \1 | \2 |/'
}

check() {
    list=$RUNNER_TEMP/cuda-morph.jsonl
    sarif=$RUNNER_TEMP/cuda-morph.sarif
    set -- --format "${CHECK_FORMAT:-github}" \
        --add-format "jsonl=$list" --add-format "sarif=$sarif"
    [ -z "${CHECK_TARGET-}" ] || set -- "$@" --target "$CHECK_TARGET"
    [ -z "${CHECK_FAIL_ON-}" ] || set -- "$@" --fail-on "$CHECK_FAIL_ON"
    [ -z "${CHECK_BASELINE-}" ] || set -- "$@" --baseline "$CHECK_BASELINE"
    for word in ${CHECK_ARGS-}; do set -- "$@" "$word"; done
    if [ -n "${CHECK_DIFF_BASE-}" ]; then
        write_diff "$RUNNER_TEMP/cuda-morph.diff"
        set -- "$@" --diff-lines "$RUNNER_TEMP/cuda-morph.diff"
    fi
    set -- "$@" --
    IFS='
'
    for path in ${CHECK_PATHS-}; do set -- "$@" "$path"; done
    rm -f "$list" "$sarif"
    status=0
    cuda-morph check "$@" || status=$?
    if [ -f "$list" ]; then
        findings=$(grep -c '"rule": ' "$list" || :)
        fixable=$(grep -c '"applicability": "safe"' "$list" || :)
        printf '%s\n' "findings=$findings" "fixable=$fixable" "sarif-file=$sarif" \
            >>"$GITHUB_OUTPUT"
        write_summary "$list" >>"$GITHUB_STEP_SUMMARY"
    fi
    exit "$status"
}

case ${1-} in
install) install_program ;;
check) check ;;
*)
    echo 'usage: tools/action.sh install|check' >&2
    exit 2
    ;;
esac
