/* SPDX-License-Identifier: Apache-2.0 */
/* json.c - cJSON behind one door.
 *
 * cJSON takes more than JSON and tells less than a user needs: what it would let pass is refused
 * before it reads, members are found by their exact case, and an error has a line or a JSON
 * pointer. */
#include "json.h"

#include <cjson/cJSON.h>
#include <pthread.h>
#include <stdlib.h>

/* ---- errors ---- */

static bool fail_at(struct json *j, struct str text, size_t at, const char *what) {
    size_t line = 1, column = 1;
    for (size_t i = 0; i < at; i++) {
        if (text.p[i] == '\n')
            line++, column = 1;
        else if ((text.p[i] & 0xC0) != 0x80)
            column++;
    }
    j->error = arena_printf(j->a, "%.*s:%zu:%zu: %s", STR_ARG(j->name), line, column, what);
    return false;
}

static struct cJSON *children(const struct cJSON *v) { return v ? v->child : NULL; }

/* Values do not know their parents: the way down to v is searched, with the path as the stack. */
struct str json_pointer(const struct json *j, const struct cJSON *v) {
    struct step {
        const struct cJSON *node;
        size_t index;
    } path[JSON_MAX_DEPTH + 2];
    size_t depth = 0;
    path[0] = (struct step){j->root, 0};
    while (path[depth].node != v) {
        struct step *here = &path[depth];
        if (here->node && here->node->child) {
            path[++depth] = (struct step){here->node->child, 0};
            continue;
        }
        while (depth > 0 && !path[depth].node->next) depth--;
        if (depth == 0) return S("");
        path[depth].node = path[depth].node->next;
        path[depth].index++;
    }
    struct buf b;
    buf_init(&b, j->a);
    for (size_t d = 1; d <= depth; d++) {
        buf_addc(&b, '/');
        const char *key = path[d].node->string;
        if (!key) buf_printf(&b, "%zu", path[d].index);
        for (; key && *key; key++) {
            if (*key == '~')
                buf_addz(&b, "~0");
            else if (*key == '/')
                buf_addz(&b, "~1");
            else
                buf_addc(&b, *key);
        }
    }
    return buf_str(&b);
}

bool json_fail(struct json *j, const struct cJSON *v, const char *fmt, ...) {
    if (j->error.n) return false;
    struct str pointer = json_pointer(j, v ? v : j->root);
    struct buf b;
    buf_init(&b, j->a);
    buf_printf(&b, "%.*s: ", STR_ARG(j->name));
    if (pointer.n) buf_printf(&b, "%.*s: ", STR_ARG(pointer));
    va_list ap;
    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    j->error = buf_str(&b);
    return false;
}

/* ---- parsing ---- */

/* Rejects what cJSON would let pass: bytes that are not UTF-8, control characters, "\u0000"; and
 * what is too deep, before it recurses. */
