/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_morph/hip_macros.h - the runtime's header without macros that programs name things by.
 *
 * HIP's device functions are written with macros of plain names, MASK1 or HW_ID, and leave them
 * behind: a member of a program's that is called so becomes a number. They are of no use behind
 * the header. A program that defines one itself does so later, and keeps it.
 */
#ifndef CUDA_MORPH_HIP_MACROS_H
#define CUDA_MORPH_HIP_MACROS_H

#include <hip/hip_runtime.h>

#undef GETREG_IMMED
#undef HW_ID
#undef MASK1
#undef MASK2
#undef XCC_ID

#endif
