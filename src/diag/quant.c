/* SPDX-License-Identifier: Apache-2.0 */
/* quant.c - how a model is quantised.
 *
 * Names of models lie and configurations disagree: what the tensors prove stands above what a
 * file says. Only the headers of weight files are read. */
#include "diag/quant.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "diag/embed.h"

/* ---- what targets make of it ---- */

static struct str read_verdict(struct data *d, const struct cJSON *v) {
    static const char *const verdicts[] = {"yes", "no", "depends", "unknown"};
    struct str verdict = data_need(d, v, "verdict");
    for (size_t i = 0; i < ARRAY_LEN(verdicts); i++)
        if (str_is(verdict, verdicts[i])) return verdict;
    json_fail(&d->j, v, "no verdict \"%.*s\"", STR_ARG(verdict));
    return verdict;
}

static void read_stacks(struct data *d, const struct cJSON *answer, struct quant_answer *out) {
    static const char *const keys[] = {"verdict", "note", "source", NULL};
    json_each(v, json_take(&d->j, answer, "stacks", JSON_OBJECT)) {
        json_only_keys(&d->j, v, keys);
        struct quant_stack x = {arena_str(d->a, json_key(v)), read_verdict(d, v),
                                data_take(d, v, "note"), data_source(d, v)};
        vec_push(d->a, &out->stacks, x);
    }
}

static void read_method(struct data *d, const struct cJSON *v, struct quant_methods *out) {
    static const char *const keys[] = {"method",      "names",  "answers",
                                       "alternative", "source", NULL};
    static const char *const answer_keys[] = {"verdict", "note",   "instead",
                                              "source",  "stacks", NULL};
    struct quant_method m = {0};
    json_only_keys(&d->j, v, keys);
    m.name = data_need(d, v, "method");
    m.names = data_list(d, v, "names");
    m.alternative = data_take(d, v, "alternative");
    m.source = data_source(d, v);
    json_each(x, json_need(&d->j, v, "answers", JSON_OBJECT)) {
        json_only_keys(&d->j, x, answer_keys);
        struct quant_answer a = {.target = arena_str(d->a, json_key(x)),
                                 .verdict = read_verdict(d, x),
                                 .note = data_need(d, x, "note"),
                                 .instead = data_take(d, x, "instead")};
        if (json_get(x, "source")) a.source = data_source(d, x);
        read_stacks(d, x, &a);
        vec_push(d->a, &m.answers, a);
    }
    vec_push(d->a, &out->v, m);
}

bool quant_load(struct arena *a, struct quant_methods *out, struct str *error) {
    struct data d;
    const struct embedded *e = embed_find(S("rules/quant/methods.json"));
    *out = (struct quant_methods){0};
    if (data_open(&d, a, str_of(e->path), embed_text(e), NULL))
        json_each(v, json_need(&d.j, d.root, "methods", JSON_ARRAY)) read_method(&d, v, out);
    *error = data_close(&d);
    return error->n == 0;
}

const struct quant_method *quant_find(const struct quant_methods *m, struct str name) {
    for (size_t i = 0; i < m->v.n; i++)
        for (size_t k = 0; k < m->v.v[i].names.n; k++) {
            struct str x = m->v.v[i].names.v[k];
            if (x.n == name.n && strncasecmp(x.p, name.p, x.n) == 0) return &m->v.v[i];
        }
    return NULL;
}

/* ---- what the files say ---- */

struct inspection {
    struct arena *a;
    struct str dir;
    struct quant_model *model;
};

static void note(struct inspection *x, struct str file, struct str text, bool is_problem) {
    struct quant_evidence e = {arena_str(x->a, file), text};
    if (is_problem)
        vec_push(x->a, &x->model->problems, e);
    else
        vec_push(x->a, &x->model->evidence, e);
}

static bool is_unsaid(const struct quant_model *m) {
    return !m->is_known || str_is(m->method, "none");
}

/* The first file that names a method is believed; the others are shown. */
static void found(struct inspection *x, struct str file, struct str method, const char *how) {
    if (method.n == 0) return;
    char *lower = arena_strdup(x->a, method);
    for (size_t i = 0; i < method.n; i++)
        if (lower[i] >= 'A' && lower[i] <= 'Z') lower[i] += 32;
    note(x, file, arena_printf(x->a, "%s \"%.*s\"", how, STR_ARG(method)), false);
    if (is_unsaid(x->model)) x->model->method = (struct str){lower, method.n};
    x->model->is_known = true;
}

static struct str text_at(struct data *d, const struct cJSON *v, const char *key) {
    const struct cJSON *m = json_get(v, key);
    return json_type(m) == JSON_STRING ? arena_str(d->a, json_str(&d->j, m)) : S("");
}

