#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A compile_commands.json is a stranger's: of its flags libclang is told what it needs for reading
# the text, and nothing that writes, loads or prints. Each flag is tried as a word, behind
# -Xcompiler and in a file of flags, by check --semantic and by port --verify: no file is made or
# changed, and standard error holds our own lines alone.
. "${0%/*}/helper"

mkdir tree headers
cat >headers/musa_runtime.h <<'X'
typedef int musaError_t;
template <class T> musaError_t musaMalloc(T **p, unsigned long n);
X
code() { printf '#include <cuda_runtime.h>\nint f(float **p) { return cudaMalloc(p, 4); }\n'; }
code >tree/a.cu
run check tree --semantic
if [ "$status" -eq 2 ] && grep -q 'libclang was not found' "$err"; then
    skip everything 'libclang is not installed'
    done_testing
fi

# FILE is the user's, DIR is not there; what stands behind the flag is what it would do.
cat >flags <<'X'
-MJ FILE
-MD -MF FILE
-MMD -MF FILE -MT x
-dependency-file FILE
-o FILE
-save-temps
-save-temps=obj
-dumpdir DIR/x
-fcrash-diagnostics-dir=DIR
-gen-reproducer
-ftime-trace
-ftime-trace=FILE
-ftime-report
-fsave-optimization-record
-foptimization-record-file=FILE
-fprofile-generate=DIR
-fprofile-instr-generate=FILE
-fprofile-use=FILE
-fdebug-compilation-dir=DIR
-fdiagnostics-log-file FILE
-fmodules -fmodules-cache-path=DIR
-fmodules-user-build-path DIR
-fmodule-file=FILE
-fmodule-map-file=FILE
-fmodule-output=FILE
-fimplicit-modules -fcxx-modules -fmodules-cache-path=DIR
-fplugin=FILE
-fpass-plugin=FILE
-fplugin-arg-x-y
-load FILE
-plugin x
-add-plugin x
-mllvm -load=FILE
-mllvm -info-output-file=FILE
-mllvm -stats
-Xclang -load -Xclang FILE
-Xclang -header-include-file -Xclang FILE -H
-H -Xclang -header-include-file -Xclang FILE
-Xclang -dependency-dot -Xclang FILE
-Xclang -dependency-file -Xclang FILE
-Xclang -module-dependency-dir -Xclang DIR
-Xclang -serialize-diagnostic-file -Xclang FILE
-Xclang -diagnostic-log-file -Xclang FILE
-Xclang -stats-file=FILE
-Xclang -print-stats
-Xclang -emit-pch
-Xclang -fixit
-Xclang -ast-dump
-Xclang -E
-Xpreprocessor -MJ -Xpreprocessor FILE
-Xassembler FILE
-Xlinker -Map=FILE
-Xarch_host -MJFILE
-Xarch_device -save-temps
-Xopenmp-target -MJFILE
-Wp,-MD,FILE
-Wp,-MJ,FILE
-Wa,-a=FILE
-Wl,-Map=FILE
--serialize-diagnostics FILE
--config FILE
--config=FILE
--config-user-dir=DIR
--analyze --analyzer-output html
-ivfsoverlay FILE
-include-pch FILE
-gcc-toolchain FILE
-working-directory=DIR
-print-prog-name=x
-print-search-dirs
-print-stats
-v
-###
--version
--help
-cc1
-cc1as
-fsyntax-only -verify
-rewrite-objc
-index-store-path DIR
-emit-ast
-emit-llvm
-fembed-bitcode
-B DIR
-specs=FILE
-T FILE
-wrapper FILE
-fuse-ld=FILE
-ld-path=FILE
-extract-api
-module-dependency-dir DIR
-header-include-file FILE
-sys-header-deps
-foffload=-MJFILE
X
n=$(wc -l <flags)
victim=$PWD/victim
start="# a start file, such as a shell's"

# entry NUMBER ARGUMENT...: one of compile_commands.json
entry() {
    number=$1
    shift
    printf '%s{"directory": "%s", "file": "%s.cu", "arguments": ["nvcc"' "$comma" "$PWD/tree" \
        "$number"
    for word in "$@"; do printf ', "%s"' "$word"; done
    printf ', "%s.cu"]}' "$number"
    comma=', '
}
# The flags of a line, in one of three ways.
route() {
    way=$1
    comma='['
    number=0
    while read -r line; do
        number=$((number + 1))
        line=$(echo "$line" | sed "s|FILE|$victim|g; s|DIR|$PWD/made|g")
        case $way in
        plain) set -- $line ;;
        Xcompiler) set -- -Xcompiler "$(echo "$line" | tr ' ' ,)" ;;
        file) echo "$line" >"tree/$number.rsp" && set -- "@$number.rsp" ;;
        options-file) echo "$line" >"tree/$number.rsp" && set -- --options-file "$number.rsp" ;;
        esac
        entry "$number" "$@"
    done <flags
    printf ']\n'
}
state() { ls -lR --time-style=full-iso "$PWD" >"$scratch/$1"; }
HOME=$PWD/home
export HOME
mkdir home
i=0
while [ $((i += 1)) -le "$n" ]; do code >"tree/$i.cu"; done
echo "$start" >victim
touch -d '2001-01-01' victim

