#!/bin/sh
# corpus.sh - ports real Python programs to every target and checks what came out: the Python
# sources of Debian's python3-torch (installed when root) and Python's own standard library.
#
# A run that passed leaves a stamp of the program and of the corpus; while both stay the same, the
# next run ends at once. BUILD names the folder of the program, PYTHON the interpreter that judges.
# Exit status: 0 all checks passed, 1 some failed, 2 the corpus cannot be had.
set -eu
cd "$(dirname "$0")/.."

BUILD=${BUILD:-build}
PYTHON=${PYTHON:-python3}
tool=$BUILD/cuda-morph
work=$BUILD/corpus
targets='rocm ascend xpu mlu musa cpu portable'
package=python3-torch

say() { printf 'corpus: %s\n' "$*"; }
have() { command -v "$1" >/dev/null 2>&1; }
packaged() { have dpkg-query && dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null |
    grep -qx installed; }

# With the package lists as they are, and once more with fresh ones.
apt_install() {
    set -- apt-get -qq -y --no-install-recommends -o DPkg::Lock::Timeout=300 install "$@"
    export DEBIAN_FRONTEND=noninteractive
    "$@" </dev/null >/dev/null 2>&1 || { apt-get -qq update && "$@"; } </dev/null >/dev/null
}

install_package() {
    packaged $package && return
    if [ "$(id -u)" = 0 ] && have apt-get; then
        say "installing $package"
        apt_install $package && return
        say "apt-get could not install $package"
    fi
    say "without $package, only the standard library is read;" \
        "to install it: sudo apt-get install -y --no-install-recommends $package"
}

# The files of the corpus, one "FOLDER FILE" a line, where FILE lies below FOLDER.
list_files() {
    packages=/usr/lib/python3/dist-packages
    if packaged $package; then
        dpkg -L $package | sed -n "s|^$packages/\(.*\.pyi\{0,1\}\)\$|$packages \1|p"
    fi
    library=$("$PYTHON" -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')
    if [ -n "$library" ]; then
        (cd -P "$library" && find . -name '*-packages' -prune -o -name '*.py' -print) |
            sed "s|^\./|$library |"
    fi
}

# One copy of them all, each below the last part of its folder's name.
copy_files() {
    rm -rf "$work"
    cut -d ' ' -f 1 "$1" | uniq | while read -r folder; do
        to=$work/in/${folder##*/}
        mkdir -p "$to"
        to=$(cd "$to" && pwd)
        sed -n "s|^$folder ||p" "$1" | tr '\n' '\0' |
            (cd "$folder" && xargs -0 cp -L --parents -t "$to")
    done
}

hash_all() {
    { sha256sum "$tool" tests/corpus.sh tests/corpus_check.py && "$PYTHON" -V &&
        sed 's| |/|' "$1" | tr '\n' '\0' | xargs -0 sha256sum; } | sha256sum
}

# run VARIANT OPTION...: every target with these options, then once more on what came out.
run() {
    variant=$1
    shift
    for target in $targets; do
        out=$work/$variant/$target
        mkdir -p "$out"
        for pass in once twice; do
            from=$work/in
            [ $pass = once ] || from=$out/once
            start=$(date +%s%N)
            status=0
            "$tool" -q port "$from" --no-ignore --target "$target" "$@" -o "$out/$pass" \
                --report "$out/$pass.json" --accounting "$out/$pass.tokens.json" \
                </dev/null >"$out/$pass.log" 2>&1 || status=$?
            echo "$status $((($(date +%s%N) - start) / 1000000))" >"$out/$pass.status"
        done
    done
    # shellcheck disable=SC2086
    "$PYTHON" tests/corpus_check.py "$work/in" "$work/$variant" "$variant" $targets
}

[ -x "$tool" ] || { say "$tool is missing; build it with: make"; exit 2; }
have "$PYTHON" || packaged $package || install_package
have "$PYTHON" || { say "no Python that could judge (PYTHON=$PYTHON)"; exit 2; }
install_package

list=$(mktemp)
totals=$(mktemp)
trap 'rm -f "$list" "$totals"' EXIT
list_files | LC_ALL=C sort -u >"$list"
[ -s "$list" ] || { say 'no Python sources found'; exit 2; }

stamp=$work.stamp
hash=$(hash_all "$list")
if [ -f "$stamp" ] && [ "$(head -n 1 "$stamp")" = "$hash" ]; then
    say 'neither the program nor the corpus changed since the run that passed'
    tail -n 1 "$stamp"
    exit
fi

rm -f "$stamp"
copy_files "$list"
say "$(wc -l <"$list") files, $(du -sk "$work/in" | cut -f 1) KiB, judged by $("$PYTHON" -V)"
for options in native:--style=native unsafe:--unsafe-fixes; do
    run "${options%%:*}" "${options#*:}" | tee -a "$totals"
    rm -rf "${work:?}/${options%%:*}"
done

# Every variant ends with "checks: N passed, N failed".
closing=$(awk '$1 == "checks:" { p += $2; f += $4; n++ }
    END {
        if (n < 2) f++
        printf "corpus: %d passed, %d failed\n", p, f
        exit f > 0
    }' "$totals") && printf '%s\n%s\n' "$hash" "$closing" >"$stamp"
echo "$closing"
[ -f "$stamp" ] || { say "the corpus is left in $work/in"; exit 1; }
rm -rf "$work"
