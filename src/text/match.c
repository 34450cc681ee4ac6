/* SPDX-License-Identifier: Apache-2.0 */
/* match.c - the words of a project file that rules are about. */
#include "text/text.h"

enum { MAX_MATCHES = 10000, MAX_LINE = 4096, MAX_HEAD = 400 };

/* What names of programs, packages and libraries are made of. */
static bool is_name(char ch) { return is_word_char(ch) || ch == '-' || ch == '.'; }

static bool is_blank(char ch) { return ch == ' ' || ch == '\t'; }

bool text_prefilter(const struct rules *rules, struct str src) {
    for (size_t i = 0, end; i < src.n; i = end + 1) {
        end = i;
        while (end < src.n && is_word_char(src.p[end])) end++;
        if (end > i && rules_is_anchor(rules, RL_PROJECT, str_sub(src, i, end), NULL)) return true;
    }
    return false;
}

/* ---- lines ---- */

/* Where the comment of a line starts: a # at its start or after a blank, outside of quotes. The
 * apostrophe of a word is no quote. */
static size_t comment_start(struct str line) {
    char quote = 0;
    for (size_t i = 0; i < line.n; i++) {
        char ch = line.p[i], before = i ? line.p[i - 1] : ' ';
        if (ch == '\\')
            i++;
        else if (quote)
            quote = ch == quote ? 0 : quote;
        else if ((ch == '"' || ch == '\'') && !is_word_char(before))
            quote = ch;
        else if (ch == '#' && is_blank(before))
            return i;
    }
    return line.n;
}

/* One line without its comment. */
struct text_line {
    struct text_file *f;
    struct str text;
    size_t start;      /* of the line in the file */
    size_t done;       /* what has been matched */
    struct str asked;  /* the variable that the `case` around it is about */
    struct str listed; /* the key whose list the line has an item of */
    struct text_place place;
    struct str option; /* the item that the line before is, where it is an option: - --device */
};

static void add_match(struct text_line *l, size_t start, size_t end, struct row_ref row,
                      bool is_variable) {
    struct text_file *f = l->f;
    const struct rcell *cell = row_cell(row, f->target);
    struct text_match m = {.start = (uint32_t)(l->start + start),
                           .end = (uint32_t)(l->start + end),
                           .token = str_sub(l->text, start, end),
                           .row = row,
                           .cell = cell,
                           .verdict = cell ? (enum verdict)cell->verdict : V_SAME,
                           .certainty = C_EXACT,
                           .is_prose = l->place.in_text && !l->place.is_command,
                           .is_variable = is_variable};
    l->done = end;
    f->too_many = f->matches.n >= MAX_MATCHES;
    if (!f->too_many) vec_push(f->a, &f->matches, m);
}

/* ---- patterns ---- */

/* A rule's pattern that covers the word [start, end); its first group, or all of it, is the
 * token. */
static bool match_pattern(struct text_line *l, size_t start, size_t end, bool program) {
    struct text_file *f = l->f;
    struct row_ref row;
    for (size_t cursor = 0;
         rules_find(f->rules, M_TEXT, str_sub(l->text, start, end), &cursor, &row);) {
        struct str pattern = rs_str(row.set, row.row->key), group;
        struct str id = rs_str(row.set, row.rule->id);
        struct str in = rs_str(row.set, row.rule->family_in);
        if (rules_lists(f->rules, "text.program_rules", id) != program) continue;
        if (in.n && !regex_match(f->regex, &row.rule->family_in, in, f->src)) continue;
        size_t from = 0, first, last;
        while (from <= start &&
               regex_find(f->regex, row.row, pattern, l->text, from, &first, &last, &group)) {
            size_t token = (size_t)(group.p - l->text.p);
            if (first <= start && last >= end && token >= l->done && group.n) {
                add_match(l, token, token + group.n, row, false);
                if (last > l->done) l->done = last;
                return true;
            }
            from = last > from ? last : from + 1;
        }
    }
    return false;
}

/* ---- words and values ---- */

static bool in_list(struct row_ref row, struct rlist list, struct str s) {
    const struct rstr *v = RS_LIST(row.set, list, struct rstr);
    for (uint32_t i = 0; i < list.n; i++)
        if (str_eq(rs_str(row.set, v[i]), s)) return true;
    return false;
}

