/* SPDX-License-Identifier: Apache-2.0 */
/* doctor.c - `cuda-morph doctor`: what is missing or does not go together, and what mends it;
 * `cuda-morph vllm`: the same for vLLM. */
#include "cli/target_names.h"
#include "commands/commands.h"
#include "commands/machine_report.h"
#include "commands/rule_sets.h"
#include "diag/versions.h"

struct finding {
    enum level level;
    struct str target, id, text, fix, source;
};

struct doctor {
    struct cli *cli;
    struct arena *a;
    VEC(struct finding) findings;
    VEC(bool) folded; /* by finding: it follows from a cause that is told, so it is not counted */
    size_t count[LEVEL_ERROR + 1];
};

static void add(struct doctor *d, struct finding f) {
    d->count[f.level]++;
    vec_push(d->a, &d->findings, f);
    vec_push(d->a, &d->folded, false);
}

/* ---- items ---- */

/* A package that another Python has: what runs is in the wrong environment. */
static void tell_elsewhere(struct doctor *d, const struct machine *m, const struct found_item *f,
                           struct finding *out) {
    out->text = arena_printf(d->a, "%.*s: not in the environment of %.*s (another one is in %.*s)",
                             STR_ARG(f->item->title), STR_ARG(m->python3), STR_ARG(f->elsewhere));
    out->fix = arena_printf(d->a, "run the Python that has it, or with this one: %.*s",
                            STR_ARG(f->item->fix));
}

static void judge_item(struct doctor *d, const struct machine *m, const struct found_target *t,
                       const struct found_item *f) {
    static const enum level levels[] = {LEVEL_ERROR, LEVEL_WARNING, LEVEL_NOTE};
    const struct probe_item *x = f->item;
    struct finding out = {LEVEL_OK, t->target->name, x->id, x->title, S(""), x->source};
    if (!f->found) {
        out.level = levels[x->need];
        out.text = arena_printf(d->a, "%.*s: not found", STR_ARG(x->title));
    } else if (f->problem.n) {
        out.level = levels[x->need];
        out.text = arena_printf(d->a, "%.*s: %.*s", STR_ARG(x->title), STR_ARG(f->problem));
    } else if (!f->version.n && f->unread.n) {
        out.text = arena_printf(d->a, "%.*s: %.*s, of an unknown version: %.*s",
                                STR_ARG(x->title), STR_ARG(f->path), STR_ARG(f->unread));
    } else {
        struct str version = f->version.n ? f->version : S("");
        out.text = arena_printf(d->a, "%.*s: %.*s%s%.*s", STR_ARG(x->title), STR_ARG(version),
                                version.n ? ", " : "", STR_ARG(f->path));
    }
    if (out.level != LEVEL_OK) out.fix = x->fix;
    if (!f->found && f->elsewhere.n) tell_elsewhere(d, m, f, &out);
    add(d, out);
}

/* A package that python3 will not find, as it belongs to another version of Python. */
static void judge_python(struct doctor *d, const struct found_target *t,
                         const struct found_item *f, struct str python) {
    bool known = f->python.n && str_find(python, S("."), 0) < python.n;
    if (!known || str_eq(f->python, python)) return;
    struct str text = arena_printf(d->a, "%.*s is installed for Python %.*s, and python3 is %.*s",
                                   STR_ARG(f->item->title), STR_ARG(f->python), STR_ARG(python));
    struct finding out = {LEVEL_WARNING, t->target->name, f->item->id,
                          text,          S(""),           f->item->source};
    out.fix = arena_printf(d->a, "run it with python%.*s", STR_ARG(f->python));
    add(d, out);
}

/* ---- variables ---- */

