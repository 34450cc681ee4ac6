// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#define CHECK_CUDA(x) TORCH_CHECK(x.is_cuda(), #x " must be a CUDA tensor")
#define CHECK_INPUT(x) CHECK_CUDA(x); TORCH_CHECK(x.is_contiguous(), #x " must be contiguous")
torch::Tensor scale_cuda(torch::Tensor x, double f);
torch::Tensor row_sum_cuda(torch::Tensor x);
