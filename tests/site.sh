#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# site.sh - `make site`: every page of docs/ is there, links lead somewhere, nothing is asked of another host, search finds
# words of both languages, and pages open in a browser without an error.
#
#   BUILD=DIR tests/site.sh     the last line is "site: N passed, N failed"
set -u
top=$(cd "${0%/*}/.." && pwd)
name=site
. "$top/tests/helper"
cd "$top" || exit 2

if ! command -v npm >/dev/null; then
    skip everything 'npm is not here'
    done_testing
fi
make -s INSTALL=no site >"$out" 2>"$err"
check 'make site: a dead link, or a page that tools/site/pages.json lacks' test $? -eq 0
check 'docs/targets: make docs writes something else' python3 tools/target_pages.py --check
html=build/site/html
for page in index start faq cookbook guides/training targets/ascend targets/portable rules/torch-cuda \
    reference/cli how/tour zh/index zh/ci zh/targets/musa; do
    check "the page $page" test -s "$html/$page.html"
done
# What SARIF, editors and terminals lead to (--rules-url).
echo 'import torch' >"$scratch/a.py"
"$tool" check -q --no-cache --format sarif --rules-url https://docs.example/rules "$scratch/a.py" |
    grep -o '"helpUri": "[^"]*' | sed 's/.*rules.//' >"$scratch/pages"
while IFS='#' read -r page anchor; do
    grep -q "id=\"$anchor\"" "$html/rules/$page" || echo "$page#$anchor"
done <"$scratch/pages" >"$out" 2>&1
check 'a rule has no place in its page' test ! -s "$out" -a "$(wc -l <"$scratch/pages")" -gt 100
# Links that a reader may follow are all right; what a page loads is not.
grep -rhoE '<(script|link|img|iframe|source)[^>]* (src|href)="?(https?:)?//[^" >]*' "$html" --include='*.html' \
    >"$out"
grep -rhoE '(@import|url\() *["'"'"']?(https?:)?//[^)]*' "$html" --include='*.css' >>"$out"
check 'a page asks another host for something' test ! -s "$out"
grep -rlE '\{\{|&lt;!--|<!-- made' "$html" --include='start.html' --include='ascend.html' >"$out"
check 'marks of the sources are in no page' test ! -s "$out"
for word in allreduce 昇 syncwarp; do
    check "the search index has $word" sh -c "cat $html/assets/chunks/*localSearch* | grep -qi $word"
done
if can chromium 'pages in a browser' && command -v python3 >/dev/null; then
    python3 -c '
import functools, http.server, sys
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
handler.log_message = lambda *a: None
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
print(server.server_port, flush=True)
server.serve_forever()' "$html" >"$scratch/port" 2>/dev/null &
    server=$!
    while [ ! -s "$scratch/port" ]; do sleep 0.2; done
    for page in '' targets/ascend.html zh/start.html rules/torch-cuda.html; do
        timeout 60 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$scratch/chromium" \
            --enable-logging=stderr --virtual-time-budget=5000 --dump-dom \
            "http://127.0.0.1:$(cat "$scratch/port")/$page" >"$scratch/dom" 2>"$scratch/log"
        check "page '$page': it has a heading" grep -q '<h1' "$scratch/dom"
        grep -E 'CONSOLE.*(Error|error|Failed)' "$scratch/log" | grep -v favicon >"$out"
        check "page '$page': an error on the console" test ! -s "$out"
    done
    kill "$server"
fi
done_testing