/* Which of several variables chooses the devices, and what the others do then. */
static void judge_selection(struct doctor *d, const struct machine *m,
                            const struct probe_target *t) {
    const struct probe_variable *first = NULL;
    for (size_t i = 0; i < t->select.n; i++) {
        const struct probe_variable *x = &t->select.v[i];
        struct str value = machine_variable(m, arena_strdup(d->a, x->name));
        if (!value.p) continue;
        struct finding f = {LEVEL_OK, t->name, x->name, S(""), S(""), x->source};
        f.text = arena_printf(d->a, "%.*s=%.*s: %.*s", STR_ARG(x->name), STR_ARG(value),
                              STR_ARG(x->note));
        if (value.n == 0) {
            f.level = LEVEL_WARNING;
            f.text = arena_printf(d->a, "%.*s is set and empty: no device is visible",
                                  STR_ARG(x->name));
            f.fix = arena_printf(d->a, "unset %.*s", STR_ARG(x->name));
        } else if (first) {
            f.level = LEVEL_WARNING;
            f.text = arena_printf(d->a, "%.*s=%.*s is set beside %.*s, which comes first: %.*s",
                                  STR_ARG(x->name), STR_ARG(value), STR_ARG(first->name),
                                  STR_ARG(first->note));
            f.fix = arena_printf(d->a, "unset %.*s", STR_ARG(x->name));
        }
        if (value.n && !first) first = x;
        add(d, f);
    }
}

static void judge_conflicts(struct doctor *d, const struct machine *m,
                            const struct probe_target *t) {
    for (size_t i = 0; i < t->conflicts.n; i++) {
        const struct probe_variable *x = &t->conflicts.v[i];
        struct str value = machine_variable(m, arena_strdup(d->a, x->name));
        if (!value.p) continue;
        struct finding f = {LEVEL_WARNING, t->name, x->name, S(""), S(""), x->source};
        f.text = arena_printf(d->a, "%.*s=%.*s: %.*s", STR_ARG(x->name), STR_ARG(value),
                              STR_ARG(x->note));
        f.fix = arena_printf(d->a, "unset %.*s", STR_ARG(x->name));
        add(d, f);
    }
}

/* ---- versions ---- */

static bool judge_versions(struct doctor *d, struct str target, const version_set *set) {
    version_findings found = {0};
    struct str error;
    if (!versions_check(d->a, target, set, &found, &error)) {
        cli_error(d->cli, "%.*s", STR_ARG(error));
        return false;
    }
    for (size_t i = 0; i < found.n; i++) {
        struct finding f = {found.v[i].level, target, S("versions"),
                            found.v[i].text,  S(""),  found.v[i].source};
        if (f.level == LEVEL_ERROR) f.fix = S("install one of the sets that the table names");
        add(d, f);
    }
    return true;
}

static void set_version(struct doctor *d, version_set *set, struct str key, struct str value) {
    for (size_t i = 0; i < set->n; i++)
        if (str_eq(set->v[i].key, key)) return;
    struct version v = {key, value};
    vec_push(d->a, set, v);
}

/* torch=2.5.1,cann=8.1.RC1 */
static bool read_versions(struct cli *cli, version_set *set) {
    size_t n;
    struct str *words = cli_split(cli, OPT_VERSIONS, &n);
    for (size_t i = 0; i < n; i++) {
        size_t equals = str_find(words[i], S("="), 0);
        if (equals == 0 || equals + 1 >= words[i].n) {
            cli_error(cli, "--versions takes KEY=VERSION,..., not '%.*s'", STR_ARG(words[i]));
            return false;
        }
        struct version v = {str_sub(words[i], 0, equals),
                            str_sub(words[i], equals + 1, words[i].n)};
        vec_push(cli->a, set, v);
    }
    return true;
}

/* ---- printing ---- */

static const char *const level_names[] = {"ok", "note", "warning", "error"};

static void print_text(struct doctor *d) {
    struct buf b;
    struct str target = S("");
    buf_init(&b, d->a);
    for (size_t i = 0; i < d->findings.n; i++) {
        const struct finding *f = &d->findings.v[i];
        bool hidden = f->level == LEVEL_OK && cli_has(d->cli, OPT_QUIET);
        if (hidden || (d->folded.v[i] && !cli_has(d->cli, OPT_VERBOSE))) continue;
        if (!str_eq(target, f->target)) buf_printf(&b, "%.*s\n", STR_ARG(f->target));
        target = f->target;
        buf_printf(&b, "  %-8s ", level_names[f->level]);
        buf_add_visible(&b, f->text);
        if (f->fix.n)
            buf_printf(&b, "\n           %s: ", f->level == LEVEL_NOTE ? "if wanted" : "mend");
        buf_add_visible(&b, f->fix);
        if (f->source.n && (f->level != LEVEL_OK || cli_has(d->cli, OPT_VERBOSE))) {
            buf_addz(&b, "\n           source: ");
            buf_add_visible(&b, f->source);
        }
        buf_addc(&b, '\n');
    }
    buf_printf(&b, "%zu ok", d->count[LEVEL_OK]);
    for (int i = LEVEL_NOTE; i <= LEVEL_ERROR; i++)
        buf_printf(&b, ", %zu %s%s", d->count[i], level_names[i], d->count[i] == 1 ? "" : "s");
    buf_addc(&b, '\n');
    stream_add(d->cli->out, buf_str(&b));
}

