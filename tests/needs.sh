# SPDX-License-Identifier: Apache-2.0
# needs.sh - what tests look for beyond what the build needs, how it is found, and which Debian
# packages have it. Sourced by tests/helper, which names it beside everything that is skipped, and
# by tools/bootstrap.sh, which installs it for root before `make test` (rows with `test`) and
# `make test-all` (all rows). A new need of a test is a row here and nothing else.
#
# needs_found NEED      whether it is here
# needs_packages NEED   the Debian packages that have it
# needs_missing WHICH   the needs of those rows that are not here; WHICH: test or all

needs_table() {
    cat <<'END'
aarch64      all   has_program aarch64-linux-gnu-gcc qemu-aarch64-static         gcc-aarch64-linux-gnu qemu-user-static
bash         test  has_program bash                                            bash
c++          test  has_cxx                                                     g++
chromium     all   has_program chromium                                        chromium
clang        all   has_program clang clang++                                   clang
cmake        test  has_program cmake                                           cmake
debootstrap  all   has_program debootstrap                                     debootstrap
fftw         test  has_library libfftw3f.so.3 && has_library libfftw3.so.3     libfftw3-single3 libfftw3-double3
fish         test  has_program fish                                            fish
git          test  has_program git                                             git
hip          test  has_header hip/hip_runtime.h                                libamdhip64-dev
lapack       test  has_library libopenblas.so.0 || has_library liblapack.so.3  libopenblas0-pthread
jsonschema   test  has_modules jsonschema tomllib                                  python3-jsonschema
libclang     test  has_library 'libclang(-[0-9]+)?.so' && has_clang_headers    clang
man          test  has_program man                                             man-db
mingw        all   has_program x86_64-w64-mingw32-gcc                           gcc-mingw-w64-x86-64
musl         all   has_program musl-gcc                                        musl-tools
mpi          test  has_program mpicxx mpirun                                   libopenmpi-dev openmpi-bin
neovim       all   has_program nvim                                            neovim
onednn       test  has_library 'libdnnl\.so\.[23]'                             libdnnl-dev
osmesa       test  has_header GL/osmesa.h                                      libosmesa6-dev
patch        test  has_program patch                                           patch
pre-commit   test  has_program pre-commit                                      pre-commit
python3      test  has_modules ctypes multiprocessing                          python3
s390x        all   has_program s390x-linux-gnu-gcc qemu-s390x-static             gcc-s390x-linux-gnu qemu-user-static
torch        test  has_torch                                                   python3-torch
wine         all   has_program wine                                            wine64 wine
yaml         test  has_modules yaml                                            python3-yaml
zsh          test  has_program zsh                                             zsh
END
}

# ---- ways to find something ----

has_program() {
    for program in "$@"; do command -v "$program" >/dev/null || return; done
}
# ldconfig is not on everybody's path.
has_library() { PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | grep -qE "^[[:space:]]*$1"; }
has_header() { [ -e "/usr/include/$1" ] || [ -e "/opt/rocm/include/$1" ]; }
# What libclang needs of its own: stddef.h and its like.
has_clang_headers() { ls /usr/lib/llvm-*/lib/clang/*/include/stddef.h >/dev/null 2>&1; }
# has_modules MODULE...: of Python
has_modules() {
    for module in "$@"; do python3 -c "import $module" 2>/dev/null || return; done
}
has_torch() { has_modules torch || /usr/bin/python3 -c 'import torch' 2>/dev/null; }
has_cxx() {
    # shellcheck disable=SC2086
    echo '#include <vector>' | ${CXX:-c++} -x c++ -fsyntax-only - 2>/dev/null
}

# ---- the table, read ----

# needs_row NEED: "SUITE	FOUND BY	PACKAGES", with tabs
needs_row() {
    needs_table | sed -nE "s/^$(printf %s "$1" | sed 's/[+]/[+]/g') +([a-z]+) +/\1  /p" |
        sed -E 's/  +/	/g'
}
needs_packages() { needs_row "$1" | cut -f 3; }
needs_found() {
    found_by=$(needs_row "$1" | cut -f 2)
    [ -n "$found_by" ] || {
        echo "tests/needs.sh has no row '$1'" >&2
        exit 2
    }
    eval "$found_by"
}
needs_missing() {
    needs_table | while read -r need which _; do
        case $1 in all | "$which") needs_found "$need" || echo "$need" ;; esac
    done
}
