/* SPDX-License-Identifier: Apache-2.0 */
// Thrust over the standard library: vectors, pointers and references to the device's memory, fancy
// iterators, function objects, and the algorithms. Each algorithm first waits for the stream of
// its policy (the default stream without one), then runs on the calling thread; inside kernels it
// just runs. Random numbers are the standard library's: the engines are the same, the
// distributions may give other sequences. Not here: thrust::async, memory resources, and
// iterator_facade for iterators of one's own.
#ifndef CUDA_MORPH_THRUST_H
#define CUDA_MORPH_THRUST_H

#include <algorithm>
#include <complex>
#include <cuda_morph/cpu/library.hpp>
#include <cuda_morph/cpu/std.hpp>
#include <functional>
#include <iostream>
#include <iterator>
#include <numeric>
#include <random>
#include <system_error>
#include <tuple>
#include <vector>

#define THRUST_MAJOR_VERSION 2
#define THRUST_MINOR_VERSION 4
#define THRUST_SUBMINOR_VERSION 0
#define THRUST_VERSION 200400

#include <cuda_morph/cpu/thrust_system.hpp>

#include <cuda_morph/cpu/thrust_memory.hpp>

#include <cuda_morph/cpu/thrust_iterators.hpp>

#include <cuda_morph/cpu/thrust_functional.hpp>

#include <cuda_morph/cpu/thrust_call.hpp>

#include <cuda_morph/cpu/thrust_algorithms.hpp>

#include <cuda_morph/cpu/thrust_sorted.hpp>

#endif