/* compressed-tensors is a container: its format says what is in it. */
static void read_section(struct inspection *x, struct data *d, struct str file,
                         const struct cJSON *q) {
    struct str method = text_at(d, q, "quant_method"), format = text_at(d, q, "format");
    if (method.n == 0) method = text_at(d, q, "quant_algo");
    if (method.n == 0) method = text_at(d, q, "quant_type");
    if (method.n == 0 && json_type(json_get(q, "load_in_4bit")) == JSON_BOOL)
        method = S("bitsandbytes");
    found(x, file, method, "quantization_config says");
    if (format.n == 0) return;
    note(x, file, arena_printf(x->a, "format \"%.*s\"", STR_ARG(format)), false);
    if (!str_starts(x->model->method, S("compressed"))) return;
    if (str_is(format, "float-quantized")) x->model->method = S("fp8");
    if (str_is(format, "int-quantized")) x->model->method = S("w8a8");
}

static void read_config(struct inspection *x, struct data *d, struct str file) {
    static const char *const keys[] = {"quantization_config", "compression_config",
                                       "quantization"};
    static const char *const inner[] = {"text_config", "llm_config", "language_config"};
    bool any = false;
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        const struct cJSON *q = json_get(d->root, keys[i]);
        for (size_t k = 0; k < ARRAY_LEN(inner) && !q; k++)
            q = json_get(json_get(d->root, inner[k]), keys[i]);
        if (!q || json_type(q) == JSON_NULL) continue;
        any = true;
        if (json_type(q) != JSON_OBJECT) {
            note(x, file, arena_printf(x->a, "\"%s\" is no object: it can't be read", keys[i]),
                 true);
            continue;
        }
        read_section(x, d, file, q);
    }
    struct str dtype = text_at(d, d->root, "torch_dtype");
    if (dtype.n == 0) dtype = text_at(d, d->root, "dtype");
    if (dtype.n) note(x, file, arena_printf(x->a, "weights in %.*s", STR_ARG(dtype)), false);
    if (any || x->model->is_known) return;
    note(x, file, S("no quantization_config"), false);
    x->model->method = S("none");
    x->model->is_known = str_is(file, "config.json");
}

static void read_modelslim(struct inspection *x, struct data *d, struct str file) {
    struct str type = text_at(d, d->root, "model_quant_type");
    if (type.n == 0) type = S("ascend");
    x->model->is_known = false;
    found(x, file, type, "msmodelslim's description says");
}

static void read_section_file(struct inspection *x, struct data *d, struct str file) {
    read_section(x, d, file, d->root);
    const struct cJSON *inner = json_get(d->root, "quantization");
    if (json_type(inner) == JSON_OBJECT) read_section(x, d, file, inner);
    if (str_is(file, "quantize_config.json") && is_unsaid(x->model))
        found(x, file, S("gptq"), "a file that AutoGPTQ writes:");
}

/* ---- safetensors: eight bytes of length, then JSON ---- */

static uint64_t little_endian(const unsigned char *p) {
    uint64_t n = 0;
    for (int i = 7; i >= 0; i--) n = n << 8 | p[i];
    return n;
}

static bool read_header(struct inspection *x, struct str file, struct str *out) {
    unsigned char length[8];
    struct str path = arena_printf(x->a, "%.*s/%.*s", STR_ARG(x->dir), STR_ARG(file));
    int fd = open(arena_strdup(x->a, path), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        note(x, file, arena_printf(x->a, "cannot be opened: %s", strerror(errno)), true);
        return false;
    }
    uint64_t n = 0;
    size_t got = 0;
    bool ok = read(fd, length, sizeof length) == (ssize_t)sizeof length;
    if (ok) n = little_endian(length);
    ok = ok && n > 1 && n <= JSON_MAX_SIZE;
    char *text = ok ? arena_alloc(x->a, n) : NULL;
    for (ssize_t k = 1; ok && got < n && k > 0; got += k > 0 ? (size_t)k : 0)
        k = pread(fd, text + got, n - got, (off_t)(8 + got));
    close(fd);
    ok = ok && got == n;
    if (!ok) note(x, file, S("is no safetensors file, or its header is too long or cut"), true);
    *out = (struct str){text, ok ? n : 0};
    return ok;
}

struct dtypes {
    struct {
        struct str name;
        size_t n;
    } v[16];
    size_t n;
};

static void count_dtype(struct inspection *x, struct dtypes *t, struct str name) {
    for (size_t i = 0; i < t->n; i++)
        if (str_eq(t->v[i].name, name)) {
            t->v[i].n++;
            return;
        }
    if (t->n == ARRAY_LEN(t->v)) return;
    t->v[t->n].name = arena_str(x->a, name);
    t->v[t->n++].n = 1;
}