static bool check_text(struct json *j, struct str text) {
    size_t depth = 0;
    bool in_string = false;
    for (size_t i = 0; i < text.n;) {
        uint32_t c;
        size_t n = utf8_next(text, i, &c);
        if (n == 0) return fail_at(j, text, i, "this byte is not part of UTF-8 text");
        if (c == 0) return fail_at(j, text, i, "the text holds a NUL byte");
        if (c < 0x20 && (in_string || !strchr("\t\n\r", (int)c)))
            return fail_at(j, text, i, "a control character must be written as \\u00XX");
        if (in_string && c == '\\') {
            if (str_starts(str_sub(text, i, text.n), S("\\u0000")))
                return fail_at(j, text, i, "a string holds a NUL character");
            n += i + 1 < text.n; /* the escaped byte cannot end the string */
        } else if (c == '"') {
            in_string = !in_string;
        } else if (!in_string && (c == '[' || c == '{')) {
            if (++depth > JSON_MAX_DEPTH)
                return fail_at(j, text, i, "arrays and objects are nested too deeply");
        } else if (!in_string && (c == ']' || c == '}')) {
            if (depth > 0) depth--;
        }
        i += n;
    }
    return true;
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* Numbers that cJSON reads in its own way, such as 01 or 1. */
static bool check_number(struct str text, size_t *at) {
    size_t i = *at;
    i += text.p[i] == '-';
    size_t digits = i;
    while (i < text.n && text.p[i] >= '0' && text.p[i] <= '9') i++;
    bool ok = i > digits && (text.p[digits] != '0' || i == digits + 1);
    if (ok && i < text.n && text.p[i] == '.') {
        size_t fraction = ++i;
        while (i < text.n && text.p[i] >= '0' && text.p[i] <= '9') i++;
        ok = i > fraction;
    }
    if (ok && i < text.n && (text.p[i] == 'e' || text.p[i] == 'E')) {
        i++;
        i += i < text.n && (text.p[i] == '+' || text.p[i] == '-');
        size_t exponent = i;
        while (i < text.n && text.p[i] >= '0' && text.p[i] <= '9') i++;
        ok = i > exponent;
    }
    *at = i;
    return ok && !(i < text.n && strchr("0123456789+-.eE", text.p[i]));
}

static bool check_numbers(struct json *j, struct str text) {
    for (size_t i = 0; i < text.n;) {
        char c = text.p[i];
        if (c == '"') {
            for (i++; i < text.n && text.p[i] != '"'; i++) i += text.p[i] == '\\';
            i++;
        } else if (c == '-' || (c >= '0' && c <= '9')) {
            size_t start = i;
            if (!check_number(text, &i))
                return fail_at(j, text, start, "this number is malformed");
        } else {
            i++;
        }
    }
    return true;
}

static int compare_keys(const void *x, const void *y) {
    const struct cJSON *const *a = x, *const *b = y;
    return strcmp((*a)->string, (*b)->string);
}

static bool check_object(struct json *j, const struct cJSON *object) {
    size_t n = json_count(object), i = 0;
    const struct cJSON **members = arena_alloc(j->a, n * sizeof *members);
    json_each(m, object) members[i++] = m;
    if (n) qsort(members, n, sizeof *members, compare_keys);
    for (i = 1; i < n; i++)
        if (compare_keys(&members[i - 1], &members[i]) == 0)
            return json_fail(j, object, "the key \"%s\" appears twice", members[i]->string);
    return true;
}

/* Depth is limited by check_text. */
static bool check_keys(struct json *j, const struct cJSON *v) {
    if (cJSON_IsObject(v) && !check_object(j, v)) return false;
    json_each(item, v) if (!check_keys(j, item)) return false;
    return true;
}

bool json_parse(struct json *j, struct arena *a, struct str name, struct str text) {
    *j = (struct json){.a = a, .name = name};
    if (text.n > JSON_MAX_SIZE) {
        j->error = arena_printf(a, "%.*s: is larger than %d MB", STR_ARG(name),
                                JSON_MAX_SIZE / 1024 / 1024);
        return false;
    }
    if (str_starts(text, S("\xEF\xBB\xBF"))) return fail_at(j, text, 0, "a byte order mark");
    if (!check_text(j, text) || !check_numbers(j, text)) return false;
    /* cJSON notes the place of an error in a static variable as well. */
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    const char *end = text.p;
    pthread_mutex_lock(&one_at_a_time);
    j->root = text.n ? cJSON_ParseWithLengthOpts(text.p, text.n, &end, 0) : NULL;
    pthread_mutex_unlock(&one_at_a_time);
    size_t at = end ? (size_t)(end - text.p) : 0;
    if (!j->root) return fail_at(j, text, at, "JSON is expected to go on differently here");
    while (at < text.n && is_space(text.p[at])) at++;
    if (at < text.n) {
        json_free(j);
        return fail_at(j, text, at, "there is more text after the JSON value");
    }
    bool good = check_keys(j, j->root);
    if (!good) json_free(j);
    return good;
}

void json_free(struct json *j) {
    cJSON_Delete(j->root);
    j->root = NULL;
}

/* ---- values ---- */

enum json_type json_type(const struct cJSON *v) {
    if (cJSON_IsNull(v)) return JSON_NULL;
    if (cJSON_IsBool(v)) return JSON_BOOL;
    if (cJSON_IsNumber(v)) return JSON_NUMBER;
    if (cJSON_IsString(v)) return JSON_STRING;
    if (cJSON_IsArray(v)) return JSON_ARRAY;
    if (cJSON_IsObject(v)) return JSON_OBJECT;
    return JSON_MISSING;
}

static const char *type_name(enum json_type t) {
    static const char *const names[] = {"null",     "true or false", "a number", "a string",
                                        "an array", "an object",     "nothing"};
    return names[t];
}

const struct cJSON *json_first(const struct cJSON *v) { return children(v); }
const struct cJSON *json_next(const struct cJSON *v) { return v->next; }

size_t json_count(const struct cJSON *v) {
    size_t n = 0;
    json_each(item, v) n++;
    return n;
}

struct str json_key(const struct cJSON *v) {
    return v && v->string ? str_of(v->string) : S("");
}

const struct cJSON *json_get(const struct cJSON *object, const char *key) {
    return cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, key) : NULL;
}