static bool name_fits(struct text_line *l, struct row_ref row, struct str name) {
    char *p = arena_strdup(l->f->a, name); /* --dist-backend is dist_backend */
    for (size_t i = 0; i < name.n; i++)
        if (p[i] == '-') p[i] = '_';
    struct str variables = rs_str(row.set, row.rule->variables), plain = {p, name.n};
    while (plain.n && plain.p[0] == '_') plain = str_sub(plain, 1, plain.n);
    return plain.n && (in_list(row, row.rule->keywords, plain) ||
                       (variables.n && regex_match(l->f->regex, row.rule, variables, plain)));
}

struct str text_name_in_test(struct str line, size_t end) {
    while (end && is_blank(line.p[end - 1])) end--;
    while (end && strchr("\"'}", line.p[end - 1])) end--;
    size_t i = end;
    while (i && is_word_char(line.p[i - 1])) i--;
    bool is_variable =
        i && (line.p[i - 1] == '$' || (i > 1 && line.p[i - 1] == '{' && line.p[i - 2] == '$'));
    return is_variable ? str_sub(line, i, end) : (struct str){0};
}

/* The variable of a loop whose `in` begins there: for device in cpu cuda. */
static struct str name_of_loop(struct str line, size_t in) {
    size_t end = in, i;
    while (end && is_blank(line.p[end - 1])) end--;
    for (i = end; i && is_word_char(line.p[i - 1]);) i--;
    bool loop = i > 3 && str_eq(str_sub(line, i - 4, i), S("for ")) &&
                (i == 4 || !is_word_char(line.p[i - 5]));
    return loop ? str_sub(line, i, end) : (struct str){0};
}

/* The name of what the value at `start` is given to: --device cuda, device=cuda, trainer.device:
 * "cuda", ${DEVICE:-cuda}. */
static struct str name_of_value(struct str line, size_t start) {
    size_t i = start, blanks;
    bool option_only = false;
    while (i && strchr("\"'(", line.p[i - 1])) i--; /* devices=("cuda:0" "cuda:1") */
    for (blanks = i; blanks && is_blank(line.p[blanks - 1]);) blanks--;
    size_t end = blanks;
    if (end && blanks == i && line.p[end - 1] == '=')
        end--;
    else if (end > 1 && blanks == i && line.p[end - 1] == '-' && line.p[end - 2] == ':')
        end -= 2;
    else if (end > 1 && blanks < i && line.p[end - 1] == '=' && strchr("=!", line.p[end - 2]))
        return text_name_in_test(line, end - 2); /* [ $DEVICE == "cuda" ] */
    else if (end && blanks < i && (line.p[end - 1] == ':' || line.p[end - 1] == '='))
        end--; /* YAML, TOML, [ $DEVICE = "cuda" ] */
    else if (blanks == i)
        return (struct str){0};
    else
        option_only = true;

    if (end && blanks < i && line.p[end] == '=' && strchr("?:+", line.p[end - 1]))
        end--; /* make's DEVICE ?= cuda */
    while (end && is_blank(line.p[end - 1])) end--;
    if (end && (line.p[end - 1] == '"' || line.p[end - 1] == '\'')) end--;
    if (end && line.p[end - 1] == '}') return text_name_in_test(line, end);
    for (i = end; i && is_name(line.p[i - 1]);) i--;
    struct str name = str_sub(line, i, end);
    if (name.n == 1 && name.p[0] >= '1' && name.p[0] <= '9') { /* DEVICE=${1:-cuda} */
        while (i && strchr("${\"'", line.p[i - 1])) i--;
        end = i && line.p[i - 1] == '=' ? i - 1 : 0;
        for (i = end; i && is_name(line.p[i - 1]);) i--;
        name = str_sub(line, i, end);
    }
    if (option_only && str_is(name, "in")) return name_of_loop(line, i);
    if (option_only && !str_starts(name, S("-"))) return (struct str){0};
    return str_last_dotted(name);
}

/* After the index of cuda:1. */
static size_t skip_index(struct str line, size_t end) {
    size_t i = end;
    if (i + 1 < line.n && line.p[i] == ':' && line.p[i + 1] >= '0' && line.p[i + 1] <= '9')
        for (i++; i < line.n && line.p[i] >= '0' && line.p[i] <= '9';) i++;
    return i;
}

