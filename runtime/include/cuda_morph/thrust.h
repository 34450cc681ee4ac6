/* SPDX-License-Identifier: Apache-2.0 */
// Thrust over the standard library: vectors, pointers and references to the device's memory, fancy
// iterators, function objects, and the algorithms. Each algorithm first waits for the stream of
// its policy (the default stream without one), then runs on the calling thread; inside kernels it
// just runs. Random numbers are the standard library's: the engines are the same, the
// distributions may give other sequences. Not here: thrust::async, memory resources, and
// iterator_facade for iterators of one's own.
#ifndef CUDA_MORPH_THRUST_H
#define CUDA_MORPH_THRUST_H

extern "C++" { // it may be included within extern "C"

#include <cuda_morph/cpu/thrust_standard.hpp>

#include <cuda_morph/cpu/thrust_system.hpp>

#include <cuda_morph/cpu/thrust_memory.hpp>

#include <cuda_morph/cpu/thrust_iterators.hpp>

#include <cuda_morph/cpu/thrust_functional.hpp>

#include <cuda_morph/cpu/thrust_call.hpp>

#include <cuda_morph/cpu/thrust_algorithms.hpp>

#include <cuda_morph/cpu/thrust_sorted.hpp>

} // extern "C++"

#endif
