#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The list of attacks: what a hostile input of SECURITY.md's table tries, a case each. Whatever is
# tried, no command crashes, hangs, writes outside of what it was told to, runs anything, or prints
# what it should not have read; each case says besides what it was to achieve.
#
# LIST=1 prints the list. Cases that have a script of their own stand at the end.
. "${0%/*}/helper"

secret="$scratch/secret" victim="$scratch/victim"
marker=TOP-SECRET-4711
printf '%s\nimport torch\ntorch.cuda.synchronize()\n' "$marker" >"$secret"
printf 'import torch\ntorch.cuda.synchronize()  # victim\n' >"$victim.py"
touch -d '2020-01-01' "$victim.py"
cp -p "$victim.py" "$scratch/kept"
mkdir "$scratch/bin"
for program in git python3 python clang clang++ nvcc cc hipcc nvidia-smi rocm-smi npu-smi addr2line; do
    printf '#!/bin/sh\ntouch "%s/pwned"\n' "$scratch" >"$scratch/bin/$program"
done
chmod +x "$scratch"/bin/*
count=0

# attack INPUT AIM: begins a case in an empty folder
attack() {
    count=$((count + 1))
    aim="$1: $2"
    [ -z "${LIST-}" ] || echo "$count. $aim"
    cd "$scratch/in" && chmod -R u+rwx . && rm -rf ./* ./.[!.]* && mkdir tree
}
# try ARGS...: within 10 seconds of the processor, with an ordinary status, nothing broken
try() {
    (
        ulimit -t 10
        exec timeout 100 "$tool" "$@"
    ) >"$out" 2>"$err" </dev/null
    status=$?
    safe "$1"
}
safe() {
    check "$aim: $1: status $status" test "$status" -le 2
    check "$aim: $1: internal error" not grep -qa 'internal error' "$err"
    check "$aim: $1: prints a secret" not grep -qa "$marker" "$out" "$err"
    check "$aim: $1: raw control characters" not grep -qaP '[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]' "$out" "$err"
    check "$aim: $1: the victim is touched" \
        test "$(stat -c %Y "$victim.py")" = "$(stat -c %Y "$scratch/kept")"
    check "$aim: $1: something was run" not test -e "$scratch/pwned"
}
repeat() { awk -v s="$1" -v n="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s", s }'; }
code() { printf 'import torch\ntorch.cuda.synchronize()\n'; }
kernel() { printf '__global__ void k(float *p) { p[0] = 1; }\nint main() { float *p; cudaMalloc(&p, 4); k<<<1, 1>>>(p); }\n'; }
everything() {
    try check tree --target all --format concise
    try port tree --target cpu
    try report tree --target all -o r.html
}

# ---- a source file ----

attack 'Python source' 'overflow the stack by 100,000 open brackets'
{ code; repeat '(' 100000; } >tree/a.py
everything
attack 'Python source' 'overflow the stack by 20,000 nested blocks and calls'
{ code; repeat 'f(torch.cuda.current_device(' 20000; } >tree/a.py
everything
attack 'CUDA source' 'overflow the stack by 100,000 nested braces'
{ kernel; repeat '{' 100000; } >tree/a.cu
everything
attack 'CUDA source' 'take for ever by macros that define themselves'
{ printf '__global__ void k(float *p) {\n'; repeat '#define A ' 171; printf '\n p[0] = 1; }\n'; } >tree/a.cu
everything
attack 'CUDA source' 'take for ever by 5,000 template angle brackets'
{ kernel; repeat 'a<' 5000; } >tree/a.cu
everything
attack 'CUDA source' 'have a file outside of the tree printed by an #include'
{ printf '#include "%s"\n#include "../../secret"\n' "$secret"; kernel; } >tree/a.cu
everything
attack 'Python source' 'write to the terminal through names and strings'
printf 'import torch\nx = torch.device("cuda:\033]0;pwned\007")\ntorch.cuda.\302\233x()\n# \342\200\256torch.cuda\n' >tree/a.py
everything
check "$aim: bidi controls reach the terminal" not grep -qaP '\xe2\x80\xae' "$out" "$err"
attack 'Python source' 'hide code from the checker behind a lone CR in a comment'
printf 'import torch\n# nothing to see\rtorch.cuda.synchronize()\n' >tree/a.py
try check tree --format concise
check "$aim: it is seen" grep -q 'torch.cuda.synchronize' "$out"
attack 'Python source' 'be misread by a coding line that is no encoding of text'
for coding in rot13 unicode_escape utf-7 base64 zip utf-16 cp037 iso2022_kr hz; do
    printf '# -*- coding: %s -*-\nimport torch\ntorch.cuda.synchronize()\n' $coding >"tree/$coding.py"
done
try port tree --target ascend --in-place
check "$aim: they are left alone" not grep -rq npu tree
attack 'Python source' 'cut a file at a NUL byte'
printf 'import torch\n\000\ntorch.cuda.synchronize()\n' >tree/a.py
cp tree/a.py before
try port tree --target ascend --in-place
check "$aim: it is left alone" cmp -s before tree/a.py
attack 'Python source' 'silence findings from inside a string'
printf 'import torch\nx = "# cuda-morph: ignore"; torch.cuda.synchronize()\n"""\n# cuda-morph: ignore-file\n"""\n' >tree/a.py
try check tree --format concise
check "$aim: the finding stands" test "$(grep -c synchronize "$out")" = 1
attack 'Python source' 'take all memory by 200,000 device strings'
{ echo 'import torch'; repeat 'x = torch.device("cuda:0")
' 200000; } >tree/a.py
(ulimit -v 4000000; try check tree --format concise)
attack 'a notebook' 'overflow the stack by 100,000 nested arrays'
repeat '[' 100000 >tree/a.ipynb
everything
attack 'a notebook' 'be torn by keys that stand twice and halves of surrogates'
printf '{"cells": [{"cell_type": "code", "source": "import torch\\\\ntorch.cuda.synchronize() # \\\\ud800", "source": "x"}], "nbformat": 4}' >tree/a.ipynb
everything
attack 'a project file' 'take for ever by one line of a megabyte'
repeat 'nvidia-cuda-' 90000 >tree/requirements.txt
{ printf 'FROM '; repeat 'nvidia/cuda:' 90000; } >tree/Dockerfile
{ printf 'find_package(CUDA '; repeat '${CUDA_' 150000; } >tree/CMakeLists.txt
everything

# ---- the tree ----

attack 'the tree' 'have a file outside rewritten through a symbolic link'
ln -s "$victim.py" tree/a.py && ln -s "$scratch" tree/up && code >tree/b.py
try port tree --target ascend --in-place
try check tree --fix
attack 'the tree' 'have a file outside read through a symbolic link'
ln -s "$secret" tree/a.py && ln -s "$secret" tree/cuda-morph.toml && ln -s "$secret" tree/.gitignore
everything
attack 'the tree' 'have a file outside rewritten through a hard link'
ln "$victim.py" tree/a.py
try port tree --target ascend --in-place
rm tree/a.py
attack 'the tree' 'hang the walk in a pipe, a device or a loop of links'
mkfifo tree/a.py tree/b.cu tree/.gitignore tree/cuda-morph.toml 2>/dev/null
ln -s . tree/loop && ln -s /dev/zero tree/c.py && ln -s /dev/stdin tree/d.py
everything
attack 'the tree' 'overflow a path by 1,500 nested folders'
(cd tree && i=0 && while [ $i -lt 1500 ]; do mkdir d && cd d && i=$((i + 1)) || break; done; code >a.py) 2>/dev/null
everything
attack 'the tree' 'inject commands into the log of a CI by the name of a file'
odd=$(printf 'a\n::error file=x::pwned\n##vso[task.complete].py')
code >"tree/$odd" 2>/dev/null
for format in github concise full gitlab markdown; do try check tree --format $format; done
try check tree --format github
check "$aim: no line begins with a command of the name" not grep -qE '^(::error file=x|##vso)' "$out"
attack 'the tree' 'inject a script into the report by the name of a file and by code'
code >'tree/<script>alert(1)<'$(printf '\057' | tr '/' '_')'script>.py'
printf 'import torch\ntorch.cuda.f("</script><script>alert(1)</script>")\nx = torch.cuda.jiterator("<img src=x onerror=alert(1)>")\n' >tree/b.py
try report tree --target all -o r.html
check "$aim: no script of theirs" not grep -qE '<script>alert|<img src=x' r.html
check "$aim: nothing is fetched" not grep -qE '(src|href)="https?:' r.html
attack 'the tree' 'break machine formats by names that are no UTF-8, and quotes'
code >"tree/$(printf 'a\377\"\047&<>.py')"
for format in json jsonl sarif gitlab junit rdjson sonar; do try check tree --format $format; done
attack 'the tree' 'be taken for options by the names of files'
code >tree/--in-place.py && code >tree/-o.py && printf -- '--in-place\n-o\n--help\n' >list
cp -R tree before
try port --files-from list --target ascend
try check --files-from list
check "$aim: nothing is rewritten" diff -r before tree
attack 'the tree' 'run programs that lie in it'
cp "$scratch"/bin/* tree && cp "$scratch"/bin/* . && code >tree/a.py && kernel >tree/b.cu
(
    PATH=.:tree:$PWD/tree:$PATH
    try info
    PATH=$PATH:.:$scratch/bin
    everything
    try rules check
)
attack 'the tree' 'run a command by its configuration of git'
mkdir tree/.git && printf '[core]\n\tfsmonitor = touch %s/pwned\n\texcludesFile = /dev/zero\n\tsshCommand = touch %s/pwned\n[alias]\n\tx = !touch pwned\n' "$scratch" "$scratch" >tree/.git/config
mkdir tree/.git/hooks && cp "$scratch/bin/cc" tree/.git/hooks/pre-commit && code >tree/a.py
everything
attack 'the tree' 'hang or crash by what .git is'
code >tree/a.py && printf 'gitdir: /dev/zero\n' >tree/.git
everything
rm tree/.git && mkfifo tree/.git && try check tree
rm tree/.git && mkdir tree/.git && repeat 'DIRC' 100000 >tree/.git/index && everything
attack 'the tree' 'take for ever by patterns of .gitignore and CODEOWNERS'
odd=$(repeat a 200)
code >"tree/$odd.py"
repeat '*a' 5000 >tree/.gitignore && repeat '**/' 20000 >>tree/.gitignore
{ repeat '*a*' 60; echo ' @x'; } >tree/CODEOWNERS
everything
attack 'the tree' 'have the output written elsewhere by links where it goes'
code >tree/a.py && mkdir tree/sub out && code >tree/sub/b.py
ln -s "$victim.py" out/a.py && mkdir "$scratch/elsewhere" && ln -s "$scratch/elsewhere" out/sub
try port tree --target ascend -o out
check "$aim: nothing is written through a link" test -z "$(ls "$scratch/elsewhere")"
rmdir "$scratch/elsewhere"
attack 'the tree' 'be written above the output by the name of standard input'
for odd in ../x.py /tmp/cm-attack-x.py tree/../../x.py ''; do
    "$tool" port - --stdin-filename "$odd" --target ascend -o out <"$scratch/kept" >"$out" 2>"$err"
    status=$?
    safe port
