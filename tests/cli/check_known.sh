#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check: what is known already and left out: suppression comments, baselines, lines outside of a
# diff.
. "${0%/*}/helper"

concise() { run check --format concise -q "$@"; }
lines() { wc -l <"$out" | tr -d ' '; }
# found N WHAT: the last run printed that many findings.
found() { check "$2: $(lines) findings, not $1" test "$(lines)" -eq "$1"; }

# ---- comments ----

cat >s.py <<'END'
import torch
torch.cuda.synchronize()  # cuda-morph: ignore[torch-cuda/device] NVIDIA only
torch.cuda.synchronize()  # cuda-morph: ignore[torch-cuda]
torch.cuda.synchronize()  # cuda-morph: ignore
# cuda-morph: ignore-next[torch-cuda/device]
torch.cuda.synchronize()
# cuda-morph: off[torch-cuda/device]
torch.cuda.synchronize()
torch.cuda.synchronize()
# cuda-morph: on[torch-cuda/device]
torch.cuda.synchronize()
text = "# cuda-morph: ignore-file"
END
concise s.py
found 1 comments
prints 's.py:11:1' 'comments: the one outside of the region'
run check s.py
says '6 suppressed' 'comments: summary'

cat >unused.py <<'END'
import torch
a = 1  # cuda-morph: ignore[torch-cuda/device]
torch.cuda.synchronize()  # cuda-morph: ignore[torch-cuda/memory, torch-cuda/device] why
torch.cuda.synchronize()  # cuda-morph: ignore[torch-cuda/device,torch-cuda/memory]
# cuda-morph: ignore-next[torch-cuda/device]
b = 2
# cuda-morph: off
c = 3
END
concise unused.py
found 5 unused
prints 'unused.py:2:8: warning: unused suppression: the comment matches no finding [cuda-morph/unused-suppression]' \
    unused
prints 'unused.py:3:48: warning: `torch-cuda/memory` is an unused suppression' 'unused in a list'
exits 1 unused
concise unused.py --ignore cuda-morph/unused-suppression
found 0 'unused, ignored'
concise unused.py --select torch-device
found 0 'unused comments of rules that nobody asked for'
run check unused.py --fix
exits 0 'unused, fixed'
cat >expected <<'END'
import torch
a = 1
torch.cuda.synchronize()  # cuda-morph: ignore[torch-cuda/device] why
torch.cuda.synchronize()  # cuda-morph: ignore[torch-cuda/device]
b = 2
c = 3
END
check 'unused, fixed: the text' cmp -s unused.py expected
printf 'import torch\nx = torch.cuda.is_available()  # cuda-morph: ignore[torch-cuda/availability]\n' >t.py
concise t.py --target rocm,ascend
found 0 'used for one target is used'

cat >foreign.py <<'END'
import torch
torch.cuda.synchronize()  #ignore-cuda
torch.cuda.synchronize()  # noqa
torch.cuda.synchronize()  # noqa: E501
torch.cuda.synchronize()
END
concise foreign.py
found 4 'comments of other tools'
concise foreign.py --import-suppressions
found 2 'comments of other tools, imported'
prints 'foreign.py:4:1' 'a noqa about something else'

# ---- baseline ----

