/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_morph/hip_surface.h - reads of surfaces that give a value, for ported programs.
 *
 * Header-only, C++11; C finds nothing here. CUDA's surf2Dread<T>(surface, x, y) returns what HIP's
 * surf2Dread(&value, surface, x, y) writes.
 */
#ifndef CUDA_MORPH_HIP_SURFACE_H
#define CUDA_MORPH_HIP_SURFACE_H

#include <hip/hip_runtime.h>
#ifdef __cplusplus

#define CM_SURFACE_READ(name)                                                                     \
    template <class T, class... Place>                                                            \
    __device__ inline T cm_##name(hipSurfaceObject_t surface, Place... place) {                   \
        T value;                                                                                  \
        name(&value, surface, (int)place...);                                                     \
        return value;                                                                             \
    }

CM_SURFACE_READ(surf1Dread)
CM_SURFACE_READ(surf2Dread)
CM_SURFACE_READ(surf3Dread)
CM_SURFACE_READ(surf1DLayeredread)
CM_SURFACE_READ(surf2DLayeredread)
CM_SURFACE_READ(surfCubemapread)
CM_SURFACE_READ(surfCubemapLayeredread)

#undef CM_SURFACE_READ

#endif
#endif
