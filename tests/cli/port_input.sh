#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What `port` reads: paths, ignore files, odd names, bad files.
. "${0%/*}/helper"

is_root=$(test "$(id -u)" -eq 0 && echo yes)

# Files that cannot be processed: the others are, and the status is 2.
mkdir bad && cuda_code >bad/a.py
printf 'x = 1\000\n' >bad/nul.py
run port bad --target ascend -o bad-out
exits 2 'NUL bytes'
says 'bad/nul.py' 'NUL bytes'
check 'NUL bytes: copied as it is' cmp -s bad/nul.py bad-out/nul.py
check 'NUL bytes: the others are ported' grep -q torch.npu bad-out/a.py
run port bad --target ascend --in-place
exits 2 'NUL bytes in place'
check 'NUL bytes in place: untouched' cmp -s bad/nul.py bad-out/nul.py
run port bad/no-such-file.py bad/a.py --target xpu --check
exits 2 'no such file'
says 'bad/no-such-file.py' 'no such file'
if [ -z "$is_root" ]; then
    chmod 000 bad/a.py
    run port bad --target ascend
    exits 2 'unreadable'
    says 'bad/a.py' 'unreadable'
    chmod 644 bad/a.py
fi
mkfifo bad/pipe.py
run port bad/pipe.py --target ascend
exits 2 'a FIFO'
plain_code >readme.zzz
run port readme.zzz --target ascend
exits 2 'a language that is none'
run port '' --target ascend
exits 2 'an empty path'

# Nothing to do.
: >empty.py
run port empty.py --target ascend
exits 0 'empty file'
silent out 'empty file'
mkdir void
run port void --target ascend
exits 0 'empty directory'
says 'ascend: 0 files, 0 changed' 'empty directory'
run port void --target ascend -o void-out --report void.json
exits 0 'empty directory with outputs'
can python3 'its report is JSON' && check 'its report is JSON' python3 -m json.tool void.json

# A directory where a file is meant.
mkdir folder.py && cuda_code >folder.py/a.py
run port folder.py --target ascend
exits 0 'a directory named like a file is searched'
silent out 'a directory named like a file is searched'
run port --files-from folder.py --target ascend
exits 2 '--files-from a directory'
run port folder.py --target ascend --report folder.py
exits 2 '--report to a directory'

# Links.
mkdir loop && cuda_code >loop/a.py && ln -s . loop/again && ln -s self loop/self &&
    ln -s nowhere loop/x.py
run port loop --target ascend --show-files
exits 0 'links in a directory'
check 'links in a directory are not followed' test "$(cat "$out")" = loop/a.py
run port loop/self --target ascend
exits 2 'a link to itself'

# Odd names.
mkdir names && cd names || exit 2
newline=$(printf 'new\nline.py')
escape=$(printf 'esc\033[31m.py')
cuda_code | tee ./-x.py "$newline" "$escape" 'spa ce.py' "quo'te\".py" >/dev/null
manual_code >>"$escape"
run port --target ascend -- -x.py
exits 0 'a name that starts with -'
prints torch.npu 'a name that starts with -'
run port -x.py --target ascend
exits 2 'a name that starts with -, without --'
run port . --target ascend -v
exits 0 'odd names'
check 'no escape sequence gets through' not grep -q "$(printf '\033')" "$err"
says 'esc\x1b[31m.py:' 'odd names are made visible'
says 'new\x0aline.py:' 'odd names are made visible'
run port . --target ascend -o ../names-out
check 'odd names: all are written' test "$(ls ../names-out | wc -l)" -eq "$(ls | wc -l)"
check 'odd names: ported' grep -q torch.npu "../names-out/$newline"
run port . --target ascend --diff
if can patch 'odd names in a diff'; then
    check 'patch knows the names' patch -s -p1 -i "$out"
    check 'patch: ported' cmp -s "$newline" "../names-out/$newline"
fi
cd ..

# Which files.
mkdir -p many/sub many/.hidden many/vendor && printf '/ignored.py\n' >many/.gitignore &&
    mkdir many/.git