mkdir p
cd p || exit 2
git init -q . 2>/dev/null || mkdir .git
cuda_code >a.py
mkdir sub
{
    cuda_code
    echo 'torch.cuda.synchronize()'
    echo 'torch.cuda.synchronize()'
} >sub/b.py
run check --write-baseline known.json
exits 0 'write a baseline'
silent out 'write a baseline'
says 'Recorded: 4 findings' 'write a baseline'
run check --write-baseline /dev/full
exits 2 'a baseline that cannot be written'
lacks_err() { check "$1" sh -c '! grep -q Recorded "$0"' "$err"; }
lacks_err 'a baseline that cannot be written is not recorded'
run check a.py --write-baseline one.json
says 'Recorded: 1 finding, ' 'write a baseline of a file'
check 'one line for each' test "$(grep -c fingerprint known.json)" -eq 4
run check --baseline known.json
exits 0 'nothing new'
says '4 in the baseline' 'nothing new'
cp known.json first.json
run check --write-baseline known.json
check 'written again, the same' cmp -s known.json first.json
(cd sub && "$tool" check --baseline ../known.json >"$out" 2>"$err")
check 'from another folder' test $? -eq 0
sed -i '1i # moved' sub/b.py
sed -i 's/^ok/if 1:\n    ok/' a.py
run check --baseline known.json
exits 0 'moved and indented lines are known'
mkdir lib
mv a.py lib/renamed.py
run check --baseline known.json
exits 0 'a renamed file is known'
mv lib/renamed.py a.py
echo 'torch.cuda.synchronize()' >>sub/b.py
run check --baseline known.json --format concise
exits 1 'one more of the same'
prints 'sub/b.py:8:1' 'one more of the same: it alone'
check 'one more of the same: one' test "$(wc -l <"$out")" -eq 1
grep -v synchronize sub/b.py >less && mv less sub/b.py
run check --baseline known.json
exits 0 'fewer than the baseline'
says "Not found any more: 2 of the baseline's findings; --prune-baseline" 'fewer than the baseline'
run check a.py --baseline known.json --prune-baseline
check 'pruning leaves what was not looked at' cmp -s known.json first.json
run check --baseline known.json --prune-baseline
exits 0 prune
check 'prune: two are left' test "$(grep -c fingerprint known.json)" -eq 2
run check --baseline known.json
check 'prune: nothing to say' not grep -q 'any more' "$err"
for broken in '{' '{"version": 2, "findings": []}' \
    '{"version": 1, "findings": [{"path": "a.py"}]}' '[]'; do
    printf '%s' "$broken" >broken.json
    run check --baseline broken.json
    exits 2 "broken baseline $broken"
    says 'broken.json' "broken baseline $broken"
done
run check --baseline no-such.json
exits 2 'no such baseline'
run check --prune-baseline
exits 2 'prune what?'
says 'goes with --baseline' 'prune what?'

# ---- diffs ----

cat >d.diff <<'END'
diff --git a/a.py b/a.py
--- a/a.py
+++ b/a.py
@@ -4,0 +5 @@ import torch
+    ok = torch.cuda.is_available()
END
run check --diff-lines d.diff --format concise -q
exits 1 'a diff'
prints 'a.py:5:10' 'a diff'
check 'a diff: no other file' test "$(wc -l <"$out")" -eq 1
sed 's/+5 /+4 /' d.diff >other.diff
run check --diff-lines other.diff
exits 0 'a diff of another line'
"$tool" check --diff-lines - --format concise <d.diff >"$out" 2>"$err"
status=$?
exits 1 'a diff on standard input'
(cd sub && "$tool" check --diff-lines ../d.diff --format concise >"$out" 2>"$err")
prints 'a.py:5:10' 'a diff, from a folder'
: >empty.diff
run check --diff-lines empty.diff
exits 0 'an empty diff'
echo 'this is no diff' >no.diff
run check --diff-lines no.diff
exits 2 'no diff'
says 'no.diff' 'no diff'
printf -- '--- a/a.py\n+++ b/a.py\n@@ rubbish @@\n' >no.diff
run check --diff-lines no.diff
exits 2 'a broken hunk'
cuda_code >'b ä.py'
printf -- '--- /dev/null\n+++ "b/b \\303\\244.py"\n@@ -0,0 +1,4 @@\n+\n+\n+\n+x\n' >quoted.diff
run check --diff-lines quoted.diff --format concise -q
prints ':4:6' 'a quoted name'
printf 'diff --git a/x.bin b/x.bin\nBinary files differ\n' >binary.diff
run check --diff-lines binary.diff
exits 0 'a binary diff'
run check --diff-lines d.diff --fix
exits 2 'fix only some lines'

done_testing
