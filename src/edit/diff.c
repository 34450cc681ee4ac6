/* SPDX-License-Identifier: Apache-2.0 */
/* diff.c - unified diffs by Myers' algorithm in linear space (An O(ND) Difference Algorithm and
 * Its Variations, 1986), with a bound on its cost past which a correct diff is longer than it had
 * to be. */
#include "diff.h"

enum {
    CONTEXT = 3,
    /* Edits searched from either end before a search settles for the best way so far. */
    MAX_COST = 512,
    /* Diagonals visited in all before the rest is given as one replacement. */
    MAX_WORK = 1 << 27
};

/* ---- lines ---- */

struct text {
    struct str *lines; /* with their '\n' */
    uint32_t *ids;     /* equal lines have equal numbers, in both texts */
    bool *changed;
    size_t n;
};

static struct text split(struct arena *a, struct str s) {
    struct text t = {0};
    for (size_t i = 0; i < s.n; t.n++) i = str_find(s, S("\n"), i) + 1;
    t.lines = arena_alloc(a, t.n * sizeof *t.lines);
    t.ids = arena_alloc(a, t.n * sizeof *t.ids);
    t.changed = arena_zalloc(a, t.n * sizeof *t.changed);
    size_t i = 0;
    for (size_t k = 0; k < t.n; k++) {
        size_t end = str_find(s, S("\n"), i);
        if (end < s.n) end++;
        t.lines[k] = str_sub(s, i, end);
        i = end;
    }
    return t;
}

static void number_lines(struct arena *a, struct text *t, struct text *u) {
    size_t cap = 16;
    while (cap < 2 * (t->n + u->n)) cap *= 2;
    struct slot {
        struct str line;
        uint32_t id;
    } *table = arena_zalloc(a, cap * sizeof *table);
    uint32_t next = 0;
    struct text *texts[] = {t, u};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < texts[k]->n; i++) {
            struct str line = texts[k]->lines[i];
            size_t h = str_hash(line);
            while (table[h & (cap - 1)].line.p && !str_eq(table[h & (cap - 1)].line, line)) h++;
            struct slot *s = &table[h & (cap - 1)];
            if (!s->line.p) *s = (struct slot){line, next++};
            texts[k]->ids[i] = s->id;
        }
}

/* ---- the shortest way (Myers 1986, linear space) ----
 *
 * A point (x, y) stands for x lines of old and y lines of new already used; diagonal k holds the
 * points with x - y = k. Searches from both corners meet in the middle of a shortest way. */

enum { SPAN = 2 * MAX_COST + 3 };

struct search {
    const struct text *old, *new;
    /* The x reached on each diagonal, counted from the corner's own in the middle; or NOWHERE. */
    int64_t forward[SPAN], backward[SPAN];
    size_t work;
};

struct box {
    int64_t x0, x1, y0, y1;
};

enum { NOWHERE = -1 };

static bool equal(const struct search *s, int64_t x, int64_t y) {
    return s->old->ids[x] == s->new->ids[y];
}

/* The farthest x on the i-th diagonal from the first corner's, with one more edit. */
static int64_t step_forward(const struct search *s, struct box b, const int64_t *v, int64_t i) {
    int64_t k = b.x0 - b.y0 + i, x = NOWHERE;
    if (v[i - 1] != NOWHERE && v[i - 1] < b.x1) x = v[i - 1] + 1; /* delete a line */
    if (v[i + 1] != NOWHERE && v[i + 1] - k <= b.y1 && v[i + 1] > x) x = v[i + 1]; /* insert */
    if (x == NOWHERE) return x;
    while (x < b.x1 && x - k < b.y1 && equal(s, x, x - k)) x++;
    return x;
}

/* The same from the far corner: the smallest x. */
static int64_t step_backward(const struct search *s, struct box b, const int64_t *v, int64_t i) {
    int64_t k = b.x1 - b.y1 + i, x = NOWHERE;
    if (v[i + 1] != NOWHERE && v[i + 1] > b.x0) x = v[i + 1] - 1;
    if (v[i - 1] != NOWHERE && v[i - 1] - k >= b.y0 && (x == NOWHERE || v[i - 1] < x))
        x = v[i - 1];
    if (x == NOWHERE) return x;
    while (x > b.x0 && x - k > b.y0 && equal(s, x - 1, x - 1 - k)) x--;
    return x;
}

/* A point between the corners of b on a shortest way, both edges of b being different lines; past
 * MAX_COST, the most promising point that is known. */
