/* SPDX-License-Identifier: Apache-2.0 */
/* words.h - the words of CUDA C++ that passes know one by one.
 *
 * What a name has in common with others is a row of rules/words.json, where a rule's author can
 * add to it. Here are the names that have a meaning of their own in C: a pass does with
 * threadIdx what it does with no other word, so a row could say no more than the name again.
 * tests/unit/test_words.c holds that no other file spells them. */
#ifndef CM_CUDA_WORDS_H
#define CM_CUDA_WORDS_H

/* declarations */
#define CU_KERNEL_WORD "__global__"   /* before a function that is launched */
#define CU_DEVICE_WORD "__device__"   /* before one that runs on the device */
#define CU_HOST_WORD "__host__"       /* before one that runs on the host */
#define CU_SHARED_WORD "__shared__"   /* before a variable of the block */
#define CU_MANAGED_WORD "__managed__" /* before one that the host reaches, too */
#define CU_LAUNCH_BOUNDS "__launch_bounds__"

/* which thread this is */
#define CU_WARP_WORD "warp"   /* of names for a warp's number */
#define CU_INDEX_TYPE "uint3" /* of threadIdx and blockIdx */
#define CU_INDEX_MAKER "make_uint3"
#define CU_EXTENT_TYPE "dim3" /* of blockDim and gridDim */
#define CU_LIST_SIZE "size"   /* asks the standard library's lists how many there are */
#define CU_THREAD_INDEX "threadIdx"
#define CU_BLOCK_INDEX "blockIdx"
#define CU_BLOCK_SIZE "blockDim"
#define CU_GRID_SIZE "gridDim"
#define CU_WARP_SIZE "warpSize"

/* among threads */
#define CU_BLOCK_BARRIER "__syncthreads" /* and what begins so: those that count, too */
#define CU_WARP_BARRIER "__syncwarp"     /* divides no block */
#define CU_SHUFFLE_PREFIX "__shfl"       /* with a mask (_sync) or, before CUDA 9, without */
#define CU_COMPARE_SWAP "atomicCAS"      /* what locks are made of */
#define CU_CLOCK "clock"                 /* on a CPU clock64, which does not run over */

/* cooperative groups */
#define CU_GROUPS "cooperative_groups"
#define CU_BLOCK_GROUP "this_thread_block"
#define CU_TILE_GROUP "tiled_partition"
#define CU_TILE_TYPE "thread_block_tile"
#define CU_TILE_NUMBER "meta_group_" /* of a tile among those it was made with */
#define CU_GROUP_RANK "thread_rank"
#define CU_GROUP_THREADS "num_threads"
#define CU_GROUP_INDEX "thread_index" /* the block's: three numbers */
#define CU_GROUP_DIM "dim_threads"

/* the collectives of a library that become one operation of the block */
#define CU_CUB "cub"
#define CU_BLOCK_REDUCE "BlockReduce"

#endif
