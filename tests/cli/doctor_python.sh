#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# doctor_python.sh - which Python doctor asks: the first python3 of PATH, in virtual environments,
# under pyenv's shims, in conda's prefixes and in the system; on machines made for the purpose.
. "${0%/*}/helper"
. "$top/tests/cli/machines"

# package PREFIX NAME VERSION: a distribution below a prefix.
package() { mkdir -p "$root$1/lib/python3.11/site-packages/$2-$3.dist-info"; }
# venv PREFIX [true]: a virtual environment; true: it sees the system's packages, too.
venv() {
    put "$1/bin/python3"
    put "$1/pyvenv.cfg" "home = /usr/bin
include-system-site-packages = ${2-false}
version = 3.11.2"
    mkdir -p "$root$1/lib/python3.11/site-packages"
}
# A healthy machine of ROCm whose PyTorch is in the system.
healthy() {
    machine
    rocm
    put /usr/bin/python3
}
# fine WHAT, faulty WHAT SAYS: doctor with what was set up.
fine() {
    run doctor --target rocm --root "$root"
    exits 0 "$1"
    prints '0 errors' "$1"
}
faulty() {
    run doctor --target rocm --root "$root"
    exits 1 "$1"
    prints "$2" "$1"
    prints 'mend:' "$1: what mends it"
    check "$1: one error only" grep -q ' 1 error$' "$out"
}
away='PyTorch: not in the environment of'

healthy
fine 'the system has it'

healthy
venv /x/venv
setting PATH=/x/venv/bin:/usr/bin
faulty 'a virtual environment without it' "$away /x/venv/bin/python3 (another one is in /usr/local/"
package /x/venv torch 2.7.0+rocm6.3
fine 'a virtual environment with it'

healthy
venv /x/venv true
setting PATH=/x/venv/bin:/usr/bin
fine 'a virtual environment that sees the system'

healthy
venv /x/venv
setting PATH=/usr/bin:/x/venv/bin
setting VIRTUAL_ENV=/x/venv
fine 'VIRTUAL_ENV is set, and the system is first in PATH'

machine
rocm
rm -r "$root"/usr/local/lib/python3.11
put /usr/bin/python3
venv /x/venv
package /x/venv torch 2.7.0+rocm6.3
setting PATH=/usr/bin:/x/venv/bin
setting VIRTUAL_ENV=/x/venv
faulty 'it is in an environment that is not first in PATH' "$away /usr/bin/python3 (another one is in /x/venv"

machine
rocm
rm -r "$root"/usr/local/lib/python3.11
put /usr/bin/python3
setting HOME=/home/u
package /home/u/.local torch 2.7.0+rocm6.3
fine "the user's own packages"
setting PYTHONNOUSERSITE=1
faulty 'PYTHONNOUSERSITE hides them' "$away /usr/bin/python3 (another one is in /home/u/.local"

healthy
setting HOME=/home/u
rm -r "$root"/usr/local/lib/python3.11
package /home/u/.local torch 2.7.0+rocm6.3
venv /x/venv
setting PATH=/x/venv/bin:/usr/bin
faulty "a virtual environment does not see the user's own" "$away /x/venv/bin/python3 (another one is in /home/u/.local"

healthy
put /opt/conda/bin/python3
mkdir -p "$root/opt/conda/conda-meta" "$root/opt/conda/lib/python3.11/site-packages"
setting PATH=/opt/conda/bin:/usr/bin
faulty 'conda without it' "$away /opt/conda/bin/python3 (another one is in /usr/local/"
package /opt/conda torch 2.7.0+rocm6.3
fine 'conda with it'

healthy
put /opt/conda/envs/a/bin/python3
mkdir -p "$root/opt/conda/envs/a/lib/python3.11/site-packages"
package /opt/conda torch 2.7.0+rocm6.3
setting PATH=/opt/conda/envs/a/bin:/opt/conda/bin:/usr/bin
setting CONDA_PREFIX=/opt/conda/envs/a
faulty "conda's base has it, the environment has not" "$away /opt/conda/envs/a/bin/python3"

# pyenv: a shim starts the version of its file, or of PYENV_VERSION.
pyenv() {
    healthy
    setting HOME=/home/u
    setting PATH=/home/u/.pyenv/shims:/usr/bin
    put /home/u/.pyenv/shims/python3
    put /home/u/.pyenv/version 3.11.9
    for v in 3.11.9 3.11.4; do
        put /home/u/.pyenv/versions/$v/bin/python3
        mkdir -p "$root/home/u/.pyenv/versions/$v/lib/python3.11/site-packages"
    done
}
pyenv
faulty 'pyenv: the version that it starts has not' "$away /home/u/.pyenv/versions/3.11.9/bin/python3"
package /home/u/.pyenv/versions/3.11.9 torch 2.7.0+rocm6.3
fine 'pyenv: the version that it starts has it'
run info --root "$root" --fingerprint
check 'pyenv: its version is known' grep -qx 'python   3.11' "$out"
setting PYENV_VERSION=3.11.4
faulty 'pyenv: PYENV_VERSION chooses another' "$away /home/u/.pyenv/versions/3.11.4/bin/python3"
pyenv
put /home/u/.pyenv/version system
fine 'pyenv: the system'

healthy
venv /x/venv
setting PATH=/x/venv/bin:/usr/bin
setting PYTHONPATH=/usr/local/lib/python3.11/site-packages
fine 'PYTHONPATH comes before all'

# Neither card nor software: one sentence, what follows from it is folded.
machine
for target in ascend rocm mlu musa; do
    run doctor --target $target --root "$root"
    exits 1 "$target: nothing of it"
    prints 'has no device of' "$target: nothing of it"
    check "$target: one error" grep -q '0 warnings, 1 error$' "$out"
    check "$target: short" test "$(wc -l <"$out")" -le 5
    run -v doctor --target $target --root "$root"
    check "$target: --verbose lists what is missing" test "$(grep -c 'not found' "$out")" -ge 4
    run doctor --target $target --root "$root" --format json
    prints '"folded": true' "$target: JSON says what is folded"
done

done_testing