static void print_json(struct doctor *d) {
    struct buf b;
    buf_init(&b, d->a);
    buf_printf(&b,
               "{\"version\": 1, \"counts\": {\"ok\": %zu, \"note\": %zu, \"warning\": %zu, "
               "\"error\": %zu},\n \"findings\": [",
               d->count[LEVEL_OK], d->count[LEVEL_NOTE], d->count[LEVEL_WARNING],
               d->count[LEVEL_ERROR]);
    for (size_t i = 0; i < d->findings.n; i++) {
        const struct finding *f = &d->findings.v[i];
        const struct str values[] = {f->target, f->id, f->text, f->fix, f->source};
        static const char *const keys[] = {"target", "id", "text", "fix", "source"};
        buf_printf(&b, "%s  {\"level\": \"%s\"", i ? ",\n" : "\n", level_names[f->level]);
        for (size_t k = 0; k < ARRAY_LEN(keys); k++) buf_add_optional(&b, keys[k], values[k]);
        if (d->folded.v[i]) buf_addz(&b, ", \"folded\": true");
        buf_addz(&b, "}");
    }
    buf_addz(&b, "]}\n");
    stream_add(d->cli->out, buf_str(&b));
}

static int finish(struct doctor *d) {
    if (cli_choice(d->cli, OPT_FORMAT, 0) == 1)
        print_json(d);
    else
        print_text(d);
    return d->count[LEVEL_ERROR] ? STATUS_FINDINGS : STATUS_DONE;
}

/* ---- the two ways ---- */

/* vLLM on a target whose file says nothing of it. */
static void judge_purpose(struct doctor *d, struct str purpose, const struct found_target *t) {
    for (size_t i = 0; i < t->items.n; i++)
        if (str_eq(t->items.v[i].item->purpose, purpose)) return;
    struct finding f = {LEVEL_WARNING, t->target->name, purpose, S(""), S(""), S("")};
    f.text = arena_printf(d->a, "nothing is known of %.*s on this target", STR_ARG(purpose));
    add(d, f);
}

/* Neither the vendor's device nor anything of its software: one sentence says it, and what is
 * missing follows from it. True where that is so. */
static bool judge_absence(struct doctor *d, const struct found_target *t) {
    size_t missing = 0, required = 0;
    struct str fix = S("");
    if (t->devices.n || t->counted > 0 || t->installed || t->target->devices.n == 0) return false;
    for (size_t i = 0; i < t->items.n; i++) {
        const struct probe_item *x = t->items.v[i].item;
        if (t->items.v[i].found) continue;
        if (x->need == NEED_REQUIRED && fix.n == 0) fix = x->fix;
        required += x->need == NEED_REQUIRED;
        missing++;
    }
    if (required == 0) return false;
    struct finding f = {LEVEL_ERROR,
                        t->target->name,
                        S("accelerator"),
                        S(""),
                        fix,
                        t->target->devices.v[0].source};
    f.text =
        arena_printf(d->a,
                     "this machine has no device of %.*s and none of its software: %zu things "
                     "are missing, which --verbose lists",
                     STR_ARG(t->target->title), missing);
    add(d, f);
    return true;
}

