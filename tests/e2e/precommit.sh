#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The hooks of .pre-commit-hooks.yaml, run by pre-commit in a throw-away repository.
#
# The hook that uses an installed program is always tried. Those that pre-commit builds from a
# checkout take half a minute and npm: they are tried when CUDA_MORPH_E2E is set.
. "${0%/*}/../cli/helper"

needs git pre-commit
if ! git -C "$top" rev-parse --git-dir >/dev/null 2>&1; then
    skip everything 'the sources are not in a git repository'
    done_testing
fi
unset MAKEFLAGS MAKELEVEL MFLAGS SKIP BUILD
for variable in $(env | sed -n 's/^\(GIT_[A-Z_]*\)=.*/\1/p'); do unset "$variable"; done
PRE_COMMIT_HOME=$scratch/cache
XDG_CONFIG_HOME=$scratch/config
GIT_CONFIG_GLOBAL=$scratch/gitconfig
GIT_CONFIG_NOSYSTEM=1
PIP_NO_INDEX=1 # whatever pip would download is missing in a build without network
export PRE_COMMIT_HOME XDG_CONFIG_HOME GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM PIP_NO_INDEX
git config --file "$GIT_CONFIG_GLOBAL" user.name test
git config --file "$GIT_CONFIG_GLOBAL" user.email test@example.org
git config --file "$GIT_CONFIG_GLOBAL" init.defaultBranch main

# The hooks' repository: the sources as they are now, committed or not.
hooks=$scratch/hooks
mkdir "$hooks" "$scratch/bin"
git -C "$top" ls-files -z --cached --others --exclude-standard -- . ':!tests/fixtures' >files
(cd "$top" && tar --null -T - --ignore-failed-read -cf - 2>/dev/null) <files |
    tar -xf - -C "$hooks"
git -C "$hooks" init -q
git -C "$hooks" add -A
git -C "$hooks" commit -q -m 'the hooks'
revision=$(git -C "$hooks" rev-parse HEAD)

# use HOOK [ARGS]: the user's repository, with that hook and nothing wrong yet.
use() {
    rm -rf "$scratch/user"
    mkdir -p "$scratch/user" && cd "$scratch/user" || exit 2
    git init -q
    cat >.pre-commit-config.yaml <<YAML
repos:
- repo: $hooks
  rev: $revision
  hooks:
  - id: $1
${2:+    args: [$2]}
YAML
    plain_code >plain.py
    git add -A
    git commit -q -m start
}

# hook WHAT: git's view of the next commit; then $status and $out.
hook() {
    git add -A
    pre-commit run --color never >"$out" 2>"$err" </dev/null
    status=$?
}

# A program of another name would do, too: only the one under test is on the path.
ln -s "$tool" "$scratch/bin/cuda-morph"
saved_path=$PATH
PATH=$scratch/bin:$PATH

use cuda-morph-check-system
echo '# more' >>plain.py
hook
exits 0 'check-system, no CUDA'
cuda_code >a.py
hook
exits 1 'check-system, CUDA'
prints 'a.py:4:6: ' 'check-system, CUDA'
rm a.py && echo 'prose about cuda' >notes.txt
hook
exits 0 'check-system, a file of no kind'
printf 'FROM nvidia/cuda:12.4.1-devel\n' >Dockerfile
hook
exits 0 'check-system, a Dockerfile, and nobody named a vendor'
echo 'target = "ascend"' >cuda-morph.toml
hook
exits 1 'check-system, a Dockerfile'
prints 'Dockerfile:1:6: ' 'check-system, a Dockerfile'
rm Dockerfile cuda-morph.toml && cuda_code >a.py
echo 'baseline = "known.json"' >cuda-morph.toml
"$tool" check -q --write-baseline known.json >/dev/null 2>&1
hook
exits 0 'check-system with a baseline'
rm cuda-morph.toml known.json
echo 'exclude = ["a.py"]' >cuda-morph.toml
hook
exits 0 'check-system: what the configuration excludes'
rm cuda-morph.toml
printf 'x = torch.cuda.is_available(\n' >broken.py
hook
exits 1 'check-system: a file that cannot be read'
rm broken.py
use cuda-morph-check-system '--exit-zero'
cuda_code >a.py
hook
exits 0 'check-system with arguments'
PATH=$saved_path

if [ -z "${CUDA_MORPH_E2E-}" ]; then
    echo 'precommit: set CUDA_MORPH_E2E=1 to try the hooks that are built from a checkout, too'
    done_testing
fi

use cuda-morph-check
echo '# more' >>plain.py
hook
exits 0 'check, built, no CUDA'
cuda_code >a.py
hook
exits 1 'check, built, CUDA'
prints 'a.py:4:6: ' 'check, built, CUDA'
use cuda-morph-port
cuda_code >a.py
hook
exits 1 'port, built: pre-commit says that files were changed'
prints 'files were modified by this hook' 'port, built'
check 'port, built: the default target' grep -q 'torch.accelerator.is_available' a.py
hook
exits 0 'port, built: the second time'
use cuda-morph-port '--target, xpu'
cuda_code >a.py
hook
check 'port, built: another target' grep -q 'torch.xpu.is_available' a.py
check 'the build left the checkout clean' test -z \
    "$(git -C "$(dirname \
        "$(ls -d "$PRE_COMMIT_HOME"/repo*/py_env*)")" status --porcelain | grep -v py_env)"

# Without a library, the message names it.
PRE_COMMIT_HOME=$scratch/cache2
PKG_CONFIG_LIBDIR=$scratch/nowhere
export PKG_CONFIG_LIBDIR
use cuda-morph-check
cuda_code >a.py
hook
check 'missing libraries: it fails' test "$status" -ne 0
check 'missing libraries: they are named' grep -q 'missing: libpcre2-8, libcjson' "$out" "$err"

done_testing
