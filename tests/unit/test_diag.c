/* SPDX-License-Identifier: Apache-2.0 */
#include "../../runtime/include/cuda_morph/bucket.h"
#include "base/file.h"
#include "diag/embed.h"
#include "diag/machine.h"
#include "diag/probes.h"
#include "diag/quant.h"
#include "diag/versions.h"
#include "test.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct arena arena;

/* A row of any of these files without a source is an error of its reader. */
static void test_every_row_has_a_source(void) {
    probe_targets targets = {0};
    struct quant_methods methods;
    struct str error;
    size_t tables = 0;
    const struct embedded *e = NULL;
    CHECK(probes_load(&arena, NULL, 0, &targets, &error));
    CHECK(targets.n >= 7);
    for (size_t i = 0; i < targets.n; i++)
        for (size_t k = 0; k < targets.v[i].items.n; k++)
            if (targets.v[i].items.v[k].source.n == 0 || targets.v[i].items.v[k].fix.n == 0)
                CHECK_STR(targets.v[i].items.v[k].title, "an item with a source and a fix");
    CHECK(quant_load(&arena, &methods, &error));
    for (size_t i = 0; i < methods.v.n; i++) CHECK(methods.v.v[i].source.n > 0);
    while ((e = embed_next(e, S("rules/versions/"))) != NULL) {
        version_set none = {0};
        version_findings found = {0};
        struct str path = str_of(e->path);
        struct str target = str_sub(path, strlen("rules/versions/"), path.n - strlen(".json"));
        if (!CHECK(versions_check(&arena, target, &none, &found, &error)))
            fprintf(stderr, "%.*s\n", STR_ARG(error));
        CHECK(found.n == 0);
        tables++;
    }
    CHECK(tables >= 6);
}

static void test_versions(void) {
    static const struct {
        const char *x, *y;
        int match;
    } rows[] = {{"2.5.1", "2.5.1", 2},
                {"2.5.1+cpu", "2.5.1", 2},
                {"v2.5.1", "2.5.1", 2},
                {"2.5.1", "2.5.1.post1", 1},
                {"2.5.1.post1", "2.5.1", 1},
                {"2.5.1.post1", "2.5.1.post2", 1},
                {"2.1.0.post12", "2.1.0.post12", 2},
                {"2.10", "2.1", 0},
                {"2.1.2", "2.1", 2},
                {"8.0.rc3", "8.0.RC3", 2},
                {"8.0.0", "8.0.RC3", 0},
                {"", "2.1", 0},
                {"2.1", "", 0},
                {"3.11", "3.1", 0}};
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (!CHECK(version_match(str_of(rows[i].x), str_of(rows[i].y)) == rows[i].match))
            fprintf(stderr, "  %s and %s\n", rows[i].x, rows[i].y);
    CHECK(version_compare(S("2.10"), S("2.9")) > 0);
    CHECK(version_compare(S("2.6"), S("2.6.0+cpu")) == 0);
    CHECK(version_compare(S("1.13.1"), S("2.0")) < 0);
    CHECK(version_compare(S("99999999999999999999"), S("2")) > 0);
}

/* The levels of what the target's table says of "KEY VALUE, KEY VALUE": ok, note, warning, error.
 */
static struct str judged(const char *target, const char *list, struct str *texts) {
    version_set set = {0};
    version_findings found = {0};
    struct str error, rest = str_of(list);
    struct buf levels, said;
    buf_init(&levels, &arena), buf_init(&said, &arena);
    for (size_t at = 0, end; at < rest.n; at = end + 2) {
        end = str_find(rest, S(", "), at);
        size_t space = str_find(rest, S(" "), at);
        struct version v = {str_sub(rest, at, space), str_sub(rest, space + 1, end)};
        vec_push(&arena, &set, v);
    }
    CHECK(versions_check(&arena, str_of(target), &set, &found, &error));
    for (size_t i = 0; i < found.n; i++) {
        buf_addc(&levels, "onwe"[found.v[i].level]);
        buf_printf(&said, "%.*s. ", STR_ARG(found.v[i].text));
        CHECK(found.v[i].source.n > 0);
    }
    *texts = buf_str(&said);
    return buf_str(&levels);
}

