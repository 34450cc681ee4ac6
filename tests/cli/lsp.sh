#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# lsp: Neovim's client, and raw JSON-RPC as an editor writes it (lsp_client.py).
. "${0%/*}/helper"
run lsp somewhere
exits 2 'lsp takes no paths'
run lsp
exits 1 'lsp without an editor'

in_neovim() {
    printf 'import torch\nx = torch.zeros(2).cuda()\ny = x.to("cuda")\n' >a.py
    printf 'target = ["ascend"]\n' >cuda-morph.toml
    TOOL=$tool RESULT=$scratch/neovim HOME=$scratch timeout 120 nvim --headless -u NONE -i NONE \
        -c "luafile $top/tests/lsp_neovim.lua" >"$out" 2>"$err" </dev/null
    while read -r line; do
        check "Neovim: $line" test "${line#ok }" != "$line"
    done <"$scratch/neovim"
    check 'Neovim: all was tried' grep -q 'the server ends' "$scratch/neovim"
}
if can neovim "Neovim's client"; then in_neovim; fi

# The library of VS Code's clients: that of `npm ci` in editors/vscode, or eight packages of its lock.
vscode=$top/editors/vscode
modules=$vscode/node_modules
if ! test -d "$modules/vscode-languageserver-protocol" && command -v npm >/dev/null; then
    mkdir npm && cp "$vscode/package.json" "$vscode/package-lock.json" "$vscode/.npmrc" npm
    (cd npm && timeout 100 npm ci --omit=dev --prefer-offline --fetch-retries=1 --silent) >"$out" 2>"$err" </dev/null
    modules=$PWD/npm/node_modules
fi
if test -d "$modules/vscode-languageserver-protocol" && command -v node >/dev/null; then
    printf 'import torch\nx = torch.cuda.is_available()\n' >b.py
    NODE_PATH=$modules timeout 60 node "$vscode/test.js" "$tool" "$PWD/b.py" >"$out" 2>"$err"
    check "VS Code's protocol library" test "$(cat "$out")" = ok
else
    skip "VS Code's protocol library" 'npm is not here, or cannot have it (npm ci in editors/vscode)'
fi

if can python3 'JSON-RPC'; then
    python3 "$top/tests/lsp_client.py" "$tool" >"$out" 2>"$err"
    grep 'FAILED' "$out"
    counts=$(tail -n 1 "$out")
    check "JSON-RPC: $counts" grep -q '^lsp: [1-9][0-9]* passed, 0 failed$' "$out"
fi
done_testing
