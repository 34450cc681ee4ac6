/* SPDX-License-Identifier: Apache-2.0 */
/* notebook_json.c - the JSON of a notebook: all of it validated, kept where its cells need it. */
#include "engine/notebook.h"

/* ---- values ---- */

enum { KEPT_DEPTH = 4 /* notebook, cells, cell, source, line */ };

/* Values are in the order of the file; the subtree of value i is [i, next). */
struct value {
    uint32_t start, end; /* strings with their quotes */
    uint32_t key;        /* the quote before the member's key; 0: an element */
    uint32_t next;
    char kind; /* its first byte */
};

struct container {
    char close;
    uint32_t value; /* NO_NODE when it is too deep to be kept */
};

struct scanner {
    struct arena *a;
    struct str s;
    size_t i;
    VEC(struct container) open;
    VEC(struct value) values;
    const char *error;
};

static bool fail(struct scanner *sc, const char *error) {
    sc->error = error;
    return false;
}

static void skip_space(struct scanner *sc) {
    while (sc->i < sc->s.n && (sc->s.p[sc->i] == ' ' || sc->s.p[sc->i] == '\n' ||
                               sc->s.p[sc->i] == '\t' || sc->s.p[sc->i] == '\r'))
        sc->i++;
}

static bool at_char(const struct scanner *sc, char c) {
    return sc->i < sc->s.n && sc->s.p[sc->i] == c;
}

static bool skip_char(struct scanner *sc, char c) {
    bool there = at_char(sc, c);
    sc->i += there;
    return there;
}

static bool skip_word(struct scanner *sc, struct str word) {
    bool there = str_starts(str_sub(sc->s, sc->i, sc->s.n), word);
    if (there) sc->i += word.n;
    return there;
}

/* The number that four hexadecimal digits spell, or UINT32_MAX. */
static uint32_t hex4(struct str s, size_t i) {
    uint32_t v = 0;
    if (i + 4 > s.n) return UINT32_MAX;
    for (size_t end = i + 4; i < end; i++) {
        char c = s.p[i], lower = (char)(c | 0x20);
        if (c >= '0' && c <= '9')
            v = v << 4 | (uint32_t)(c - '0');
        else if (lower >= 'a' && lower <= 'f')
            v = v << 4 | (uint32_t)(lower - 'a' + 10);
        else
            return UINT32_MAX;
    }
    return v;
}

static bool scan_string(struct scanner *sc) {
    if (!skip_char(sc, '"')) return fail(sc, "a string is expected here");
    while (sc->i < sc->s.n) {
        unsigned char c = (unsigned char)sc->s.p[sc->i];
        if (c < 0x20) return fail(sc, "a string may not hold a control character");
        sc->i++;
        if (c == '"') return true;
        if (c != '\\') continue;
        if (sc->i == sc->s.n || !sc->s.p[sc->i] || !strchr("\"\\/bfnrtu", sc->s.p[sc->i]))
            return fail(sc, "this escape is unknown");
        if (sc->s.p[sc->i++] != 'u') continue;
        if (hex4(sc->s, sc->i) == UINT32_MAX) return fail(sc, "four hex digits are expected here");
        sc->i += 4;
    }
    return fail(sc, "a string does not end");
}

static bool skip_digits(struct scanner *sc) {
    size_t start = sc->i;
    while (sc->i < sc->s.n && sc->s.p[sc->i] >= '0' && sc->s.p[sc->i] <= '9') sc->i++;
    return sc->i > start;
}

static bool scan_number(struct scanner *sc) {
    bool zero = at_char(sc, '0');
    size_t start = sc->i;
    if (!skip_digits(sc)) return fail(sc, "a value is expected here");
    if (zero && sc->i > start + 1) return fail(sc, "this number is malformed");
    if (skip_char(sc, '.') && !skip_digits(sc)) return fail(sc, "this number is malformed");
    if (skip_char(sc, 'e') || skip_char(sc, 'E')) {
        if (!skip_char(sc, '+')) skip_char(sc, '-');
        if (!skip_digits(sc)) return fail(sc, "this number is malformed");
    }
    return true;
}

