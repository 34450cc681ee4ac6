/* SPDX-License-Identifier: Apache-2.0 */
// cuDNN's functions for tensors, convolutions, layers and recurrent networks. cudnnCreate() is
// cmDnnCreate(), with the same arguments. Convolutions of floats are oneDNN's where it is there
// (Debian: libdnnl2 or libdnnl3.6, or libdnnl-dev), all else loops of our own, in SYCL kernels.
// Not here: the graph interface (cudnnBackend*), fused operations, attention, INT8x4 and its like.
#ifndef CUDA_MORPH_DNN_H
#define CUDA_MORPH_DNN_H

extern "C++" { // it may be included within extern "C"

#include <cuda_morph/bf16.h>
#include <cuda_morph/cpu/library.hpp>
#include <cuda_morph/dnn_types.h>
#include <cuda_morph/fp16.h>
#include <limits>
#include <math.h>

struct cmDnnContext {
    cmStream_t stream;
};
using cmDnnHandle_t = cmDnnContext *;

#include <cuda_morph/cpu/dnn_descriptors.hpp>

#include <cuda_morph/cpu/dnn_tensor.hpp>

#include <cuda_morph/cpu/dnn_layers.hpp>
#include <cuda_morph/cpu/dnn_normalization.hpp>

#include <cuda_morph/cpu/dnn_convolution.hpp>
#ifndef CUDA_MORPH_SYCL_HPP // a network is a function of the host there
#include <cuda_morph/cpu/dnn_rnn.hpp>
#endif

} // extern "C++"

#endif
