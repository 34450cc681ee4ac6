/* SPDX-License-Identifier: Apache-2.0 */
/* mccl.c - a stand-in for libmccl.so, Moore Threads' collectives, of a version that does not split
 * communicators. */
#define F(name) mccl##name
#include "nccl.h"