/* The end of the value that starts with this word: cuda, cuda:1; 0 where more follows it. */
static size_t value_end(struct str line, size_t end) {
    size_t i = skip_index(line, end);
    return i == line.n || strchr(" \t\r\"';)}|&,", line.p[i]) ? i : 0;
}

/* cuda) or cuda|cpu) below `case $DEVICE in`. */
static bool is_case_pattern(const struct text_line *l, size_t start, size_t stop) {
    size_t i = start;
    while (i && (is_blank(l->text.p[i - 1]) || strchr("\"'(", l->text.p[i - 1]))) i--;
    while (stop < l->text.n && strchr("\"' ", l->text.p[stop])) stop++;
    return l->asked.n && (i == 0 || l->text.p[i - 1] == '|') && stop < l->text.n &&
           strchr(")|", l->text.p[stop]);
}

/* The variable of a `case $DEVICE in` that begins in the line; what was asked before, elsewhere.
 */
static struct str asked_after(struct str line, struct str before) {
    struct str rest = str_sub(line, str_skip_blanks(line, 0), line.n);
    if (str_starts(rest, S("esac"))) return (struct str){0};
    size_t in = str_find(rest, S(" in"), 0);
    return str_starts(rest, S("case ")) && in < rest.n ? text_name_in_test(rest, in) : before;
}

/* The key that a line ends with: `device:` and `device: [`, whose items follow; empty: none. */
static struct str key_at_end(struct str line) {
    size_t end = line.n, start;
    while (end && (is_blank(line.p[end - 1]) || line.p[end - 1] == '[')) end--;
    if (!end || (line.p[end - 1] != ':' && line.p[end - 1] != '=')) return (struct str){0};
    for (end--; end && strchr(" \"'", line.p[end - 1]);) end--;
    for (start = end; start && is_name(line.p[start - 1]);) start--;
    return str_last_dotted(str_sub(line, start, end));
}

/* The key of the list that the line goes on with, for the next line. */
static struct str listed_after(struct str line, struct str before) {
    size_t first = str_skip_blanks(line, 0);
    if (first == line.n) return before;
    struct str key = key_at_end(line);
    if (key.n) return key;
    bool item = line.p[first] == '-' || line.p[line.n - 1] == ',';
    return item ? before : (struct str){0};
}

/* The key of the list that this word is an item of: device: [cpu, cuda], or - cuda below device:.
 */
static struct str name_of_list(const struct text_line *l, size_t start, size_t end) {
    struct str line = l->text;
    size_t i = start, after = skip_index(line, end);
    while (i && strchr(" \t\"'", line.p[i - 1])) i--;
    while (after < line.n && strchr(" \t\"'", line.p[after])) after++;
    if (after < line.n && line.p[after] != ',' && line.p[after] != ']') return (struct str){0};
    if (i && line.p[i - 1] != ',' && line.p[i - 1] != '[' && line.p[i - 1] != '-')
        return (struct str){0};
    size_t open = i;
    while (open && line.p[open - 1] != '[') open--;
    if (open) return key_at_end(str_sub(line, 0, open));
    return l->listed;
}

/* The option that a line's last item is: - "--device" and "--device",; empty: it is another. */
static struct str option_at_end(struct str line) {
    size_t end = line.n, start;
    while (end && strchr(" \t,\"'", line.p[end - 1])) end--;
    for (start = end; start && is_name(line.p[start - 1]);) start--;
    struct str item = str_sub(line, start, end);
    bool begins = start == 0 || strchr(" \t\"',[", line.p[start - 1]);
    return begins && str_starts(item, S("--")) ? item : (struct str){0};
}

/* The option whose value is this item of a list: args: ["--device", "cuda"], or below - --device.
 */
