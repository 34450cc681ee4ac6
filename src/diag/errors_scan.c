/* SPDX-License-Identifier: Apache-2.0 */
/* errors_scan.c - what a log says.
 *
 * Three things are looked for in a line: codes, by the patterns of each library; what a library
 * prints for a code instead of its name ("invalid device function"); and messages that have no
 * code. The two last are words that many programs use, so they count only in lines that name the
 * vendor. Where a line names a vendor, the codes of others are not looked for: 100006 is an error
 * of CANN's, and another one of CNRT's. */
#include "base/regex.h"
#include "diag/errors_find.h"

struct word {
    struct str text;
    size_t family, next;
};

struct scan {
    struct arena *a;
    struct regex_cache *cache;
    error_hits *hits;
    error_fallbacks *fallbacks;
    struct str line;
    size_t number;
    VEC(size_t) seen;   /* where the codes of this line start */
    VEC(bool) is_named; /* by family: whether this line names its vendor */
    bool any_named;
    /* The words of all families, in lists by their first letter: most lines hold none, and a
     * search for words is much quicker than twenty patterns. */
    VEC(struct word) words;
    size_t first[256]; /* 0: none, else an index of words and 1 */
};

static void note_hit(struct scan *s, struct error_hit h) {
    for (size_t i = 0; i < s->hits->n; i++) {
        struct error_hit *known = &s->hits->v[i];
        if (known->family != h.family || known->row != h.row) continue;
        if (!h.row && !error_same_word(known->code, h.code)) continue;
        if (h.row && h.row->kind >= 0 && !error_same_word(known->code, h.code)) continue;
        known->count++;
        return;
    }
    h.line = s->number;
    vec_push(s->a, s->hits, h);
}

/* One place of a line is one code, whichever pattern found it. */
static bool is_new_place(struct scan *s, size_t at) {
    for (size_t i = 0; i < s->seen.n; i++)
        if (s->seen.v[i] == at) return false;
    vec_push(s->a, &s->seen, at);
    return true;
}

/* Check failed: (e == cudaSuccess || e == cudaErrorCudartUnloading) is false: what a condition
 * asks for did not happen. */
static bool is_compared(struct str line, size_t at) {
    while (at > 0 && line.p[at - 1] == ' ') at--;
    return at > 1 && line.p[at - 1] == '=' && line.p[at - 2] == '=';
}

/* What the codes of a line say: nothing, no more than that there was an error ("inner error"), or
 * which: then the words around the code are not asked. */
enum said { NOTHING, LITTLE, ENOUGH };

static enum said scan_codes(struct scan *s, const struct error_family *f) {
    enum said any = NOTHING;
    s->seen.n = 0;
    for (size_t i = 0; i < f->logs.n; i++) {
        size_t at = 0, start, end;
        struct str code;
        const struct error_pattern *p = &f->logs.v[i];
        while (regex_find(s->cache, p, p->pattern, s->line, at, &start, &end, &code)) {
            error_hits found = {0};
            at = end > start ? end : end + 1;
            if (is_compared(s->line, (size_t)(code.p - s->line.p))) continue;
            if (!is_new_place(s, (size_t)(code.p - s->line.p))) continue;
            error_decode_in(s->a, f, code, &found);
            if (found.n == 0) error_classes_in(s->a, f, code, &found);
            if (found.n == 0) continue;
            const struct error_row *row = found.v[0].row;
            if (row && any != ENOUGH) any = row->turn == ERROR_VAGUE ? LITTLE : ENOUGH;
            note_hit(s, found.v[0]);
        }
    }
    return any;
}

static bool starts_with_words(struct str text, struct str words) {
    if (text.n < words.n || !error_same_word(str_sub(text, 0, words.n), words)) return false;
    char c = text.n > words.n ? text.p[words.n] : ' ';
    return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
}

static bool note_row(struct scan *s, const struct error_family *f, const struct error_row *r,
                     struct str code) {
    error_hits found = {0};
    error_add_row(s->a, f, r, code, &found);
    note_hit(s, found.v[0]);
    return true;
}

