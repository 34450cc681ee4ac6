#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Ports to SYCL that run: a few of the programs of SUITE=sycl, one for each kind of thing.
here=${0%/*}
name=sycl WHOLE=1 ONLY='constant_memory coop_tiles cusolver_against_dense cub_iterators cublas_mixed cudnn_slopes device_choice device_lambda dynamic_shared
    gelu_vec4 half_axpy kernel_overloads launch_macro partial_masks reduce_shared reduce_shuffle
    nccl_threads returns_before_barriers streams_overlap thrust_against_std vector_add' \
    exec sh "$here/../sycl/matrix.sh"
