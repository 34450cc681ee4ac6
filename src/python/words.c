/* SPDX-License-Identifier: Apache-2.0 */
/* words.c - every word of CUDA's in the code has an outcome.
 *
 * The matches are what rules are about. What is left of the literals, keywords and names that
 * carry a word of the list python.accounted_words stays, and here is the reason why: it is for
 * people, a key of data, a name of the program's own. Where none is known, a human decides
 * (PM_WORD). Files that import none of the libraries in python.accounted_imports have nothing to
 * account for. */
#include "python/match.h"

#include <ctype.h>
#include <limits.h>
#include <strings.h>

static const char PROSE[] = "the text is for people";
static const char DATA[] = "the text is a key of data";
static const char OWN[] = "a name of the program's own";
static const char USE[] = "a use of what is imported, which counts with the import";
static const char IMPORTED[] = "a module that is there everywhere: what counts is its uses";
static const char PART[] = "the word is part of a name of the program's own";
static const char LABEL[] = "the text is a label, and no device is spelled so";
static const char NOWHERE[] = "the text goes nowhere";
static const char BYTES[] = "no device is spelled in bytes";
static const char PACKAGE[] = "a package that is installed anywhere";
static const char MODULE[] = "a module that the rules do not know";
static const char BUILT[] = "a module that the tree builds: what is to be done stands there";

/* Both cases of a byte at that place of the words' first `least`. */
static void note_byte(struct py_words *w, unsigned char c, size_t at) {
    const int both[] = {tolower(c), toupper(c)};
    for (size_t k = 0; k < ARRAY_LEN(both); k++) {
        unsigned char *shift = &w->shift[both[k]];
        size_t left = w->least - 1 - at;
        w->ends[both[k]] |= left == 0;
        if (left && left < *shift) *shift = (unsigned char)left;
    }
}

void py_read_words(const struct rules *rules, struct py_words *out) {
    *out = (struct py_words){.least = UCHAR_MAX};
    for (size_t cursor = 0; out->n < ARRAY_LEN(out->v);) {
        struct str *word = &out->v[out->n];
        if (!rules_next_word(rules, "python.accounted_words", &cursor, word)) break;
        if (word->n && word->n < out->least) out->least = word->n;
        out->n += word->n > 0;
    }
    memset(out->shift, (int)out->least, sizeof out->shift);
    for (size_t k = 0; k < out->n; k++)
        for (size_t i = 0; i < out->least; i++) note_byte(out, (unsigned char)out->v[k].p[i], i);
}

/* Horspool's search, for several words at once: a window as long as the shortest of them is tried
 * where its last byte may be one of a word's there, and moves on by what that byte allows. */
size_t py_find_word(const struct py_words *words, struct str text, size_t from, size_t *end) {
    const unsigned char *p = (const unsigned char *)text.p;
    size_t last = words->least - 1;
    for (size_t i = from; i + last < text.n; i += words->shift[p[i + last]]) {
        if (!words->ends[p[i + last]]) continue;
        for (size_t k = 0; k < words->n; k++) {
            struct str word = words->v[k];
            if (i + word.n > text.n || strncasecmp(text.p + i, word.p, word.n) != 0) continue;
            *end = i + word.n;
            return i;
        }
    }
    return text.n;
}

void py_start_accounting(struct py *f) {
    bool foreign = false;
    f->has_foreign_devices = false;
    f->accounts = f->builds = false;
    py_read_words(f->rules, &f->accounted);
    for (size_t i = 0; i < f->bindings.n; i++) {
        const struct py_binding *b = &f->bindings.v[i];
        struct str path = b->kind == B_IMPORT || b->kind == B_FROM ? b->path : (struct str){0};
        if (b->kind == B_VALUE && py_kind(f, b->value) == PY_CALL)
            path = py_resolve(f, b->value).path; /* torch = pytest.importorskip("torch") */
        struct str root = str_sub(path, 0, str_find(path, S("."), 0));
        f->accounts |= path.p && py_lists(f, "python.accounted_imports", root);
        f->builds |= path.p && py_lists(f, "python.packaging", root);
        foreign |= path.p && py_lists(f, "python.foreign_frameworks", root);
        f->has_foreign_devices |= path.p && py_lists(f, "python.foreign_devices", root);
    }
    for (size_t i = 0; i < f->star_modules.n; i++) {
        struct str path = f->star_modules.v[i];
        f->accounts |=
            py_lists(f, "python.accounted_imports", str_sub(path, 0, str_find(path, S("."), 0)));
    }
    f->is_for_another = foreign && !f->accounts;
    f->only_foreign_devices = f->has_foreign_devices && !foreign && !f->accounts;
}

/* Tables of data are not looked through for ever. */
enum { MAX_WORDS = 100000, LOOK_BACK = 64 };

void py_keep_word(struct py *f, uint32_t node, const char *why) {
    struct py_word w = {py_node(f, node)->start, py_node(f, node)->end, str_of(why)};
    if (f->words.n < MAX_WORDS) vec_push(f->a, &f->words, w);
}