/* The row that says what stands here, the longest: "unspecified launch failure in prior launch" is
 * not "unspecified launch failure". */
static bool scan_texts(struct scan *s, const struct error_family *f) {
    for (size_t i = 0; i < f->texts.n; i++) {
        size_t start, end;
        struct str text, best_text = {0};
        const struct error_row *best = NULL;
        const struct error_pattern *p = &f->texts.v[i];
        if (!regex_find(s->cache, p, p->pattern, s->line, 0, &start, &end, &text)) continue;
        for (size_t k = 0; k < f->rows.n; k++) {
            const struct error_row *r = &f->rows.v[k];
            for (size_t w = 0; w < r->says.n; w++) {
                if (r->says.v[w].n <= best_text.n || !starts_with_words(text, r->says.v[w]))
                    continue;
                best = r;
                best_text = str_sub(text, 0, r->says.v[w].n);
            }
        }
        if (best) return note_row(s, f, best, best_text);
    }
    return false;
}

/* Of a row that only tells the component, the line's words may tell more. */
static enum said scan_messages(struct scan *s, const struct error_family *f, enum error_turn turn,
                               bool broad) {
    for (size_t i = 0; i < f->rows.n; i++) {
        const struct error_row *r = &f->rows.v[i];
        size_t start, end;
        struct str text;
        if (r->pattern.n == 0 || r->turn != turn || (r->broad && !broad)) continue;
        if (!regex_find(s->cache, r, r->pattern, s->line, 0, &start, &end, &text)) continue;
        note_row(s, f, r, str_sub(s->line, start, end));
        return r->broad ? LITTLE : ENOUGH;
    }
    return NOTHING;
}

static bool scan_fallback(struct scan *s, const struct error_family *f) {
    for (size_t i = 0; i < f->fallbacks.n; i++) {
        size_t start, end;
        struct str name;
        const struct error_pattern *p = &f->fallbacks.v[i];
        if (!regex_find(s->cache, p, p->pattern, s->line, 0, &start, &end, &name)) continue;
        struct error_fallback *known = NULL;
        for (size_t k = 0; k < s->fallbacks->n; k++)
            if (str_eq(s->fallbacks->v[k].name, name)) known = &s->fallbacks->v[k];
        struct error_fallback fresh = {name, s->number, 1};
        if (known)
            known->count++;
        else
            vec_push(s->a, s->fallbacks, fresh);
        return true;
    }
    return false;
}

static bool shares_target(const struct error_family *f, const struct error_family *g) {
    for (size_t i = 0; i < g->targets.n; i++)
        if (error_for_target(f, g->targets.v[i])) return true;
    return false;
}

static unsigned char lower(char c) { return (unsigned char)(c >= 'A' && c <= 'Z' ? c + 32 : c); }

static void collect_words(struct scan *s, const struct error_db *db) {
    for (size_t i = 0; i < db->families.n; i++) {
        vec_push(s->a, &s->is_named, false);
        for (size_t k = 0; k < db->families.v[i].words.n; k++) {
            struct str text = db->families.v[i].words.v[k];
            struct word w = {text, i, s->first[lower(text.p[0])]};
            vec_push(s->a, &s->words, w);
            s->first[lower(text.p[0])] = s->words.n;
        }
    }
}

static void find_vendors(struct scan *s, const struct error_db *db) {
    for (size_t i = 0; i < s->is_named.n; i++) s->is_named.v[i] = false;
    s->any_named = false;
    for (size_t at = 0; at < s->line.n; at++) {
        for (size_t k = s->first[lower(s->line.p[at])]; k; k = s->words.v[k - 1].next) {
            const struct word *w = &s->words.v[k - 1];
            size_t n = w->text.n;
            if (n > s->line.n - at || s->is_named.v[w->family]) continue;
            if (!error_same_word(str_sub(s->line, at, at + n), w->text)) continue;
            s->is_named.v[w->family] = true;
        }
    }
    for (size_t i = 0; i < s->is_named.n; i++) {
        const struct error_pattern *p = &db->families.v[i].named;
        if (!s->is_named.v[i]) continue;
        s->is_named.v[i] = regex_match(s->cache, p, p->pattern, s->line);
        s->any_named |= s->is_named.v[i] && !db->families.v[i].neutral;
    }
}

