#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# corpus.sh - ports real programs to every target and checks what came out: the Python sources of
# Debian's python3-torch and of Python's own standard library, and the CUDA C++ of Debian's
# libthrust-dev and libcub-dev. The packages are installed when root.
#
# A run that passed leaves a stamp of the program and of the corpus; while both stay the same, the
# next run ends at once. BUILD names the folder of the program, PYTHON the interpreter that judges.
# Exit status: 0 all checks passed, 1 some failed, 2 the corpus cannot be had.
set -eu
top=$(cd "${0%/*}/.." && pwd)
. "$top/tests/helper"
cd "$top"

BUILD=${BUILD:-build}
PYTHON=${PYTHON:-python3}
work=$BUILD/corpus
targets='rocm ascend xpu mlu musa cpu portable'
package=python3-torch
cuda_packages='libthrust-dev libcub-dev'

say() { printf 'corpus: %s\n' "$*"; }
have() { command -v "$1" >/dev/null 2>&1; }
packaged() { have dpkg-query && dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null |
    grep -qx installed; }

# install_package NAME WHAT-IS-IN-IT
install_package() {
    package=$1
    packaged $package || tools/install.sh corpus $package || skip "$2" "$package is not installed"
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
    cut -d ' ' -f 1 "$1" | uniq | while read -r folder; do
        to=$2/${folder##*/}
        mkdir -p "$to"
        to=$(cd "$to" && pwd)
        sed -n "s|^$folder ||p" "$1" | tr '\n' '\0' |
            (cd "$folder" && xargs -0 cp -L --parents -t "$to")
    done
}

# The same for the C++ packages, in a folder of their own.
list_cuda_files() {
    for name in $cuda_packages; do
        packaged "$name" && dpkg -L "$name" |
            sed -n 's,^/usr/include/\(.*\.\(h\|cuh\|inl\)\)$,/usr/include \1,p'
    done
}

hash_all() {
    { sha256sum "$tool" tests/corpus.sh tests/corpus_check.py tests/corpus_cuda.py &&
        "$PYTHON" -V &&
        sed 's| |/|' "$1" | tr '\n' '\0' | xargs -0 sha256sum; } | sha256sum
}

# run JUDGE VARIANT OPTION...: every target with these options, then once more on what came out.
run() {
    judge=$1
    variant=$2
    shift 2
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
    "$PYTHON" "tests/$judge.py" "$work/in" "$work/$variant" "$variant" $targets
}

[ -x "$tool" ] || { say "$tool is missing; build it with: make"; exit 2; }
install_package python3-torch "PyTorch's sources"
have "$PYTHON" || needs python3
for library in $cuda_packages; do install_package "$library" "$library's sources"; done
package=python3-torch

list=$scratch/list
cuda_list=$scratch/cuda_list
totals=$scratch/totals
list_files | LC_ALL=C sort -u >"$list"
list_cuda_files | LC_ALL=C sort -u >"$cuda_list"
[ -s "$list" ] || { say 'no Python sources found'; exit 2; }

stamp=$work.stamp
hash=$(cat "$list" "$cuda_list" >"$totals" && hash_all "$totals" && : >"$totals")
if [ -f "$stamp" ] && [ "$(head -n 1 "$stamp")" = "$hash" ]; then
    say 'neither the program nor the corpus changed since the run that passed'
    tail -n 1 "$stamp"
    exit
fi

rm -rf "$stamp" "$work"
copy_files "$list" "$work/in"
say "$(wc -l <"$list") files, $(du -sk "$work/in" | cut -f 1) KiB, judged by $("$PYTHON" -V)"
for options in plain:--quiet unsafe:--unsafe-fixes; do
    run corpus_check "${options%%:*}" "${options#*:}" | tee -a "$totals"
    rm -rf "${work:?}/${options%%:*}"
done

variants=2
if [ -s "$cuda_list" ]; then
    rm -rf "$work"
    copy_files "$cuda_list" "$work/in"
    say "$(wc -l <"$cuda_list") files of C++, $(du -sk "$work/in" | cut -f 1) KiB"
    for options in chevron:--launch-syntax=chevron function:--launch-syntax=function; do
        run corpus_cuda "${options%%:*}" "${options#*:}" --unsafe-fixes | tee -a "$totals"
        rm -rf "${work:?}/${options%%:*}"
        variants=$((variants + 1))
    done
fi

# Every variant ends with "checks: N passed, N failed".
closing=$(awk -v variants=$variants -v n_skipped="$skipped" '
    $1 == "checks:" { p += $2; f += $4; n++ }
    END {
        if (n < variants) f++
        printf "corpus: %d passed, %d failed%s\n", p, f, n_skipped ? ", " n_skipped " skipped" : ""
        exit f > 0
    }' "$totals") && printf '%s\n%s\n' "$hash" "$closing" >"$stamp"
echo "$closing"
[ -f "$stamp" ] || { say "the corpus is left in $work/in"; exit 1; }
rm -rf "$work"