static void leave_to_a_human(struct py *f, uint32_t node, struct str token, const char *format) {
    size_t cursor = 0;
    struct row_ref row;
    bool known = rules_find(f->rules, M_STRING, S(PY_WORD_ROW), &cursor, &row);
    if (f->matches.n >= PY_MAX_MATCHES) return;
    struct py_match *m = py_add_match(f, PM_WORD, node, token, known ? &row : NULL, C_EXACT);
    m->cell = NULL;
    m->verdict = f->target.target->keep_names ? V_SAME : V_MANUAL;
    if (m->verdict == V_MANUAL) m->message = arena_printf(f->a, format, STR_ARG(token));
}

/* Whether a match covers the node already: what was found last stands at the end. */
static bool is_matched(const struct py *f, uint32_t node) {
    size_t first = f->matches.n > LOOK_BACK ? f->matches.n - LOOK_BACK : 0;
    for (size_t i = f->matches.n; i-- > first;)
        if (f->matches.v[i].start < py_node(f, node)->end &&
            f->matches.v[i].end > py_node(f, node)->start)
            return true;
    return false;
}

/* ---- names ---- */

/* monkeypatch.setattr(mod.torch.cuda, "Event", X): PyTorch as another module knows it. */
static bool is_patched(struct py *f, uint32_t chain) {
    uint32_t args = py_parent(f, chain);
    if (py_kind(f, args) != PY_ARGUMENT_LIST || py_child(f, args, 0) != chain) return false;
    struct str callee = str_last_dotted(py_text(f, py_callee(f, py_parent(f, args))));
    return py_lists(f, "python.patching_calls", callee);
}

/* class Device(StrEnum): cuda = auto(): the member's value is what it is called. */
static bool is_its_own_value(const struct py *f, uint32_t identifier) {
    uint32_t p = py_parent(f, identifier), class_node = py_enum_around(f, identifier);
    if (class_node == NO_NODE || py_kind(f, p) != PY_ASSIGNMENT ||
        py_child(f, p, 0) != identifier || py_kind(f, py_child(f, p, -1)) != PY_CALL)
        return false;
    struct str text = py_text(f, class_node);
    size_t cursor = 0;
    struct row_ref row;
    return str_ends(py_text(f, py_child(f, p, -1)), S("auto()")) &&
           rules_find(f->rules, M_STRING, py_text(f, identifier), &cursor, &row) &&
           (str_find(text, S("StrEnum"), 0) < text.n ||
            str_find(text, S("_generate_next_value_"), 0) < text.n);
}

/* Mock(is_cuda=True), x = Mock(); x.is_cuda = True: what stands in for a tensor. */
static bool is_of_stand_in(struct py *f, uint32_t identifier) {
    uint32_t p = py_parent(f, identifier), made = py_parent(f, py_parent(f, p));
    size_t cursor = 0;
    struct row_ref row;
    if (!rules_find(f->rules, M_ATTRIBUTE, py_text(f, identifier), &cursor, &row)) return false;
    if (py_kind(f, p) == PY_ATTRIBUTE) {
        if (py_child(f, p, -1) != identifier || !py_is_target(f, p)) return false;
        made = py_value_of(f, py_child(f, p, 0));
    } else if (py_kind(f, p) != PY_KEYWORD_ARGUMENT || py_child(f, p, 0) != identifier) {
        return false;
    }
    return py_kind(f, made) == PY_CALL &&
           py_lists(f, "python.stand_ins", str_last_dotted(py_text(f, py_callee(f, made))));
}

/* def forward_cuda, where the file says f"forward_{x.device.type}" or "forward_" + kind: it is
 * looked for by the name of the target's device. */
static bool is_composed_elsewhere(struct py *f, uint32_t identifier) {
    uint32_t p = py_parent(f, identifier);
    struct str name = py_text(f, identifier);
    size_t end, at = py_find_word(&f->accounted, name, 0, &end);
    if (py_kind(f, p) != PY_FUNCTION || py_child(f, p, 0) != identifier || end != name.n ||
        at < 2 || name.p[at - 1] != '_')
        return false;
    for (size_t i = 0; (i = str_find(f->src, str_sub(name, 0, at), i)) < f->src.n; i += at) {
        char before = i ? f->src.p[i - 1] : ' ', after = i + at < f->src.n ? f->src.p[i + at] : 0;
        if (before != '"' && before != '\'') continue;
        if (after == '{' || after == before || after == '%') return true;
    }
    return false;
}

/* What a human has to decide of a name that no rule is about; NULL: nothing. */
static const char *doubt_of_name(struct py *f, uint32_t identifier) {
    uint32_t p = py_parent(f, identifier);
    if (is_its_own_value(f, identifier))
        return "the member's value is what it is called, \"%.*s\": a device?";
    if (is_composed_elsewhere(f, identifier))
        return "`%.*s` is looked for by a name that is made of the device's";
    if (is_of_stand_in(f, identifier))
        return "what stands in for a tensor has `%.*s`, and the code asks for another name now";
    if (py_kind(f, p) == PY_KEYWORD_ARGUMENT && py_child(f, p, 0) == identifier &&
        py_keyword_is_device(f, p))
        return "`%.*s` becomes a key of a table that is asked by a device";
    if (py_asks_library_for_cuda(f, identifier))
        return "a library is asked for CUDA by `%.*s=True`";
    return NULL;
}

