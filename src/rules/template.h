/* SPDX-License-Identifier: Apache-2.0 */
/* template.h - the language in which cells of rules say what to write: text with {placeholders},
 * {{ and }} for braces.
 *
 * One reader and one expander for all languages and for all who look at templates: the porters of
 * Python, C++ and project files, `rules check`, explain. The expander knows braces and the facts
 * of targets. What only a language has, such as the arguments of a call, goes to its sink, which
 * takes text and ranges of the source as it likes: so the expander makes no text of its own. */
#ifndef CM_RULES_TEMPLATE_H
#define CM_RULES_TEMPLATE_H

#include "rules/rules.h"

/* A word (is_word_char) that does not begin with a digit. */
bool is_identifier(struct str s);

enum template_part {
    TEMPLATE_END,
    TEMPLATE_TEXT,        /* as it is to be written */
    TEMPLATE_PLACEHOLDER, /* what stands between the braces */
    TEMPLATE_BROKEN       /* a brace stands alone */
};
/* The part at *at, which moves behind it; starts at 0. */
enum template_part template_next(struct str template, size_t *at, struct str *out);

/* Bits: rules/placeholders.c says which of them a template may have where it stands. */
enum placeholder_kind {
    PH_BAD = 0,
    PH_WORD = 1,                /* a fact of the target, or a capture */
    PH_NAME = 2,                /* {name}: what was matched */
    PH_TAIL = 4,                /* {tail}: it, below the rule's namespace */
    PH_RECEIVER = 8,            /* {.} */
    PH_ARGUMENTS = 16,          /* {*}: all */
    PH_KEYWORDS = 32,           /* {*:a,b}: all, the positional ones with these names */
    PH_FIRST = 64,              /* {0} */
    PH_POSITION = 128,          /* {1}, {2*}, {0-16}, {0:bare} */
    PH_TEMPLATE_ARGUMENTS = 256 /* {<>} */
};

struct placeholder {
    enum placeholder_kind kind;
    struct str text;      /* between the braces */
    struct str option;    /* behind a colon: names of {*:a,b}, the wrapper of {grid:dim3} */
    uint32_t first, last; /* of PH_FIRST and PH_POSITION: arguments; last UINT32_MAX: {2*} */
};
/* What stands between braces, wherever it does. */
struct placeholder template_placeholder(struct str text);

/* The parts of kernel<<<grid, block, shared, stream>>>(arguments), of which the first four may be
 * missing. */
enum launch_part {
    LAUNCH_GRID,
    LAUNCH_BLOCK,
    LAUNCH_SHARED,
    LAUNCH_STREAM,
    LAUNCH_KERNEL,
    LAUNCH_CONFIG,    /* all between the chevrons */
    LAUNCH_ARGUMENTS, /* with a comma before them, where there are any */
    LAUNCH_ALL,       /* {*}: them without */
    LAUNCH_NONE
};
/* Which one a placeholder of a launch's template names; option: as in struct placeholder. */
enum launch_part template_launch_part(struct str text, struct str *option);

struct template_sink {
    void *context;
    struct arena *a; /* for *why */
    struct target_ref target;
    struct str name; /* for {name} */
    /* Takes text of the template, and facts. */
    void (*text)(void *context, struct str text);
    /* Takes a placeholder of its language; false: it is none, or (with *why) it can't be written
     * here. NULL: the language has none. */
    bool (*placeholder)(void *context, const struct placeholder *p, struct str *why);
};
/* Hands all parts over, in order. Returns false with *why where a placeholder can't be written: an
 * empty fact is one that the target does not have. */
bool template_expand(struct str template, const struct template_sink *sink, struct str *why);

#endif
