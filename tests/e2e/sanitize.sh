#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The runtime's checks on programs compiled to be watched: each defect of tests/sanitize
# is reported as what it is, at its line and by `cuda-morph sanitize`'s exit status; what has none
# is silent.
. "${0%/*}/../cli/helper"

needs c++
command -v addr2line >/dev/null 2>&1 || {
    skip everything 'addr2line (binutils) is not here: reports have no lines'
    done_testing
}
unset CUDA_MORPH_CHECK CUDA_MORPH_CHECK_OUTPUT CUDA_MORPH_SANITIZE
nvcc=$build/cuda/bin/nvcc
for file in defects more beyond; do
    cp "$top/tests/sanitize/$file.cu" .
    "$nvcc" -w -O1 -sanitize memcheck $file.cu -o $file >"$out" 2>"$err"
    check "compile $file.cu to be watched" test $? -eq 0
    grep -o '// @[a-z0-9-]* [a-z]*$' $file.cu | sed "s,// @,$file ,"
done >cases
check 'there are defects and programs without' test "$(grep -vc clean cases)" -ge 60 -a \
    "$(grep -c clean cases)" -ge 20
while read -r file case kind; do
    line=$(grep -n "// @$case $kind\$" "$file.cu" | cut -d : -f 1)
    run sanitize --reports reports "./$file" "$case"
    if [ "$kind" = clean ]; then
        exits 0 "$case"
        check "$case: no report" test ! -s reports
        continue
    fi
    exits 1 "$case"
    check "$case is reported as $kind at line $line: $(head -n 1 reports)" \
        grep -q "\"kind\": \"$kind\".*$file.cu:$line\>" reports
    check "$case is of no other kind" not grep -vE "\"kind\": \"($kind|leak)\"" reports
done <cases

# ---- suppressions, a limit, another order ----

cat >suppressions <<'C'
# the kernel's name, and a place
race k_no_barrier
memory *defects.cu:[0-9]*
C
run sanitize --suppressions suppressions ./defects no-barrier
exits 0 'a suppressed kernel'
run sanitize --suppressions suppressions ./defects reduction
exits 1 'another kernel than the suppressed one'
run sanitize --checks memory --suppressions suppressions ./defects byte-behind
exits 0 'a suppressed place'
run sanitize --suppressions not-there ./defects clean-bytes
exits 2 'suppressions that are not there'
run sanitize --reports reports ./defects no-barrier read-behind
check 'there are two reports without a limit' test "$(grep -c . reports)" -ge 2
run sanitize --reports reports --stop-after 1 ./defects no-barrier read-behind
exits 1 'stopped after one report'
check 'there is one report' test "$(grep -c . reports)" -eq 1
says 'stopped after 1 report' 'the limit is said'

cat >order.cu <<'C'
#include <cstdio>
__global__ void first(int *p) {
    atomicCAS(p, -1, threadIdx.x);
    atomicCAS(p + 1, -1, blockIdx.x);
}
int main() {
    int h[2] = {-1, -1}, *d;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    first<<<5, 40>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("thread %d, block %d\n", h[0], h[1]);
}
C
for options in '' '-sanitize memcheck'; do
    # shellcheck disable=SC2086
    "$nvcc" -w -O1 $options order.cu -o order >"$out" 2>"$err"
    CUDA_MORPH_CHECK=race ./order >"$out" 2>"$err"
    prints 'thread 0, block 0' "the usual order $options"
    CUDA_MORPH_CHECK=race CUDA_MORPH_ORDER=reverse ./order >"$out" 2>"$err"
    prints 'thread 39, block 4' "the reverse order $options"
    CUDA_MORPH_CHECK=race CUDA_MORPH_ORDER=random:3 ./order >once 2>"$err"
    CUDA_MORPH_CHECK=race CUDA_MORPH_ORDER=random:3 ./order >"$out" 2>"$err"
    check "an order by its seed $options" cmp -s once "$out"
    check "a random order $options" not grep -q 'thread 0, block 0' once
done
CUDA_MORPH_ORDER=sideways ./order >"$out" 2>"$err"
says "CUDA_MORPH_ORDER is reverse or random:SEED, not 'sideways'" 'an unknown order'

# ---- chosen checks, and programs that are not watched ----

run sanitize --checks race ./defects above
exits 0 'only races are asked for'
run sanitize --checks memory,leak ./defects above
exits 1 'memory is asked for'
CUDA_MORPH_CHECK=nonsense ./defects clean-bytes >"$out" 2>"$err"
says "CUDA_MORPH_CHECK has no check 'nonsense'" 'an unknown check'
"$nvcc" -w defects.cu -o plain >"$out" 2>"$err"
run sanitize --checks memory ./plain far
says 'bad access' 'a program that is not watched: accesses far outside'
run sanitize ./plain clean-bytes
exits 0 'a program that is not watched'
run sanitize ./not-there
check 'a program that is not there' test "$status" -ne 0
run sanitize
exits 2 'no program'

done_testing