static bool judge_target(struct doctor *d, const struct machine *m, const struct found_target *t) {
    version_set set = {0};
    struct python_package torch;
    struct fingerprint print;
    machine_fingerprint(m, &print);
    bool absent = judge_absence(d, t);
    size_t first = d->findings.n;
    for (size_t i = 0; i < t->items.n; i++) {
        const struct found_item *f = &t->items.v[i];
        judge_item(d, m, t, f);
        judge_python(d, t, f, print.python);
        if (f->found && f->version.n && f->item->key.n)
            set_version(d, &set, f->item->key, f->version);
    }
    if (machine_python(m, S("torch"), &torch) && torch.python.n)
        set_version(d, &set, S("python"), torch.python);
    for (size_t i = first; absent && i < d->findings.n; i++) {
        enum level level = d->findings.v[i].level;
        d->folded.v[i] = level != LEVEL_OK;
        d->count[level] -= d->folded.v[i];
    }
    if (!absent && t->devices.n == 0 && t->target->devices.n) {
        struct finding f = {t->counted > 0 ? LEVEL_OK : LEVEL_NOTE,
                            t->target->name,
                            S("pci"),
                            S("no device of this vendor on the PCI bus"),
                            S(""),
                            t->target->devices.v[0].source};
        add(d, f);
    }
    judge_selection(d, m, t->target);
    judge_conflicts(d, m, t->target);
    return judge_versions(d, t->target->name, &set);
}

static int check_given_versions(struct doctor *d, const version_set *set) {
    struct rules rules;
    target_refs targets = {0};
    struct str target = versions_target(d->a, set);
    if (cli_has(d->cli, OPT_TARGET)) {
        if (read_rules(d->cli, NULL, 0, false, &rules) ||
            !choose_targets(d->cli, &rules, &targets))
            return STATUS_FAILED;
        target = target_name(targets.v[0]);
    }
    if (target.n == 0)
        return cli_error(d->cli, "--versions: no target's table knows these keys; add --target");
    if (!judge_versions(d, target, set)) return STATUS_FAILED;
    if (d->findings.n == 0) {
        struct finding f = {LEVEL_WARNING, target,
                            S("versions"), S("the table says nothing about these versions"),
                            S(""),         S("")};
        add(d, f);
    }
    return finish(d);
}

/* The targets that are asked for or detected; without any, the CPU. */
static int judge_machine(struct cli *cli, struct str purpose) {
    struct machine_report r;
    struct doctor d = {.cli = cli, .a = cli->a};
    if (cli->operands.n)
        return cli_error(cli, "%s takes no operand; try --target", cli->command->name);
    if (machine_report_read(cli, purpose, false, &r)) return STATUS_FAILED;
    bool any = cli_has(cli, OPT_TARGET);
    for (size_t i = 0; i < r.chosen.n; i++) {
        const struct found_target *t = &r.chosen.v[i];
        bool wanted = r.forced.n ? str_eq(r.forced, t->target->name) : t->detected;
        if (!wanted && !cli_has(cli, OPT_TARGET)) continue;
        any = true;
        if (!judge_target(&d, &r.machine, t)) return STATUS_FAILED;
        if (purpose.n) judge_purpose(&d, purpose, t);
    }
    if (any) return finish(&d);
    struct str host = target_name(default_target("doctor"));
    for (size_t i = 0; i < r.chosen.n; i++)
        if (str_eq(r.chosen.v[i].target->name, host)) judge_target(&d, &r.machine, &r.chosen.v[i]);
    for (size_t i = 0; i < r.chosen.n; i++) {
        const struct found_target *t = &r.chosen.v[i];
        struct finding f = {LEVEL_NOTE, t->target->name, S("accelerator"), S(""), S(""), S("")};
        if (!t->installed) continue;
        f.text = arena_printf(cli->a,
                              "software is installed, a device is not there; "
                              "--target %.*s says more",
                              STR_ARG(t->target->name));
        add(&d, f);
    }
    struct finding f = {LEVEL_NOTE, host, S("accelerator"), S(""), S(""), S("")};
    f.text = S("no accelerator found; --target says what one of them needs");
    add(&d, f);
    return finish(&d);
}

int command_doctor(struct cli *cli) {
    struct doctor d = {.cli = cli, .a = cli->a};
    version_set set = {0};
    if (!read_versions(cli, &set)) return STATUS_FAILED;
    return set.n ? check_given_versions(&d, &set) : judge_machine(cli, S(""));
}

int command_vllm(struct cli *cli) { return judge_machine(cli, S("vllm")); }
