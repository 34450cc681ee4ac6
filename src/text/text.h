/* SPDX-License-Identifier: Apache-2.0 */
/* text.h - project files: shell scripts, YAML, Dockerfiles, requirements, build files.
 *
 * They have no grammar in common, so they are read word by word outside of comments. A word is
 * looked up among the names that mean the same wherever they stand ("texts" of a string rule: the
 * environment variables), among the values of options (--device cuda), and begins the patterns of
 * rules that match "text". Edits replace the token that was found; the line stays as it is. */
#ifndef CM_TEXT_H
#define CM_TEXT_H

#include "base/regex.h"
#include "rules/match.h"
#include "syntax/tree.h"

struct text_match {
    MATCH_BASE
    bool is_item;     /* of a list under a key: device: [cpu, cuda] */
    bool is_prose;    /* in the middle of a text, which is no setting */
    bool is_likely;   /* a device by its looks: no key that is known has it */
    bool is_variable; /* the word itself is the row's key, wherever it stands */
    bool is_shared;   /* for a human, as in every file that says the same */
};

/* What files of settings of a project say alike: device: cuda. */
struct text_setting {
    struct str what, first, last; /* the first file by its path, and the one that came last */
    size_t places, files;
};
typedef VEC(struct text_setting) text_settings;

/* Which of a file's words can be settings: in a script those that stand where one is given. */
enum text_kind { TEXT_SCRIPT, TEXT_INI, TEXT_YAML, TEXT_TOML };

/* Where a line stands in a file of settings. */
struct text_place {
    enum text_kind kind;
    bool in_text;    /* the line is one of a text of several lines */
    bool is_command; /* a shell runs what stands here */
    struct str key;  /* the last */
    /* For the lines that follow. */
    bool commands; /* the last key holds commands */
    bool block;    /* a block of YAML is open, of lines further to the right than this: */
    size_t indent;
    char quote; /* of the text of several lines of TOML that is open; 0: none */
};

struct text_file {
    /* From the caller. */
    struct arena *a;
    struct str src;
    const struct rules *rules;
    struct target_ref target;
    struct regex_cache *regex;
    const struct port_options *options;
    struct str path;               /* of the file */
    const text_settings *settings; /* of the project; NULL: the file speaks for itself */
    /* Results, by position. */
    VEC(struct text_match) matches;
    VEC(struct match_edit) edits;
    match_pairs joined; /* the places of one variable */
    VEC(struct byte_range) comments;
    VEC(struct byte_range) programs; /* Python within the script */
    struct str
        compared; /* the value that was asked about last, and whether a line compares with it */
    bool is_compared;
    bool is_data;  /* JSON: a program's settings, or what it has written */
    bool is_made;  /* a program wrote it, by what its head says */
    bool too_many; /* more matches than a file that a human wrote has */
};

/* Whether a word of these bytes is one of the rules for project files. */
bool text_prefilter(const struct rules *rules, struct str src);

/* "${DEVICE}" before `end`: the variable that a test of a shell asks for; empty: it is none. */
struct str text_name_in_test(struct str line, size_t end);

/* Fills f->programs. */
void text_find_programs(struct text_file *f);

/* Whether a byte of the file is one of a program within it. */
bool text_in_program(const struct text_file *f, size_t at);

/* Leaves programs of which not all is ported to a human, each as one place. */
void text_join_programs(struct text_file *f);

/* Cuts what is named of a place that stays down to a name: `torch; print(torch.cuda`. */
void text_name_properly(struct text_match *m);

/* The kind that a file's name tells. */
enum text_kind text_kind_of(struct str path);

/* Whether a line is a comment of INI's own kind: ; at its start. */
bool text_is_remark(enum text_kind kind, struct str line);

/* Tells where a line, without its comment, stands. `a` is for scratch. */
void text_enter_line(const struct rules *rules, struct arena *a, struct text_place *p,
                     struct str line);

/* Whether the line is a word alone in a text of several lines of TOML: the value of its key. */
bool text_is_lone(const struct text_place *p, struct str line);

/* Whether [start, stop) of the line is all that a key or an option is given. */
bool text_is_value(const struct text_place *p, struct str line, size_t start, size_t stop);

/* Adds lines "PREFIX NAME" for the names that the file gives a backend to: dist_backend. */
void text_tell_settings(const struct rules *rules, struct buf *out, char prefix, struct str src);

/* Adds lines "PREFIX LENGTH f" for what the file says of the length of lines in Python; 'c' in
 * place of 'f' where a linter's settings say so. */
void text_tell_lines(const struct rules *rules, struct buf *out, char prefix, struct str src);

/* Whether the file is what a service runs on machines of its own: its steps belong together. */
bool text_is_workflow(const struct text_file *f);

/* Adds lines "PREFIX WHAT" for the settings of the file that others may say, too. It needs the
 * rules, a target, which one does not matter, and the text. */
void text_tell_shared(struct text_file *f, struct buf *out, char prefix);

/* Adds what a file told. */
void text_add_shared(struct arena *a, text_settings *all, struct str what, struct str path);

/* Whether all places of the rule in a project's files are one decision. */
bool text_is_one_decision(const struct text_file *f, struct row_ref row);

/* Whether the place is a setting that other files may say, too. */
bool text_can_share(const struct text_file *f, const struct text_match *m);

/* Leaves what other files say, too, to the finding in the first of them. */
void text_fold_shared(struct text_file *f);

/* Whether what was found may be rewritten, by its verdict and the options. */
static inline bool text_may_rewrite(const struct text_file *f, const struct text_match *m) {
    return m->verdict == V_EXACT || (m->verdict == V_CLOSE && f->options->unsafe_fixes);
}

/* Fills f->matches and f->comments. */
void text_match_all(struct text_file *f);

/* Fills f->edits, once comments have suppressed what they do. The occurrences of one variable are
 * rewritten together or not at all: what one line sets, another reads. */
void text_plan(struct text_file *f);

#endif
