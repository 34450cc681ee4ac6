/* SPDX-License-Identifier: Apache-2.0 */
/* What CUDA's libraries share: the types of data, with CUDA's numbers. */
#ifndef CUDA_MORPH_LIBRARY_TYPES_H
#define CUDA_MORPH_LIBRARY_TYPES_H

#define __LIBRARY_TYPES_H__

typedef enum cmDataType {
    CM_R_32F = 0,
    CM_R_64F = 1,
    CM_R_16F = 2,
    CM_R_8I = 3,
    CM_C_32F = 4,
    CM_C_64F = 5,
    CM_C_16F = 6,
    CM_C_8I = 7,
    CM_R_8U = 8,
    CM_C_8U = 9,
    CM_R_32I = 10,
    CM_C_32I = 11,
    CM_R_32U = 12,
    CM_C_32U = 13,
    CM_R_16BF = 14,
    CM_C_16BF = 15,
    CM_R_16I = 20,
    CM_C_16I = 21,
    CM_R_16U = 22,
    CM_C_16U = 23,
    CM_R_64I = 24,
    CM_C_64I = 25,
    CM_R_64U = 26,
    CM_C_64U = 27
} cmDataType;

typedef enum cmLibraryPropertyType {
    MAJOR_VERSION,
    MINOR_VERSION,
    PATCH_LEVEL
} cmLibraryPropertyType;

#endif
