// Blocks of threads on one host thread: every thread is a fiber that runs until it meets the others
// of its wave or of its block. What ends early is not waited for.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <ucontext.h>
#include <vector>

namespace fibers {

struct Fiber {
    ucontext_t context;
    std::vector<char> stack = std::vector<char>(64 * 1024);
    enum { RUNS, AT_WAVE, AT_BLOCK, TOGETHER, DONE } state = DONE;
    unsigned with = 0, met = 0; // the lanes that it waits for; those that it met the last time
};

inline ucontext_t scheduler;
inline std::vector<Fiber> all;
inline size_t current, count, wave = 32;
inline std::function<void()> body;

inline void run_body()
{
    body();
    all[current].state = Fiber::DONE;
    swapcontext(&all[current].context, &scheduler);
}

inline void wait_as(decltype(Fiber::state) state)
{
    all[current].state = state;
    swapcontext(&all[current].context, &scheduler);
}
inline void meet_wave() { wait_as(Fiber::AT_WAVE); }
inline void meet_block() { wait_as(Fiber::AT_BLOCK); }
inline void meet_lanes(unsigned mask)
{
    const unsigned own = 1u << current % wave;
    all[current].with = mask & own ? mask : own;
    wait_as(Fiber::TOGETHER);
}

// Lets the threads first..last go on when all that are left of them wait for the same.
inline bool release(size_t first, size_t last, decltype(Fiber::state) state)
{
    bool any = false;
    for (size_t i = first; i < last; i++) {
        if (all[i].state == Fiber::DONE) continue;
        if (all[i].state != state) return false;
        any = true;
    }
    for (size_t i = first; i < last && any; i++)
        if (all[i].state == state) all[i].state = Fiber::RUNS;
    return any;
}

// Lets those of a wave go on that wait for the same lanes, once what is left of these is there.
inline bool release_lanes(size_t first, size_t last)
{
    bool any = false;
    for (size_t i = first; i < last; i++) {
        if (all[i].state != Fiber::TOGETHER) continue;
        const unsigned mask = all[i].with;
        unsigned there = 0, missing = 0;
        for (size_t k = first; k < last; k++) {
            if (!(mask >> (k - first) & 1) || all[k].state == Fiber::DONE) continue;
            const bool waits = all[k].state == Fiber::TOGETHER && all[k].with == mask;
            (waits ? there : missing) |= 1u << (k - first);
        }
        for (size_t k = first; k < last && !missing; k++)
            if (there >> (k - first) & 1) {
                all[k].state = Fiber::RUNS;
                all[k].met = there;
                any = true;
            }
    }
    return any;
}

// Runs `threads` calls of `what`, which finds its number in `current`.
inline void run_block(size_t threads, std::function<void()> what)
{
    count = threads;
    body = std::move(what);
    if (all.size() < threads) all = std::vector<Fiber>(threads);
    for (size_t i = 0; i < threads; i++) {
        getcontext(&all[i].context);
        all[i].context.uc_stack.ss_sp = all[i].stack.data();
        all[i].context.uc_stack.ss_size = all[i].stack.size();
        all[i].context.uc_link = nullptr;
        makecontext(&all[i].context, run_body, 0);
        all[i].state = Fiber::RUNS;
    }
    for (bool left = true; left;) {
        left = false;
        bool ran = false;
        for (current = 0; current < threads; current++) {
            if (all[current].state != Fiber::RUNS) continue;
            ran = true;
            swapcontext(&scheduler, &all[current].context);
        }
        bool released = false;
        for (size_t first = 0; first < threads; first += wave) {
            const size_t last = first + wave < threads ? first + wave : threads;
            released |= release(first, last, Fiber::AT_WAVE);
            released |= release_lanes(first, last);
        }
        released = released || release(0, threads, Fiber::AT_BLOCK);
        for (size_t i = 0; i < threads; i++) left |= all[i].state != Fiber::DONE;
        if (left && !ran && !released) {
            std::fprintf(stderr, "deadlock: the threads of a block wait for each other\n");
            std::abort();
        }
    }
}

} // namespace fibers
