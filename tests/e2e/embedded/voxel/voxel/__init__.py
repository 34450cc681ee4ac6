# SPDX-License-Identifier: Apache-2.0
# The package: its extension's functions.
from ._C import nms, voxelize
