# musa_stubs.awk - stub headers of MUSA, made of the rule tables.
#
#   awk -v out=FOLDER -f musa_stubs.awk runtime/include/cuda_morph/hip_ext.h rules/*.json
#
# MUSA's headers cannot be had, but its names are CUDA's with other letters: so a name of MUSA is
# what HIP has for the same name of CUDA, with HIP's signatures and types, and a name that the tables
# don't write, or that was left CUDA's, does not compile. Device functions that MUSA shares with CUDA
# and HIP lacks are those of hip_ext.h and hip_simd.h.
#
# Rows of rules stand one on a line: "cudaMalloc": {"rocm": "hipMalloc", "musa": "musaMalloc"}.

# The name that a target's cell writes, or nothing.
function answer(target,    text) {
    text = "\": ([{](\"verdict\": \"[a-z]+\", )?\"to\": )?\"~?[A-Za-z_][A-Za-z0-9_:./]*\""
    if (!match($0, "\"" target text)) return ""
    text = substr($0, RSTART, RLENGTH - 1)
    sub(/.*"~?/, "", text)
    return text
}

# The call that HIP takes in another shape, as the body of a macro: {0} is a, {1} is b, {1*} the
# rest.
function call_of(    text) {
    text = $0
    sub(/.*"rocm": [{]/, "", text)
    sub(/"musa": .*/, "", text)
    gsub(/"cases": \[[^\]]*\]/, "", text)
    if (!match(text, /"call": "[^"]*"/)) return ""
    text = substr(text, RSTART + 9, RLENGTH - 10)
    gsub(/reinterpret_cast<const void[*]>/, "(const void *)", text)
    gsub(/[{]0(:bare)?[}]/, "(a)", text)
    if (text ~ /[{]1[}]/) {
        gsub(/[{]1(:bare)?[}]/, "(b)", text)
        return sub(/, [{]2[*][}]/, ", ##__VA_ARGS__", text) && text !~ /[{]/ \
            ? "(a, b, ...) " text : ""
    }
    return sub(/, [{]1[*][}]/, ", ##__VA_ARGS__", text) && text !~ /[{]/ ? "(a, ...) " text : ""
}

# Makes the folders of a file below `out`; returns its name.
function place(path,    folder) {
    folder = out "/" path
    sub(/\/[^\/]*$/, "", folder)
    if (!(folder in made)) system("mkdir -p '" folder "'")
    made[folder] = 1
    return out "/" path
}

function write_header(path, hip,    file) {
    if (path in written) return
    written[path] = 1
    file = place(path)
    print "#pragma once\n#include <hip/hip_runtime.h>" >file
    if (hip ~ /[.]h$|[.]hpp$|[.]cuh$/) print "#include <" hip ">" >file
    print "#include <musa_stub_names.h>" >file
    if (path ~ /^cub\//) print "namespace cub = hipcub;" >file
    close(file)
}

function define(name, value) {
    if (name in defined) return
    defined[name] = 1
    print "#define " name (value ~ /^[(]/ ? value : " " value) >names
}

BEGIN {
    names = place("musa_stub_names.h")
    print "#include <cuda_morph/hip_ext.h>\n#include <cuda_morph/hip_rounding.h>\n" \
        "#include <cuda_morph/hip_simd.h>" >names
}

FILENAME ~ /[.]h$/ {
    while (match($0, /(^|[^A-Za-z0-9_])cm_[A-Za-z0-9_]+ *[(]/)) {
        word = substr($0, RSTART, RLENGTH - 1)
        gsub(/[^A-Za-z0-9_]/, "", word)
        ours[word] = 1
        $0 = substr($0, RSTART + RLENGTH)
    }
    next
}

!/^        "[^"]+": [{].*[}],?$/ { next }

{
    key = $0
    sub(/^        "/, "", key)
    sub(/".*/, "", key)
    musa = answer("musa")
    hip = answer("rocm")
}

key ~ /[.]h$|[.]hpp$|[.]cuh$/ {
    if (musa == "keep" || key ~ /^cub\//) musa = key
    if (musa ~ /[.]h$|[.]hpp$|[.]cuh$/) write_header(musa, hip)
    next
}

# Device functions that stay: __shfl_down_sync is cm_shfl_down_sync there; what HIP has stays its.
musa == "" && key ~ /^(__|atomic)[A-Za-z0-9_]*$/ && !/"rocm": [{]"verdict": "same"/ {
    own = key
    sub(/^(__)?/, "cm_", own)
    if (own in ours || hip ~ /^cm_/) define(key, own in ours ? own : hip)
    next
}

musa !~ /^[A-Za-z_][A-Za-z0-9_]*$/ || musa ~ /^(keep|none|manual)$/ { next }

/"rocm": [{]"to": " "/ { define(musa, ""); next }

{ body = call_of() }
body != "" { define(musa, body); next }
hip == "keep" { define(musa, key); next }
hip ~ /^[A-Za-z_][A-Za-z0-9_]*$/ && hip !~ /^(none|manual)$/ { define(musa, hip) }
