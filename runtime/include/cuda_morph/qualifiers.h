/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA's words before functions and variables, as the host's compiler reads them. */
#ifndef CUDA_MORPH_QUALIFIERS_H
#define CUDA_MORPH_QUALIFIERS_H

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
/* A block runs on one thread of the machine. Kernels count on shared arrays lying where vectors
   may (`*(float4 *)&tile[i]`); compilers give thread_local ones no more than their elements
   need. */
#define __shared__ __attribute__((aligned(16))) thread_local
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#ifndef __align__
#define __align__(bytes) __attribute__((aligned(bytes)))
#endif
#ifndef __builtin_align__
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#endif

#endif
