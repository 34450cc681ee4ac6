// SPDX-License-Identifier: Apache-2.0
// Operators by their schema; what CUDA does is in the other file.
#include <torch/library.h>
#include <torch/types.h>

TORCH_LIBRARY(demo, m) {
    m.def("interp(Tensor table, Tensor at) -> Tensor");
    m.def("count_below(Tensor x, float limit) -> int");
}
