/* SPDX-License-Identifier: Apache-2.0 */
/* rules_new.c - `cuda-morph rules new-target`: the skeleton of a vendor's file.
 *
 * It is made from the target that is most like it, and asserts nothing: a fact that holds the
 * other device's word gets the new one's, what several vendors have in common stays, all else is
 * left empty. `rules check` names what is empty; no name is written before the list has it. */
#include "commands/rules_new.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/file.h"
#include "commands/rule_sets.h"
#include "report/text.h"

struct skeleton {
    struct cli *cli;
    const struct rules *rules;
    struct target_ref like;
    struct str name, device; /* the new word, and the other target's */
};

/* ---- facts ---- */

static char capital(char ch) { return ch >= 'a' && ch <= 'z' ? (char)(ch - 32) : ch; }

/* The word at s[at] is the other device's: 1 as it is, 2 in capitals, 0 none. */
static int is_device(struct str device, struct str s, size_t at) {
    bool plain = true, capitals = true;
    if (!device.n || at + device.n > s.n) return 0;
    for (size_t i = 0; i < device.n; i++) {
        plain &= s.p[at + i] == device.p[i];
        capitals &= s.p[at + i] == capital(device.p[i]);
    }
    return plain ? 1 : capitals ? 2 : 0;
}

/* The value with the new device's word; empty where it has none of the other's. Of a list, the
 * words that have one. */
static struct str renamed(const struct skeleton *k, struct str value) {
    struct buf b;
    buf_init(&b, k->cli->a);
    for (size_t word = 0; word < value.n;) {
        size_t end = str_find(value, S(" "), word), before = b.n;
        bool any = false;
        if (b.n) buf_addc(&b, ' ');
        for (size_t i = word; i < end;) {
            int found = is_device(k->device, str_sub(value, 0, end), i);
            any |= found > 0;
            for (size_t m = 0; found && m < k->name.n; m++) {
                char ch = k->name.p[m] == '-' ? '_' : k->name.p[m];
                buf_addc(&b, found == 2 ? capital(ch) : ch);
            }
            if (!found) buf_addc(&b, value.p[i]);
            i += found ? k->device.n : 1;
        }
        if (!any) b.n = before;
        word = end + 1;
    }
    return buf_str(&b);
}

/* How many other targets have this fact, with the same value or with any; *all is how many there
 * are. */
static size_t others_with(const struct skeleton *k, struct str key, struct str value, bool same,
                          size_t *all) {
    size_t n = 0;
    *all = 0;
    for (size_t s = 0; s < k->rules->n; s++) {
        struct ruleset set = k->rules->set[s];
        const struct rtarget *t = RS_LIST(set, set.h->targets, struct rtarget);
        for (uint32_t i = 0; i < set.h->targets.n; i++) {
            struct target_ref other = {.set = set, .target = &t[i]};
            struct str theirs = target_fact(other, arena_strdup(k->cli->a, key));
            *all += other.target != k->like.target;
            n += other.target != k->like.target && theirs.p && (!same || str_eq(theirs, value));
        }
    }
    return n;
}

static void add_pair(struct buf *b, struct str key, struct str value) {
    buf_add_json(b, key);
    buf_addz(b, ": ");
    buf_add_json(b, value);
}

static void add_facts(struct buf *b, const struct skeleton *k) {
    struct ruleset set = k->like.set;
    const struct rfact *f = RS_LIST(set, k->like.target->facts, struct rfact);
    size_t all;
    buf_addz(b, "  \"facts\": {");
    for (uint32_t i = 0; i < k->like.target->facts.n; i++) {
        struct str key = rs_str(set, f[i].key), value = rs_str(set, f[i].value);
        struct str mine = renamed(k, value);
        bool common = !mine.n && others_with(k, key, value, true, &all) >= 2;
        if (!mine.n && others_with(k, key, value, false, &all) * 2 < all)
            continue; /* nothing that every vendor has */
        buf_addz(b, b->p[b->n - 1] == '{' ? "\n    " : ",\n    ");
        add_pair(b, key, common ? value : mine);
    }
    buf_addz(b, "\n  },\n");
}

/* ---- the file ---- */

