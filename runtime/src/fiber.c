/* SPDX-License-Identifier: Apache-2.0 */
/* Switching stacks: a few instructions of assembler on x86-64 and AArch64, ucontext elsewhere (or
   with CMRT_UCONTEXT). The sanitizers are told, if the program has them. */
#include "fiber.h"
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- sanitizers: weak, because most programs have none ---- */

#define WEAK __attribute__((weak))
WEAK void __sanitizer_start_switch_fiber(void **save, const void *bottom, size_t size);
WEAK void __sanitizer_finish_switch_fiber(void *save, const void **bottom, size_t *size);
WEAK void __asan_unpoison_memory_region(const void *start, size_t size);
WEAK void *__tsan_get_current_fiber(void);
WEAK void *__tsan_create_fiber(unsigned int flags);
WEAK void __tsan_destroy_fiber(void *fiber);
WEAK void __tsan_switch_to_fiber(void *fiber, unsigned int flags);

static void announce(struct cm_fiber *from, struct cm_fiber *to) {
    if (__sanitizer_start_switch_fiber)
        __sanitizer_start_switch_fiber(from ? &from->asan : NULL, to->stack, to->size);
    if (__tsan_switch_to_fiber) __tsan_switch_to_fiber(to->tsan, 0);
}

void cm_fiber_begun(struct cm_fiber *fiber) {
    if (__sanitizer_finish_switch_fiber) __sanitizer_finish_switch_fiber(fiber->asan, NULL, NULL);
}

/* ---- stacks ---- */

static size_t page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

int cm_fiber_make(struct cm_fiber *fiber, size_t size, unsigned int number, bool guard) {
    size_t page = page_size();
    size = (size + page - 1) / page * page;
    unsigned char *base = mmap(NULL, size + page, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (base == MAP_FAILED) return -1;
    if (guard) mprotect(base, page, PROT_NONE);
    fiber->stack = base + page;
    /* Tops at the same place of their pages would share a few lines of the cache. */
    fiber->size = size - (number * 832u % 4096) / 64 * 64;
    fiber->context = NULL;
    fiber->asan = NULL;
    fiber->tsan = __tsan_create_fiber ? __tsan_create_fiber(0) : NULL;
    return 0;
}

void cm_fiber_free(struct cm_fiber *fiber) {
    size_t page = page_size();
    if (fiber->tsan && __tsan_destroy_fiber) __tsan_destroy_fiber(fiber->tsan);
    munmap((unsigned char *)fiber->stack - page, (fiber->size + page - 1) / page * page + page);
    free(fiber->context);
}

void cm_fiber_here(struct cm_fiber *fiber) {
    *fiber = (struct cm_fiber){0};
    if (__tsan_get_current_fiber) fiber->tsan = __tsan_get_current_fiber();
    if (!__sanitizer_start_switch_fiber) return;
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes)) return;
    pthread_attr_getstack(&attributes, &fiber->stack, &fiber->size);
    pthread_attr_destroy(&attributes);
}

void cm_fiber_leaving(struct cm_fiber *to) {
    announce(NULL, to);
    if (__sanitizer_finish_switch_fiber) __sanitizer_finish_switch_fiber(to->asan, NULL, NULL);
}

__attribute__((no_sanitize("address"))) void cm_fiber_landed(const struct cm_fiber *here) {
    const char *now = __builtin_frame_address(0), *bottom = here->stack;
    if (__asan_unpoison_memory_region && bottom && bottom < now)
        __asan_unpoison_memory_region(bottom, (size_t)(now - bottom));
}

/* ---- the switch ---- */

