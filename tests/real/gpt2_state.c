/* SPDX-License-Identifier: Apache-2.0 */
/* gpt2_state.c - a small GPT-2 of random weights for llm.c's tests, which otherwise want the real one.
 *
 * Compiled with -I CHECKOUT of llm.c, whose train_gpt2.c, plain C, computes here what the tests of
 * its CUDA programs compare with. Into the current folder go gpt2_124M.bin, gpt2_124M_bf16.bin,
 * gpt2_124M_debug_state.bin and tokens.bin, laid out as the programs read them. Standard output has the
 * losses of ten steps of training, one a line: with the settings of test_gpt2_fp32.cu, or those of
 * test_gpt2.cu when an argument is given. */
#define TESTING
#include "train_gpt2.c"

enum { MAX_T = 64, VOCABULARY = 250, PADDED = 256, LAYERS = 2, HEADS = 4, CHANNELS = 128 };
enum { BATCH = 2, LENGTH = 32, MODEL = 20240326, STATE = 20240327, TOKENS = 20240520 };

static uint64_t seed = 88172645463325252u;

/* Between -1 and 1, the same everywhere: xorshift64*. */
static float random_float(void) {
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return (float)((int64_t)(seed * 2685821657736338717u) >> 40) / (float)(1 << 23);
}

static int random_token(void) { return (int)((random_float() + 1) * 0.4999f * VOCABULARY); }

static void put(FILE *file, const void *data, size_t size) {
    if (fwrite(data, 1, size, file) != size) exit(1);
}

/* file begun with the 256 numbers that all of llm.c's files begin with */
static FILE *begin(const char *name, const int *numbers, size_t count) {
    FILE *file = fopen(name, "wb");
    int header[256] = {0};
    if (!file) exit(1);
    memcpy(header, numbers, count * sizeof *numbers);
    put(file, header, sizeof header);
    return file;
}

static void write_model(const char *name, int version, const float *weights, size_t count) {
    int numbers[] = {MODEL, version, MAX_T, VOCABULARY, LAYERS, HEADS, CHANNELS, PADDED};
    FILE *file = begin(name, numbers, 8);
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &weights[i], sizeof bits);
        uint16_t high = (uint16_t)(bits >> 16); /* the weights fit: see random_weights() */
        put(file, version == 5 ? (const void *)&high : (const void *)&bits, version == 5 ? 2 : 4);
    }
    fclose(file);
}

/* Of the size that GPT-2's own begin with, cut to bfloat16 so that both files hold the same. Tokens
 * that only pad the vocabulary have weights 0: the programs count on it. */
static float *random_weights(const size_t *sizes, size_t count) {
    float *weights = malloc(count * sizeof *weights);
    size_t at = 0;
    for (int tensor = 0; tensor < NUM_PARAMETER_TENSORS; tensor++) {
        int one = tensor == 2 || tensor == 8 || tensor == 14; /* weights of layer norms */
        for (size_t i = 0; i < sizes[tensor]; i++, at++) {
            int padding = tensor == 0 && i >= VOCABULARY * CHANNELS;
            weights[at] = padding ? 0 : (float)one + 0.1f * random_float();
            uint32_t bits;
            memcpy(&bits, &weights[at], sizeof bits);
            bits &= 0xffff0000u;
            memcpy(&weights[at], &bits, sizeof bits);
        }
    }
    return weights;
}

static void write_tokens(void) {
    int numbers[] = {TOKENS, 1, 64 * BATCH * LENGTH};
    FILE *file = begin("tokens.bin", numbers, 3);
    for (int i = 0; i < numbers[2]; i++) {
        uint16_t token = (uint16_t)random_token();
        put(file, &token, sizeof token);
    }
    fclose(file);
}

/* What the tests compare with: inputs, logits without their padding, loss and gradients. */
static void write_state(GPT2 *model, const int *x, const int *y) {
    int numbers[] = {STATE, 2, BATCH, LENGTH};
    FILE *file = begin("gpt2_124M_debug_state.bin", numbers, 4);
    put(file, x, BATCH * LENGTH * sizeof *x);
    put(file, y, BATCH * LENGTH * sizeof *y);
    for (int i = 0; i < BATCH * LENGTH; i++) {
        put(file, model->acts.logits + (size_t)i * PADDED, VOCABULARY * sizeof(float));
    }
    put(file, &model->mean_loss, sizeof(float));
    put(file, model->grads_memory, model->num_parameters * sizeof(float));
    fclose(file);
}

/* Gradients longer than 1 are cut to it, as test_gpt2.cu does. */
static void clip(GPT2 *model) {
    double sum = 0;
    for (size_t i = 0; i < model->num_parameters; i++) {
        sum += (double)model->grads_memory[i] * model->grads_memory[i];
    }
    for (size_t i = 0; sum > 1 && i < model->num_parameters; i++) {
        model->grads_memory[i] *= (float)(1 / sqrt(sum));
    }
}

int main(int argc, char **argv) {
    (void)argv;
    GPT2Config config = {MAX_T, VOCABULARY, PADDED, LAYERS, HEADS, CHANNELS};
    size_t sizes[NUM_PARAMETER_TENSORS], count = 0;
    fill_in_parameter_sizes(sizes, config);
    for (int i = 0; i < NUM_PARAMETER_TENSORS; i++) count += sizes[i];
    float *weights = random_weights(sizes, count);
    write_model("gpt2_124M.bin", 3, weights, count);
    write_model("gpt2_124M_bf16.bin", 5, weights, count);
    write_tokens();

    FILE *out = fdopen(dup(1), "w"); /* train_gpt2.c prints, too */
    int x[BATCH * LENGTH], y[BATCH * LENGTH];
    GPT2 model;
    if (!out || !freopen("/dev/null", "w", stdout)) return 1;
    gpt2_build_from_checkpoint(&model, "gpt2_124M.bin");
    for (int i = 0; i < BATCH * LENGTH; i++) x[i] = random_token(), y[i] = random_token();
    for (int step = 0; step < 10; step++) {
        gpt2_forward(&model, x, y, BATCH, LENGTH);
        gpt2_zero_grad(&model);
        gpt2_backward(&model);
        if (step == 0) write_state(&model, x, y);
        if (argc > 1) clip(&model);
        gpt2_update(&model, 1e-4f, 0.9f, argc > 1 ? 0.95f : 0.999f, 1e-8f, argc > 1 ? 0 : 0.01f,
                    step + 1);
        fprintf(out, "%.9ff\n", (double)model.mean_loss);
    }
    fclose(out);
    free(weights);
    return 0;
}
