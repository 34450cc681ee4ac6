#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `rules docs`: the pages in docs/rules are what the rules say today, and sound Markdown.
. "${0%/*}/helper"

pages=$top/docs/rules
run rules docs --check "$pages"
exits 0 "docs/rules is stale: make docs"
run rules docs -o made/rules
exits 0 'writing pages'
silent out 'writing pages'
run rules docs --check made/rules
exits 0 'pages just written'
silent err 'pages just written'

run rules list -q
cp "$out" list
cut -d ' ' -f 1 list | while read -r id; do
    page=made/rules/${id%%/*}.md
    grep -qxF "## $id" "$page" || echo "$id: no section"
    grep -qF "[$id](${page##*/}#$(printf %s "$id" | tr -d /))" made/rules/README.md ||
        echo "$id: not in the index"
done >missing
check "every rule has a section and a line in the index: $(head -n 3 missing)" test ! -s missing
cat made/rules/*.md >all
for target in rocm ascend xpu mlu musa cpu portable; do
    check "tables have a column for $target" grep -q "^| |.* $target |" all
done
for text in 'Severity: error.' 'Before:' 'Ported to `ascend`:' 'References:'; do
    check "pages hold $text" grep -qF "$text" all
done
# Every row of a table has as many cells as its head; a bar in a name would add one.
awk '/^\| / || /^\|-/ { line = $0; gsub(/\\\|/, "", line); n = gsub(/\|/, "", line)
        if (n != cells && cells) print FILENAME ": " $0; cells = n; next } { cells = 0 }' \
    made/rules/*.md >ragged
check "tables are rectangles: $(head -n 1 ragged)" test ! -s ragged
awk 'FNR == 1 && open { print last } { last = FILENAME } /^```/ { open = !open } END { if (open) print last }' \
    made/rules/*.md >open
check "code blocks are closed in $(cat open)" test ! -s open

# What is stale, missing or left over is named.
echo >>made/rules/torch-cuda.md
rm made/rules/torch-device.md
head -n 1 made/rules/README.md >made/rules/torch-gone.md
echo 'my own notes' >made/rules/notes.md
run rules docs --check made/rules
exits 1 'stale pages'
for page in torch-cuda torch-device torch-gone; do says "made/rules/$page.md: " 'stale pages'; done
check 'a page of the user is left alone' not grep -q notes.md "$err"
check 'a fresh page is not named' not grep -q torch-compile "$err"

# Findings lead to their rules (--rules-url): each has its heading in the page of that name.
echo 'x = torch.cuda.is_available()' | sed '1i import torch' >linked.py
run check linked.py --no-cache --format sarif --rules-url https://docs.example/rules/
sed -n 's/.*"id": "\([^"]*\)".*"helpUri": "https:..docs.example.rules.\([^"#]*\).html#\([^"]*\)".*/\1 \2 \3/p' "$out" >links
while read -r id page anchor; do
    grep -qx "## $id" "$top/docs/rules/$page.md" && test "$(echo "$id" | tr / -)" = "$anchor" || echo "$id $page $anchor"
done <links >broken
check 'every rule has its page' test ! -s broken -a "$(wc -l <links)" -gt 300
printf 'rules-url = "https://docs.example/rules"\n' >cuda-morph.toml
run check linked.py --no-cache --format concise --color always
prints "$(printf '\033]8;;https://docs.example/rules/torch-cuda.html#torch-cuda-availability\033')" 'a link on a terminal'
run check linked.py --no-cache --format concise
check 'and none in a pipe' not grep -q 'docs.example' "$out"
run check linked.py --no-cache --format rdjson
prints '"url": "https://docs.example/rules/torch-cuda.html#torch-cuda-availability"' 'rdjson'
for url in 'javascript:alert(1)' 'https://a b' "$(printf 'https://a\033')" ftp://a ''; do
    run check linked.py --rules-url "$url"
    exits 2 "--rules-url '$url'"
done
rm cuda-morph.toml linked.py

# Text of any kind stays text.
cat >mine.json <<'JSON'
{"domain": "mine", "language": "python", "title": "Mine", "rules": [
  {"id": "mine/probe", "title": "A *probe* | <b>", "why": "It is [there](x) to `be` _found_ in a_b.", "severity": "warning",
   "match": "name", "default": {"*": {"to": "mine.other", "note": "a | b"}}, "rows": {"mine.probe": {}},
   "examples": [{"target": "xpu", "before": "import mine\ns = '```'\nmine.probe()", "after": "import mine\ns = '```'\nmine.other()"}],
   "references": [{"source": "this test", "checked": "2026-11"}]}]}
JSON
run rules docs -o more --rules mine.json
exits 0 'pages of more rules'
for text in '## mine/probe' 'A \*probe\* \| \<b>. Severity: warning.' \
    'It is \[there\](x) to \`be\` \_found\_ in a_b.' \
    '````python' '| `mine.probe` | same | exact |' 'a \| b'; do
    check "text stays text: $text" grep -qF -e "$text" more/mine.md
done

for words in 'docs' 'docs --check' 'docs more' 'docs -o a b' 'docs --check a b' \
    'docs --check no-such-place'; do
    run rules $words
    exits 2 "rules $words"
    check "rules $words: one line" test "$(wc -l <"$err")" -eq 1
done
echo x >file
run rules docs -o file/pages
exits 2 'a directory that cannot be made'

done_testing
