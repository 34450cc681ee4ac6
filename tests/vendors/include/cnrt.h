/* SPDX-License-Identifier: Apache-2.0 */
/* What the vendor's header declares of cnrt.c, for programs that call it themselves. */
#pragma once
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef enum { cnrtSuccess = 0 } cnrtRet_t;
typedef struct cnrtQueue *cnrtQueue_t;
typedef enum {
    cnrtMemcpyHostToDev,
    cnrtMemcpyDevToDev,
    cnrtMemcpyDevToHost,
    cnrtMemcpyHostToHost
} cnrtMemTransDir_t;
cnrtRet_t cnrtSetDevice(int device);
cnrtRet_t cnrtMalloc(void **pointer, size_t size);
cnrtRet_t cnrtFree(void *pointer);
cnrtRet_t cnrtMemcpy(void *to, void *from, size_t size, cnrtMemTransDir_t direction);
cnrtRet_t cnrtMemset(void *to, int value, size_t size);
cnrtRet_t cnrtQueueCreate(cnrtQueue_t *queue);
cnrtRet_t cnrtQueueDestroy(cnrtQueue_t queue);
cnrtRet_t cnrtQueueSync(cnrtQueue_t queue);
#ifdef __cplusplus
}
#endif