static bool check_type(struct json *j, const struct cJSON *v, enum json_type want) {
    if (json_type(v) == want) return true;
    return json_fail(j, v, "expected %s, found %s", type_name(want), type_name(json_type(v)));
}

const struct cJSON *json_need(struct json *j, const struct cJSON *object, const char *key,
                              enum json_type type) {
    const struct cJSON *v = json_get(object, key);
    if (!v && check_type(j, object, JSON_OBJECT))
        json_fail(j, object, "the key \"%s\" is missing (%s)", key, type_name(type));
    return v && check_type(j, v, type) ? v : NULL;
}

const struct cJSON *json_take(struct json *j, const struct cJSON *object, const char *key,
                              enum json_type type) {
    const struct cJSON *v = json_get(object, key);
    return v && check_type(j, v, type) ? v : NULL;
}

struct str json_str(struct json *j, const struct cJSON *v) {
    return check_type(j, v, JSON_STRING) ? str_of(v->valuestring) : S("");
}

double json_number(struct json *j, const struct cJSON *v) {
    return check_type(j, v, JSON_NUMBER) ? v->valuedouble : 0;
}

int64_t json_int(struct json *j, const struct cJSON *v) {
    double d = json_number(j, v);
    const double most = 9007199254740992.0; /* 2^53: beyond it, a double has no exact integers */
    if (d >= -most && d <= most && d == (double)(int64_t)d) return (int64_t)d;
    json_fail(j, v, "expected a whole number");
    return 0;
}

bool json_bool(struct json *j, const struct cJSON *v) {
    return check_type(j, v, JSON_BOOL) && cJSON_IsTrue(v);
}

struct str json_need_str(struct json *j, const struct cJSON *object, const char *key) {
    const struct cJSON *v = json_need(j, object, key, JSON_STRING);
    return v ? json_str(j, v) : S("");
}

int64_t json_need_int(struct json *j, const struct cJSON *object, const char *key) {
    const struct cJSON *v = json_need(j, object, key, JSON_NUMBER);
    return v ? json_int(j, v) : 0;
}

struct str json_take_str(struct json *j, const struct cJSON *object, const char *key,
                         struct str missing) {
    const struct cJSON *v = json_take(j, object, key, JSON_STRING);
    return v ? json_str(j, v) : missing;
}

int64_t json_take_int(struct json *j, const struct cJSON *object, const char *key,
                      int64_t missing) {
    const struct cJSON *v = json_take(j, object, key, JSON_NUMBER);
    return v ? json_int(j, v) : missing;
}

bool json_take_bool(struct json *j, const struct cJSON *object, const char *key, bool missing) {
    const struct cJSON *v = json_take(j, object, key, JSON_BOOL);
    return v ? json_bool(j, v) : missing;
}

bool json_only_keys(struct json *j, const struct cJSON *object, const char *const *known) {
    json_each(member, object) {
        struct str key = json_key(member);
        size_t nearest = 3; /* edits, from which a guess would be wild */
        const char *guess = NULL;
        bool found = false;
        for (const char *const *k = known; *k && !found; k++) {
            size_t distance = str_distance(key, str_of(*k));
            found = str_is(key, *k);
            if (distance < nearest) nearest = distance, guess = *k;
        }
        if (found) continue;
        if (guess) return json_fail(j, member, "unknown key; did you mean \"%s\"?", guess);
        return json_fail(j, member, "unknown key");
    }
    return true;
}
