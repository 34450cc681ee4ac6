#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What other projects' CI uses: the hooks, the action and its script, the GitLab job, docs/ci.md.
. "${0%/*}/helper"

mkdir bin
ln -s "$tool" bin/cuda-morph
PATH=$PWD/bin:$PATH

# ---- the files themselves ----

hooks=$top/.pre-commit-hooks.yaml
sed -n 's/^- id: //p' "$hooks" | sort >ids
check 'three hooks' test "$(tr '\n' ' ' <ids)" = \
    'cuda-morph-check cuda-morph-check-system cuda-morph-port '
grep -o 'cuda-morph-\(check-system\|check\|port\)\>' "$top/docs/ci.md" | sort -u >named
check 'docs/ci.md names the hooks' cmp -s ids named
check 'every hook is serial and obeys exclusions' test \
    "$(grep -c 'require_serial: true' "$hooks")$(grep -c 'entry: .* --force-exclude' "$hooks")" = \
        33
check 'the build reads what bootstrap.sh says' grep -q 'missing: the grammars;' \
    "$top/tools/bootstrap.sh"

# In a composite action, an expression inside a command is an injection.
grep -n '\${{' "$top/action.yml" | grep -vE \
    ': +(CHECK_[A-Z0-9_]+|value|working-directory): \$\{\{ [a-z0-9.-]+ \}\}$' |
    sed 's/^[0-9]*://' >"$out"
check 'action.yml: expressions are values of their own' test ! -s "$out"
sed -n 's/^  \([a-z-]*\):$/\1/p' "$top/action.yml" |
    grep -vxE 'findings|fixable|sarif-file|steps' >inputs
while read -r input; do
    check "docs/ci.md has the input $input" grep -q "\`$input\`" "$top/docs/ci.md"
    variable=CHECK_$(printf %s "$input" | tr a-z- A-Z_)
    [ "$input" = working-directory ] ||
        check "tools/action.sh uses $variable" grep -q "\${*$variable\>" "$top/tools/action.sh"
done <inputs
check 'action.yml has its inputs' test "$(wc -l <inputs)" -ge 8
if can yaml 'YAML, read by others'; then
    for file in action.yml .pre-commit-hooks.yaml docs/gitlab-ci.yml; do
        check "$file is YAML" python3 -c 'import sys, yaml; yaml.safe_load(open(sys.argv[1]))' \
            "$top/$file"
    done
fi

# ---- docs/ci.md: the first commands make any repository green ----

mkdir green && cd green || exit 2
cuda_code >a.py
sed -n '/^```sh$/,/^```$/p' "$top/docs/ci.md" | sed '/^```$/q' | grep -v '^```' >../commands
check 'docs/ci.md starts with a baseline' grep -q write-baseline ../commands
sh -e ../commands >"$out" 2>"$err"
status=$?
exits 0 'the commands of docs/ci.md'
printf '\nt = torch.cuda.current_device()\n' >>a.py
run check --format concise
exits 1 'a new finding'
check 'only the new one' test "$(wc -l <"$out")" -eq 1
cd .. || exit 2
mkdir settings && cd settings || exit 2
sed -n '/^```toml$/,/^```$/p' "$top/docs/ci.md" | grep -v '^```' |
    grep -v '^baseline' >cuda-morph.toml
cuda_code >a.py
run check --format concise
exits 1 'the configuration of docs/ci.md'
silent_errors=$(grep -c '^cuda-morph: ' "$err")
check 'the configuration of docs/ci.md is understood' test "$silent_errors" -eq 0
cd .. || exit 2

# ---- the script of the action ----

mkdir runner repository
cd repository || exit 2
RUNNER_TEMP=$scratch/in/runner
GITHUB_OUTPUT=$RUNNER_TEMP/output
GITHUB_STEP_SUMMARY=$RUNNER_TEMP/summary
GITHUB_PATH=$RUNNER_TEMP/path
GITHUB_ACTION_PATH=$top
export RUNNER_TEMP GITHUB_OUTPUT GITHUB_STEP_SUMMARY GITHUB_PATH GITHUB_ACTION_PATH
# step NAME=VALUE...: one run with these inputs.
step() {
    : >"$GITHUB_OUTPUT"
    : >"$GITHUB_STEP_SUMMARY"
    env "$@" sh "$top/tools/action.sh" check >"$out" 2>"$err" </dev/null
    status=$?
}
plain_code >plain.py
step CHECK_FORMAT=github
exits 0 'action: nothing found'
check 'action: outputs say so' grep -qx 'findings=0' "$GITHUB_OUTPUT"
cuda_code >'a b.py'
manual_code >c.py
step CHECK_FORMAT=github CHECK_TARGET= CHECK_BASELINE= CHECK_PATHS= CHECK_ARGS= CHECK_DIFF_BASE= \
    CHECK_FAIL_ON=
