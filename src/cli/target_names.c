/* SPDX-License-Identifier: Apache-2.0 */
/* target_names.c - the targets that commands take and help names, out of the built-in rules. */
#include "cli/target_names.h"

#include "rules/template.h"

/* All targets of the built-in rules, which are there: the program holds them. */
static struct ruleset built_in(void) {
    struct ruleset set = {0};
    ruleset_open(cm_rules_blob, cm_rules_blob_size, &set);
    return set;
}

static struct target_ref target_at(struct ruleset set, size_t i) {
    const struct rtarget *t = RS_LIST(set, set.h->targets, struct rtarget);
    return (struct target_ref){.set = set, .target = &t[i]};
}

struct target_ref default_target(const char *command) {
    struct ruleset set = built_in();
    for (size_t i = 0; i < set.h->targets.n; i++)
        if (str_listed(str_of(command), target_fact(target_at(set, i), "default_for")))
            return target_at(set, i);
    return target_at(set, 0);
}

struct str first_fact(const char *fact) {
    struct ruleset set = built_in();
    struct str value = {0};
    for (size_t i = 0; i < set.h->targets.n && !value.n; i++)
        value = target_fact(target_at(set, i), fact);
    return value;
}

struct str targets_with(struct arena *a, const char *fact) {
    struct ruleset set = built_in();
    struct buf b;
    size_t left = 0;
    buf_init(&b, a);
    for (size_t i = 0; i < set.h->targets.n; i++)
        left += target_fact(target_at(set, i), fact).n > 0;
    for (size_t i = 0; i < set.h->targets.n; i++) {
        struct target_ref t = target_at(set, i);
        if (!target_fact(t, fact).n) continue;
        buf_add(&b, target_name(t));
        if (--left) buf_addz(&b, left > 1 ? ", " : " and ");
    }
    return buf_str(&b);
}

/* ---- help ---- */

/* "ascend (default): Ascend C; rocm: HIP" */
static void add_each(struct buf *b, const char *fact) {
    struct ruleset set = built_in();
    bool any = false;
    for (size_t i = 0; i < set.h->targets.n; i++) {
        struct target_ref t = target_at(set, i);
        struct str value = target_fact(t, fact);
        if (!value.n) continue;
        bool first = str_listed(str_of(fact), target_fact(t, "default_for"));
        buf_printf(b, "%s%.*s%s: %.*s", any ? "; " : "", STR_ARG(target_name(t)),
                   first ? " (default)" : "", STR_ARG(value));
        any = true;
    }
}

/* Each name once, the default one first. */
static void add_devices(struct buf *b, const char *command) {
    struct ruleset set = built_in();
    struct target_ref first = default_target(command);
    buf_printf(b, "%.*s (default)", STR_ARG(target_fact(first, "device")));
    for (size_t i = 0; i < set.h->targets.n; i++) {
        struct target_ref t = target_at(set, i);
        struct str device = target_fact(t, "device");
        bool said =
            target_fact(t, "fallback").n > 0 || str_eq(device, target_fact(first, "device"));
        for (size_t k = 0; k < i; k++)
            said |= str_eq(device, target_fact(target_at(set, k), "device"));
        if (!said) buf_printf(b, ", %.*s", STR_ARG(device));
    }
}

static void add_placeholder(struct buf *b, struct str text) {
    size_t colon = str_find(text, S(":"), 0);
    struct str word = str_sub(text, 0, colon);
    const char *option =
        arena_strdup(b->a, str_sub(text, colon < text.n ? colon + 1 : colon, text.n));
    if (str_is(word, "default")) buf_add(b, target_name(default_target(option)));
    if (str_is(word, "with")) buf_add(b, targets_with(b->a, option));
    if (str_is(word, "example")) buf_add(b, target_name(target_at(built_in(), *option == '1')));
    if (str_is(word, "each")) add_each(b, option);
    if (str_is(word, "devices")) add_devices(b, option);
}

const char *fill_target_names(struct arena *a, const char *text) {
    struct str part;
    struct buf b;
    buf_init(&b, a);
    for (size_t at = 0;;) {
        enum template_part kind = template_next(str_of(text), &at, &part);
        if (kind == TEMPLATE_END || kind == TEMPLATE_BROKEN) break;
        if (kind == TEMPLATE_TEXT)
            buf_add(&b, part);
        else
            add_placeholder(&b, part);
    }
    return arena_strdup(a, buf_str(&b));
}