static struct str option_of_item(const struct text_line *l, struct row_ref row, size_t start,
                                 size_t stop) {
    struct str line = l->text;
    while (stop < line.n && strchr(" \t\"'", line.p[stop])) stop++;
    if (stop < line.n && !strchr(",]", line.p[stop])) return (struct str){0};
    size_t i = row_first_value(row, line, start);
    bool quoted = i && strchr("\"'", line.p[i - 1]);
    while (i && strchr(" \t\"'", line.p[i - 1])) i--;
    bool first = i == 0 ? quoted : line.p[i - 1] == '-' && str_skip_blanks(line, 0) == i - 1;
    if (first) return l->option;
    return i && line.p[i - 1] == ',' ? option_at_end(str_sub(line, 0, i)) : (struct str){0};
}

/* Whether settings name a device under a key that says so in another way, or by its index under
 * any: teacher = cuda:1. */
static bool is_likely(const struct text_line *l, struct str name, size_t start, size_t end) {
    size_t stop = skip_index(l->text, end);
    bool settings = l->place.kind != TEXT_SCRIPT || l->f->is_data;
    char *p = arena_strdup(l->f->a, name);
    for (size_t i = 0; i < name.n; i++)
        if (p[i] >= 'A' && p[i] <= 'Z') p[i] = (char)(p[i] + 32);
    if (!settings || !name.n) return false;
    return rules_lists(l->f->rules, "text.device_keys", (struct str){p, name.n}) ||
           (stop > end && (l->f->is_data || text_is_value(&l->place, l->text, start, stop)));
}

static bool match_string(struct text_line *l, size_t start, size_t end) {
    struct text_file *f = l->f;
    struct row_ref row;
    for (size_t cursor = 0;
         rules_find(f->rules, M_STRING, str_sub(l->text, start, end), &cursor, &row);) {
        if (!row.rule->texts || (f->is_data && row.rule->by_form)) continue;
        if (row.rule->by_form) {
            bool names = is_word_char(l->text.p[start]); /* -lcublas -lcudart: two of a kind */
            add_match(l, start, end, row, names && row.rule->shape == SHAPE_EXACT);
            return true;
        }
        struct str list = name_of_list(l, start, end);
        if (list.n && name_fits(l, row, list)) {
            add_match(l, start, end, row, false);
            if (!f->too_many) f->matches.v[f->matches.n - 1].is_item = true;
            return true;
        }
        size_t stop = value_end(l->text, end);
        if (!stop) continue;
        struct str name = option_of_item(l, row, start, stop);
        if (!name.n)
            name = is_case_pattern(l, start, stop)
                       ? l->asked
                       : name_of_value(l->text, row_first_value(row, l->text, start));
        if (!name.n && text_is_lone(&l->place, l->text)) name = str_last_dotted(l->place.key);
        bool fits = name_fits(l, row, name);
        bool likely = !fits && row.rule->shape == SHAPE_DEVICE && is_likely(l, name, start, end);
        if (!fits && !likely) continue;
        const struct rcell *cell = row_cell(row, f->target);
        add_match(l, start, cell && cell->whole ? stop : end, row, false);
        if (!f->too_many && !text_is_value(&l->place, l->text, start, stop))
            f->matches.v[f->matches.n - 1].is_prose = true;
        if (!f->too_many) f->matches.v[f->matches.n - 1].is_likely = likely;
        return true;
    }
    return false;
}

static void match_line(struct text_line *l) {
    for (size_t i = 0, end; i < l->text.n && !l->f->too_many; i = end) {
        end = i + str_word(l->text, i).n;
        if (end == i) {
            end++;
            continue;
        }
        if (i < l->done) continue;
        size_t first = i, name = end; /* -lcudart, --use_fast_math */
        while (first > l->done && l->text.p[first - 1] == '-') first--;
        bool starts = first == 0 || !is_name(l->text.p[first - 1]);
        while (starts && name < l->text.n && is_name(l->text.p[name])) name++;
        while (name > end && !is_word_char(l->text.p[name - 1])) name--;
        if (!l->f->is_data && !text_is_lone(&l->place, l->text) && match_pattern(l, i, end, false))
            continue;
        if (first < i && starts && match_string(l, first, name)) continue;
        if (name > end && starts && first == i && match_string(l, i, name)) continue;
        if (match_string(l, i, end)) continue;
        bool known = rules_is_anchor(l->f->rules, RL_PROJECT, str_sub(l->text, i, end), NULL);
        if (known && text_in_program(l->f, l->start + i)) match_pattern(l, i, end, true);
    }
}

