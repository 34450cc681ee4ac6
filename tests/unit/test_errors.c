/* SPDX-License-Identifier: Apache-2.0 */
#include "diag/embed.h"
#include "diag/errors.h"
#include "test.h"

static struct arena arena;
static struct error_db db;

/* What the vendor's own tables say of codes that the seed projects explained wrongly. */
static const struct {
    const char *code, *name, *meaning;
} wrong_in_seeds[] = {
    {"500001", "ACL_ERROR_FAILURE", "generic ACL failure"},
    {"500002", "ACL_ERROR_GE_FAILURE", "graph engine failure"},
    {"500003", "ACL_ERROR_RT_FAILURE", "runtime module failure"},
    {"500004", "ACL_ERROR_DRV_FAILURE", "driver module failure"},
    {"500005", "ACL_ERROR_PROFILING_FAILURE", "profiling"},
    {"107002", "ACL_ERROR_RT_CONTEXT_NULL", "no current context"},
    {"107005", "ACL_ERROR_RT_STREAM_MODEL", "stream"},
    {"207002", "ACL_ERROR_RT_MEMORY_FREE", "release"},
    {"207003", "ACL_ERROR_RT_AICORE_OVER_FLOW", "overflow"},
    {"207006", "ACL_ERROR_RT_NO_PERMISSION", "permission"},
    {"207007", "ACL_ERROR_RT_NO_EVENT_RESOURCE", "events"},
    {"207018", "ACL_ERROR_RT_DEVICE_OOM", "memory exhausted"},
    {"507001", "ACL_ERROR_RT_TS_ERROR", "task-scheduler"},
    {"507002", "ACL_ERROR_RT_STREAM_TASK_FULL", "queue full"},
    {"507008", "ACL_ERROR_RT_SOC_VERSION", "version"},
    {"507011", "ACL_ERROR_RT_MODEL_EXECUTE", "model execution"},
    {"507014", "ACL_ERROR_RT_AICORE_TIMEOUT", "timed out"},
    {"507015", "ACL_ERROR_RT_AICORE_EXCEPTION", "exception"},
    {"507017", "ACL_ERROR_RT_AICPU_TIMEOUT", "timed out"},
    {"507018", "ACL_ERROR_RT_AICPU_EXCEPTION", "AI CPU"},
    {"507034", "ACL_ERROR_RT_VECTOR_CORE_TIMEOUT", "timed out"},
    {"507038", "ACL_ERROR_RT_DIE_MODE_CHANGE_ERROR", "die mode"},
    {"507046", "ACL_ERROR_RT_STREAM_SYNC_TIMEOUT", "timed out"},
    {"507054", "ACL_ERROR_RT_HBM_MULTI_BIT_ECC_ERROR", "ECC"},
};

static error_hits decode(const char *code) {
    error_hits hits = {0};
    errors_decode(&arena, &db, str_of(code), S(""), &hits);
    return hits;
}

static void test_every_row_is_complete(void) {
    size_t rows = 0;
    for (size_t i = 0; i < db.families.n; i++) {
        const struct error_family *f = &db.families.v[i];
        CHECK(f->targets.n > 0);
        for (size_t k = 0; k < f->rows.n; k++, rows++)
            if (f->rows.v[k].source.n == 0 || f->rows.v[k].meaning.n == 0)
                CHECK_STR(f->rows.v[k].name, "a row with a source and a meaning");
    }
    CHECK(rows > 650);
    CHECK(db.families.n >= 9);
}

static struct str load(const char *rows) {
    struct error_db scratch = {0};
    struct str error, text = arena_printf(&arena,
                                          "{\"family\": \"f\", \"title\": \"t\", \"targets\": [], "
                                          "\"sources\": {\"s\": {\"source\": \"x\", \"checked\": "
                                          "\"2026-11\"}}, \"logs\": [], \"rows\": [%s]}",
                                          rows);
    CHECK(!errors_load_text(&arena, &scratch, S("f.json"), text, &error));
    return error;
}

static void test_bad_rows_do_not_load(void) {
    CHECK_HAS(load("{\"code\": 1, \"name\": \"n\", \"meaning\": \"m\"}"), "source");
    CHECK_HAS(load("{\"code\": 1, \"name\": \"n\", \"meaning\": \"m\", \"source\": \"y\"}"),
              "\"sources\" has no \"y\"");
    CHECK_HAS(load("{\"name\": \"n\", \"meaning\": \"m\", \"source\": \"s\"}"), "one of");
    CHECK_HAS(load("{\"code\": 1, \"nmae\": \"n\"}"), "nmae");
    CHECK_HAS(load("{\"pattern\": \"x\", \"name\": \"n\", \"meaning\": \"m\", \"source\": "
                   "\"s\"}"),
              "needs the file's \"named\"");
}

static void test_codes_that_seeds_get_wrong(void) {
    for (size_t i = 0; i < ARRAY_LEN(wrong_in_seeds); i++) {
        error_hits hits = decode(wrong_in_seeds[i].code);
        if (!CHECK(hits.n == 1)) continue;
        CHECK_STR(hits.v[0].name, wrong_in_seeds[i].name);
        CHECK_HAS(hits.v[0].meaning, wrong_in_seeds[i].meaning);
    }
}

