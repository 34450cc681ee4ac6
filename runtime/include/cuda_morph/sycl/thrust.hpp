// SPDX-License-Identifier: Apache-2.0
// Thrust in SYCL: the vectors, iterators and function objects are those of the host's Thrust, the
// algorithms are kernels. A device_vector lies in memory that both sides see. Random numbers are
// the standard library's. Not here: thrust::async, memory resources, iterator_facade.
// In kernels algorithms run where thrust::seq is their policy.
#ifndef CUDA_MORPH_SYCL_THRUST_HPP
#define CUDA_MORPH_SYCL_THRUST_HPP

extern "C++" { // it may be included within extern "C"

#include <cuda_morph/sycl.hpp>

#include <cuda_morph/cpu/thrust_standard.hpp>

#include <cuda_morph/sycl/thrust_system.hpp>

#include <cuda_morph/cpu/thrust_memory.hpp>

#include <cuda_morph/cpu/thrust_iterators.hpp>

#include <cuda_morph/cpu/thrust_functional.hpp>

#include <cuda_morph/sycl/thrust_call.hpp>

#include <cuda_morph/cpu/thrust_algorithms.hpp>

#include <cuda_morph/cpu/thrust_sorted.hpp>

#include <cuda_morph/sycl/thrust_parallel.hpp>

#include <cuda_morph/sycl/thrust_sorted.hpp>

#if !defined(CM_SYCL_GROUP_PER_THREAD) // tuples in them are more than the compiler sees through
template <class F, class I, class A, class B>
struct sycl::is_device_copyable<thrust::transform_iterator<F, I, A, B>>
    : std::bool_constant<sycl::is_device_copyable_v<F> && sycl::is_device_copyable_v<I>> {};
template <class E, class I>
struct sycl::is_device_copyable<thrust::permutation_iterator<E, I>>
    : std::bool_constant<sycl::is_device_copyable_v<E> && sycl::is_device_copyable_v<I>> {};
template <class... I>
struct sycl::is_device_copyable<thrust::zip_iterator<std::tuple<I...>>>
    : sycl::is_device_copyable<std::tuple<I...>> {};
#endif

} // extern "C++"

#endif
