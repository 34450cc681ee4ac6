/* SPDX-License-Identifier: Apache-2.0 */
/* settings.c - what is a setting in INI, YAML and TOML, and what only a text about one.
 *
 * A value is a setting where it is all that a key has. In the middle of a value the same words are
 * prose or a command; a command's options are settings, too, and which keys hold commands rules
 * say. Everything else is left to a human: nobody wants his title edited. */
#include "text/text.h"

static bool is_blank(char ch) { return ch == ' ' || ch == '\t'; }

static bool is_quote(char ch) { return ch == '"' || ch == '\''; }

enum text_kind text_kind_of(struct str path) {
    static const struct {
        const char *end;
        enum text_kind kind;
    } kinds[] = {{".ini", TEXT_INI},  {".cfg", TEXT_INI},  {".flake8", TEXT_INI},
                 {".yapf", TEXT_INI}, {".yml", TEXT_YAML}, {".yaml", TEXT_YAML},
                 {".toml", TEXT_TOML}};
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        if (str_ends(path, str_of(kinds[i].end))) return kinds[i].kind;
    return TEXT_SCRIPT;
}

bool text_is_remark(enum text_kind kind, struct str line) {
    size_t first = str_skip_blanks(line, 0);
    return kind == TEXT_INI && first < line.n && line.p[first] == ';';
}

bool text_is_workflow(const struct text_file *f) {
    struct str place;
    for (size_t at = 0; rules_next_word(f->rules, "check.workflows", &at, &place);)
        if (str_find(f->path, place, 0) < f->path.n) return true;
    return false;
}

/* ---- keys ---- */

static bool is_sign(enum text_kind kind, struct str line, size_t at) {
    if (at >= line.n) return false;
    if (kind == TEXT_YAML)
        return line.p[at] == ':' && (at + 1 == line.n || is_blank(line.p[at + 1]));
    return line.p[at] == '=' || (kind == TEXT_INI && line.p[at] == ':');
}

/* After the dashes of YAML's lists. */
static size_t skip_dashes(enum text_kind kind, struct str line) {
    size_t at = str_skip_blanks(line, 0);
    while (kind == TEXT_YAML && at + 1 < line.n && line.p[at] == '-' && is_blank(line.p[at + 1]))
        at = str_skip_blanks(line, at + 1);
    return at;
}

/* The key that the line begins with, and where its value does; empty: it has none. */
static struct str key_of(enum text_kind kind, struct str line, size_t *value) {
    size_t start = skip_dashes(kind, line), end, sign;
    char quote = start < line.n && is_quote(line.p[start]) ? line.p[start] : 0;
    for (end = start += quote != 0; end < line.n; end++)
        if (quote ? line.p[end] == quote
                  : !is_word_char(line.p[end]) && !strchr("-./", line.p[end]))
            break;
    sign = str_skip_blanks(line, end + (quote && end < line.n));
    if (end == start || !is_sign(kind, line, sign)) return (struct str){0};
    *value = str_skip_blanks(line, sign + 1);
    return str_sub(line, start, end);
}

static bool is_command_key(const struct rules *rules, struct arena *a, struct str key) {
    struct str word;
    char *p = arena_strdup(a, key);
    for (size_t i = 0; i < key.n; i++)
        if (p[i] >= 'A' && p[i] <= 'Z') p[i] = (char)(p[i] + 32);
    for (size_t at = 0; rules_next_word(rules, "text.command_keys", &at, &word);)
        if (str_ends((struct str){p, key.n}, word)) return true;
    return false;
}

/* Whether a value begins as a command does: with an option, or a program that starts others. */
static bool begins_command(const struct rules *rules, struct str line, size_t value) {
    while (value < line.n && is_quote(line.p[value])) value++;
    size_t end = value;
    while (end < line.n && (is_word_char(line.p[end]) || line.p[end] == '-')) end++;
    struct str word = str_sub(line, value, end);
    return str_starts(word, S("--")) || rules_lists(rules, "text.programs", word);
}

/* ---- lines ---- */

/* |, >-, |2+ at the end of a line: what follows, further to the right, is one text. */
static bool opens_block(struct str line, size_t value) {
    if (value >= line.n || (line.p[value] != '|' && line.p[value] != '>')) return false;
    for (value++; value < line.n && strchr("+-0123456789 \t", line.p[value]);) value++;
    return value == line.n;
}

/* TOML's texts of several lines: whether the line leaves one open. */
static char quote_after(struct str line, char open) {
    for (size_t i = 0; i + 2 < line.n; i++) {
        char ch = line.p[i];
        if (!is_quote(ch) || line.p[i + 1] != ch || line.p[i + 2] != ch) continue;
        if (open && ch != open) continue;
        open = open ? 0 : ch;
        i += 2;
    }
    return open;
}