void py_account_name(struct py *f, uint32_t identifier) {
    size_t end;
    struct str name = py_text(f, identifier);
    if (!f->accounts || py_find_word(&f->accounted, name, 0, &end) == name.n) return;
    if (is_matched(f, identifier)) return;
    uint32_t chain = py_parent(f, identifier);
    if (py_kind(f, chain) == PY_ATTRIBUTE && py_child(f, chain, -1) == identifier) {
        struct py_name n = py_resolve(f, chain);
        if (n.path.p && n.certainty == C_EXACT && str_starts(n.path, S(PY_TORCH ".")) &&
            n.root != NO_NODE && f->bindings.v[n.root].kind == B_IMPORT) {
            leave_to_a_human(f, chain, n.path, "`%.*s` is no name that the rules know");
            return;
        }
        if (str_ends(py_text(f, py_child(f, chain, 0)), S(".torch")) && is_patched(f, chain)) {
            leave_to_a_human(f, chain, py_text(f, chain),
                             "something of `%.*s` is patched: patch what the code calls now");
            return;
        }
    }
    const char *doubt = doubt_of_name(f, identifier);
    if (doubt) {
        leave_to_a_human(f, identifier, name, doubt);
        return;
    }
    bool is_object = py_kind(f, chain) != PY_ATTRIBUTE || py_child(f, chain, 0) == identifier;
    py_keep_word(f, identifier, py_is_module_use(f, is_object ? identifier : chain) ? USE : OWN);
}

/* Whether the import stands in the body of a `try`, whose handlers are for when it is missing. */
static bool is_tried(const struct py *f, uint32_t statement) {
    uint32_t block = py_parent(f, statement), owner = py_parent(f, block);
    return py_kind(f, owner) == PY_TRY && py_child(f, owner, 0) == block;
}

/* Of the libraries in python.accounted_imports a module that says so by its name is for NVIDIA,
 * and so is a package of others that is called like CUDA. */
static bool is_of_library(struct py *f, uint32_t statement) {
    struct str path = py_text(f, py_child(f, statement, 0));
    struct str root = str_sub(path, 0, str_find(path, S("."), 0));
    size_t end;
    bool says = py_find_word(&f->accounted, root, 0, &end) < root.n; /* knn_cuda */
    if (!root.n || str_is(root, PY_TORCH) || str_is(root, PY_HELPERS)) return false;
    if (py_is_own_package(f, root)) return false;
    return says ? !is_tried(f, statement) : py_lists(f, "python.accounted_imports", root);
}

void py_account_import(struct py *f, uint32_t statement) {
    size_t end;
    if (!f->accounts || is_matched(f, statement)) return;
    bool told = !is_of_library(f, statement), said = false;
    bool of_torch = str_starts(py_text(f, py_child(f, statement, 0)), S(PY_TORCH "."));
    uint32_t compiled = is_tried(f, statement) ? NO_NODE : py_compiled_module(f, statement);
    if (compiled != NO_NODE) {
        leave_to_a_human(f, compiled, py_text(f, compiled),
                         "`%.*s` is compiled for NVIDIA by its name, and not built by the tree");
        return;
    }
    for (uint32_t i = statement; i < py_node(f, statement)->next; i++) {
        struct str name = py_text(f, i);
        if (py_kind(f, i) != PY_IDENTIFIER || py_find_word(&f->accounted, name, 0, &end) == name.n)
            continue;
        if (!told ||
            (!said && !is_tried(f, statement) && py_is_class_of_library(f, statement, name)))
            leave_to_a_human(f, i, name, "`%.*s` of a library is for NVIDIA by its name");
        else
            py_keep_word(f, i,
                         of_torch                       ? IMPORTED
                         : py_is_own_extension(f, name) ? BUILT
                         : said                         ? USE
                                                        : MODULE);
        said |= f->matches.n && f->matches.v[f->matches.n - 1].node == i;
        told = true;
    }
}

/* ---- literals ---- */

/* The text between the quotes, holes included. */
static struct str text_of(const struct py *f, uint32_t string) {
    uint32_t first = tree_first_child(&f->tree, string), last = NO_NODE;
    for (uint32_t c = first; c != NO_NODE; c = tree_next_sibling(&f->tree, c)) last = c;
    if (last == NO_NODE || py_node(f, last)->start < py_node(f, first)->end)
        return py_text(f, string);
    return str_sub(f->src, py_node(f, first)->end, py_node(f, last)->start);
}

/* cuda/kernel.cu, src/cuda/op.cpp: the way to a file; not cuda/0. */
static bool is_path(struct str text) {
    size_t slash = text.n;
    while (slash && text.p[slash - 1] != '/') slash--;
    size_t dot = slash + str_find(str_sub(text, slash, text.n), S("."), 0);
    return slash > 1 && dot > slash && dot + 1 < text.n && !memchr(text.p, ' ', text.n) &&
           isalpha((unsigned char)text.p[dot + 1]);
}