static struct str skeleton_text(const struct skeleton *k) {
    struct ruleset set = k->like.set;
    bool keep = k->like.target->keep_names;
    const char *name = arena_strdup(k->cli->a, k->name);
    char *package = arena_strdup(k->cli->a, k->name);
    struct buf b;
    buf_init(&b, k->cli->a);
    for (char *p = package; *p; p++)
        if (*p == '-') *p = '_';
    buf_printf(&b,
               "{\n  \"target\": \"%s\",\n  \"aliases\": [],\n  \"order\": 100,\n  \"title\": "
               "\"\",\n  \"summary\": \"\",\n  ",
               name);
    add_pair(&b, S("family"), rs_str(set, k->like.target->family));
    buf_printf(&b, ",\n  \"names\": \"%s\",\n  \"listed\": %s,\n", keep ? "keep" : "port",
               keep ? "false" : "true");
    add_facts(&b, k);
    buf_printf(
        &b,
        "  \"releases\": {\n    \"package\": \"torch_%s\",\n    \"base\": \"torch\",\n"
        "    \"repository\": \"\",\n    \"list\": [\n      {\"version\": \"1.0\", \"base\": "
        "\"2.6.0\", \"commit\": \"\", \"current\": true}\n    ],\n    \"names\": {}\n  },\n",
        package);
    buf_addz(&b, "  \"cells\": {},\n");
    buf_printf(
        &b,
        "  \"probes\": {\n    \"sources\": {\"readme\": {\"source\": \"\", \"checked\": "
        "\"\"}},\n    \"select\": [],\n    \"items\": [\n"
        "      {\"id\": \"torch\", \"title\": \"PyTorch\", \"kind\": \"python\", \"need\": "
        "\"required\", \"any\": [\"torch\"], \"key\": \"torch\", \"fix\": \"pip install the "
        "torch that torch_%s names\", \"source\": \"readme\"},\n"
        "      {\"id\": \"torch_%s\", \"title\": \"torch_%s\", \"kind\": \"python\", \"need\": "
        "\"required\", \"proof\": true, \"any\": [\"torch_%s\"], \"fix\": \"pip install "
        "torch_%s of the same version\", \"source\": \"readme\"}\n    ]\n  },\n",
        package, package, package, package, package);
    buf_addz(&b, "  \"references\": [{\"source\": \"\", \"checked\": \"\"}]\n}\n");
    return buf_str(&b);
}

static bool is_new_name(struct cli *cli, const struct rules *rules, struct str name) {
    struct target_ref taken;
    for (size_t i = 0; i < name.n; i++) {
        char ch = name.p[i];
        bool inner = i > 0 && i + 1 < name.n && ch == '-';
        if ((ch >= 'a' && ch <= 'z') || (ch >= '0' && ch <= '9') || inner) continue;
        cli_error(cli,
                  "'%.*s' cannot be the name of a target: write lower case, digits and hyphens",
                  STR_ARG(name));
        return false;
    }
    if (!rules_target(rules, name, &taken)) return true;
    cli_error(cli, "'%.*s' is a name or alias of target %.*s already: choose another",
              STR_ARG(name), STR_ARG(target_name(taken)));
    return false;
}

/* Whole or not at all, and never over a file that is there. */
static bool write_new(struct cli *cli, const char *path, struct str text) {
    struct str error;
    struct stat st;
    if (lstat(path, &st) == 0)
        cli_error(cli, "%s: %s", path, strerror(EEXIST));
    else if (file_create(cli->a, path, text, 0666, &error))
        return true;
    else
        cli_error(cli, "%.*s", STR_ARG(error));
    return false;
}

int rules_new_target(struct cli *cli) {
    struct rules rules;
    struct str dir = cli_value(cli, OPT_OUTPUT), like = cli_value(cli, OPT_LIKE);
    struct skeleton k = {.cli = cli, .rules = &rules};
    if (cli->operands.n != 2 || cli->operands.v[1].n == 0)
        return cli_error(cli, "rules new-target takes the NAME of the new target");
    k.name = cli->operands.v[1];
    if (read_rules(cli, cli->option[OPT_RULES].values.v, cli->option[OPT_RULES].values.n, false,
                   &rules) ||
        !is_new_name(cli, &rules, k.name))
        return STATUS_FAILED;
    if (!like.p) return cli_error(cli, "say which target it is most like: --like TARGET");
    if (!rules_target(&rules, like, &k.like))
        return cli_error(cli, "--like: there is no target '%.*s'", STR_ARG(like));
    k.device = target_fact(k.like, "device");
    const char *path = arena_printf(cli->a, "%s%s%.*s.json", dir.p ? dir.p : "", dir.p ? "/" : "",
                                    STR_ARG(k.name))
                           .p;
    if (!write_new(cli, path, skeleton_text(&k))) return STATUS_FAILED;
    if (!cli_has(cli, OPT_QUIET))
        stream_printf(cli->err,
                      "%s: written; 'cuda-morph rules check %s' says what to fill in, and 'port "
                      "--target %.*s --rules %s' uses it\n",
                      path, path, STR_ARG(k.name), path);
    return STATUS_DONE;
}