static void read_tensors(struct inspection *x, struct str file, struct dtypes *types,
                         size_t *packed) {
    struct data d;
    struct str text;
    if (!read_header(x, file, &text)) return;
    if (data_open(&d, x->a, file, text, NULL)) json_each(t, d.root) {
            struct str dtype = text_at(&d, t, "dtype"), name = json_key(t);
            if (dtype.n == 0) continue;
            x->model->tensors++;
            *packed += str_ends(name, S(".qweight"));
            count_dtype(x, types, dtype);
        }
    struct str error = data_close(&d);
    if (error.n) note(x, file, error, true);
}

/* Tensors prove what no configuration says. */
static void judge_tensors(struct inspection *x, const struct dtypes *types, size_t packed) {
    struct buf b;
    struct str method = S("");
    buf_init(&b, x->a);
    for (size_t i = 0; i < types->n; i++) {
        struct str name = types->v[i].name;
        buf_printf(&b, "%s%zu %.*s", i ? ", " : "", types->v[i].n, STR_ARG(name));
        if (str_starts(name, S("F8_E4M3"))) method = S("fp8");
        if (str_starts(name, S("F8_E5M2"))) method = S("fp8_e5m2");
    }
    if (types->n == 0) return;
    note(x, S("*.safetensors"), buf_str(&b), false);
    bool is_plain = is_unsaid(x->model);
    if (is_plain && method.n) found(x, S("*.safetensors"), method, "the tensors are");
    if (is_plain && packed && method.n == 0)
        note(x, S("*.safetensors"),
             arena_printf(x->a, "%zu packed weights (.qweight), but no file names the method",
                          packed),
             true);
}

/* ---- all files ---- */

typedef void reader(struct inspection *x, struct data *d, struct str file);

static void read_json(struct inspection *x, const char *file, reader *read_it) {
    struct data d;
    struct str text, error = S(""), path = arena_printf(x->a, "%.*s/%s", STR_ARG(x->dir), file);
    const char *z = arena_strdup(x->a, path);
    if (access(z, F_OK) != 0) return;
    if (!file_read(x->a, z, JSON_MAX_SIZE, &text, NULL, &error)) {
        note(x, str_of(file), error, true);
        return;
    }
    if (data_open(&d, x->a, str_of(file), text, NULL)) read_it(x, &d, str_of(file));
    error = data_close(&d);
    if (error.n) note(x, str_of(file), error, true);
}

static str_vec files_like(struct inspection *x, const char *pattern) {
    str_vec out = {0};
    glob_t g;
    struct buf b;
    buf_init(&b, x->a);
    for (size_t i = 0; i < x->dir.n; i++) {
        if (strchr("*?[]\\", x->dir.p[i])) buf_addc(&b, '\\');
        buf_addc(&b, x->dir.p[i]);
    }
    buf_printf(&b, "/%s", pattern);
    if (glob(b.p, 0, NULL, &g) != 0) return out;
    for (size_t i = 0; i < g.gl_pathc; i++) {
        struct str name = arena_str(x->a, str_of(strrchr(g.gl_pathv[i], '/') + 1));
        vec_push(x->a, &out, name);
    }
    globfree(&g);
    return out;
}

bool quant_inspect(struct arena *a, const char *dir, struct quant_model *out, struct str *error) {
    struct inspection x = {a, str_of(dir), out};
    struct dtypes types = {.n = 0};
    struct stat st;
    size_t packed = 0;
    *out = (struct quant_model){.method = S("")};
    if (stat(dir, &st) != 0 || !S_ISDIR(st.st_mode)) {
        *error = arena_printf(a, "%s: not inspected: there is no such directory here", dir);
        return false;
    }
    read_json(&x, "config.json", read_config);
    read_json(&x, "quantize_config.json", read_section_file);
    read_json(&x, "quant_config.json", read_section_file);
    read_json(&x, "hf_quant_config.json", read_section_file);
    str_vec slim = files_like(&x, "quant_model_description*.json");
    for (size_t i = 0; i < slim.n; i++) read_json(&x, arena_strdup(a, slim.v[i]), read_modelslim);
    str_vec tensors = files_like(&x, "*.safetensors"), gguf = files_like(&x, "*.gguf");
    for (size_t i = 0; i < tensors.n; i++) read_tensors(&x, tensors.v[i], &types, &packed);
    judge_tensors(&x, &types, packed);
    if (gguf.n && is_unsaid(out)) found(&x, gguf.v[0], S("gguf"), "a file of the format");
    if (tensors.n == 0 && files_like(&x, "*.bin").n)
        note(&x, S("*.bin"), S("pickled weights are not read"), true);
    return true;
}
