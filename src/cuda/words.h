/* words.h - the words of CUDA C++ that make it a language of its own: by them code is known. What
 * else is known of its names stands in the rules. */
#ifndef CM_CUDA_WORDS_H
#define CM_CUDA_WORDS_H

#define CU_KERNEL_WORD "__global__" /* before a function that is launched */
#define CU_DEVICE_WORD "__device__" /* before one that runs on the device */

#endif