static void test_spellings(void) {
    static const char *const same[] = {"507015", "0x7bc87", "0X7BC87",
                                       "ACL_ERROR_RT_AICORE_EXCEPTION",
                                       "acl_error_rt_aicore_exception"};
    for (size_t i = 0; i < ARRAY_LEN(same); i++) {
        error_hits hits = decode(same[i]);
        if (CHECK(hits.n == 1)) CHECK_STR(hits.v[0].name, "ACL_ERROR_RT_AICORE_EXCEPTION");
    }
    CHECK_HAS(decode("err99999").v[0].meaning, "Python exception");
    CHECK_HAS(decode("ERR01002").v[0].meaning, "invalid type; module OPS");
    CHECK_HAS(decode("ei0002").v[0].meaning, "rank");
    CHECK_HAS(decode("E10001").v[0].meaning, "not valid");
    CHECK(decode("700").n == 3); /* CUDA's names, HIP and MUSA */
    CHECK(decode("").n == 0 && decode("0x").n == 0 && decode("-").n == 0);
    CHECK(decode("99999999999999999999").n == 0 && decode("ERR0100x").n == 0);
    CHECK(decode("ERR55002").n == 0); /* no such module */
}

static void test_classes(void) {
    error_hits hits = decode("507999");
    CHECK(hits.n == 1 && !hits.v[0].row);
    CHECK_HAS(hits.v[0].meaning, "internal fault");
    CHECK_HAS(decode("101234").v[0].meaning, "caller");
    CHECK_HAS(decode("EI9123").v[0].meaning, "HCCL, collective communication: an internal");
    CHECK_HAS(decode("0x78000fff").v[0].meaning, "validation");
}

static void test_logs(void) {
    error_hits hits = {0};
    error_fallbacks fallbacks = {0};
    struct str log = S("fine\n"
                       "function error: Aclrt, error code is 507015\n"
                       "retCode=0x7bc87; step 507014 tokens\n"
                       "EI0002: The wait\nEI0002: again\nEH1234567 E12 xE10001\n"
                       "operator 'aten::a.out' is not currently supported on the NPU backend and "
                       "will fall back to run on the CPU.\n"
                       "operator 'aten::a.out' is not currently supported on the NPU backend and "
                       "will fall back to run on the CPU.");
    errors_scan(&arena, &db, log, S(""), &hits, &fallbacks);
    if (!CHECK(hits.n == 2 && fallbacks.n == 1)) return;
    CHECK(hits.v[0].line == 2 && hits.v[0].count == 2);
    CHECK(hits.v[1].line == 4 && hits.v[1].count == 2);
    CHECK_STR(fallbacks.v[0].name, "aten::a.out");
    CHECK(fallbacks.v[0].count == 2 && fallbacks.v[0].line == 7);
}

/* What one line is taken for: the name of the first answer, or nothing. */
static struct str first_of(const char *line, size_t *n) {
    error_hits hits = {0};
    error_fallbacks fallbacks = {0};
    errors_scan(&arena, &db, str_of(line), S(""), &hits, &fallbacks);
    *n = hits.n;
    return hits.n ? hits.v[0].name : S("");
}

static void test_messages(void) {
    static const struct {
        const char *line, *name;
    } messages[] = {
        {"RuntimeError: HIP error: invalid device function", "hipErrorInvalidDeviceFunction"},
        {"x.hip:3: HIP error: unspecified launch failure in prior launch",
         "hipErrorPriorLaunchFailure"},
        {"HIP warning: unspecified launch failure (Triggered at y.h:8)", "hipErrorLaunchFailure"},
        {"RuntimeError: MUSA error: an illegal memory access was encountered",
         "musaErrorIllegalAddress"},
        {"CUDA error: an illegal memory access was encountered", "cudaErrorIllegalAddress"},
        {"torch.OutOfMemoryError: HIP out of memory. Tried to allocate 7.00 GiB",
         "HIP out of memory"},
        {"RuntimeError: NPU out of memory. Tried to allocate 7.00 GiB", "NPU out of memory"},
        {"MLU CNRT error(100006), cnrtErrorArgsInvalid", "cnrtErrorArgsInvalid"},
        {"CUDA error: HIPBLAS_STATUS_ALLOC_FAILED when calling `hipblasCreate(h)`",
         "HIPBLAS_STATUS_ALLOC_FAILED"},
        {"rtMemcpyAsync failed, reason=[vector core exception]",
         "ACL_ERROR_RT_VECTOR_CORE_EXCEPTION"},
        {"EL0009[PID: 7] 2026-01-01-00:00:00.000.000 no stream", "Insufficient_Stream_Resources"},
        {"Memory access fault by GPU node-7 (Agent handle: 0x1) on address 0x2.",
         "GPU memory access fault"},
        /* No failure, and told as such: errors.h, ERROR_HARMLESS. */
        {"HIP kernel errors might be asynchronously reported at some other API call",
         "how to find an error of a kernel"},
    };
    static const char *const silent[] = {
        "ggml_cuda_init: found 2 MUSA devices:",
        "an illegal memory access was encountered",
        "out of memory",
        "invalid device function",
        "[INFO] GE(7,x): the graph failed once, retry",
        "NCCL INFO transport.cc:45 -> 3"};
    size_t n;
    for (size_t i = 0; i < ARRAY_LEN(messages); i++)
        CHECK_STR(first_of(messages[i].line, &n), messages[i].name);
    for (size_t i = 0; i < ARRAY_LEN(silent); i++) CHECK_STR(first_of(silent[i], &n), "");
    first_of("MLU CNRT error(100006), cnrtErrorArgsInvalid", &n);
    CHECK(n == 1); /* 100006 is a code of CANN's, too */
}

int main(void) {
    struct str error;
    arena_init(&arena, 0);
    if (CHECK(errors_load(&arena, &db, &error))) {
        CHECK(embed_find(S("rules/errors/cann.json")) && !embed_find(S("rules/errors")));
        test_every_row_is_complete();
        test_bad_rows_do_not_load();
        test_codes_that_seeds_get_wrong();
        test_spellings();
        test_classes();
        test_logs();
        test_messages();
    } else {
        fprintf(stderr, "%.*s\n", STR_ARG(error));
    }
    arena_free(&arena);
    return test_end("errors");
}