exits 1 'action: findings'
prints '::error file=a b.py,line=4' 'action: annotations'
check 'action: two findings' grep -qx 'findings=2' "$GITHUB_OUTPUT"
check 'action: one is fixable' grep -qx 'fixable=1' "$GITHUB_OUTPUT"
check 'action: SARIF is where it says' grep -q '"2.1.0"' \
    "$(sed -n 's/^sarif-file=//p' "$GITHUB_OUTPUT")"
check 'action: the summary has a row' grep -qx '| 1 | torch-cuda/availability |' \
    "$GITHUB_STEP_SUMMARY"
step CHECK_PATHS='a b.py
plain.py' CHECK_TARGET=xpu CHECK_FORMAT=concise
prints 'torch.xpu.is_available' 'action: target and format'
check 'action: a path with a space' grep -qx 'findings=1' "$GITHUB_OUTPUT"
step CHECK_FAIL_ON=never
exits 0 'action: fail-on'
step CHECK_ARGS='--select torch-cuda/availability  --exit-zero'
exits 0 'action: args'
check 'action: args are words' grep -qx 'findings=1' "$GITHUB_OUTPUT"
step CHECK_PATHS='no such $(touch gone).py' CHECK_ARGS='`touch gone` ; *' \
    CHECK_TARGET='$(touch gone)'
exits 2 'action: what it cannot do'
check 'action: nothing is evaluated' test ! -e gone
check 'action: no outputs' test ! -s "$GITHUB_OUTPUT"
sh "$top/tools/action.sh" install >"$out" 2>"$err"
status=$?
exits 0 'action: a program on the path is taken'
silent out 'action: a program on the path is taken'

# A built program; no cuda-morph is on the path then, nor a compiler asked for.
mkdir -p made/cuda-morph-1/bin ../no-path
printf '#!/bin/sh\necho built\n' >made/cuda-morph-1/bin/cuda-morph
chmod +x made/cuda-morph-1/bin/cuda-morph
tar -C made -cJf made.tar.xz cuda-morph-1 2>/dev/null
mv made/cuda-morph-1/bin/cuda-morph made/cuda-morph-1 && rmdir made/cuda-morph-1/bin
tar -C made -cJf alone.tar.xz cuda-morph-1 2>/dev/null
unpack() { # ARCHIVE SHA256
    : >"$GITHUB_PATH"
    rm -rf "$RUNNER_TEMP/cuda-morph"
    PATH=$(printf %s "$PATH" | sed "s,^[^:]*:,,") CHECK_ARCHIVE=$1 CHECK_SHA256=$2 \
        sh "$top/tools/action.sh" install >"$out" 2>"$err"
    status=$?
}
if test -s made.tar.xz && ! (PATH=${PATH#*:} && command -v cuda-morph >/dev/null); then
    for archive in made alone; do
        unpack "$archive.tar.xz" "$(sha256sum <$archive.tar.xz | cut -d ' ' -f 1)"
        exits 0 "action: a built program ($archive)"
        check "action: it is on the path ($archive)" \
            test "$("$(cat "$GITHUB_PATH")/cuda-morph")" = built
    done
    unpack made.tar.xz 0123
    exits 2 'action: another archive than the checksum says'
    check 'action: which is not unpacked' test ! -s "$GITHUB_PATH" -a ! -e "$RUNNER_TEMP/cuda-morph"
    unpack made.tar.xz ''
    exits 2 'action: an archive without a checksum'
else
    skip 'action: a built program' 'tar without xz, or cuda-morph is installed here'
fi
rm -rf made made.tar.xz alone.tar.xz
if can git 'action: diff-base'; then
    commit() { git add -A && git -c user.name=t -c user.email=t@example.org commit -q -m "$1"; }
    unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
    git init -q . && commit before
    base=$(git rev-parse HEAD)
    printf '\nt = torch.cuda.current_device()\n' >>'a b.py'
    commit after
    step CHECK_DIFF_BASE="$base" CHECK_FORMAT=concise
    exits 1 'action: diff-base'
    check 'action: diff-base: only what is new' grep -qx 'findings=1' "$GITHUB_OUTPUT"
    prints 'a b.py:6:' 'action: diff-base'
    for ref in no-such-ref --output=gone; do
        step CHECK_DIFF_BASE=$ref
        exits 2 "action: diff-base $ref"
        says 'fetch-depth' "action: diff-base $ref"
    done
    check 'action: a reference is no option' test ! -e gone
fi

done_testing
