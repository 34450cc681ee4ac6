/* SPDX-License-Identifier: Apache-2.0 */
// collectives.h - see collectives.cpp.
#pragma once

#include <torch/csrc/distributed/c10d/Backend.hpp>

#include <string>

namespace emulated {
void install_timer();
// The operators of c10d for the device, where PyTorch has none.
void install_collectives();
// A c10d back end called `name` for tensors of the device, over one for the CPU's.
c10::intrusive_ptr<c10d::Backend> collectives(c10::intrusive_ptr<c10d::Backend> gloo,
                                              std::string name);
} // namespace emulated
