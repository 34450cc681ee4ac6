#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Inputs that are too much, and interruptions: a clear refusal, and every file whole.
. "${0%/*}/helper"

# lines N TEXT: the text as N lines.
lines() { awk -v n="$1" -v text="$2" 'BEGIN { for (i = 0; i < n; i++) print text }'; }
# nested N OPEN TEXT CLOSE
nested() {
    awk -v n="$1" -v open="$2" -v text="$3" -v close_="$4" 'BEGIN {
        printf "x = "
        for (i = 0; i < n; i++) printf "%s", open
        printf "%s", text
        for (i = 0; i < n; i++) printf "%s", close_
        print ""
    }'
}

# ---- more than any program has ----

{
    echo 'import torch'
    lines 10001 'torch.cuda.synchronize()'
} >many.py
cp many.py before.py
run port many.py --target ascend --in-place
exits 2 'too many places'
says 'more than 10,000 matches' 'too many places'
check 'too many places: unchanged' cmp -s many.py before.py
sed -i '$d' many.py
run port many.py --target ascend --in-place
exits 0 'as many as there may be'
check 'as many as there may be: ported' test "$(grep -c '^torch.npu' many.py)" -eq 10000

# The stack is small in threads and containers, and nothing here may recurse over an input.
(
    ulimit -s 256 || exit
    for pair in '( )' '[ ]' 'f( )' '- ' 'not+ ' '{ }' 'lambda:+ ' '1+if+a+else+ '; do
        open=$(echo "${pair% *}" | tr '+' ' ')
        {
            echo 'import torch'
            nested 20000 "$open" 'torch.cuda.device_count()' "${pair##* }"
        } >deep.py
        run port deep.py --target ascend
        test "$status" -le 2 || echo "$pair: status $status"
    done
) >deep 2>&1
check 'deep nesting on a small stack' test ! -s deep

# ---- interruptions ----

mkdir before tree
i=0
while [ $i -lt 60 ]; do
    { cuda_code && lines 100 'torch.cuda.synchronize()'; } >before/$i.py
    i=$((i + 1))
done
cp -R before after
"$tool" port --target ascend --in-place -q after

# All files are there, each is old or new, and nothing else is.
is_whole() {
    test "$(find tree | wc -l)" -eq 61 || return
    for f in before/*; do
        f=${f#before/}
        cmp -s "tree/$f" "before/$f" || cmp -s "tree/$f" "after/$f" || return
    done
}

cut_short=0
for signal in INT TERM HUP; do
    for seconds in 0.002 0.005 0.01 0.02 0.04; do
        rm -rf tree && cp -R before tree
        timeout -s $signal $seconds "$tool" port --target ascend --in-place -j 2 tree \
            >"$out" 2>"$err"
        test $? -eq 124 && cut_short=$((cut_short + 1))
        check "$signal after $seconds s: a file is cut, or one is left over" is_whole
    done
done
check 'no run was interrupted' test $cut_short -gt 0

# Macros and functions that name each other: a few hundred bytes, and as many ways as one likes.
awk 'BEGIN { printf "__global__ void k(float *p) {\n"
    for (i = 0; i < 171; i++) printf "#define A "
    print "\n p[0] = 1; }" }' >nested.cu
awk 'BEGIN { for (i = 0; i < 16; i++) printf "#define M%d(x) M%d(x) M%d(x) M%d(x)\n", i, i + 1, i + 1, i + 1
    print "#define M16(x) (x)\n__global__ void k(float *p) { int v = 1; M0(v); __syncthreads(); p[0] = v; }" }' \
    >macros.cu
awk 'BEGIN { print "__device__ int f16(int x) { return x; }"
    for (i = 15; i >= 0; i--) printf "__device__ int f%d(int x) { return f%d(x) + f%d(x) + f%d(x); }\n", i, i + 1, i + 1, i + 1
    print "__global__ void k(float *p) { int v = f0(1); __syncthreads(); p[0] = v; }" }' >calls.cu
for file in nested macros calls; do
    timeout 30 "$tool" port $file.cu --target cpu --explain-kernels >"$out" 2>"$err"
    status=$?
    check "$file.cu ends in time" test "$status" -ne 124
    prints 'fibers' "$file.cu: what is not followed stays on fibers"
done

# Conditionals about the side within each other: each asks the one around it, and not all of them.
awk 'BEGIN { print "__host__ __device__ int f(int x) {"; for (i = 0; i < 40; i++) print "#ifdef __CUDA_ARCH__"
    print "x--;"; for (i = 0; i < 40; i++) print "#endif"
    print "return x; }\n__global__ void k(int *p) { p[0] = f(1); }" }' >sides.cu
timeout 30 "$tool" port sides.cu --target cpu --check >"$out" 2>"$err"
check 'conditionals within each other end in time' test $? -ne 124

# A pattern of a user's rule that runs away on every line: the file ends soon, and that is said.
cat >slow.json <<'X'
{"domain": "mine", "language": "python", "title": "T", "rules": [{"id": "mine/slow", "title": "T",
  "why": "W", "severity": "warning", "match": "string", "shape": "device",
  "variables": "^(([a-z_]+)+)+\\d$", "rows": {"cuda": {"*": "manual"}},
  "examples": [{"target": "ascend", "before": "b", "after": "b"}],
  "references": [{"source": "s", "checked": "2026-11"}]}]}
X
awk 'BEGIN { print "import torch"
    for (i = 0; i < 9000; i++) print "a_long_name_of_a_variable_on_which_it_goes_back = \"cuda\"" }' >slow.py
timeout 60 "$tool" port slow.py --target ascend --rules slow.json >"$out" 2>"$err"
status=$?
exits 0 'a pattern that runs away'
says "a rule's pattern takes too many steps on this text" 'a pattern that runs away'
check 'a pattern that runs away: once' test "$(grep -c 'too many steps' "$err")" = 1

done_testing
