// SPDX-License-Identifier: Apache-2.0
// What both languages of the extension see.
#pragma once
#include <torch/extension.h>
#include <vector>

at::Tensor voxelize_cuda(const at::Tensor &points, std::vector<double> cell, std::vector<int64_t> grid);
at::Tensor nms_cuda(const at::Tensor &boxes, const at::Tensor &scores, double threshold);