/* cuda, cuda:1, nccl,gloo; not cuda_memory, torch-cuda, cuda.json, cuda{i}, cuda:{i}.log. */
static bool stands_alone(const struct py *f, struct str text) {
    const struct py_words *words = &f->accounted;
    for (size_t at = 0, end; (at = py_find_word(words, text, at, &end)) < text.n; at = end) {
        char before = at ? text.p[at - 1] : ' ';
        size_t next = end;
        if (next < text.n && text.p[next] == ':')
            for (next++; next < text.n && !strchr(".,;|/ -", text.p[next]);) next++;
        char after = next < text.n ? text.p[next] : ' ';
        bool joined = is_word_char(before) || strchr("-./", before) || is_word_char(after) ||
                      strchr("-.!?{", after);
        if (!joined) return true;
    }
    return false;
}

static bool is_dotted(struct str s) {
    for (size_t i = 0; i < s.n; i++)
        if (!is_word_char(s.p[i]) && s.p[i] != '.') return false;
    return s.n > 0;
}

static bool is_upper(struct str s) {
    for (size_t i = 0; i < s.n; i++)
        if (islower((unsigned char)s.p[i])) return false;
    return true;
}

/* FOO=1 python x.py, x.py --device cuda: what a shell would run. */
bool py_is_command(struct str text) {
    for (size_t i = 0; i < text.n; i++) {
        bool starts = i == 0 || text.p[i - 1] == ' ' || text.p[i - 1] == '\n';
        if (!starts) continue;
        size_t end = i;
        while (end < text.n && (isupper((unsigned char)text.p[end]) || text.p[end] == '_')) end++;
        if (end > i + 2 && end < text.n && text.p[end] == '=') return true;
        if (str_starts(str_sub(text, i, text.n), S("--")) && i + 2 < text.n &&
            is_word_char(text.p[i + 2]))
            return true;
    }
    return false;
}

/* The expression that the string is a piece of: joined, formatted, chosen. */
static uint32_t whole_expression(const struct py *f, uint32_t string) {
    uint32_t i = string;
    for (uint32_t p = py_parent(f, i); p != NO_NODE; p = py_parent(f, p)) {
        enum py_kind k = py_kind(f, p);
        bool formats = k == PY_ATTRIBUTE && py_child(f, p, 0) == i && py_call_of(f, p) != NO_NODE;
        bool joins = k == PY_CONCATENATED_STRING || k == PY_BINARY_OPERATOR ||
                     k == PY_PARENTHESIZED || k == PY_CONDITIONAL || k == PY_INTERPOLATION ||
                     k == PY_STRING || (k == PY_CALL && py_callee(f, p) == i);
        if (!formats && !joins) break;
        i = p;
    }
    return i;
}

bool py_is_prose(struct py *f, uint32_t string) {
    uint32_t i = whole_expression(f, string), p = py_parent(f, i);
    if (py_kind(f, p) == PY_KEYWORD_ARGUMENT) {
        if (py_lists(f, "python.prose_keywords", py_text(f, py_child(f, p, 0)))) return true;
        p = py_parent(f, p);
    }
    if (py_kind(f, p) == PY_ASSERT) return py_child(f, p, 0) != i;
    if (py_kind(f, p) != PY_ARGUMENT_LIST || py_kind(f, py_parent(f, p)) != PY_CALL) return false;
    struct str callee = py_text(f, py_callee(f, py_parent(f, p)));
    return py_lists(f, "python.prose_calls", str_last_dotted(callee));
}

static bool is_key(const struct py *f, uint32_t string) {
    uint32_t p = py_parent(f, string), args = p;
    if (py_kind(f, p) == PY_PAIR) return py_child(f, p, 0) == string;
    if (py_kind(f, p) == PY_SUBSCRIPT) return py_child(f, p, 0) != string;
    if (py_kind(f, args) != PY_ARGUMENT_LIST || py_child(f, args, 0) != string) return false;
    struct str callee = str_last_dotted(py_text(f, py_callee(f, py_parent(f, args))));
    return str_is(callee, "get") || str_is(callee, "pop") || str_is(callee, "setdefault");
}

/* ---- texts that hold a device ---- */

/* The next part of a text of words that are joined, from *at on; its start and end. */
static bool next_part(struct str text, size_t *at, size_t *start, size_t *end) {
    while (*at < text.n && !isalnum((unsigned char)text.p[*at])) ++*at;
    *start = *at;
    while (*at < text.n && isalnum((unsigned char)text.p[*at])) ++*at;
    *end = *at;
    return *end > *start;
}

static bool is_number(struct str s) {
    for (size_t i = 0; i < s.n; i++)
        if (!isdigit((unsigned char)s.p[i])) return false;
    return s.n > 0;
}

/* pinned-pinned-cuda, cpu_to_cuda, nccl+gloo: nothing but words of devices. */
static bool names_devices_only(struct py *f, struct str text) {
    size_t at = 0, start, end, devices = 0;
    for (size_t last = 0; next_part(text, &at, &start, &end); last = end) {
        struct str part = str_sub(text, start, end);
        if (start != last + (last > 0)) return false; /* one byte joins them */
        bool link = str_is(part, "to") || is_number(part);
        if (!link && !py_lists(f, "python.device_words", part)) return false;
        devices += !link;
    }
    return devices > 1 && text.p[text.n - 1] != '_';
}