done
check "$aim: nothing is above" not test -e ../x.py -o -e /tmp/cm-attack-x.py

# ---- configuration of the tree ----

attack 'configuration' 'write a file, rewrite the tree, or name what is written'
code >tree/a.py && cp tree/a.py before.py
for line in 'in-place = true' "output = \"$scratch/x\"" 'fix = true' "output-file = \"$victim.py\"" \
    "write-baseline = \"$victim.py\"" "report = \"$victim.py\"" "add-format = [\"json=$victim.py\"]" 'backup = true'; do
    printf '%s\n[check]\n%s\n[port]\n%s\n' "$line" "$line" "$line" >tree/cuda-morph.toml
    (cd tree && try check . && try port . --target ascend)
    check "$aim: $line" cmp -s tree/a.py before.py
done
attack 'configuration' 'name an interpreter or a library'
code >tree/a.py
for line in "python = \"$scratch/bin/python3\"" "libclang = \"$scratch/bin/cc\"" "interpreter = \"$scratch/bin/python3\""; do
    printf '%s\n[run]\n%s\n[env]\nPATH = "."\n' "$line" "$line" >tree/cuda-morph.toml
    (cd tree && try check . && try port . --target ascend)
done
attack 'configuration' 'have a file printed as rules, baseline or another configuration'
code >tree/a.py
for key in 'rules = ["%s"]' 'baseline = "%s"' 'extend = "%s"'; do
    for file in "$secret" /etc/shadow /proc/self/environ /dev/stdin; do
        # shellcheck disable=SC2059
        printf "$key\n" "$file" >tree/cuda-morph.toml
        (cd tree && MARK=$marker && export MARK && try check .)
    done
