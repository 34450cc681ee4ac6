// SPDX-License-Identifier: Apache-2.0
// See ATen/ATen.h.
#pragma once

#include <ATen/ATen.h>

namespace torch {
using namespace at;
} // namespace torch