/* cuda fp16, cuda fp16i8 *10 -> cpu fp32: devices and the types that numbers have there. */
static bool names_device_and_type(const struct py *f, struct str text) {
    size_t at = 0, start, end, devices = 0, types = 0;
    while (next_part(text, &at, &start, &end)) {
        struct str part = str_sub(text, start, end);
        bool device = py_lists(f, "python.device_words", part);
        bool type = py_lists(f, "python.dtype_words", part);
        if (!device && !type && !is_number(part)) return false;
        devices += device;
        types += type;
    }
    return devices && types;
}

/* fp16-cuda, where the file calls .split("-"): the word becomes one of a list. */
static bool is_split(const struct py *f, struct str text) {
    static const char *const quotes[] = {"\"", "'"};
    for (size_t at = 0, start, end; next_part(text, &at, &start, &end);) {
        struct str part = str_sub(text, start, end);
        size_t stop, joined = start ? start - 1 : end;
        if (py_find_word(&f->accounted, part, 0, &stop) || stop != part.n || joined >= text.n ||
            strchr("_. {}", text.p[joined]))
            continue;
        for (size_t q = 0; q < ARRAY_LEN(quotes); q++)
            if (str_find(f->src,
                         arena_printf(f->a, "split(%s%c%s", quotes[q], text.p[joined], quotes[q]),
                         0) < f->src.n)
                return true;
    }
    return false;
}

/* Whether a text is asked for in another one, which the program gets from elsewhere:
 * "CUDA out of memory" in str(e). */
static bool is_looked_for(struct py *f, uint32_t string) {
    uint32_t i = whole_expression(f, string), p = py_parent(f, i);
    while (py_is_collection(py_kind(f, p)) && py_kind(f, p) != PY_SUBSCRIPT)
        i = p, p = py_parent(f, p);
    if (py_kind(f, p) == PY_COMPARISON)
        return py_kind(f, py_child(f, p, 0)) != PY_STRING || py_child(f, p, 0) == i;
    if (py_kind(f, p) != PY_ARGUMENT_LIST || py_kind(f, py_parent(f, p)) != PY_CALL) return false;
    struct str callee = str_last_dotted(py_text(f, py_callee(f, py_parent(f, p))));
    return py_lists(f, "python.looking_calls", callee);
}

/* "CUDA out of memory", wherever it is: a vendor's library says so, and the text waits for it. */
static bool is_vendor_message(const struct py *f, struct str text) {
    struct str message;
    for (size_t at = 0; rules_next_word(f->rules, "python.vendor_messages", &at, &message);)
        if (str_find(text, message, 0) < text.n) return true;
    return false;
}

/* The line of the text that the byte stands in, without the blanks around it. */
static struct str line_at(struct str text, size_t at) {
    size_t start = at, end = str_find(text, S("\n"), at);
    while (start && text.p[start - 1] != '\n') start--;
    while (start < at && strchr(" \t\\", text.p[start])) start++;
    while (end > at && strchr(" \t\\\r", text.p[end - 1])) end--;
    return str_sub(text, start, end);
}

/* cudaErrorMemoryAllocation, CUDNN_STATUS_NOT_SUPPORTED: what an error is called. */
static bool is_error_name(const struct py *f, struct str text) {
    return py_lists(f, "python.error_names", text);
}

/* device: cuda, "device": "cuda", backend=nccl: a setting in a text, whose name is the rule's. */
static bool sets_device(struct py *f, struct str text) {
    for (size_t at = 0, end; (at = py_find_word(&f->accounted, text, at, &end)) < text.n;
         at = end) {
        size_t sign = at, stop;
        struct row_ref row;
        size_t cursor = 0;
        if (end < text.n && (is_word_char(text.p[end]) || text.p[end] == '-')) continue;
        while (sign && strchr("\"'\\ ", text.p[sign - 1])) sign--;
        if (!sign || (text.p[sign - 1] != ':' && text.p[sign - 1] != '=')) continue;
        for (stop = sign - 1; stop && strchr("\"'\\ =", text.p[stop - 1]);) stop--;
        size_t start = stop;
        while (start && (is_word_char(text.p[start - 1]) || text.p[start - 1] == '.')) start--;
        start += start && start < stop && text.p[start - 1] == '\\'; /* \nbackend: nccl */
        while (start < stop &&
               rules_find(f->rules, M_STRING, str_sub(text, at, end), &cursor, &row))
            if (!row.rule->by_form && row.rule->texts &&
                py_name_fits(f, row, str_sub(text, start, stop)))
                return true;
    }
    return false;
}

/* device(type='cuda', index=0): what repr() gives. */
static bool spells_device(const struct py *f, struct str text) {
    size_t type = str_find(text, S("device(type="), 0) + 13, end; /* and its quote */
    return type < text.n && py_find_word(&f->accounted, text, type, &end) == type;
}

/* Whether a line ends there, in the text or by an escape. */
static bool line_ends(struct str text, size_t at) {
    return at >= text.n || text.p[at] == '\n' || str_starts(str_sub(text, at, text.n), S("\\n"));
}