void text_enter_line(const struct rules *rules, struct arena *a, struct text_place *p,
                     struct str line) {
    size_t first = str_skip_blanks(line, 0), value = first;
    if (p->kind == TEXT_SCRIPT || first == line.n) return;
    p->in_text = (p->block && first > p->indent) || p->quote;
    if (p->in_text) {
        p->is_command = p->commands;
        p->quote = p->kind == TEXT_TOML ? quote_after(line, p->quote) : 0;
        return;
    }
    p->block = false;
    struct str key = key_of(p->kind, line, &value);
    if (p->kind == TEXT_INI && first && p->commands) key = (struct str){0}; /* the value goes on */
    if (!key.n) value = skip_dashes(p->kind, line);
    if (key.n) p->key = key;
    if (key.n) p->commands = is_command_key(rules, a, key);
    p->is_command = p->commands || begins_command(rules, line, value);
    p->block = p->kind == TEXT_YAML && opens_block(line, value);
    p->indent = first;
    p->quote = p->kind == TEXT_TOML ? quote_after(line, 0) : 0;
}

/* ---- values ---- */

static bool inside_quotes(struct str line, size_t at) {
    char quote = 0;
    for (size_t i = 0; i < at; i++) {
        if (quote && line.p[i] == '\\' && quote == '"')
            i++;
        else if (quote)
            quote = line.p[i] == quote ? 0 : quote;
        else if (is_quote(line.p[i]) && (!i || !is_word_char(line.p[i - 1])))
            quote = line.p[i];
    }
    return quote != 0;
}

static size_t skip_end(struct str line, size_t at) {
    while (at < line.n && (is_blank(line.p[at]) || is_quote(line.p[at]))) at++;
    return at;
}

/* { device: cuda, "device": "cuda" }: a key and its value within brackets. */
static bool is_flow_value(enum text_kind kind, struct str line, size_t start, size_t stop) {
    size_t at = start, end = skip_end(line, stop);
    if (end < line.n && !strchr(",}]", line.p[end])) return false;
    while (at && (is_blank(line.p[at - 1]) || is_quote(line.p[at - 1]))) at--;
    if (!at || !is_sign(kind, line, at - 1)) {
        bool tight = at && line.p[at - 1] == ':' && kind == TEXT_YAML;
        if (!tight) return false;
    }
    for (at--; at && (is_blank(line.p[at - 1]) || is_quote(line.p[at - 1]));) at--;
    while (at && (is_word_char(line.p[at - 1]) || strchr("-.", line.p[at - 1]))) at--;
    size_t name = at;
    while (at && (is_blank(line.p[at - 1]) || is_quote(line.p[at - 1]))) at--;
    size_t outside = at;
    return at && strchr("{,", line.p[at - 1]) && !inside_quotes(line, outside) && name;
}

/* - DEVICE=cuda, ["device=cuda"]: an item of a list that is one assignment. */
static bool is_item(struct str line, size_t start, size_t stop) {
    size_t at = start, end = skip_end(line, stop);
    if (end < line.n && !strchr(",]", line.p[end])) return false;
    while (at && (is_word_char(line.p[at - 1]) || strchr("-.=+\"'", line.p[at - 1]))) at--;
    bool assigns = str_find(str_sub(line, at, start), S("="), 0) < start - at;
    while (at && is_blank(line.p[at - 1])) at--;
    return assigns && at && strchr("[,-", line.p[at - 1]);
}

bool text_is_lone(const struct text_place *p, struct str line) {
    size_t at = str_skip_blanks(line, 0);
    while (at < line.n && !is_blank(line.p[at])) at++;
    return p->kind == TEXT_TOML && p->in_text && at == line.n;
}

/* "device": "cuda", on a line of its own: what YAML's quotes end, a comma or a brace may follow,
 * as its mapping in braces began on another line. */
static bool ends_value(enum text_kind kind, struct str line, size_t stop) {
    size_t end = skip_end(line, stop);
    if (end == line.n) return true;
    bool quoted = stop < line.n && is_quote(line.p[stop]);
    return kind == TEXT_YAML && quoted && strchr(",}", line.p[end]) &&
           str_skip_blanks(line, end + 1) == line.n;
}

bool text_is_value(const struct text_place *p, struct str line, size_t start, size_t stop) {
    size_t value = 0, at = start;
    if (p->kind == TEXT_SCRIPT || p->is_command) return true;
    if (p->in_text) return false;
    if (at > 1 && line.p[at - 1] == '-' && line.p[at - 2] == ':')
        return true; /* ${DEVICE:-cuda} */
    if (key_of(p->kind, line, &value).n) {
        if (value < line.n && is_quote(line.p[value]) && value < at) value++;
        if (value == at && ends_value(p->kind, line, stop)) return true;
    }
    return is_flow_value(p->kind, line, start, stop) ||
           (p->kind == TEXT_YAML && is_item(line, start, stop));
}
