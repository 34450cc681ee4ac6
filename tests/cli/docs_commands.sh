#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# docs_commands.sh - runs what README, CONTRIBUTING and docs say that one types: every indented block
# of commands and every ```sh block, page after page, each block in a small project of its own. The
# ```console blocks are compared with what they print by check_docs.sh and docs_monorepo.sh.
#
#   docs_commands.sh [PAGE...]     some pages only; the last line is "docs_commands: N passed, ..."
#
# docs_commands.txt lists what does not run here, and why, and what ends with another status than 0.
. "${0%/*}/helper"

exceptions=$top/tests/cli/docs_commands.txt
if [ -n "${CUDA_MORPH-}" ] || ! command -v make >/dev/null; then
    skip everything 'this is no build folder'
    done_testing
fi
if nm "$build/libcmrt.a" 2>/dev/null | grep -qE ' U __(asan|tsan)_init$'; then
    skip everything 'sanitizers are on'
    done_testing
fi
needs git patch c++
unset CPATH LIBRARY_PATH LD_LIBRARY_PATH CUDA_MORPH_FLAGS NVCC CUDACXX CUDA_HOME CUDA_MORPH_TARGET

# ---- the program as it is installed, and the project ----

PREFIX=$scratch/prefix
export PREFIX
mkdir "$scratch/build"
# What was built is installed as it is, and nothing compiled anew; what names the place is written.
built='-o all'
for file in "$build"/*; do
    case $file in */cmrt.pc | */CUDAMorphConfig.cmake | */flags | */obj) continue ;; esac
    ln -s "$file" "$scratch/build"
    built="$built -o $scratch/build/${file##*/}"
done
# shellcheck disable=SC2086
make -C "$top" -s $built BUILD="$scratch/build" DESTDIR= PREFIX="$PREFIX" install >"$out" 2>"$err" </dev/null
check 'make install' test -x "$PREFIX/bin/cmcc"
PATH=$PREFIX/bin:$PATH
PKG_CONFIG_PATH=$PREFIX/lib/pkgconfig
GIT_CONFIG_GLOBAL=/dev/null
export PATH PKG_CONFIG_PATH GIT_CONFIG_GLOBAL

# What the pages take for granted: sources in src, a program of one file, a build, a model, a log.
project() {
    mkdir "$1" && cd "$1" || exit 2
    mkdir -p src include build models/llama config bin
    ln -s "$PREFIX" PREFIX
    ln -s "$top/docs" docs
    for kind in reduce app main; do cp "$top/docs/examples/reduce.cu" $kind.cu; done
    # Kernels beside a program: what cmcc links of two files.
    printf '__global__ void nothing() {}\nvoid kernels() { nothing<<<1, 1>>>(); }\n' >kernels.cu
    cp reduce.cu src/app.cu
    cp "$top/docs/examples/quickstart.py" "$top/docs/examples/train_ddp.py" src
    cp src/quickstart.py your.py
    cp src/quickstart.py x.py
    printf 'import sys\ndevice = "cuda"\nprint(sys.argv[1:])\n' >train.py
    printf 'app: app.cu\n\t$(NVCC) -O2 -o $@ app.cu\n' >Makefile
    printf 'cmake_minimum_required(VERSION 3.18)\nproject(app CUDA)\nadd_executable(app app.cu)\n' >CMakeLists.txt
    printf '[{"directory": "%s", "command": "nvcc -c src/app.cu", "file": "src/app.cu"}]\n' \
        "$PWD" >build/compile_commands.json
    echo '#include <cuda_runtime.h>
int main() { return cudaDeviceSynchronize() != X; }' >a.cu
    echo '{"architectures": ["LlamaForCausalLM"], "quantization_config": {"quant_method": "gptq", "bits": 4}}' \
        >models/llama/config.json
    echo 'RuntimeError: ACL stream synchronize failed, error code:507015' >train.log
    cuda-morph report src --target rocm --format json -o old.json >/dev/null 2>&1
    cmcc app.cu -o app >/dev/null 2>&1
    cp app tests # "a program of tests" to its page
    printf '*\n' >.gitignore
    git init -q -b main . && git config user.email a@b.c && git config user.name n
    git add -f src && git commit -q -m before
    git checkout -q -b work && printf 'y = x.cuda()\n' >>src/train_ddp.py && git commit -qa -m after
}