/* "embed = cuda:0\nhead = cpu": lines that say which device something is on. */
static bool lists_settings(struct py *f, struct str text) {
    if (!memchr(text.p, '\n', text.n) && str_find(text, S("\\n"), 0) == text.n) return false;
    for (size_t at = 0, end; (at = py_find_word(&f->accounted, text, at, &end)) < text.n;
         at = end) {
        struct row_ref row;
        size_t cursor = 0, from = at, to = end, named = 0;
        if (!rules_find(f->rules, M_STRING, str_sub(text, at, end), &cursor, &row) ||
            row.rule->by_form)
            continue;
        if (to < text.n && text.p[to] == ':')
            for (to++; to < text.n && isdigit((unsigned char)text.p[to]);) to++;
        while (to < text.n && strchr(" \"',;\r", text.p[to])) to++;
        while (from && strchr(" \"'", text.p[from - 1])) from--;
        bool sign = from && strchr(":=", text.p[from - 1]);
        while (from && strchr(":= ", text.p[from - 1])) from--;
        for (; from && (is_word_char(text.p[from - 1]) || text.p[from - 1] == '.'); from--)
            named++;
        while (from && text.p[from - 1] == ' ') from--;
        bool first = !from || text.p[from - 1] == '\n' ||
                     (named > 1 && text.p[from - 1] == '\\' && text.p[from] == 'n') ||
                     (from > 1 && text.p[from - 1] == 'n' && text.p[from - 2] == '\\');
        if (sign && named && first && line_ends(text, to)) return true;
    }
    return false;
}

/* ["python", "-c", "..."] */
static bool follows_c(const struct py *f, uint32_t list, uint32_t i) {
    uint32_t before = NO_NODE;
    for (uint32_t e = py_child(f, list, 0); e != NO_NODE && e != i; e = py_next(f, e)) before = e;
    return py_kind(f, before) == PY_STRING && str_is(text_of(f, before), "-c");
}

/* Whether the text is Python that the program runs, writes or compiles, and calls CUDA in it. */
static bool is_code(struct py *f, uint32_t string, struct str text) {
    struct str mark;
    bool calls = false;
    for (size_t at = 0; !calls && rules_next_word(f->rules, "python.code_marks", &at, &mark);)
        calls = str_find(text, mark, 0) < text.n;
    if (!calls || str_find(text, S(">>>"), 0) < text.n || str_find(text, S("```"), 0) < text.n)
        return false;
    if (str_find(text, S("import torch"), 0) < text.n) return true;
    uint32_t i = whole_expression(f, string), p = py_parent(f, i);
    if (py_kind(f, p) == PY_LIST || py_kind(f, p) == PY_TUPLE) return follows_c(f, p, i);
    struct str name = S("");
    if (py_kind(f, p) == PY_ASSIGNMENT || py_kind(f, p) == PY_KEYWORD_ARGUMENT)
        name = str_last_dotted(py_text(f, py_child(f, p, 0)));
    else if (py_kind(f, p) == PY_ARGUMENT_LIST)
        name = str_last_dotted(py_text(f, py_callee(f, py_parent(f, p))));
    return py_lists(
        f, py_kind(f, p) == PY_ARGUMENT_LIST ? "python.code_calls" : "python.code_names", name);
}

/* device = "CUDA": no device is spelled so, and yet it is one here. */
static bool is_device_in_capitals(struct py *f, uint32_t string, size_t at, size_t end) {
    struct py_literal lit;
    struct py_context context;
    struct row_ref row;
    size_t cursor = 0;
    if (!py_literal(f, string, &lit) || at || end != lit.text.n) return false;
    char *word = arena_strdup(f->a, lit.text);
    for (size_t i = 0; i < lit.text.n; i++) word[i] = (char)tolower((unsigned char)word[i]);
    while (rules_find(f->rules, M_STRING, (struct str){word, lit.text.n}, &cursor, &row))
        if (row.rule->texts && !row.rule->by_form &&
            py_string_context(f, row, &lit, &context) == C_EXACT)
            return true;
    return false;
}

/* ---- what becomes of a text ---- */

static bool names_attribute(struct py *f, struct str text) {
    size_t cursor = 0;
    struct row_ref row;
    return rules_find(f->rules, M_ATTRIBUTE, text, &cursor, &row);
}

/* sys.modules["torch.cuda"] */
static bool is_module_key(const struct py *f, uint32_t string) {
    uint32_t p = py_parent(f, string);
    return py_kind(f, p) == PY_SUBSCRIPT && str_ends(py_text(f, py_child(f, p, 0)), S("modules"));
}

/* vars(torch)["cuda"], torch.__dict__["cuda"] */
static bool is_name_of_torch(const struct py *f, uint32_t string) {
    uint32_t p = py_parent(f, string);
    struct str of = py_kind(f, p) == PY_SUBSCRIPT ? py_text(f, py_child(f, p, 0)) : S("");
    return str_is(of, "vars(" PY_TORCH ")") || str_is(of, PY_TORCH ".__dict__");
}

/* aten::cudnn_convolution: PyTorch has operators for one vendor's library. */
static bool is_cuda_operator(const struct py *f, struct str text) {
    size_t name = str_find(text, S("::"), 0) + 2, end;
    return name < text.n &&
           py_lists(f, "python.operator_namespaces", str_sub(text, 0, name - 2)) &&
           py_find_word(&f->accounted, text, name, &end) < text.n;
}

/* k.startswith("CUDA_"), of what variables are called. */
static bool is_prefix_of_variables(struct str text) {
    return text.n > 4 && text.p[text.n - 1] == '_' && is_upper(text);
}