done
attack 'configuration' 'hang in a pipe or a device'
code >tree/a.py && mkfifo tree/pipe
for key in 'rules = ["%s"]' 'baseline = "%s"' 'extend = "%s"'; do
    for file in pipe /dev/zero /dev/tty; do
        # shellcheck disable=SC2059
        printf "$key\n" "$file" >tree/cuda-morph.toml
        (cd tree && try check .)
    done
done
attack 'configuration' 'go round in circles by extend'
code >tree/a.py && printf 'extend = "b.toml"\n' >tree/cuda-morph.toml && printf 'extend = "cuda-morph.toml"\n' >tree/b.toml
(cd tree && try check .)
attack 'configuration' 'overflow the stack or memory by nested tables'
code >tree/a.py
{ printf 'a = '; repeat '[' 100000; } >tree/cuda-morph.toml
try check tree
{ printf '['; repeat 'a.' 100000; printf 'a]\n'; } >tree/cuda-morph.toml
try check tree
repeat '[[a]]
' 100000 >tree/cuda-morph.toml
try check tree
attack 'configuration' 'write to the terminal through a key'
printf '"\033]0;pwned\007" = 1\n\033[2J\n' >tree/cuda-morph.toml && code >tree/a.py
try check tree

# ---- rules, baselines, diffs, logs, models ----

