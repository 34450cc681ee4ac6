#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# portable: what the ported files of a package share is one module of the package, where their own
# imports show that it is found; elsewhere each file has its function.
. "${0%/*}/helper"

module() {
    mkdir -p "${1%/*}"
    printf 'import torch\n%s\nx = torch.zeros(3, device="cuda")\n' "$2" >"$1"
}
first() { grep -n "$2" "$1" | head -n 1; }
imports() { [ "$(first "$1" _accelerator)" = "$2" ] && ! grep -q 'def _accel' "$1"; }
has_own() { grep -q 'def _accelerator' "$1" && ! grep -q 'import _accel' "$1"; }

module pkg/relative.py 'from .leaf import x as y'
module pkg/leaf.py ''
module pkg/script.py ''
module pkg/guarded.py 'try:
    from .leaf import x as y
except ImportError:
    y = 1'
module pkg/sub/deep.py 'from ..leaf import x as y
from .other import z'
module pkg/sub/named.py 'from pkg.leaf import x as y'
module pkg/alone/plugin.py 'from .inner import x as y'
module tools/train.py 'from pkg import relative'
printf 'import os\n\n\ndef late(x):\n    try:\n        import torch\n\n        return torch.as_tensor(x, device="cuda")\n    except ImportError:\n        return os\n' >pkg/late.py
module pkg/user.py 'from .late import late
from .shared import x as y'
printf 'import os; import torch\nx = torch.zeros(3, device="cuda")\n' >pkg/shared.py
# a folder that is called like an installed package, whose modules it does not have
module models/dac/codec.py 'from dac.model.base import CodecMixin
from dac.nn import layers'
module models/dac/other.py 'from dac import model'
touch models/dac/__init__.py
touch pkg/__init__.py pkg/sub/__init__.py pkg/alone/__init__.py

run port . --target portable -o out
exits 0 'port'
check 'a relative import brings it' imports out/pkg/relative.py '2:from ._accelerator import _accelerator'
check 'a module that others import' imports out/pkg/leaf.py '3:from ._accelerator import _accelerator'
check 'from further down' imports out/pkg/sub/deep.py '2:from .._accelerator import _accelerator'
check 'by the name of the package' imports out/pkg/sub/named.py '2:from pkg._accelerator import _accelerator'
check 'only as far out as the imports show' imports out/pkg/alone/plugin.py '2:from ._accelerator import _accelerator'
check 'behind an import in a function' imports out/pkg/late.py '7:        from ._accelerator import _accelerator'
check 'on a line that two imports share' imports out/pkg/shared.py '1:import os; import torch; from ._accelerator import _accelerator'
check 'that folder has its module' test -f out/pkg/alone/_accelerator.py
for f in pkg/script.py pkg/guarded.py tools/train.py models/dac/codec.py models/dac/other.py; do check "$f keeps its function" has_own out/$f; done
check 'the module' grep -q 'def _accelerator' out/pkg/_accelerator.py
check 'it says where it comes from' grep -q '^# Added by cuda-morph' out/pkg/_accelerator.py
check 'nothing is written for nobody' test ! -e out/pkg/sub/_accelerator.py
run port out --target portable --check
exits 0 'a second port changes nothing'

run port pkg --target portable --diff
prints '--- /dev/null' 'the module is in the diff'
prints '+++ b/pkg/_accelerator.py' 'under its name'
run port pkg/relative.py --target portable
prints 'def _accelerator' 'a file by itself has its function'

cp -a pkg whole
run port pkg --target portable --in-place
check 'in place: the module' test -f pkg/_accelerator.py
run undo
check 'undo removes it' diff -r whole pkg

echo '# Added by cuda-morph 0.1: the ported files of this package share it.' >pkg/_accelerator.py
rm -rf whole
cp -a pkg whole
run port pkg --target portable --diff
prints '+++ b/pkg/_accelerator.py' 'an older module is in the diff'
prints '-# Added by cuda-morph 0.1' 'with what it had'
run port pkg --target portable --in-place
check 'an older module is made anew' grep -q 'def _accelerator' pkg/_accelerator.py
run undo
check 'undo brings it back' diff -r whole pkg

echo 'mine = 1' >pkg/_accelerator.py
run port . --target portable -o taken
check 'a module of that name stays' grep -qx 'mine = 1' taken/pkg/_accelerator.py
check 'and is not imported' has_own taken/pkg/relative.py
done_testing