/* "torch" + ".cuda" + ".FloatTensor" */
static bool is_piece_of_name(const struct py *f, struct str text) {
    size_t end, at = py_find_word(&f->accounted, text, 0, &end);
    bool dotted = (at == 1 && text.p[0] == '.') || (end + 1 == text.n && text.p[end] == '.');
    return dotted && end - at + 1 == text.n && str_find(f->src, S("Tensor"), 0) < f->src.n;
}

/* A text in which the word is only a part: a name of the program's own, unless the name is one of
 * PyTorch's, or of a library that NVIDIA ships. */
static void account_part(struct py *f, uint32_t string, struct str text) {
    bool calls = memchr(text.p, '(', text.n) && is_code(f, string, text);
    bool torch_name = str_starts(text, S(PY_TORCH ".")) ||
                      str_find(text, S("." PY_TORCH "." PY_CUDA "."), 0) < text.n;
    if (str_is(text, PY_TORCH "." PY_CUDA) && is_key(f, string) && !is_module_key(f, string))
        py_keep_word(f, string, DATA);
    else if (torch_name && (is_dotted(text) || calls) &&
             py_kind(f, py_parent(f, string)) != PY_TYPE)
        leave_to_a_human(f, string, text, "`%.*s` is a name of PyTorch's in a text");
    else if (is_cuda_operator(f, text))
        leave_to_a_human(f, string, text, "`%.*s` is an operator that only CUDA's builds have");
    else if (py_lists(f, "python.accounted_libraries", text))
        leave_to_a_human(f, string, text, "\"%.*s\" is a library of NVIDIA's");
    else if (is_prefix_of_variables(text) && is_looked_for(f, string))
        leave_to_a_human(f, string, text, "\"%.*s\" is looked for in names of NVIDIA's variables");
    else if (is_piece_of_name(f, text))
        leave_to_a_human(f, string, text, "\"%.*s\" is a piece of a name of PyTorch's");
    else if (is_looked_for(f, string) && is_error_name(f, text))
        leave_to_a_human(f, string, text, "\"%.*s\" is looked for in an error of NVIDIA's");
    else if (py_sets_environment(f, string))
        leave_to_a_human(f, string, text,
                         "`%.*s` is set for a program or library that builds or runs CUDA");
    else if (names_attribute(f, text) && !is_key(f, string))
        leave_to_a_human(f, string, text,
                         "\"%.*s\" spells an attribute that has another name on the target");
    else
        py_keep_word(f, string, PART);
}

/* What in a text says that it is C++ for CUDA, which a program writes, compiles or shows; empty:
 * it is none. */
static struct str source_mark(const struct py *f, struct str text) {
    struct str mark;
    for (size_t at = 0;
         text.n >= 40 && rules_next_word(f->rules, "python.cuda_sources", &at, &mark);)
        if (str_find(text, mark, 0) < text.n) return mark;
    return S("");
}

/* What follows a device's name in a pattern: an index, any text, the end; not `\.py`. */
static bool goes_on_as_pattern(struct str rest) {
    return strchr(":(*+?[$", rest.p[0]) || str_starts(rest, S("\\d")) ||
           str_starts(rest, S("\\b")) || str_starts(rest, S(".*")) || str_starts(rest, S(".+"));
}

/* re.fullmatch(r"cuda:[0-9]+", x): what a device is called, with its index. */
static bool is_device_pattern(struct py *f, uint32_t string, struct str text) {
    uint32_t args = py_parent(f, string), call = py_parent(f, args);
    size_t start = text.n && text.p[0] == '^' ? 1 : 0, end;
    if (py_kind(f, args) != PY_ARGUMENT_LIST || py_child(f, args, 0) != string) return false;
    struct py_name callee = py_resolve(f, py_callee(f, call));
    return py_lists(f, "python.pattern_calls", callee.path) &&
           py_find_word(&f->accounted, text, start, &end) == start && end < text.n &&
           goes_on_as_pattern(str_sub(text, end, text.n));
}

static bool is_bytes(const struct py *f, uint32_t string) {
    struct str prefix = py_text(f, tree_first_child(&f->tree, string));
    return prefix.n && (memchr(prefix.p, 'b', prefix.n) || memchr(prefix.p, 'B', prefix.n));
}

/* install_requires=["flash-attn>=2"], f.write("nvidia-cudnn-cu12\n"): what the rules about project
 * files say of a package, in a file that packs the project. False: it is none. */
static bool account_package(struct py *f, uint32_t string, struct str text) {
    size_t end = 0, start, first, last;
    struct row_ref row;
    struct str name;
    if (!f->builds || text.n > 128 || memchr(text.p, ' ', str_find(text, S(";"), 0))) return false;
    while (end < text.n && (is_word_char(text.p[end]) || strchr("-.", text.p[end]))) end++;
    struct str whole = str_sub(text, 0, end);
    for (size_t at = 0; next_part(whole, &at, &start, &end);) {
        size_t cursor = 0;
        while (rules_find(f->rules, M_TEXT, str_sub(text, start, end), &cursor, &row)) {
            const struct rcell *cell = row_cell(row, f->target);
            if (!py_lists(f, "python.package_rules", rs_str(row.set, row.rule->id)) ||
                !regex_find(f->regex, row.row, rs_str(row.set, row.row->key), text, 0, &first,
                            &last, &name) ||
                name.p != text.p)
                continue;
            if (!cell || cell->verdict == V_SAME)
                py_keep_word(f, string, PACKAGE);
            else
                leave_to_a_human(f, string, name, "`%.*s` " PY_PACKAGE_MESSAGE);
            return true;
        }
    }
    return false;
}