#if defined(__x86_64__) && !defined(CMRT_UCONTEXT)
/* Saves what a called function must keep, and exchanges the stack pointer. */
__asm__(".text\n"
        ".globl cm_fiber_jump\n"
        ".hidden cm_fiber_jump\n"
        ".type cm_fiber_jump, @function\n"
        "cm_fiber_jump:\n"
        "    push %rbp\n    push %rbx\n    push %r12\n"
        "    push %r13\n    push %r14\n    push %r15\n"
        "    mov %rsp, (%rdi)\n    mov %rsi, %rsp\n"
        "    pop %r15\n    pop %r14\n    pop %r13\n"
        "    pop %r12\n    pop %rbx\n    pop %rbp\n"
        "    ret\n"
        ".size cm_fiber_jump, .-cm_fiber_jump\n");
enum { SAVED_WORDS = 6, RETURN_WORD = 6, FRAME_WORDS = 8 };
#define CM_JUMP 1
#elif defined(__aarch64__) && !defined(CMRT_UCONTEXT)
__asm__(".text\n"
        ".globl cm_fiber_jump\n"
        ".hidden cm_fiber_jump\n"
        ".type cm_fiber_jump, %function\n"
        "cm_fiber_jump:\n"
        "    sub sp, sp, #160\n"
        "    stp x19, x20, [sp, #0]\n    stp x21, x22, [sp, #16]\n"
        "    stp x23, x24, [sp, #32]\n   stp x25, x26, [sp, #48]\n"
        "    stp x27, x28, [sp, #64]\n   stp x29, x30, [sp, #80]\n"
        "    stp d8, d9, [sp, #96]\n     stp d10, d11, [sp, #112]\n"
        "    stp d12, d13, [sp, #128]\n  stp d14, d15, [sp, #144]\n"
        "    mov x9, sp\n    str x9, [x0]\n    mov sp, x1\n"
        "    ldp x19, x20, [sp, #0]\n    ldp x21, x22, [sp, #16]\n"
        "    ldp x23, x24, [sp, #32]\n   ldp x25, x26, [sp, #48]\n"
        "    ldp x27, x28, [sp, #64]\n   ldp x29, x30, [sp, #80]\n"
        "    ldp d8, d9, [sp, #96]\n     ldp d10, d11, [sp, #112]\n"
        "    ldp d12, d13, [sp, #128]\n  ldp d14, d15, [sp, #144]\n"
        "    add sp, sp, #160\n    ret\n"
        ".size cm_fiber_jump, .-cm_fiber_jump\n");
enum { SAVED_WORDS = 20, RETURN_WORD = 11, FRAME_WORDS = 20 };
#define CM_JUMP 1
#endif

#ifdef CM_JUMP
void cm_fiber_jump(void **save, void *to);

void cm_fiber_set(struct cm_fiber *fiber, void (*main)(void)) {
    uintptr_t top = ((uintptr_t)fiber->stack + fiber->size) / 64 * 64;
    void **frame = (void **)top - FRAME_WORDS;
    for (int i = 0; i < FRAME_WORDS; i++) frame[i] = NULL;
    frame[RETURN_WORD] = (void *)(uintptr_t)main;
    fiber->top = frame;
}

void cm_fiber_switch(struct cm_fiber *from, struct cm_fiber *to) {
    announce(from, to);
    cm_fiber_jump(&from->top, to->top);
    cm_fiber_begun(from);
}
#else
#include <ucontext.h>

void cm_fiber_set(struct cm_fiber *fiber, void (*main)(void)) {
    if (!fiber->context) fiber->context = malloc(sizeof(ucontext_t));
    ucontext_t *context = fiber->context;
    if (!context) abort();
    getcontext(context);
    context->uc_stack.ss_sp = fiber->stack;
    context->uc_stack.ss_size = fiber->size;
    context->uc_link = NULL;
    makecontext(context, main, 0);
}

void cm_fiber_switch(struct cm_fiber *from, struct cm_fiber *to) {
    if (!from->context) from->context = malloc(sizeof(ucontext_t));
    if (!from->context) abort();
    announce(from, to);
    swapcontext(from->context, to->context);
    cm_fiber_begun(from);
}
#endif