rule() { printf '{"domain": "own", "language": "text", "title": "t", "rules": [{"id": "own/x", "title": "t", "why": "w", "severity": "warning", "match": "text", "files": ["*.txt", "*.py"], "pattern": "%s", "default": {"*": "manual"}, "examples": [], "references": []}]}' "$1"; }
attack 'rules' 'take for ever by a pattern'
rule '^(([a-z_]+)+)+\\\\d$' >rules.json
repeat 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
' 2000 >tree/requirements.txt
try check tree --rules rules.json
try rules check rules.json
attack 'rules' 'overflow the stack by 100,000 nested values'
repeat '{"a":' 100000 >rules.json
try rules check rules.json
try check tree --rules rules.json
attack 'rules' 'write to the terminal through an id'
rule 'x' | sed "s/own.x/own\/\\$(printf '\033')[2J/" >rules.json
try rules check rules.json
attack 'rules' 'be read from a pipe, a device or a folder of those'
mkfifo pipe && mkdir rules && mkfifo rules/a.json && ln -s /dev/zero rules/b.json && code >tree/a.py
for file in pipe rules /dev/zero "$secret"; do try check tree --rules "$file"; done
attack 'a baseline' 'overflow the stack, or be taken for one that hides everything'
code >tree/a.py
for text in "$(repeat '[' 100000)" '{}' '*' '{"version": 1, "findings": "*"}' '[{"fingerprint": "*", "rule": "*"}]' "$marker"; do
    printf '%s' "$text" >b.json
    try check tree --baseline b.json --format concise
    check "$aim: the finding stands, or the baseline is refused" \
        sh -c "test $status = 2 || grep -q synchronize '$out'"