void py_account_string(struct py *f, uint32_t string, const char *why) {
    size_t end;
    struct str text = text_of(f, string);
    if (is_matched(f, string) || account_package(f, string, text)) return;
    size_t first = py_find_word(&f->accounted, text, 0, &end);
    if (first == text.n) return;
    if (source_mark(f, text).n) {
        leave_to_a_human(f, string, source_mark(f, text),
                         "the text is source for CUDA's compiler: it holds `%.*s`");
        return;
    }
    bool patches = str_find(text, S("." PY_TORCH "." PY_CUDA "."), 0) < text.n; /* by its name */
    if (!f->accounts && !(patches && is_dotted(text))) return;
    struct str line = line_at(text, first);
    struct str shown = str_sub(line, 0, line.n < 60 ? line.n : 60);
    bool alone = stands_alone(f, text) && !is_path(text);
    if (py_kind(f, py_parent(f, string)) == PY_EXPRESSION_STATEMENT)
        py_keep_word(f, string, NOWHERE);
    else if (is_bytes(f, string))
        py_keep_word(f, string, BYTES);
    else if (is_name_of_torch(f, string))
        leave_to_a_human(f, string, shown, "`%.*s` is looked up among PyTorch's names");
    else if (why || py_is_prose(f, string))
        py_keep_word(f, string, why ? why : PROSE);
    else if (py_is_command(text) && memchr(text.p, ' ', text.n) &&
             (alone || isupper((unsigned char)text.p[first])))
        leave_to_a_human(f, string, shown, "the command line \"%.*s\" is for CUDA");
    else if (is_code(f, string, text))
        leave_to_a_human(f, string, shown, "the text \"%.*s\" is Python that is for CUDA");
    else if (spells_device(f, text))
        leave_to_a_human(f, string, shown, "the text \"%.*s\" spells a device of CUDA's");
    else if (sets_device(f, text) || lists_settings(f, text))
        leave_to_a_human(f, string, shown, "the text \"%.*s\" asks for CUDA in a setting");
    else if (memchr(text.p, ' ', text.n) &&
             (is_looked_for(f, string) || is_vendor_message(f, text)))
        leave_to_a_human(f, string, shown,
                         "\"%.*s\" is looked for in a text that reads otherwise on the target");
    else if (memchr(text.p, ' ', text.n) && names_device_and_type(f, text))
        leave_to_a_human(f, string, shown, "\"%.*s\" names a device and a type of numbers");
    else if (memchr(text.p, ' ', text.n) || memchr(text.p, '\n', text.n))
        py_keep_word(f, string, PROSE);
    else if (is_device_pattern(f, string, text))
        leave_to_a_human(f, string, shown, "the pattern \"%.*s\" fits CUDA's devices alone");
    else if (names_devices_only(f, text) || (!alone && is_split(f, text)))
        leave_to_a_human(f, string, shown, "\"%.*s\" joins names of devices");
    else if (!alone)
        account_part(f, string, text);
    else if (is_key(f, string))
        py_keep_word(f, string, DATA);
    else if (is_upper(text) && is_device_in_capitals(f, string, first, end))
        leave_to_a_human(f, string, shown, "\"%.*s\" stands where a device or a backend does");
    else if (is_upper(text) && !is_looked_for(f, string))
        py_keep_word(f, string, LABEL);
    else
        leave_to_a_human(f, string, shown,
                         "\"%.*s\" is a word of CUDA's, and nothing tells what it is for");
}

/* Whether the identifier is a module of PyTorch's: torch.accelerator, or imported from torch. */
static bool is_module_of_torch(const struct py *f, uint32_t identifier) {
    uint32_t p = py_parent(f, identifier);
    bool member = py_kind(f, p) == PY_ATTRIBUTE && py_child(f, p, -1) == identifier;
    uint32_t root = member ? py_child(f, p, 0) : identifier;
    if (py_kind(f, root) != PY_IDENTIFIER) return false;
    uint32_t b = py_lookup(f, f->scope_of[root], py_text(f, root));
    struct str path = b == NO_NODE ? S("") : f->bindings.v[b].path;
    if (member) return str_is(py_text(f, root), PY_TORCH) || str_is(path, PY_TORCH);
    return str_starts(path, S(PY_TORCH "."));
}

bool py_is_mere_variable(const struct py *f, uint32_t identifier) {
    struct str name = py_text(f, identifier);
    struct str word = target_fact(f->target, "variable_words");
    if (is_module_of_torch(f, identifier)) return false;
    uint32_t p = py_parent(f, identifier);
    bool member = py_kind(f, p) == PY_ATTRIBUTE && py_child(f, p, -1) == identifier;
    bool whole = name.n == word.n; /* Accelerator() is accelerate's class */
    return whole || py_call_of(f, member ? p : identifier) == NO_NODE;
}
