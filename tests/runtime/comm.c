/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives between the two devices that the script asked for, and four ranks on them. */
#include "check.h"
#include <cuda_morph/comm.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FINE(call) CHECK((call) == cmCommSuccess)

enum { RANKS = 4, N = 5000 };
static cmComm_t comm[RANKS];
static cmStream_t stream[RANKS];
static float *from[RANKS], *to[RANKS];

static void fill(void) {
    for (int r = 0; r < RANKS; r++)
        for (int i = 0; i < N; i++) {
            from[r][i] = (float)((r + 1) * (i % 100 + 1));
            to[r][i] = -1;
        }
}

static void wait(void) {
    for (int r = 0; r < RANKS; r++) OK(cmStreamSynchronize(stream[r]));
}

#define EACH(call)                                                                                \
    do {                                                                                          \
        FINE(cmCommGroupStart());                                                                 \
        for (int r = 0; r < RANKS; r++) FINE(call);                                               \
        FINE(cmCommGroupEnd());                                                                   \
        wait();                                                                                   \
    } while (0)

static void reductions(void) {
    fill();
    EACH(cmCommAllReduce(from[r], to[r], N, cmCommFloat, cmCommSum, comm[r], stream[r]));
    for (int r = 0; r < RANKS; r++)
        for (int i = 0; i < N; i++) CHECK(to[r][i] == (float)(10 * (i % 100 + 1)));
    EACH(cmCommAllReduce(from[r], from[r], N, cmCommFloat, cmCommAvg, comm[r], stream[r]));
    for (int r = 0; r < RANKS; r++) CHECK(from[r][99] == 250 && from[r][N - 1] == 250);
    fill();
    EACH(cmCommReduce(from[r], to[r], N, cmCommFloat, cmCommMax, 2, comm[r], stream[r]));
    CHECK(to[2][0] == 4 && to[2][N - 1] == 400 && to[0][0] == -1);
    EACH(cmCommReduceScatter(from[r], to[r], N / RANKS, cmCommFloat, cmCommProd, comm[r],
                             stream[r]));
    for (int r = 0; r < RANKS; r++) {
        int i = r * (N / RANKS) + 7;
        float x = (float)(i % 100 + 1);
        CHECK(to[r][7] == 24 * x * x * x * x);
    }
    /* Signed numbers and 16 bits. */
    for (int r = 0; r < RANKS; r++) {
        ((int *)from[r])[0] = r - 2;
        ((uint16_t *)to[r])[0] = 0x3c00; /* 1 */
    }
    EACH(cmCommAllReduce(from[r], from[r], 1, cmCommInt, cmCommMin, comm[r], stream[r]));
    EACH(cmCommAllReduce(to[r], to[r], 1, cmCommHalf, cmCommSum, comm[r], stream[r]));
    CHECK(((int *)from[3])[0] == -2 && ((uint16_t *)to[1])[0] == 0x4400);
}

static void moves(void) {
    fill();
    EACH(cmCommBroadcast(from[r], to[r], N, cmCommFloat, 1, comm[r], stream[r]));
    for (int r = 0; r < RANKS; r++) CHECK(to[r][0] == 2 && to[r][N - 1] == 200);
    EACH(cmCommAllGather(from[r], to[r], N / RANKS, cmCommFloat, comm[r], stream[r]));
    for (int r = 0; r < RANKS; r++)
        for (int s = 0; s < RANKS; s++) CHECK(to[r][s * (N / RANKS)] == (float)(s + 1));
    /* Everyone to everyone, in one group: nothing waits for anything else. */
    FINE(cmCommGroupStart());
    for (int r = 0; r < RANKS; r++)
        for (int s = 0; s < RANKS; s++) {
            FINE(cmCommSend(from[r] + s, 1, cmCommFloat, s, comm[r], stream[r]));
            FINE(cmCommRecv(to[r] + s, 1, cmCommFloat, s, comm[r], stream[r]));
        }
    FINE(cmCommGroupEnd());
    wait();
    for (int r = 0; r < RANKS; r++)
        for (int s = 0; s < RANKS; s++) CHECK(to[r][s] == (float)((s + 1) * (r + 1)));
}

/* The calls of one thread per rank, in stream order and without groups. */
static void *one_rank(void *number) {
    int r = *(int *)number;
    cmComm_t half;
    int ranks = 0, rank = -1;
    CHECK(cmSetDevice(r % 2) == cmSuccess);
    for (int i = 0; i < 50; i++)
        FINE(cmCommAllReduce(from[r], from[r], N, cmCommFloat, cmCommMax, comm[r], stream[r]));
    FINE(cmCommSplit(comm[r], r % 2, -r, &half, NULL));
    FINE(cmCommCount(half, &ranks));
    FINE(cmCommUserRank(half, &rank));
    CHECK(ranks == 2 && rank == (r < 2)); /* the higher rank has the lower key */
    FINE(cmCommAllReduce(from[r], to[r], 1, cmCommFloat, cmCommSum, half, stream[r]));
    CHECK(cmStreamSynchronize(stream[r]) == cmSuccess);
    CHECK(to[r][0] == 8);
    FINE(cmCommDestroy(half));
    return NULL;
}

static void threads(void) {
    pthread_t thread[RANKS];
    int number[RANKS];
    fill();
    for (int r = 0; r < RANKS; r++) {
        number[r] = r;
        CHECK(!pthread_create(&thread[r], NULL, one_rank, &number[r]));
    }
    for (int r = 0; r < RANKS; r++) pthread_join(thread[r], NULL);
}

static void mistakes(void) {
    cmCommUniqueId id;
    cmComm_t none;
    FINE(cmCommGetUniqueId(&id));
    CHECK(cmCommInitRank(&none, 2, id, 2) == cmCommInvalidArgument);
    CHECK(cmCommInitAll(&none, 3, NULL) == cmCommInvalidArgument); /* there are two devices */
    CHECK(cmCommAllReduce(from[0], to[0], 1, (cmCommDataType_t)77, cmCommSum, comm[0],
                          stream[0]) == cmCommInvalidArgument);
    CHECK(cmCommAllReduce(NULL, to[0], 1, cmCommFloat, cmCommSum, comm[0], stream[0]) ==
          cmCommInvalidArgument);
    CHECK(cmCommBroadcast(from[0], to[0], 1, cmCommFloat, RANKS, comm[0], stream[0]) ==
          cmCommInvalidArgument);
    CHECK(cmCommGroupEnd() == cmCommInvalidUsage);
}

int main(void) {
    cmCommUniqueId id;
    FINE(cmCommGetUniqueId(&id));
    for (int r = 0; r < RANKS; r++) {
        OK(cmSetDevice(r % 2));
        FINE(cmCommInitRank(&comm[r], RANKS, id, r));
        OK(cmStreamCreate(&stream[r]));
        OK(cmMalloc((void **)&from[r], N * sizeof(float)));
        OK(cmMalloc((void **)&to[r], N * sizeof(float)));
    }
    reductions();
    moves();
    threads();
    mistakes();
    for (int r = 0; r < RANKS; r++) {
        OK(cmSetDevice(r % 2));
        FINE(cmCommDestroy(comm[r]));
        CHECK(cmCommDestroy(comm[r]) == cmCommInvalidArgument);
        OK(cmStreamDestroy(stream[r]));
        OK(cmFree(from[r]));
        OK(cmFree(to[r]));
    }
    return failures != 0;
}