for way in plain Xcompiler file options-file; do
    route $way >tree/compile_commands.json
    state before
    run check tree --semantic -p tree --no-cache -q --exit-zero
    state after
    check "check, $way: no file is made or changed" cmp -s "$scratch/before" "$scratch/after"
    check "check, $way: the user's file is as it was" test "$(cat victim)" = "$start"
    silent err "check, $way"
    (cd tree && "$tool" port . --target musa --verify -p . -q -o "$scratch/ported-$way" -- -I ../headers) \
        >"$out" 2>"$err"
    state after
    check "port, $way: no file is made or changed" cmp -s "$scratch/before" "$scratch/after"
    check "port, $way: the user's file is as it was" test "$(cat victim)" = "$start"
    silent err "port, $way"
done

# No libclang changes the directory of the process, as the driver of 14 and 15 does when it is told one.
for library in /usr/lib/llvm-*/lib/libclang.so.1; do
    [ -e "$library" ] || continue
    CUDA_MORPH_LIBCLANG=$library
    export CUDA_MORPH_LIBCLANG
    run check tree --semantic -p tree --no-cache -q --exit-zero
    silent err "$library"
    unset CUDA_MORPH_LIBCLANG
done

# What is left out is named, once.
printf '[{"directory": ".", "file": "a.cu", "command": "cc -MJ %s -Xclang -load -Wall -DA a.cu"},
 {"directory": ".", "file": "1.cu", "command": "cc -MJ %s 1.cu"}]' "$victim" "$victim" \
    >tree/compile_commands.json
run check tree/a.cu tree/1.cu --semantic -p tree --no-cache --exit-zero
says '2 flags of compile_commands.json are not used: -MJ, -Xclang' 'what is left out'
check 'what is left out: once' test "$(grep -c 'not used' "$err")" = 1
run check tree/a.cu --semantic -p tree --no-cache --exit-zero -q
silent err 'what is left out, with -q'

# Files of flags, and files that come before the text, lie in the tree.
printf -- '-DOUTSIDE\n' >outside.rsp
mkfifo tree/pipe
for flags in "@$PWD/outside.rsp" '@../outside.rsp' "--options-file=$PWD/outside.rsp" \
    '@pipe' "-include $PWD/outside.rsp" '-include pipe' '-imacros ../outside.rsp'; do
    printf '[{"directory": "/", "file": "%s/tree/a.cu", "command": "cc %s a.cu"}]' "$PWD" "$flags" |
        sed "s|\"directory\": \"/\"|\"directory\": \"$PWD/tree\"|" >tree/compile_commands.json
    (cd tree && timeout 20 "$tool" check a.cu --semantic -p . --no-cache --exit-zero) \
        >"$out" 2>"$err"
    status=$?
    exits 0 "$flags"
    says '1 flag of compile_commands.json is not used: ' "$flags"
done
# Folders are relative to the command's directory, and we stay where we are. Until version 15 of
# libclang its -working-directory moves the process: each version that is here is asked.
mkdir tree/inc
echo '#define MORE 4' >tree/inc/more.h
printf '#include <cuda_runtime.h>\n#include "more.h"\nint f(float **p) { return cudaMalloc(p, MORE); }\n' |
    tee tree/1.cu >tree/2.cu
printf '[{"directory": "%s/tree", "file": "1.cu", "command": "cc -Iinc 1.cu"},
 {"directory": "%s/tree", "file": "2.cu", "command": "cc -I inc 2.cu"}]' "$PWD" "$PWD" \
    >tree/compile_commands.json
for library in '' /usr/lib/*/libclang-[0-9]*.so.[0-9]*; do
    case $library in *.so.*.*) continue ;; esac
    CUDA_MORPH_LIBCLANG=$library
    export CUDA_MORPH_LIBCLANG
    run port tree/1.cu tree/2.cu --target musa --verify -p tree -q -o "$scratch/moved" -- -I headers
    exits 0 "relative folders, $library"
    silent err "relative folders, $library"
    rm -rf "$scratch/moved"
done
unset CUDA_MORPH_LIBCLANG
# The user's own flags are the user's.
printf -- '-DCOUNT=4\n' >own.rsp
printf '#include <cuda_runtime.h>\nCOUNT_TYPE x;\nint f(float **p) { return cudaMalloc(p, COUNT); }\n' \
    >tree/a.cu
run port tree/a.cu --target musa --verify -q -- -I headers @own.rsp -DCOUNT_TYPE=int
exits 0 'flags behind --'
silent err 'flags behind --'

# A word that names itself ends.
printf '[{"directory": ".", "file": "a.cu", "arguments": ["cc", "' >tree/compile_commands.json
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "-Xcompiler="; printf "x\"]}]" }' \
    >>tree/compile_commands.json
run check tree/a.cu --semantic -p tree --no-cache --exit-zero
exits 0 '-Xcompiler of -Xcompiler'

done_testing
