#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The names of the rules about C++, held against headers where they are installed. HIP's: those of
# /usr/include, or of $HIP_INCLUDE; CUDA's: those of /usr/local/cuda, or of $CUDA_INCLUDE.
# tests/unit/test_cuda_names.c holds the rules against tests/names/hip.names; this holds the list
# against the headers, so that `make test` needs no packages.
. "${0%/*}/helper"

hip=${HIP_INCLUDE:-/usr/include}
cuda=${CUDA_INCLUDE:-/usr/local/cuda/include}
names=$top/tests/names

# words DIRECTORY...: what the headers spell, without comments, one on a line
words() {
    find "$@" \( -name nvidia_detail -o -path '*/backend/cub' -o -name hip_prof_str.h -o \
        -name hip_api_trace.hpp \) -prune -o \
        \( -name '*.h' -o -name '*.hpp' -o -name '*.cuh' -o -name '*.inl' \) -type f -print0 |
        LC_ALL=C xargs -0 cat | LC_ALL=C tr -cs 'A-Za-z0-9_' '\n' | LC_ALL=C sort -u
}

# Verdicts of targets stand as rows do, under "default".
targets=$(cd "$top/rules/targets" && for t in *.json; do echo "${t%.json}"; done)

# Rows stand one on a line: `        "cudaMalloc": {...},` under "rows".
for file in "$top"/rules/*.json; do
    grep -q '"language": "cuda"' "$file" || continue
    case $file in */cuda-device.json | */cuda-launch.json | */cuda-silent.json | */cuda-ptx.json | */torch-cpp.json)
        continue ;; esac
    # The names, without those of headers and our own; and what no header was seen to have.
    sed -n 's/^        "\([A-Za-z_][A-Za-z0-9_:]*\)": {.*/\1/p' "$file" |
        grep -v '^cm::' | grep -vxF "$targets" >>keys
    sed -n 's/^        "\([^"]*\)": {.*"rocm[^"]*": "?\([^"]*\)".*/\1 \2/p' "$file" >>suggested
done
LC_ALL=C sort -u suggested >suggested.sorted
grep -v '^#' "$names/hip.unverified" | LC_ALL=C sort -u >listed.unverified
diff listed.unverified suggested.sorted >unverified.diff
check "tests/names/hip.unverified lists what is suggested only: $(head -n 5 unverified.diff)" \
    test ! -s unverified.diff
echo "cuda_names: $(wc -l <keys) names of CUDA, $(wc -l <listed.unverified) HIP names unverified"

# What the runtime's headers declare, a row with answers for others has one for the CPU, too.
python3 - "$top"/rules/*.json "$build/runtime_names.c" >"$out" <<'END'
import json, re, sys
*rules, names = sys.argv[1:]
names = set(re.findall(r'"([^"]+?)(?:::)?"', open(names).read()))
for rule in (r for p in rules for d in [json.load(open(p))] if d.get('language') == 'cuda' for r in d['rules']):
    if rule['match'] in ('tokens', 'lanes') or 'cpu' in rule.get('default', {}) or rule['id'] == 'torch-cpp/runtime':
        continue
    for name, row in rule.get('rows', {}).items():
        if name in names and not {'cpu', '*'} & set(row):
            print(name)
END
check "declared, and no row says so: $(tr '\n' ' ' <"$out")" test ! -s "$out"

if [ -f "$hip/hip/hip_version.h" ]; then
    number='s/^#define HIP_VERSION_M[AI][JN]OR *\([0-9]*\).*/\1/p'
    version=$(sed -n "$number" "$hip/hip/hip_version.h" | paste -s -d . -)
    case $version in 5.2 | 6.4 | 7.2) ;; *) version= ;; esac
else
    version=
fi
if [ -n "$version" ]; then
    dirs=
    for dir in hip hiprand rocrand hipsparse hipblas hipblas-common hipblaslt hipfft hipsolver \
        hipcub rccl miopen thrust roctracer; do
        [ -d "$hip/$dir" ] && dirs="$dirs $hip/$dir"
    done
    clang=$(find /usr/lib/llvm-*/lib/clang -name '__clang_*_math.h' 2>/dev/null)
    # shellcheck disable=SC2086
    words $dirs ${clang:+${clang%/*}} >hip.words 2>/dev/null
    # Names of libraries that are not installed are not asked for; make_float4 and its like are put
    # together by a macro.
    missing='^$'
    for pair in hipblas:hipblas hipblas:HIPBLAS hipfft:hipfft hipfft:HIPFFT hipfft:hipXt \
        hipfft:hipLibXt hipsolver:hipsolver hipsolver:HIPSOLVER hipcub:hipcub:: hipcub:CUB_ \
        hipcub:HIPCUB hipcub:Hipcub hipcub:_Hipcub hipcub:__HIPCUB hipcub:BEGIN_HIPCUB \
        hipcub:END_HIPCUB rccl:nccl rccl:pnccl rccl:NCCL miopen:miopen miopen:MIOPEN \
        thrust/system/hip:thrust:: roctracer:roctx hipblaslt:hipblasLt hipblaslt:HIPBLASLT hiprand:hiprand \
        hiprand:HIPRAND \
        hiprand:rocrand hipsparse:hipsparse hipsparse:HIPSPARSE hipsparse:bsr \
        hipsparse:csr hipsparse:pruneInfo hipsparse:colorInfo; do
        [ -d "$hip/${pair%%:*}" ] || missing="$missing|^${pair#*:}"
    done
    grep -v -e '^#' -e ' elsewhere$' "$names/hip.names" | grep -F " $version" | cut -d ' ' -f 1 |
        grep -v -e / -e '^make_[a-z]*[1-4]$' | grep -vE "$missing" |
        sed 's/.*:://' | LC_ALL=C sort -u >hip.asked
    LC_ALL=C comm -23 hip.asked hip.words >hip.gone
    lacks=$(head -n 5 hip.gone | paste -s -d ' ' -)
    check "HIP $version has all $(wc -l <hip.asked) names: lacks $lacks" test ! -s hip.gone
else
    can hip "HIP's names, held against its headers" &&
        skip "HIP's names, held against its headers" "those in $hip are not of HIP 5.2, 6.4 or 7.2"
fi

if grep -qs '^#define CUDA_VERSION 13' "$cuda/cuda.h"; then
    words "$cuda" >cuda.words 2>/dev/null
    sed 's/.*:://' keys | LC_ALL=C sort -u >cuda.asked
    grep -v '^#' "$names/cuda.absent" | LC_ALL=C sort -u >cuda.absent
    LC_ALL=C comm -23 cuda.asked cuda.words | LC_ALL=C comm -23 - cuda.absent >cuda.gone
    lacks=$(head -n 5 cuda.gone | paste -s -d ' ' -)
    check "CUDA 13 has all names but tests/names/cuda.absent: lacks $lacks" test ! -s cuda.gone
    LC_ALL=C comm -12 cuda.words cuda.absent >cuda.back
    back=$(head -n 5 cuda.back | paste -s -d ' ' -)
    check "what tests/names/cuda.absent calls absent is: not $back" test ! -s cuda.back
else
    skip "CUDA's names, held against its headers" 'CUDA_INCLUDE names no CUDA 13'
fi
done_testing
