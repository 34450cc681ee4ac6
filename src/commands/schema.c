/* SPDX-License-Identifier: Apache-2.0 */
/* schema.c - the JSON schema of cuda-morph.toml, from the same rows as the parser: an editor
 * completes what config.c takes, and marks what it refuses. */
#include "commands/schema.h"
#include "cli/target_names.h"
#include "commands/commands.h"
#include "report/escape.h"

static const enum option_id settings[] = {
#define SETTING(id, kind) OPT_##id,
#include "cli/options.def"
};

static const char strings[] = "{\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", "
                              "\"items\": {\"type\": \"string\"}}]}";

/* What stands there besides options. */
static const char tables[] =
    "    \"extend\": {\"type\": \"string\", \"description\": \"a configuration that holds "
    "where this one says nothing\"},\n"
    "    \"required-version\": {\"type\": \"string\", \"pattern\": "
    "\"^ *(>=|<=|==|!=|>|<)? *[0-9][0-9.]* *(, *(>=|<=|==|!=|>|<)? *[0-9][0-9.]* *)*$\", "
    "\"description\": \"releases of cuda-morph that may read this, such as >=0.2\"},\n"
    "    \"per-file-ignores\": {\"type\": \"object\", \"description\": \"rules that are not asked "
    "for in files of a pattern\", \"additionalProperties\": {\"type\": \"array\", \"items\": "
    "{\"type\": \"string\"}}},\n"
    "    \"severity\": {\"type\": \"object\", \"description\": \"how much a rule or a domain "
    "counts\", \"additionalProperties\": {\"enum\": [\"off\", \"note\", \"warning\", "
    "\"error\"]}}\n";

static void add_choices(struct buf *b, struct str words) {
    buf_addz(b, "{\"enum\": [");
    for (size_t at = 0, end; at <= words.n; at = end + 1) {
        end = str_find(words, S("|"), at);
        if (at) buf_addz(b, ", ");
        add_json_text(b, str_sub(words, at, end));
    }
    buf_addz(b, "]}");
}

static void add_type(struct buf *b, const struct option *o) {
    if (o->kind == FLAG)
        buf_addz(b, "{\"type\": \"boolean\"}");
    else if (o->kind == CHOICE)
        add_choices(b, str_of(o->value));
    else if (o->kind == LIST)
        buf_addz(b, strings);
    else
        buf_addz(b, "{\"type\": \"string\"}");
}

struct str settings_schema(struct arena *a) {
    struct buf b;
    buf_init(&b, a);
    buf_addz(&b, "{\n  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n"
                 "  \"title\": \"cuda-morph.toml\",\n  \"type\": \"object\",\n"
                 "  \"additionalProperties\": false,\n  \"properties\": {\n");
    for (size_t i = 0; i < ARRAY_LEN(settings); i++) {
        const struct option *o = &cli_options[settings[i]];
        struct buf type;
        buf_init(&type, a);
        add_type(&type, o);
        buf_printf(&b, "    \"%s\": {\"description\": ", o->name);
        add_json_text(&b, str_of(fill_target_names(a, o->help)));
        buf_printf(&b, ", %.*s,\n", STR_ARG(str_sub(buf_str(&type), 1, type.n)));
    }
    buf_addz(&b, tables);
    buf_addz(&b, "  }\n}\n");
    return buf_str(&b);
}
