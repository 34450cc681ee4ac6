/* SPDX-License-Identifier: Apache-2.0 */
/* errors.h - the error codes of the vendors' libraries (files of rules/errors): by number, name or
 * letters, and in whole logs. What a file holds is described in rules/errors/README.md. */
#ifndef CM_ERRORS_H
#define CM_ERRORS_H

#include "diag/data.h"

/* When a row's pattern is tried: at once; in lines where nothing else was found; and after these,
 * a row that knows no more than that the line names a vendor and an error. */
enum error_turn { ERROR_FIRST, ERROR_LAST, ERROR_VAGUE, ERROR_HARMLESS };

struct error_row {
    bool has_code;
    int64_t code;       /* when has_code */
    int64_t kind;       /* the last three digits of a code written ERR, or -1 */
    struct str text;    /* a code that is written with letters */
    struct str pattern; /* a message without a code: PCRE2, in lines that name the vendor */
    str_vec says;       /* what the library prints for it instead of its name */
    struct str name, category, meaning, advice, source;
    bool unverified; /* nobody could compare it with the vendor's own text */
    bool follows;    /* it is said after another error, which is the cause */
    bool broad;      /* it tells the component and no cause: the line's words are asked as well */
    enum error_turn turn;
};

/* What is known of codes that have no row: by number, or by their first letters. */
struct error_class {
    int64_t from, to;
    struct str letters; /* empty: by number */
    struct str meaning, advice, source;
    bool unverified;
};

struct error_pattern {
    struct str pattern; /* PCRE2, its first group is a code (logs) or an operator (fallbacks) */
};

struct error_family {
    struct str name, title;
    struct error_pattern named; /* what names this library's vendor in a line; may be empty */
    str_vec words;              /* one of them is in each line that `named` matches, in any case */
    bool neutral;               /* messages that no vendor prints: it names none */
    str_vec targets;
    VEC(struct error_row) rows;
    VEC(struct error_class) classes;
    VEC(struct error_pattern) logs, fallbacks;
    VEC(struct error_pattern) texts; /* their first group is what a row `says` */
    str_vec modules;                 /* two digits, a space, the name */
};

struct error_db {
    VEC(struct error_family) families;
};

/* One answer. `row` is NULL for a code that only its class explains. */
struct error_hit {
    const struct error_family *family;
    const struct error_row *row;
    struct str code;          /* as it was written */
    struct str name, meaning; /* of the row or the class */
    struct str advice, source;
    bool unverified;
    size_t line, count; /* in a log: where it stands first, and how often */
};
typedef VEC(struct error_hit) error_hits;

struct error_fallback {
    struct str name; /* the operator that ran on the CPU instead */
    size_t line, count;
};
typedef VEC(struct error_fallback) error_fallbacks;

/* Reads the files in the binary. False with a sentence in *error: a row without a source, an
 * unknown key, and the like. */
bool errors_load(struct arena *a, struct error_db *db, struct str *error);

/* Reads one file more, for tests. `name` is for the error. */
bool errors_load_text(struct arena *a, struct error_db *db, struct str name, struct str text,
                      struct str *error);

/* Everything that `code` may mean: 507015, 0x7bc87, ERR01002, EI0002, a name in any case; of the
 * families for `target` only (empty: all). Classes count only where no row was found. */
void errors_decode(struct arena *a, const struct error_db *db, struct str code, struct str target,
                   error_hits *out);

/* All rows that contain `word`, whatever the case, in name, meaning, category or advice. */
void errors_search(struct arena *a, const struct error_db *db, struct str word, struct str target,
                   error_hits *out);

/* Each code and message in a log once, in the order of first places, and the operators that it
 * says fell back to the CPU. A line that names a vendor is not asked for the codes of others. */
void errors_scan(struct arena *a, const struct error_db *db, struct str log, struct str target,
                 error_hits *out, error_fallbacks *fallbacks);

/* The name nearest to `word`, or an empty string. */
struct str errors_nearest(const struct error_db *db, struct str word);

#endif