for f in a.py ignored.py sub/b.py .hidden/h.py vendor/v.py t.ipynb; do cuda_code >many/$f; done
listed() {
    what=$1 want=$2
    shift 2
    run port --target ascend --show-files "$@"
    check "$what: $(tr '\n' ' ' <"$out")" test "$(sed 's,^many/,,' "$out" | tr '\n' ' ')" = "$want"
}
listed 'ignore files' 'a.py sub/b.py t.ipynb vendor/v.py ' many
listed 'exclude' 'a.py t.ipynb ' many --exclude vendor --exclude 'sub/*'
listed 'include' 'a.py sub/b.py vendor/v.py ' many --include '*.py'
listed 'named files stay' 'ignored.py ' many/ignored.py --exclude '*.py'
echo prose >many/notes.txt
listed 'force-exclude, no known language' 'a.py ' many/a.py many/notes.txt --force-exclude
rm many/notes.txt
listed 'force-exclude' 'a.py ' many/a.py many/ignored.py --exclude 'ignored.py' --force-exclude
run port --target ascend --show-files many --no-ignore
prints many/ignored.py no-ignore
prints many/.hidden/h.py no-ignore
# A file that git tracks is the project's, whatever .gitignore says: an index of one entry.
mkdir -p tracked/.git tracked/weights tracked/.github && echo 'weights*' >tracked/.gitignore
cuda_code >tracked/weights/net.py && cuda_code >tracked/weights/other.py
echo 'run: train --device cuda' >tracked/.github/ci.yml
{
    printf 'DIRC\000\000\000\002\000\000\000\001'
    head -c 60 /dev/zero
    printf '\000\016weights/net.py'
    head -c 24 /dev/zero
} >tracked/.git/index
run port --target ascend --show-files tracked
check 'what git tracks is not ignored' grep -q tracked/weights/net.py "$out"
lacks_other() { ! grep -q other.py "$out"; }
check 'what git does not track is' lacks_other
check '.github is read' grep -q tracked/.github/ci.yml "$out"
# ... and what is ignored is not copied, which is said.
run port --target ascend -o mirrored tracked
check 'what git tracks is copied' test -f mirrored/weights/net.py
check 'what git ignores is not' test ! -e mirrored/weights/other.py
says '; 1 ignored, not copied' 'ignored files'
printf 'many/a.py\nmany/sub/b.py\n' >list
listed 'files-from' 'a.py sub/b.py ' --files-from list
printf 'many/sub/b.py\000many/a.py\000' >list0
listed 'files-from -0' 'sub/b.py a.py ' --files-from list0 -0
"$tool" port --target ascend --show-files --files-from - <list >"$out" 2>"$err"
check 'files-from -' grep -q many/sub/b.py "$out"
run port - --target ascend --files-from -
exits 2 'standard input twice'

# A module of the user's own that has the name of a package that would be replaced, found where
# Python finds it: beside the script, or around the package of the file. One file is enough.
mkdir -p near/apex near/pkg/deep near/lib/site-packages/xformers
touch near/apex/__init__.py near/pkg/__init__.py near/pkg/deep/__init__.py near/flash_attn.py \
    near/lib/site-packages/xformers/__init__.py
own() {
    printf 'import %s\n' "$2" >"$1"
    run port "$1" --target cpu
    check "$1 imports its own $2" grep -q "^import $2\$" "$out"
}
others() {
    printf 'import %s\n' "$2" >"$1"
    run port "$1" --target cpu
    check "$1 imports the package $2" grep -q "^import cuda_morph_rt.$2" "$out"
}
own near/a.py apex
own near/a.py flash_attn
own near/pkg/deep/a.py apex
others near/a.py xformers
others near/lib/site-packages/a.py xformers
others near/flash_attn.py flash_attn
printf '' >near/pkg/apex.py
rm -r near/apex
others near/pkg/a.py apex # absolute imports don't find what lies in the package
(cd near && printf 'import flash_attn\n' >b.py && "$tool" port b.py --target cpu) >"$out" 2>"$err"
check 'a name without a folder' grep -q '^import flash_attn$' "$out"

done_testing