/* Everything that is neither array nor object. */
static bool scan_scalar(struct scanner *sc) {
    if (at_char(sc, '"')) return scan_string(sc);
    if (skip_word(sc, S("true")) || skip_word(sc, S("false")) || skip_word(sc, S("null")) ||
        skip_word(sc, S("NaN")))
        return true;
    skip_char(sc, '-');
    return skip_word(sc, S("Infinity")) || scan_number(sc);
}

/* Reads one value, of an array or object its opening bracket. */
static bool begin_value(struct scanner *sc) {
    uint32_t key = 0;
    skip_space(sc);
    if (sc->open.n && sc->open.v[sc->open.n - 1].close == '}') {
        key = (uint32_t)sc->i;
        if (!scan_string(sc)) return false;
        skip_space(sc);
        if (!skip_char(sc, ':')) return fail(sc, "a colon is expected here");
        skip_space(sc);
    }
    bool kept = sc->open.n <= KEPT_DEPTH;
    uint32_t number = (uint32_t)sc->values.n;
    struct value v = {.start = (uint32_t)sc->i,
                      .key = key,
                      .next = number + 1,
                      .kind = sc->i < sc->s.n ? sc->s.p[sc->i] : 0};
    if (v.kind == '{' || v.kind == '[') {
        struct container c = {v.kind == '{' ? '}' : ']', kept ? number : (uint32_t)NO_NODE};
        vec_push(sc->a, &sc->open, c);
        sc->i++;
    } else if (!scan_scalar(sc)) {
        return false;
    }
    v.end = (uint32_t)sc->i;
    if (kept) vec_push(sc->a, &sc->values, v);
    return true;
}

static bool end_container(struct scanner *sc) {
    if (!sc->open.n || !skip_char(sc, sc->open.v[sc->open.n - 1].close)) return false;
    uint32_t value = sc->open.v[--sc->open.n].value;
    if (value != NO_NODE) {
        sc->values.v[value].end = (uint32_t)sc->i;
        sc->values.v[value].next = (uint32_t)sc->values.n;
    }
    return true;
}

static bool scan_document(struct scanner *sc) {
    do {
        size_t depth = sc->open.n;
        if (!begin_value(sc)) return false;
        skip_space(sc);
        if (sc->open.n > depth && !end_container(sc)) continue; /* its first value is next */
        for (skip_space(sc); end_container(sc);) skip_space(sc);
        if (sc->open.n && !skip_char(sc, ','))
            return fail(sc, "a comma or a closing bracket is expected here");
    } while (sc->open.n);
    return sc->i == sc->s.n || fail(sc, "there is more text after the JSON value");
}

/* The last member with that key, as Python takes it; NO_NODE. */
static uint32_t member(const struct scanner *sc, uint32_t object, struct str key) {
    uint32_t found = NO_NODE;
    if (object == NO_NODE || sc->values.v[object].kind != '{') return NO_NODE;
    for (uint32_t i = object + 1; i < sc->values.v[object].next; i = sc->values.v[i].next) {
        struct str rest = str_sub(sc->s, sc->values.v[i].key + 1, sc->s.n);
        if (str_starts(rest, key) && rest.p[key.n] == '"') found = i;
    }
    return found;
}

static char kind_of(const struct scanner *sc, uint32_t value) {
    return value == NO_NODE ? 0 : sc->values.v[value].kind;
}

/* The bytes between the quotes; p == NULL when it is no string. */
static struct str raw_string(const struct scanner *sc, uint32_t value) {
    if (kind_of(sc, value) != '"') return (struct str){0};
    return str_sub(sc->s, sc->values.v[value].start + 1, sc->values.v[value].end - 1);
}

/* ---- the text of cells ---- */

static size_t put_utf8(char *to, uint32_t c) {
    if (c < 0x80) return to[0] = (char)c, 1;
    size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--, c >>= 6) to[i] = (char)(0x80 | (c & 0x3F));
    to[0] = (char)((0xF00 >> n & 0xF0) | c);
    return n;
}