# "BLOCK<tab>LINE<tab>COMMAND" of a page. An indented block follows a blank line; what is no command
# of a shell (a diagram, C++ to be pasted) is in the list of exceptions.
commands_of() {
    awk '
        /^```/ { fenced = !fenced; shell = fenced && $0 ~ /^```(sh|bash|shell)$/; before = $0; n++; next }
        fenced { if (shell && NF) print n "\t" FNR "\t" $0; next }
        /^    [^ ]/ && (before == "" || inside) {
            if (!inside) n++
            inside = 1
            print n "\t" FNR "\t" substr($0, 5)
            before = $0
            next
        }
        { inside = 0; before = $0 }' "$1"
}

# ---- the exceptions: ERE on "PAGE:COMMAND" <tab> what <tab> why ----

grep -v '^#' "$exceptions" | sed 's/  *|  */	/g' >"$scratch/exceptions"
: >"$scratch/used"
# exceptions_of PAGE: lines of commands_of from standard input, each with a column before COMMAND: what
# the first exception that fits says, or "run".
exceptions_of() {
    awk -F '\t' -v page="$1" -v used="$scratch/used" '
        FNR == NR { pattern[++n] = $1; what[n] = $2; next }
        {
            command = substr($0, length($1 $2) + 3)
            does = "run"
            for (i = 1; i <= n; i++)
                if (page ":" command ~ pattern[i]) { does = what[i]; print i >>used; break }
            print $1 "\t" $2 "\t" does "\t" command
        }' "$scratch/exceptions" -
}

# try PAGE LINE WHAT COMMAND: in this shell's folder
try() {
    allowed=0
    case $3 in
    run) ;;
    status*) allowed=${3#status } ;;
    needs*) can "${3#needs }" "$1:$2" || return ;;
    files)
        # The compiler is not here, but what it is given is there to be compiled.
        for file in $(printf '%s\n' "$4" | grep -oE '(^| )out/[^ ]+'); do
            check "$1:$2: $4: $file is not there" test -f "$file"
        done
        return
        ;;
    esac
    # Variables and the PATH that a line sets hold for those below it, as where one types them.
    printf '%s\n' "$4" >"$scratch/line"
    timeout 120 sh -c '. "$1" >/dev/null 2>&1; . "$2"' - "$scratch/settings" "$scratch/line" \
        >"$out" 2>"$err" </dev/null
    status=$?
    check "$1:$2: $4: exit status $status is not $allowed" \
        sh -c 'for n in $2; do [ "$1" -eq "$n" ] && exit; done; exit 1' - "$status" "$allowed"
    case $4 in
    export* | eval*) cat "$scratch/line" >>"$scratch/settings" ;;
    esac
}

[ $# -gt 0 ] || set -- README.md CONTRIBUTING.md docs/*.md docs/guides/*.md docs/targets/*.md
pages=$*
[ "$pages" != "README.md CONTRIBUTING.md docs/*.md docs/guides/*.md docs/targets/*.md" ] ||
    pages=$(cd "$top" && echo README.md CONTRIBUTING.md docs/*.md docs/guides/*.md docs/targets/*.md)
(project "$scratch/pattern")
n=0
for page in $pages; do
    case $page in docs/README_zh.md) continue ;; esac # held to README.md by check_docs.sh
    commands_of "$top/$page" | exceptions_of "$page" >"$scratch/commands"
    now=
    while IFS='	' read -r block line what command <&3; do
        [ "$what" != skip ] || continue
        # Each block begins with the project as it was; a target's page is one session.
        case $page in docs/targets/*) block=1 ;; esac
        if [ "$block" != "$now" ]; then
            now=$block
            cd "$scratch" && rm -rf "${scratch:?}/project" && cp -a pattern project || exit 2
            : >"$scratch/settings"
            n=$((n + 1))
        fi
        cd "$scratch/project" || exit 2
        try "$page" "$line" "$what" "$command"
    done 3<"$scratch/commands"
done
cd "$scratch" || exit 2

# An exception that nothing needs any more would hide what comes next.
if [ "$n" -gt 40 ]; then
    grep -n '' "$scratch/exceptions" | while IFS=: read -r number text; do
        grep -qx "$number" "$scratch/used" || echo "$text"
    done >"$out"
    check 'exceptions that no command needs' test ! -s "$out"
fi
done_testing