static void middle(struct search *s, struct box b, int64_t *mid_x, int64_t *mid_y) {
    int64_t start = b.x0 - b.y0, gap = b.x1 - b.y1 - start;
    int64_t *forward = s->forward + MAX_COST + 1, *backward = s->backward + MAX_COST + 1;
    for (int64_t d = 0; d <= MAX_COST; d++) {
        forward[-d - 1] = forward[d + 1] = backward[-d - 1] = backward[d + 1] = NOWHERE;
        if (d == 0) { /* a virtual step before the corners, from which this one reaches them */
            forward[1] = b.x0;
            backward[-1] = b.x1;
        }
        s->work += 2 * (size_t)d + 1;
        for (int64_t i = -d; i <= d; i += 2) {
            int64_t x = forward[i] = step_forward(s, b, forward, i), back = i - gap;
            if (x == NOWHERE || gap % 2 == 0 || back <= -d || back >= d) continue;
            if (backward[back] == NOWHERE || backward[back] > x) continue;
            *mid_x = x, *mid_y = x - (start + i);
            return;
        }
        for (int64_t i = -d; i <= d; i += 2) {
            int64_t x = backward[i] = step_backward(s, b, backward, i), ahead = i + gap;
            if (x == NOWHERE || gap % 2 != 0 || ahead < -d || ahead > d) continue;
            if (forward[ahead] == NOWHERE || forward[ahead] < x) continue;
            *mid_x = x, *mid_y = x - (start + ahead);
            return;
        }
    }
    /* Lines used up, less the edits needed at least to get to the far corner's diagonal. */
    int64_t best = INT64_MIN;
    for (int64_t i = -MAX_COST; i <= MAX_COST; i += 2) {
        int64_t score = 2 * forward[i] - i - (gap > i ? gap - i : i - gap);
        if (forward[i] == NOWHERE || score <= best) continue;
        best = score;
        *mid_x = forward[i], *mid_y = forward[i] - (start + i);
    }
}

static void mark(struct search *s, struct box b) {
    for (int64_t x = b.x0; x < b.x1; x++) s->old->changed[x] = true;
    for (int64_t y = b.y0; y < b.y1; y++) s->new->changed[y] = true;
}

/* Recursion is for the first part alone, which has at most half of the edits, or MAX_COST: so it
 * is at most some twenty calls deep. */
static void compare(struct search *s, struct box b) {
    for (;;) {
        while (b.x0 < b.x1 && b.y0 < b.y1 && equal(s, b.x0, b.y0)) b.x0++, b.y0++;
        while (b.x0 < b.x1 && b.y0 < b.y1 && equal(s, b.x1 - 1, b.y1 - 1)) b.x1--, b.y1--;
        if (b.x0 == b.x1 || b.y0 == b.y1 || s->work > MAX_WORK) {
            mark(s, b);
            return;
        }
        int64_t x = b.x0, y = b.y0;
        middle(s, b, &x, &y);
        compare(s, (struct box){b.x0, x, b.y0, y});
        b.x0 = x, b.y0 = y;
    }
}

/* ---- output ---- */

static bool needs_quotes(struct arena *a, struct str path) {
    struct buf visible;
    buf_init(&visible, a);
    buf_add_visible(&visible, path);
    return !str_eq(buf_str(&visible), path) || str_find(path, S("\""), 0) < path.n ||
           str_find(path, S("\\"), 0) < path.n;
}

static void add_quoted(struct buf *out, struct str path) {
    static const char plain[] = "\a\b\t\n\v\f\r\"\\", letters[] = "abtnvfr\"\\";
    for (size_t i = 0; i < path.n; i++) {
        unsigned char c = (unsigned char)path.p[i];
        const char *special = c ? strchr(plain, c) : NULL;
        if (special)
            buf_printf(out, "\\%c", letters[special - plain]);
        else if (c < 0x20 || c >= 0x7F)
            buf_printf(out, "\\%03o", c);
        else
            buf_addc(out, (char)c);
    }
}

/* A tab ends a name with blanks, which patch would cut otherwise. */
static void add_header(struct buf *out, const char *mark, const char *side, struct str path) {
    if (needs_quotes(out->a, path)) {
        buf_printf(out, "%s \"%s", mark, side);
        add_quoted(out, path);
        buf_addc(out, '"');
    } else {
        buf_printf(out, "%s %s%.*s", mark, side, STR_ARG(path));
        if (str_find(path, S(" "), 0) < path.n) buf_addc(out, '\t');
    }
}

static void paint(struct buf *out, bool colour, const char *code) {
    if (colour) buf_printf(out, "\033[%sm", code);
}

