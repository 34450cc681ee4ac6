/* SPDX-License-Identifier: Apache-2.0 */
/* weight.c - places whose findings nobody has to act on at once.
 *
 * Maintainers switch a linter off for what they would never change: the CI script that installs
 * CUDA 12.4 is CUDA's by its purpose, and an import that falls back needs no advice to do so. */
#include "commands/weight.h"

static struct str lower(struct str s, char *out, size_t size) {
    size_t n = s.n < size ? s.n : size;
    for (size_t i = 0; i < n; i++)
        out[i] = s.p[i] >= 'A' && s.p[i] <= 'Z' ? (char)(s.p[i] + 32) : s.p[i];
    return (struct str){out, n};
}

/* "cu117-Linux-env.sh", "build-cu12.yml": cu and a number, as one word. */
static bool names_version(struct str s) {
    for (size_t i = 0; i + 3 < s.n; i++) {
        bool begins = i == 0 || !((s.p[i - 1] | 32) >= 'a' && (s.p[i - 1] | 32) <= 'z');
        bool digits =
            s.p[i + 2] >= '0' && s.p[i + 2] <= '9' && s.p[i + 3] >= '0' && s.p[i + 3] <= '9';
        if (begins && s.p[i] == 'c' && s.p[i + 1] == 'u' && digits) return true;
    }
    return false;
}

enum weight weight_of(const struct cm_session *s, enum cm_language language, struct str path) {
    enum weight weight = WEIGHT_FULL;
    for (size_t at = 0, end; at < path.n; at = end + 1) {
        char room[128];
        end = str_find(path, S("/"), at);
        struct str part = str_sub(path, at, end), low = lower(part, room, sizeof room);
        bool is_own = cm_session_lists(s, "check.cuda_places", low) || names_version(low);
        bool inside = path.p[0] != '/' || end == path.n; /* folders above a project say nothing */
        if (language == CM_PROJECT && is_own && inside) return WEIGHT_CUDA;
        if (cm_session_lists(s, end < path.n ? "check.aside_folders" : "check.aside_files", part))
            weight = WEIGHT_ASIDE;
    }
    return weight;
}

/* ---- imports that fall back ---- */

static struct str line_from(struct str text, size_t at) {
    return str_sub(text, at, str_find(text, S("\n"), at));
}

static size_t indent_of(struct str line) {
    size_t n = 0;
    while (n < line.n && (line.p[n] == ' ' || line.p[n] == '\t')) n++;
    return n;
}

static bool is_blank(struct str line) {
    size_t n = indent_of(line);
    return n >= line.n || line.p[n] == '#' || line.p[n] == '\r';
}

/* The handler of the `try` that is indented so: does it catch a missing module? */
static bool catches(struct str text, size_t at, size_t indent) {
    for (; at < text.n; at = str_find(text, S("\n"), at) + 1) {
        struct str line = line_from(text, at);
        if (is_blank(line) || indent_of(line) > indent) continue;
        struct str word = str_sub(line, indent_of(line), line.n);
        if (indent_of(line) < indent || !str_starts(word, S("except"))) return false;
        return str_starts(word, S("except:")) || str_find(word, S("Import"), 0) < word.n ||
               str_find(word, S("ModuleNotFound"), 0) < word.n ||
               str_find(word, S("Exception"), 0) < word.n;
    }
    return false;
}

static size_t line_before(struct str text, size_t at) {
    for (at--; at > 0 && text.p[at - 1] != '\n';) at--;
    return at;
}

bool is_guarded_import(struct str text, size_t at) {
    size_t indent = indent_of(str_sub(text, at, text.n)), own = at;
    struct str line, word = str_sub(text, at + indent, text.n);
    if (!str_starts(word, S("import ")) && !str_starts(word, S("from "))) return false;
    while (at > 0 && indent > 0) {
        at = line_before(text, at);
        line = line_from(text, at);
        if (is_blank(line) || indent_of(line) >= indent) continue;
        indent = indent_of(line);
        word = str_sub(line, indent, line.n);
        if (str_starts(word, S("try:"))) return catches(text, own, indent);
        if (str_starts(word, S("except")) || str_starts(word, S("else:"))) return false;
    }
    return false;
}

/* ---- build files with a switch for CUDA ---- */

/* "if(WITH_CUDA)", "elseif (USE_CUDA AND x)": the condition names CUDA and does not deny it. */
static bool asks_cuda(struct str line) {
    char room[256];
    struct str low = lower(line, room, sizeof room);
    return str_find(low, S("cuda"), 0) < low.n && str_find(low, S("not "), 0) == low.n;
}

static bool begins(struct str line, const char *word) {
    struct str w = str_of(word);
    char room[16];
    struct str low = lower(str_sub(line, 0, w.n), room, sizeof room);
    char after = line.n > w.n ? line.p[w.n] : 0;
    return str_eq(low, w) && (after == '(' || after == ' ');
}

bool is_behind_switch(struct str text, size_t at) {
    enum { DEEPEST = 64 };
    bool inside[DEEPEST] = {false};
    size_t depth = 0;
    for (size_t from = 0; from < at; from = str_find(text, S("\n"), from) + 1) {
        struct str line = line_from(text, from);
        line = str_sub(line, indent_of(line), line.n);
        if (from + line.n >= at && !begins(line, "else")) break; /* the line itself */
        if (begins(line, "if") && depth + 1 < DEEPEST) {
            depth++;
            inside[depth] = inside[depth - 1] || asks_cuda(line);
        } else if (depth && begins(line, "elseif")) {
            inside[depth] = inside[depth - 1] || asks_cuda(line);
        } else if (depth && begins(line, "else")) {
            inside[depth] = inside[depth - 1];
        } else if (depth && begins(line, "endif")) {
            depth--;
        }
    }
    return inside[depth];
}

/* ---- severities ---- */

enum severity weighed_severity(const struct weighed *file, enum severity own) {
    if (file->weight == WEIGHT_CUDA) return SEV_NOTE;
    return file->weight == WEIGHT_ASIDE && own > SEV_NOTE ? own - 1 : own;
}

/* Whether the place is in the line of such an import. Imports are short: what lies further from
 * its line's begin is in none, and lines of data are not read back for each of their findings. */
static bool is_in_guarded_import(struct str text, size_t place) {
    enum { LONGEST = 1024 };
    size_t line = place;
    while (line > 0 && text.p[line - 1] != '\n' && text.p[line - 1] != '\r')
        if (place - --line > LONGEST) return false;
    return is_guarded_import(text, line);
}

enum severity weighed_finding(const struct weighed *file, const struct cm_finding *f,
                              bool names_vendor) {
    bool is_cmake = str_ends(file->path, S("CMakeLists.txt")) || str_ends(file->path, S(".cmake"));
    bool falls_back = false;
    if (f->outcome == CM_MANUAL && file->language == CM_PYTHON)
        falls_back = is_in_guarded_import(file->text, f->start);
    if (f->outcome == CM_MANUAL && is_cmake) falls_back = is_behind_switch(file->text, f->start);
    if (f->outcome == CM_MANUAL && file->language == CM_PROJECT) falls_back |= !names_vendor;
    bool counts = f->certain && !falls_back;
    return weighed_severity(file, counts ? (enum severity)f->severity : SEV_NOTE);
}