done
attack 'a baseline' 'be written where it may not'
ln -s "$victim.py" tree/b.json && code >tree/a.py
try check tree --baseline tree/b.json --prune-baseline
attack 'a diff' 'read what it names, or overflow by its numbers'
code >tree/a.py
printf -- '--- a/x\n+++ b/../../secret\n@@ -1,99999999999999999999 +1,99999999999999999999 @@\n+x\n--- /dev/zero\n+++ /dev/zero\n@@ -0,0 +1 @@\n' >d.patch
try check tree --diff-lines d.patch
repeat '@@ -1 +1 @@
' 100000 >d.patch
try check tree --diff-lines d.patch
attack 'a log' 'write to the terminal, or take for ever'
printf 'error 507018 \033]0;pwned\007 \302\233 ACL_ERROR\n%s\n' "$(repeat 'ACL_ERROR_507018 ' 50000)" >log
timeout 100 "$tool" error - <log >"$out" 2>"$err"
status=$?
safe error
attack 'a model' 'overflow by the length of a header'
mkdir model && printf '{"torch_dtype": "float16"}' >model/config.json
for length in '\377\377\377\377\377\377\377\177' '\377\377\377\377\377\377\377\377' '\000\000\000\000\000\000\000\000' '\010'; do
    # shellcheck disable=SC2059
    printf "$length{}" >model/a.safetensors
    try quant model --target ascend
done
attack 'a model' 'overflow the stack by a nested header or configuration'
mkdir model && { printf '\000\220\000\000\000\000\000\000'; repeat '{"a":' 10000; } >model/a.safetensors
repeat '{"quantization_config":' 20000 >model/config.json
try quant model --target ascend
mkfifo model/b.safetensors && try quant model --target ascend

# ---- a language server's client ----

attack 'messages' 'overflow or hang the language server by lengths'
for head in 'Content-Length: 99999999999999999999' 'Content-Length: -1' 'Content-Length: 0' 'X: y' 'Content-Length: 5'; do
    printf '%s\r\n\r\n{}' "$head" | timeout 100 "$tool" lsp >"$out" 2>"$err"
    status=$?
    check "$aim: $head: status $status" test "$status" -le 2