/* What goes together, what does not, and what the tables cannot know. */
static void test_sets(void) {
    static const struct {
        const char *set, *levels, *says;
    } rows[] = {
        {"torch 2.10.0, torch_npu 2.10.0.post4, cann 9.1.0", "o", "go together"},
        {"torch 2.10.0, torch_npu 2.10.0, cann 9.1.0", "on", "the table's set is cann 9.1.0"},
        {"torch 2.10.0+cpu, torch_npu 2.10.0.post4", "o", "torch 2.10.0+cpu, torch_npu"},
        {"torch 2.11.0, torch_npu 2.10.0.post4", "e", "the nearest set is"},
        {"torch 2.10.0, torch_npu 2.10.0.post4, cann 9.1.0, python 3.9", "e", "do not go"},
        {"torch 2.10.0+cu128", "e", "built for CUDA"},
        {"torch 2.10.0", "", ""},
        {"torch 0.3, torch_npu 2.10.0.post4", "w", "does not know torch 0.3"},
        {"vllm 0.9.1, vllm_ascend 0.9.1rc1", "o", "go together"},
        {"vllm 0.9, vllm_ascend 0.9.1", "o", "go together"},
        {"vllm 0.9.1, vllm_ascend 0.9", "o", "go together"},
        {"vllm 0.9.2, vllm_ascend 0.9.1rc1", "e", "needs the vllm of the same version"},
        {"vllm 0.10.1, vllm_ascend 0.9.1", "e", "needs the vllm of the same version"},
        {"vllm 0.9.1, other 3", "", ""},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct str says, levels = judged("ascend", rows[i].set, &says);
        bool told = str_find(says, str_of(rows[i].says), 0) < says.n || !*rows[i].says;
        if (!CHECK(str_is(levels, rows[i].levels)) || !CHECK(told))
            fprintf(stderr, "  %s: %.*s: %.*s\n", rows[i].set, STR_ARG(levels), STR_ARG(says));
    }
    struct str says;
    CHECK_STR(judged("no-target", "torch 2.10.0", &says), "");
    version_set one = {0};
    struct version v = {S("vllm_ascend"), S("1")}, torch = {S("torch"), S("2")};
    vec_push(&arena, &one, torch);
    CHECK_STR(versions_target(&arena, &one), "");
    vec_push(&arena, &one, v);
    CHECK_STR(versions_target(&arena, &one), "ascend");
}

/* A model's folder: what its files say, which of them count, and what could not be read. */
static void write_model(const char *file, const char *text, size_t n) {
    FILE *f = fopen(file, "wb");
    if (!CHECK(f)) return;
    fwrite(text, 1, n, f);
    fclose(f);
}

static void check_model(const char *dir, const char *method, size_t tensors, const char *evidence,
                        const char *problem) {
    struct quant_model m = {0};
    struct str error;
    bool said = !*evidence, wrong = !*problem;
    CHECK(quant_inspect(&arena, dir, &m, &error));
    CHECK_STR(m.method, method);
    CHECK(m.tensors == tensors);
    for (size_t i = 0; i < m.evidence.n; i++)
        said |= str_find(m.evidence.v[i].text, str_of(evidence), 0) < m.evidence.v[i].text.n;
    for (size_t i = 0; i < m.problems.n; i++)
        wrong |= str_find(m.problems.v[i].text, str_of(problem), 0) < m.problems.v[i].text.n;
    CHECK(said);
    CHECK(*problem ? wrong && m.problems.n == 1 : m.problems.n == 0);
}