static void tell_line(const struct rules *rules, struct buf *out, char prefix, struct str line) {
    for (size_t i = 0, end; i < line.n; i = end) {
        struct row_ref row;
        bool known = false;
        end = i + str_word(line, i).n;
        for (size_t cursor = 0; !known && end > i &&
                                rules_find(rules, M_STRING, str_sub(line, i, end), &cursor, &row);)
            known = row.rule->texts && row.rule->shape == SHAPE_BACKEND;
        end += end == i;
        if (!known || !value_end(line, end)) continue;
        struct str name = name_of_value(line, i);
        while (name.n && name.p[0] == '-') name = str_sub(name, 1, name.n);
        if (!name.n) continue;
        char *plain = arena_strdup(out->a, name); /* --dist-backend is dist_backend */
        for (size_t k = 0; k < name.n; k++)
            if (plain[k] == '-') plain[k] = '_';
        buf_printf(out, "%c%s\n", prefix, plain);
    }
}

void text_tell_settings(const struct rules *rules, struct buf *out, char prefix, struct str src) {
    for (size_t start = 0, end; start < src.n; start = end + 1) {
        end = str_find(src, S("\n"), start);
        struct str line = str_sub(src, start, end);
        if (line.n > MAX_LINE) continue;
        line.n = comment_start(line);
        tell_line(rules, out, prefix, line);
    }
}

/* A list of packages that a program wrote, by what its head says: nobody edits it, it is made
 * again. The first package of a rule speaks for all. */
static void gather_generated(struct text_file *f) {
    struct str head = str_sub(f->src, 0, f->src.n < MAX_HEAD ? f->src.n : MAX_HEAD), mark;
    for (size_t at = 0; rules_next_word(f->rules, "python.generated_marks", &at, &mark);)
        f->is_made |= str_find(head, mark, 0) < head.n;
    size_t kept = 0;
    for (size_t i = 0; i < f->matches.n; i++) {
        struct text_match *m = &f->matches.v[i], *first = NULL;
        for (size_t k = 0; k < kept && f->is_made && m->row.rule->together && !first; k++)
            if (f->matches.v[k].row.rule == m->row.rule && f->matches.v[k].verdict == m->verdict)
                first = &f->matches.v[k];
        if (!first || m->verdict == V_SAME || text_may_rewrite(f, m)) {
            f->matches.v[kept++] = *m;
            continue;
        }
        if (!first->more++)
            first->message = arena_printf(f->a,
                                          "`%.*s` is for CUDA, in a list that a program wrote: "
                                          "have it written again for the target",
                                          STR_ARG(first->token));
    }
    f->matches.n = kept;
}

void text_match_all(struct text_file *f) {
    struct str asked = {0}, listed = {0}, option = {0};
    struct text_place place = {.kind = text_kind_of(f->path)};
    f->is_data = str_ends(f->path, S(".json"));
    if (!f->is_data) text_find_programs(f);
    for (size_t start = 0, next; start < f->src.n && !f->too_many; start = next) {
        const char *nl = memchr(f->src.p + start, '\n', f->src.n - start);
        size_t end = nl ? (size_t)(nl - f->src.p) : f->src.n;
        next = end + 1;
        if (end > start && f->src.p[end - 1] == '\r') end--;
        struct text_line l = {.f = f,
                              .text = str_sub(f->src, start, end),
                              .start = start,
                              .asked = asked,
                              .listed = listed,
                              .option = option};
        if (l.text.n > MAX_LINE) continue; /* data */
        size_t comment = text_is_remark(place.kind, l.text) ? 0 : comment_start(l.text);
        if (comment < l.text.n) {
            struct byte_range r = {(uint32_t)(start + comment), (uint32_t)end};
            vec_push(f->a, &f->comments, r);
        }
        l.text.n = comment;
        text_enter_line(f->rules, f->a, &place, l.text);
        l.place = place;
        asked = asked_after(l.text, asked);
        listed = listed_after(l.text, listed);
        match_line(&l);
        bool goes_on = option.n && l.done; /* - cuda:0, whose option has more values below */
        if (!goes_on && str_skip_blanks(l.text, 0) < l.text.n) option = option_at_end(l.text);
    }
    gather_generated(f);
}