/* The character of the escape at s[i], and how many bytes spell it. UINT32_MAX: half a pair. */
static uint32_t unescape(struct str s, size_t i, size_t *n) {
    static const char letters[] = "bfnrt", values[] = "\b\f\n\r\t";
    const char *letter = strchr(letters, s.p[i + 1]);
    *n = 2;
    if (letter) return (uint32_t)values[letter - letters];
    if (s.p[i + 1] != 'u') return (uint32_t)s.p[i + 1];
    uint32_t high = hex4(s, i + 2), low;
    *n = 6;
    if (high < 0xD800 || high > 0xDFFF) return high;
    if (high > 0xDBFF || i + 8 > s.n || s.p[i + 6] != '\\' || s.p[i + 7] != 'u') return UINT32_MAX;
    low = hex4(s, i + 8);
    if (low < 0xDC00 || low > 0xDFFF) return UINT32_MAX;
    *n = 12;
    return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
}

/* Appends what the string spells to the cell's text, which has room for it. */
static void decode(struct scanner *sc, struct notebook *nb, struct nb_cell *cell,
                   uint32_t string) {
    char *to = (char *)cell->text.p;
    size_t end = sc->values.v[string].end - 1;
    for (size_t i = sc->values.v[string].start + 1; i < end;) {
        struct nb_span span = {.at = (uint32_t)cell->text.n, .json = (uint32_t)i};
        size_t n = 0;
        if (sc->s.p[i] == '\\') {
            uint32_t c = unescape(sc->s, i, &n);
            cell->unreadable |= c == 0 || c == UINT32_MAX;
            nb->ascii |= c >= 0x80;
            span.n = (uint32_t)put_utf8(to + span.at, c == UINT32_MAX ? 0xFFFD : c);
        } else {
            const char *escape = memchr(sc->s.p + i, '\\', end - i);
            n = (escape ? (size_t)(escape - sc->s.p) : end) - i;
            memcpy(to + span.at, sc->s.p + i, n);
            span.n = (uint32_t)n;
        }
        span.json_n = (uint32_t)n;
        vec_push(sc->a, &cell->spans, span);
        cell->text.n += span.n;
        i += n;
    }
}

static bool is_blank(struct str s) {
    for (size_t i = 0; i < s.n; i++)
        if (!strchr(" \t\r\n\f", s.p[i]) || !s.p[i]) return false;
    return true;
}

/* What stands between two strings of the list; of a list with one string it is made from what
 * stands before that. p == NULL when nothing tells. */
static struct str separator(struct scanner *sc, uint32_t list) {
    const struct value *l = &sc->values.v[list], *first = l + 1;
    if (l->next == list + 1) return (struct str){0};
    if (l->next > list + 2) return str_sub(sc->s, first->end - 1, (first + 1)->start + 1);
    if (first->start == l->start + 1) return (struct str){0};
    return arena_printf(sc->a, "\",%.*s\"", STR_ARG(str_sub(sc->s, l->start + 1, first->start)));
}

static void read_cell(struct scanner *sc, struct notebook *nb, uint32_t value, uint32_t number) {
    uint32_t source = member(sc, value, S("source"));
    char kind = kind_of(sc, source);
    struct nb_cell cell = {.number = number};
    if (!str_is(raw_string(sc, member(sc, value, S("cell_type"))), "code")) return;
    if (kind != '"' && kind != '[') return;
    const struct value *v = &sc->values.v[source];
    char *text = arena_alloc(sc->a, v->end - v->start + 64);
    cell.json = v->start;
    cell.text = (struct str){text, 0};
    if (kind == '[') cell.separator = separator(sc, source);
    for (uint32_t i = kind == '[' ? source + 1 : source; i < v->next; i = sc->values.v[i].next) {
        if (sc->values.v[i].kind != '"') return; /* no list of lines */
        decode(sc, nb, &cell, i);
    }
    memset(text + cell.text.n, 0, 64);
    if (is_blank(cell.text)) return;
    const char *nl = memchr(text, '\n', cell.text.n);
    cell.crlf = nl && nl > text && nl[-1] == '\r';
    if (kind == '[' && !cell.separator.p) cell.separator = S("\",\"");
    vec_push(sc->a, &nb->cells, cell);
}

/* Cells of one line have no line break, and some no separator, of their own: the first other's. */
static void share_style(struct notebook *nb) {
    const struct str unknown = S("\",\"");
    for (size_t i = 0; i < nb->cells.n; i++) {
        struct nb_cell *c = &nb->cells.v[i], *other = nb->cells.v;
        struct nb_cell *end = other + nb->cells.n;
        if (!memchr(c->text.p, '\n', c->text.n)) {
            while (other < end && !memchr(other->text.p, '\n', other->text.n)) other++;
            c->crlf = other < end && other->crlf;
        }
        if (!str_eq(c->separator, unknown)) continue;
        other = nb->cells.v;
        while (other < end && (!other->separator.p || str_eq(other->separator, unknown))) other++;
        if (other < end) c->separator = other->separator;
    }
}