static void add_line(struct buf *out, char sign, struct str line, bool colour) {
    bool complete = line.n && line.p[line.n - 1] == '\n';
    const char *code = sign == '-' ? "31" : "32";
    bool painted = colour && sign != ' ';
    paint(out, painted, code);
    buf_addc(out, sign);
    buf_add(out, str_sub(line, 0, line.n - complete));
    paint(out, painted, "0");
    buf_addc(out, '\n');
    if (!complete) buf_addz(out, "\\ No newline at end of file\n");
}

/* An empty range is named by the line before it. */
static void add_range(struct buf *out, char sign, size_t start, size_t n) {
    buf_printf(out, "%c%zu", sign, n ? start + 1 : start);
    if (n != 1) buf_printf(out, ",%zu", n);
}

/* Lines [x, x1) of old and [y, y1) of new. */
static void add_hunk(struct buf *out, const struct text *old, const struct text *new, size_t x,
                     size_t x1, size_t y, size_t y1, bool colour) {
    paint(out, colour, "36");
    buf_addz(out, "@@ ");
    add_range(out, '-', x, x1 - x);
    buf_addc(out, ' ');
    add_range(out, '+', y, y1 - y);
    buf_addz(out, " @@");
    paint(out, colour, "0");
    buf_addc(out, '\n');
    while (x < x1 || y < y1) {
        if (x < x1 && old->changed[x])
            add_line(out, '-', old->lines[x++], colour);
        else if (y < y1 && new->changed[y])
            add_line(out, '+', new->lines[y++], colour);
        else
            add_line(out, ' ', old->lines[x++], colour), y++;
    }
}

static void add_hunks(struct buf *out, const struct text *old, const struct text *new,
                      bool colour) {
    size_t x = 0, y = 0;
    for (;;) {
        while (x < old->n && y < new->n && !old->changed[x] && !new->changed[y]) x++, y++;
        if (x == old->n && y == new->n) return;
        size_t before = x < CONTEXT ? x : CONTEXT, x0 = x - before, y0 = y - before, same = 0;
        /* Over gaps so short that the context of two changes would touch. */
        while ((x < old->n || y < new->n) && same <= 2 * CONTEXT) {
            if (x < old->n && old->changed[x])
                x++, same = 0;
            else if (y < new->n &&new->changed[y])
                y++, same = 0;
            else
                x++, y++, same++;
        }
        size_t extra = same > CONTEXT ? same - CONTEXT : 0;
        add_hunk(out, old, new, x0, x - extra, y0, y - extra, colour);
    }
}

/* A path without `.`, `..` and the / before it, which programs that patch refuse: what lies above
 * the folder where we are is named from where both ways meet. */
static struct str name_in_patch(struct arena *a, struct str path) {
    struct buf b;
    buf_init(&b, a);
    for (size_t at = 0, end; at < path.n; at = end + 1) {
        end = str_find(path, S("/"), at);
        struct str part = str_sub(path, at, end);
        if (str_is(part, "..")) {
            while (b.n && b.p[b.n - 1] != '/') b.n--;
            if (b.n) b.n--;
        } else if (part.n && !str_is(part, ".")) {
            if (b.n) buf_addc(&b, '/');
            buf_add(&b, part);
        }
    }
    return buf_str(&b);
}

static void unified(struct buf *out, struct str path, struct str old, struct str new, bool colour,
                    bool created) {
    struct text from = split(out->a, old), to = split(out->a, new);
    number_lines(out->a, &from, &to);
    struct search *s = NEW(out->a, struct search);
    s->old = &from;
    s->new = &to;
    compare(s, (struct box){0, (int64_t)from.n, 0, (int64_t)to.n});

    path = name_in_patch(out->a, path);
    const char *const marks[] = {"---", "+++"}, *const sides[] = {"a/", "b/"};
    for (size_t i = 0; i < 2; i++) {
        paint(out, colour, "1");
        if (created && i == 0)
            buf_addz(out, "--- /dev/null");
        else
            add_header(out, marks[i], sides[i], path);
        paint(out, colour, "0");
        buf_addc(out, '\n');
    }
    add_hunks(out, &from, &to, colour);
}

void diff_unified(struct buf *out, struct str path, struct str old, struct str new, bool colour) {
    if (!str_eq(old, new)) unified(out, path, old, new, colour, false);
}

void diff_new_file(struct buf *out, struct str path, struct str text, bool colour) {
    unified(out, path, S(""), text, colour, true);
}
