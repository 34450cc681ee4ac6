#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# scaffold.sh - `cuda-morph scaffold`: names, overwriting, and that every project compiles against
# headers that imitate the vendors' (tests/scaffold); those for HIP and SYCL are run on fibers, HIP
# on waves of 32 and of 64 lanes. Without a C++ compiler that part is skipped.
. "${0%/*}/helper"

CXX=${CXX:-c++}
flags='-std=c++17 -Wall -Wextra -Werror -Wno-unused-parameter -Wno-unused-function'
stubs=$top/tests/scaffold
compiler=
can c++ 'what the projects compile to' && compiler=yes

run scaffold FusedX --pattern reduction -o d
exits 0 'scaffold: a project'
check 'scaffold: of five files' test "$(find d -type f | wc -l)" -eq 5
for file in README.md CMakeLists.txt op_host/fused_x.cpp op_kernel/fused_x.cpp \
    op_kernel/fused_x_tiling.h; do
    check "scaffold: $file" test -s "d/$file"
done
check 'no placeholder is left' not grep -rq '@[A-Za-z]*@' d
echo mine >d/README.md
run scaffold FusedX --pattern reduction -o d
exits 1 'scaffold: nothing is overwritten'
says 'is there already' 'scaffold: nothing is overwritten'
check 'scaffold: the file is as it was' grep -q mine d/README.md
run scaffold FusedX --pattern reduction -o d --force
exits 0 'scaffold: --force overwrites'
check 'scaffold: --force overwrites' not grep -qx mine d/README.md
for bad in 'My Op;x' fusedX ../X X 1Op FUSED Ünder Fused_x "$(printf 'Long%065d' 0)"; do
    run scaffold "$bad" --pattern custom -o bad
    exits 2 "a bad name: $bad"
done
check 'a bad name writes nothing' test ! -e bad
run scaffold FusedX
exits 2 'without -o'
run scaffold FusedX -o m --target mlu
exits 2 'a target without templates'
says 'no scaffold for mlu' 'a target without templates'
run scaffold FusedX -o m --pattern sort
exits 2 'an unknown pattern'
ln -s /tmp link
mkdir l && ln -s "$PWD/outside" l/op_host
run scaffold FusedX -o l --force
check 'a link in the folder is not followed' test ! -e outside

for pair in AddCustom:add_custom ABCDef:abc_def Abc2DEf:abc2d_ef ABC2dEF:abc2d_ef; do
    run scaffold "${pair%:*}" -o "n-${pair%:*}"
    check "CANN's file name of ${pair%:*}" test -f "n-${pair%:*}/op_kernel/${pair#*:}.cpp"
done

for pattern in elementwise reduction matmul custom; do
    for target in ascend rocm xpu; do
        run scaffold FusedX --pattern $pattern --target $target -o $target/$pattern
        exits 0 "scaffold: $target $pattern"
    done
    [ "$compiler" ] || continue
    for type in half float; do
        # shellcheck disable=SC2086
        check "ascend $pattern compiles, $type" $CXX $flags -fsyntax-only -I"$stubs/ascendc" \
            -DDTYPE_X=$type ascend/$pattern/op_host/fused_x.cpp \
                ascend/$pattern/op_kernel/fused_x.cpp
    done
    sed 's/\([a-z_]*\)<<<\(.*\), \([A-Za-z]*\)>>>(\(.*\));/EMULATE(\2, \3, \1(\4));/' \
        rocm/$pattern/fused_x.hip >rocm/$pattern/host.cpp
    for lanes in 32 64; do
        # shellcheck disable=SC2086
        check "rocm $pattern compiles, $lanes lanes" $CXX $flags -I"$stubs" -DWAVE=$lanes \
            -o hip-$pattern-$lanes rocm/$pattern/host.cpp
        check "rocm $pattern computes, $lanes lanes" timeout 60 ./hip-$pattern-$lanes
    done
    check "rocm $pattern assumes no width" not grep -qE '0xffffffff|__ballot|% 32|& 31' \
        rocm/$pattern/fused_x.hip
    # shellcheck disable=SC2086
    check "xpu $pattern compiles" $CXX $flags -I"$stubs" -o sycl-$pattern xpu/$pattern/fused_x.cpp
    check "xpu $pattern computes" timeout 60 ./sycl-$pattern
done

done_testing