done
attack 'messages' 'overflow the stack of the language server by nesting'
text=$(repeat '[' 100000)
printf 'Content-Length: %d\r\n\r\n%s' ${#text} "$text" | timeout 100 "$tool" lsp >"$out" 2>"$err"
status=$?
check "$aim: status $status" test "$status" -le 2
attack 'messages' 'have a file read that the editor did not open'
for text in '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri":"file:///","capabilities":{}}}' \
    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"textDocument/hover\",\"params\":{\"textDocument\":{\"uri\":\"file://$secret\"},\"position\":{\"line\":0,\"character\":0}}}" \
    '{"jsonrpc":"2.0","id":3,"method":"shutdown"}' '{"jsonrpc":"2.0","method":"exit"}'; do
    printf 'Content-Length: %d\r\n\r\n%s' ${#text} "$text"
done | timeout 100 "$tool" lsp >"$out" 2>"$err"
status=$?
safe lsp

# ---- compile_commands.json ----

attack 'compile_commands.json' 'have a compiler run that it names'
kernel >tree/a.cu
printf '[{"directory": "%s/tree", "file": "a.cu", "arguments": ["%s/bin/cc", "a.cu"]}]' "$PWD" "$scratch" >tree/compile_commands.json
try check tree --semantic -p tree
attack 'compile_commands.json' 'have another file parsed and printed'
kernel >tree/a.cu
printf '[{"directory": "/", "file": "%s", "arguments": ["cc", "-include", "%s", "a.cu"]}]' "$secret" "$secret" >tree/compile_commands.json
try check tree --semantic -p tree
attack 'compile_commands.json' 'overflow the stack by nesting'
repeat '[{"arguments":' 50000 >tree/compile_commands.json && kernel >tree/a.cu
try check tree --semantic -p tree

# ---- the cache, and what undo believes ----

attack 'the cache' 'have files overwritten by records of undo that others could write'
code >tree/a.py
try port tree --target ascend --in-place
records=$XDG_CACHE_HOME/cuda-morph/undo
check "$aim: the folder is ours alone" test "$(stat -c %a "$records")" = 700
cp tree/a.py ported
chmod 666 "$records"/*
try undo
check "$aim: a record that others may write is not believed" cmp -s ported tree/a.py
chmod 600 "$records"/* && mv "$records"/* "$scratch/record" && ln -s "$scratch/record" "$records/$(basename "$(ls "$scratch/record")")"
try undo
check "$aim: nor one that is a link" cmp -s ported tree/a.py
rm -rf "$records" "$scratch/record"

# ---- the network ----

attack 'the network' 'be sent something by a function that opens a connection'
if nm -D "$tool" >"$scratch/functions" 2>/dev/null && ! grep -q __asan_init "$scratch/functions"; then
    check "$aim" not grep -qE ' U (socket|connect|sendto|getaddrinfo|gethostbyname)' "$scratch/functions"
fi

# ---- what other scripts try ----

# elsewhere INPUT AIM SCRIPT TEXT: the script holds the text
elsewhere() {
    count=$((count + 1))
    aim="$1: $2"
    [ -z "${LIST-}" ] || echo "$count. $aim ($3)"
    check "$aim: $3 has it no more" grep -qF -e "$4" "$top/tests/$3"
}
flags=cli/semantic_flags.sh
elsewhere 'compile_commands.json' 'have a file overwritten by -MJ' $flags '-MJ FILE'
elsewhere 'compile_commands.json' 'have a file overwritten by -MF' $flags '-MD -MF FILE'
elsewhere 'compile_commands.json' 'have a file overwritten by -o' $flags '-o FILE'
elsewhere 'compile_commands.json' 'have headers listed into a file by -Xclang' $flags '-Xclang -header-include-file'
elsewhere 'compile_commands.json' 'load a plug-in' $flags '-fplugin=FILE'
elsewhere 'compile_commands.json' 'load a library by -Xclang' $flags '-Xclang -load -Xclang FILE'
elsewhere 'compile_commands.json' 'load a library by -mllvm' $flags '-mllvm -load=FILE'
elsewhere 'compile_commands.json' 'have a folder made by the cache of modules' $flags '-fmodules-cache-path=DIR'
elsewhere 'compile_commands.json' 'have a file of statistics written' $flags '-mllvm -info-output-file=FILE'
limits=cli/semantic_limits.sh
elsewhere 'C++' 'hang libclang in a pipe that is included' $limits 'a pipe is included'
elsewhere 'C++' 'hang libclang by a constant without end' $limits 'an endless constant'
elsewhere 'C++' 'take all memory by /dev/zero' $limits 'a file without end'
elsewhere 'C++' 'crash libclang and with it the run' $limits '__builtin_trap'
trust=cli/cache_trust.sh
elsewhere 'the cache' 'have code run that another user wrote' $trust 'setpriv'
elsewhere 'the cache' 'have findings hidden by records of another user' $trust 'check'
elsewhere 'memory' 'tear a file where memory ends' cli/oom.sh 'a file is neither old nor new'
elsewhere 'the disk' 'tear a file where a call fails, or the process is killed' faults/faults.py 'neither its old nor its new'
elsewhere 'the machine' 'find anything where nothing is' cli/bare.sh 'chroot'
check "at least 60 attacks: $count" test "$count" -ge 60
done_testing
