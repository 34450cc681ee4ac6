#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# picture.sh - a terminal's picture, as SVG on standard output, of what the program prints today.
#
#   tools/picture.sh     docs/picture.svg, the README's: `make docs` writes it, tests/check_docs.sh
#                        holds it against the program
#
# The commands are run in colour and drawn line by line: SGR 1, 2, 4 and 31 to 36 are understood.
# CUDA_MORPH names the program (default: build/cuda-morph).
set -eu
cd "$(dirname "$0")/.."
tool=${CUDA_MORPH:-${BUILD:-build}/cuda-morph}

show() {
    printf '\033[32m$\033[0m \033[1mcuda-morph %s\033[0m\n' "$*"
    "$tool" "$1" --color always $(printf '%s ' "$@" | cut -d ' ' -f 2-) 2>&1 </dev/null || :
}
{
    show port docs/examples/quickstart.py --target ascend --diff
    printf '\n'
    show port docs/examples/reduce.cu --target rocm --check
} | awk '
    BEGIN {
        width = 114
        split("#e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2", color, " ")
    }
    function escaped(s) { gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s); gsub(/>/, "\\&gt;", s); return s }
    function draw(s) {
        line = line (style == "" ? escaped(s) : "<tspan" style ">" escaped(s) "</tspan>")
    }
    # One line, or more where it is longer: runs of text with one style each.
    {
        line = ""; style = ""; room = width; rest = $0
        while (rest != "") {
            if (match(rest, /\033\[[0-9;]*[A-Za-z]/)) {
                text = substr(rest, 1, RSTART - 1); code = substr(rest, RSTART + 2, RLENGTH - 3)
                rest = substr(rest, RSTART + RLENGTH)
            } else { text = rest; code = "-"; rest = "" }
            while (length(text) > room) {
                for (cut = room; cut > room / 2 && substr(text, cut, 1) != " ";) cut--
                if (cut <= room / 2) cut = room
                draw(substr(text, 1, cut))
                text = substr(text, cut + 1); lines[++count] = line; line = "  "; room = width - 2
            }
            room -= length(text)
            if (text != "") draw(text)
            if (code == "-") continue
            if (code == "" || code == "0") style = ""
            n = split(code, part, ";")
            for (i = 1; i <= n; i++) {
                if (part[i] == 1) style = style " font-weight=\"bold\""
                if (part[i] == 2) style = style " opacity=\"0.6\""
                if (part[i] >= 31 && part[i] <= 36) style = style " fill=\"" color[part[i] - 30] "\""
            }
        }
        lines[++count] = line
    }
    END {
        height = count * 19 + 60
        printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 960 %d\" role=\"img\" " \
            "aria-label=\"cuda-morph in a terminal\">\n", height
        printf "<rect width=\"960\" height=\"%d\" rx=\"8\" fill=\"#1e2127\"/>\n", height
        for (i = 0; i < 3; i++)
            printf "<circle cx=\"%d\" cy=\"18\" r=\"6\" fill=\"%s\"/>\n", 20 + i * 20, color[i == 0 ? 1 : i == 1 ? 3 : 2]
        print "<g font-family=\"ui-monospace, Menlo, Consolas, monospace\" font-size=\"13.5\" fill=\"#dcdfe4\">"
        for (i = 1; i <= count; i++)
            if (lines[i] != "") printf "<text x=\"18\" y=\"%d\" xml:space=\"preserve\">%s</text>\n", 34 + i * 19, lines[i]
        print "</g>\n</svg>"
    }'