/* Whether this line is about a library's vendor, as far as it says. */
static bool concerns(const struct scan *s, const struct error_db *db, size_t family) {
    if (!s->any_named || db->families.v[family].neutral) return true;
    for (size_t i = 0; i < db->families.n; i++)
        if (s->is_named.v[i] && !db->families.v[i].neutral &&
            shares_target(&db->families.v[family], &db->families.v[i]))
            return true;
    return false;
}

static enum said more(enum said a, enum said b) { return a > b ? a : b; }

static void scan_line(struct scan *s, const struct error_db *db, struct str target) {
    enum said any = NOTHING;
    bool fell_back = false;
    find_vendors(s, db);
    for (size_t i = 0; i < db->families.n && !fell_back; i++)
        fell_back = scan_fallback(s, &db->families.v[i]);
    /* A message that is no failure, whatever words of one it has. */
    for (size_t i = 0; i < db->families.n && !fell_back; i++)
        if (s->is_named.v[i] && scan_messages(s, &db->families.v[i], ERROR_HARMLESS, true)) return;
    for (size_t i = 0; i < db->families.n; i++) {
        const struct error_family *f = &db->families.v[i];
        if (!error_for_target(f, target) || !concerns(s, db, i)) continue;
        enum said said = scan_codes(s, f);
        any = more(any, said);
        if (said == ENOUGH || !s->is_named.v[i] || fell_back) continue;
        any = more(any, scan_texts(s, f) ? ENOUGH : scan_messages(s, f, ERROR_FIRST, true));
    }
    if (fell_back) return;
    for (int turn = ERROR_LAST; turn <= ERROR_VAGUE; turn++)
        for (size_t i = 0; i < db->families.n && any == NOTHING; i++) {
            const struct error_family *f = &db->families.v[i];
            if (!s->is_named.v[i] || (f->neutral && turn == ERROR_VAGUE)) continue;
            if (error_for_target(f, target))
                any = scan_messages(s, f, (enum error_turn)turn, true);
        }
    /* Where the vendor or its component is all that is known, the words say the rest. */
    for (size_t i = 0; i < db->families.n && any != ENOUGH; i++) {
        const struct error_family *f = &db->families.v[i];
        if (f->neutral && (s->is_named.v[i] || any == LITTLE) && error_for_target(f, target))
            any = more(any, scan_messages(s, f, ERROR_VAGUE, any == NOTHING));
    }
}

/* A line's end, or the last blank in what is searched of a long one at a time: patterns look for
 * their letters up to the end of what they are given, again for each code that is found. */
static size_t part_end(struct str log, size_t at) {
    enum { LONGEST = 8192 };
    size_t end = str_find(log, S("\n"), at);
    if (end - at <= LONGEST) return end;
    size_t last = at + LONGEST;
    while (last > at && log.p[last] != ' ') last--;
    return last > at ? last : at + LONGEST;
}

void errors_scan(struct arena *a, const struct error_db *db, struct str log, struct str target,
                 error_hits *out, error_fallbacks *fallbacks) {
    struct scan s = {.a = a, .hits = out, .fallbacks = fallbacks, .cache = regex_cache_new()};
    bool continued = false;
    if (s.cache) regex_trust_patterns(s.cache);
    collect_words(&s, db);
    for (size_t at = 0; at < log.n && s.cache;) {
        size_t end = part_end(log, at);
        s.line = str_sub(log, at, end);
        s.number += !continued;
        continued = end < log.n && log.p[end] != '\n';
        scan_line(&s, db, target);
        at = continued && log.p[end] != ' ' ? end : end + 1;
    }
    regex_cache_free(s.cache);
}
