#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Memory that ends: CM_ALLOC_FAIL=N makes the N-th block that cuda-morph asks for unavailable. It
# says so and leaves every file whole; it neither crashes nor writes half of something.
. "${0%/*}/helper"

mkdir tree
i=0
while [ $i -lt 40 ]; do
    printf 'import torch\ndef f%d(x):\n    x = x.cuda()\n    torch.cuda.synchronize()\n' $i
    printf '    return x.to("cuda:%d")\n' $i
    i=$((i + 1))
done >tree/a.py
cuda_code >tree/b.py
cp -R tree before
"$tool" port --target ascend --in-place -q tree 2>/dev/null
cp -R tree after

# is_whole: every file is as it was, or as it has to become.
is_whole() {
    for f in a.py b.py; do
        cmp -s "tree/$f" "before/$f" || cmp -s "tree/$f" "after/$f" || return
    done
}

# rehearse WHAT ARGS...: fails the first block, then the second, and so on up to the last one that
# is asked for: 40 more change nothing.
rehearse() {
    what=$1
    shift
    n=1
    refused=0
    good=0
    while [ $n -le 200 ] && [ $good -lt 40 ]; do
        rm -rf tree && mkdir tree && cp before/*.py tree
        CM_ALLOC_FAIL=$n "$tool" "$@" >"$out" 2>"$err" </dev/null
        status=$?
        case $status in
        2)
            refused=$((refused + 1))
            good=0
            check "$what, block $n: the reason is given" test -s "$err"
            ;;
        0 | 1) good=$((good + 1)) ;;
        *) check "$what, block $n: exit status $status" false ;;
        esac
        check "$what, block $n: a file is neither old nor new" is_whole
        n=$((n + 1))
    done
    check "$what: memory never ended" test $refused -gt 0
}

rehearse 'in place' port --target ascend --in-place -j 1 tree
rehearse 'several targets' port --target ascend,xpu,portable -j 2 --report r.json -o out tree
rehearse check check -j 2 --format json tree
check 'the rewritten tree is another one' not cmp -s before/a.py after/a.py

done_testing