static bool is_python(struct str language) {
    return !language.p || str_is(language, "python") || str_is(language, "Python") ||
           str_is(language, "python3") || str_is(language, "ipython");
}

bool notebook_read(struct notebook *nb, struct arena *a, struct str json) {
    struct scanner sc = {.a = a, .s = json};
    *nb = (struct notebook){0};
    uint32_t code;
    for (size_t n; sc.i < json.n && (n = utf8_next(json, sc.i, &code)) != 0;) sc.i += n;
    bool utf8 = sc.i == json.n, raw = false;
    if (utf8) sc.i = str_starts(json, S("\xEF\xBB\xBF")) ? 3 : 0;
    for (size_t i = sc.i; i < json.n && !raw; i++) raw = (unsigned char)json.p[i] >= 0x80;
    if (!utf8 || !scan_document(&sc)) {
        nb->error = utf8 ? sc.error : "this byte is not part of UTF-8 text";
        nb->error_at = sc.i;
        return false;
    }
    uint32_t metadata = member(&sc, 0, S("metadata")), cells = member(&sc, 0, S("cells"));
    struct str kernel =
        raw_string(&sc, member(&sc, member(&sc, metadata, S("kernelspec")), S("language")));
    struct str info =
        raw_string(&sc, member(&sc, member(&sc, metadata, S("language_info")), S("name")));
    nb->language = !is_python(kernel) ? kernel : !is_python(info) ? info : S("");
    nb->has_cells = kind_of(&sc, cells) == '[';
    nb->has_worksheets = kind_of(&sc, member(&sc, 0, S("worksheets"))) == '[';
    if (!nb->has_cells) return true;
    uint32_t number = 0;
    for (uint32_t i = cells + 1; i < sc.values.v[cells].next; i = sc.values.v[i].next)
        read_cell(&sc, nb, i, ++number);
    share_style(nb);
    nb->ascii &= !raw;
    return true;
}

struct str notebook_text(struct arena *a, struct str json) {
    struct notebook nb;
    struct buf b;
    buf_init(&b, a);
    notebook_read(&nb, a, json);
    for (size_t i = 0; i < nb.cells.n; i++) {
        buf_add(&b, nb.cells.v[i].text);
        buf_addc(&b, '\n');
    }
    return b.p ? buf_str(&b) : S("");
}

/* ---- writing ---- */

static void escape_character(struct buf *b, uint32_t c, struct str raw, bool ascii) {
    static const char letters[] = "bfrt\"\\", values[] = "\b\f\r\t\"\\";
    const char *special = c ? strchr(values, c < 0x80 ? (int)c : 1) : NULL;
    if (special)
        buf_printf(b, "\\%c", letters[special - values]);
    else if (c < 0x20 || (ascii && c >= 0x80 && c < 0x10000))
        buf_printf(b, "\\u%04x", c);
    else if (ascii && c >= 0x10000)
        buf_printf(b, "\\u%04x\\u%04x", 0xD800 + ((c - 0x10000) >> 10), 0xDC00 + (c & 0x3FF));
    else
        buf_add(b, raw);
}

struct str notebook_escape(struct arena *a, const struct notebook *nb, const struct nb_cell *cell,
                           struct str text, bool closes) {
    struct buf b;
    buf_init(&b, a);
    for (size_t i = 0; i < text.n;) {
        uint32_t c;
        size_t n = utf8_next(text, i, &c), next = i + n;
        if (c == '\n') {
            buf_addz(&b, cell->crlf ? "\\r\\n" : "\\n");
            if (cell->separator.p && !(closes && next == text.n)) buf_add(&b, cell->separator);
        } else if (!(c == '\r' && next < text.n && text.p[next] == '\n')) {
            escape_character(&b, c, str_sub(text, i, next), nb->ascii);
        }
        i = next;
    }
    return b.p ? buf_str(&b) : S("");
}