static void test_models(void) {
    char dir[] = "/tmp/cm-quant.XXXXXX";
    if (!CHECK(mkdtemp(dir)) || !CHECK(chdir(dir) == 0)) return;
#define MODEL(file, text) write_model(file, text, sizeof text - 1)
    MODEL("config.json", "{\"torch_dtype\": \"bfloat16\"}");
    check_model(dir, "none", 0, "weights in bfloat16", "");
    MODEL("config.json",
          "{\"dtype\": \"float16\", \"quantization_config\": {\"load_in_4bit\": true}}");
    check_model(dir, "bitsandbytes", 0, "weights in float16", "");
    MODEL("config.json",
          "{\"text_config\": {\"quantization_config\": {\"quant_algo\": \"FP8\"}}}");
    check_model(dir, "fp8", 0, "quantization_config says \"FP8\"", "");
    MODEL("config.json", "{\"compression_config\": {\"quant_method\": \"compressed-tensors\", "
                         "\"format\": \"int-quantized\"}}");
    check_model(dir, "w8a8", 0, "format \"int-quantized\"", "");
    MODEL("config.json", "{\"quantization_config\": {\"quant_method\": \"awq\", "
                         "\"format\": \"float-quantized\"}}");
    check_model(dir, "awq", 0, "format \"float-quantized\"", "");
    MODEL("quantize_config.json", "{\"bits\": 4}");
    check_model(dir, "awq", 0, "awq", ""); /* the first that names one */
    MODEL("config.json", "{}");
    check_model(dir, "gptq", 0, "a file that AutoGPTQ writes", "");
    unlink("quantize_config.json");
    MODEL("a.safetensors",
          "\x5d\0\0\0\0\0\0\0{\"__metadata__\": {}, \"w\": {\"dtype\": \"F16\", \"shape\": [1], "
          "\"data_offsets\": [0, 2]}}                  ");
    check_model(dir, "none", 1, "1 F16", "");
    MODEL("a.safetensors", "\2\0\0\0\0\0\0\0{");
    check_model(dir, "none", 0, "", "header is too long or cut");
    MODEL("a.safetensors", "\1\0\0\0\0\0\0\0{}");
    check_model(dir, "none", 0, "", "header is too long or cut");
    MODEL("a.safetensors", "\2\0\0");
    check_model(dir, "none", 0, "", "header is too long or cut");
    MODEL("a.safetensors", "\2\0\0\0\0\1\0\0{}");
    check_model(dir, "none", 0, "", "header is too long or cut");
    unlink("a.safetensors");
    CHECK(symlink("nothing", "a.safetensors") == 0);
    struct stat st;
    if (lstat("a.safetensors", &st) == 0)
        check_model(dir, "none", 0, "", "cannot be opened");
    else
        test_skip("diag", "a link that leads nowhere", S("it is nothing here"));
    unlink("a.safetensors");
    MODEL("config.json", "{");
    struct quant_model m = {0};
    struct str error;
    CHECK(quant_inspect(&arena, dir, &m, &error) && m.problems.n == 1 && !m.is_known);
    unlink("config.json");
    CHECK(chdir("/") == 0 && rmdir(dir) == 0);
    CHECK(!quant_inspect(&arena, dir, &m, &error) && error.n);
}

/* A pattern may begin with a variable; one that is not set, or empty, finds nothing. Packages are
 * found by their names whatever the case. */
static void test_machine(void) {
    struct machine m;
    struct str error;
    char root[] = "/tmp/cm-diag-XXXXXX";
    if (!CHECK(mkdtemp(root)) || !CHECK(chdir(root) == 0)) return;
    CHECK(mkdir("etc", 0700) == 0 && mkdir("opt", 0700) == 0 && mkdir("opt/v", 0700) == 0);
    CHECK(file_create(&arena, "etc/environment", S("V_HOME=/opt/v\nV_EMPTY=\n"), 0600, &error));
    CHECK(file_create(&arena, "opt/v/lib.so", S(""), 0600, &error));
    if (!CHECK(machine_open(&m, &arena, str_of(root), &error))) return;
    CHECK_STR(machine_match(&m, S("$V_HOME/*.so")), "/opt/v/lib.so");
    CHECK_STR(machine_match(&m, S("/opt/v/*.so")), "/opt/v/lib.so");
    CHECK(!machine_match(&m, S("$V_HOME/*.a")).p);
    CHECK(!machine_match(&m, S("$V_EMPTY/opt/v/lib.so")).p);
    CHECK(!machine_match(&m, S("$V_UNSET/opt/v/lib.so")).p);
    struct python_package found;
    const char *package = "opt/v/Zebra_Apex.A-1.2.dist-info";
    CHECK(file_create(&arena, package, S(""), 0600, &error));
    vec_push(&arena, &m.python_dirs, S("/opt/v"));
    CHECK(machine_python(&m, S("zebra-apex-a"), &found)); /* as pip compares names */
    CHECK_STR(found.version, "1.2");
    CHECK(!machine_python(&m, S("zebra-apex"), &found));
    CHECK(unlink(package) == 0);
    CHECK(unlink("opt/v/lib.so") == 0 && unlink("etc/environment") == 0);
    CHECK(rmdir("opt/v") == 0 && rmdir("opt") == 0 && rmdir("etc") == 0);
    CHECK(chdir("/") == 0 && rmdir(root) == 0);
}

/* A size above the last bucket is an error, not cut down. */
static void test_buckets(void) {
    const long table[] = {128, 256}, mixed[] = {512, 64, 128};
    CHECK(cm_bucket(137, table, 2) == 256);
    CHECK(cm_bucket(128, table, 2) == 128 && cm_bucket(0, table, 2) == 128);
    CHECK(cm_bucket(257, table, 2) == -1 && cm_bucket(-1, table, 2) == -1);
    CHECK(cm_bucket(65, mixed, 3) == 128 && cm_bucket(1, mixed, 0) == -1);
}

int main(void) {
    arena_init(&arena, 0);
    test_every_row_has_a_source();
    test_versions();
    test_sets();
    test_models();
    test_machine();
    test_buckets();
    arena_free(&arena);
    return test_end("diag");
}
