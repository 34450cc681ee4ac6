/* SPDX-License-Identifier: Apache-2.0 */
/* match_string.c - literals meet the rules: what a string spells, where its value goes, and which
 * row is about both. What no row is about is words.c's. */
#include "python/match.h"
#include "python/plan.h"

static const char UNPROVEN_VARIABLE[] =
    "nothing proves that the dictionary becomes an environment";

static bool digits(struct str s) {
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] < '0' || s.p[i] > '9') return false;
    return s.n > 0;
}

/* What may follow a device word: nothing, :0, :%d, :{}, or a colon that something is joined to. */
static bool device_tail(struct str tail, bool composed) {
    if (tail.n == 0) return true;
    if (tail.p[0] != ':') return false;
    tail = str_sub(tail, 1, tail.n);
    if (tail.n == 0) return composed;
    return digits(tail) || str_is(tail, "%d") || str_is(tail, "%s") || str_is(tail, "%i") ||
           (tail.p[0] == '{' && tail.p[tail.n - 1] == '}');
}

static bool is_word(struct str s) {
    for (size_t i = 0; i < s.n; i++)
        if (!((s.p[i] >= 'a' && s.p[i] <= 'z') || (s.p[i] >= '0' && s.p[i] <= '9') ||
              s.p[i] == '_'))
            return false;
    return s.n > 0;
}

/* cpu:gloo,cuda:nccl */
static bool is_backend_list(struct str s) {
    if (str_find(s, S(":"), 0) == s.n) return false;
    for (size_t i = 0; i <= s.n;) {
        size_t end = str_find(s, S(","), i);
        struct str part = str_sub(s, i, end);
        while (part.n && part.p[0] == ' ') part = str_sub(part, 1, part.n);
        size_t colon = str_find(part, S(":"), 0);
        if (colon == part.n || !is_word(str_sub(part, 0, colon)) ||
            !is_word(str_sub(part, colon + 1, part.n)) || digits(str_sub(part, colon + 1, part.n)))
            return false;
        i = end + 1;
    }
    return true;
}

/* Whether the file imports what the rule is about, where it is about a library. */
static bool is_imported(const struct py *f, struct row_ref row) {
    const struct rstr *v = RS_LIST(row.set, row.rule->imports, struct rstr);
    for (uint32_t i = 0; i < row.rule->imports.n; i++)
        if (py_imports(f, rs_str(row.set, v[i]))) return true;
    return row.rule->imports.n == 0;
}

static bool find_string_row(struct py *f, struct str key, int shape, struct row_ref *row) {
    size_t cursor = 0;
    while (rules_find(f->rules, M_STRING, key, &cursor, row))
        if (shape < 0 || row->rule->shape == (uint32_t)shape) return true;
    return false;
}

/* Whether the file, or the tree, asks for the name of the back end that a group has: one that was
 * made without a name gives none. */
static bool asks_for_backend(const struct py *f) {
    const struct py_project *project = f->project;
    struct str asks;
    for (size_t at = 0; rules_next_word(f->rules, "torch.backend_questions", &at, &asks);)
        if (str_find(f->src, asks, 0) < f->src.n ||
            (project && str_among(project->compared.v, project->compared.n, asks)))
            return true;
    return false;
}

/* valid = {"nccl", "gloo"}, of which it is asked below whether something is in it. */
static bool is_in_asked_collection(struct py *f, uint32_t literal) {
    uint32_t p = py_parent(f, literal), i = literal;
    while (py_is_collection(py_kind(f, p)) || py_kind(f, p) == PY_PARENTHESIZED)
        p = py_parent(f, i = p);
    uint32_t name = py_child(f, p, 0);
    if (i == literal || py_kind(f, p) != PY_ASSIGNMENT || py_kind(f, name) != PY_IDENTIFIER)
        return false;
    if (f->scope_of[name] == 0) py_want_uses(f, py_text(f, name));
    for (size_t k = 0; k < f->identifiers.n; k++) {
        uint32_t use = f->identifiers.v[k];
        if (use != name && str_eq(py_text(f, use), py_text(f, name)) &&
            py_kind(f, py_parent(f, use)) == PY_COMPARISON)
            return true;
    }
    return false;
}

/* Whether some comparison of the file, or of the tree, has the literal on one side, alone or in a
 * collection. */
static bool compares_literal(struct py *f, struct str text) {
    const struct py_project *project = f->project;
    if (project && str_among(project->compared.v, project->compared.n, text)) return true;
    for (uint32_t i = 0; i < f->tree.n; i++) {
        struct py_literal lit;
        if (py_kind(f, i) != PY_STRING) continue;
        uint32_t p = py_parent(f, i);
        while (py_is_collection(py_kind(f, p)) || py_kind(f, p) == PY_PARENTHESIZED)
            p = py_parent(f, p);
        if ((py_kind(f, p) == PY_COMPARISON || is_in_asked_collection(f, i)) &&
            py_literal(f, i, &lit) && str_eq(lit.text, text))
            return true;
    }
    if (f->partial) f->wants_whole = true; /* the comparison may stand elsewhere */
    return false;
}

/* config._attn_implementation = "flash_attention_2", which the program itself compares: another
 * word there leaves the branch that is meant. */
static bool is_stored_choice(struct py *f, const struct py_match *m,
                             const struct py_literal *lit) {
    uint32_t p = py_parent(f, lit->node);
    return m->cell && m->cell->keep_equal && m->row.rule->shape == SHAPE_EXACT &&
           m->verdict != V_SAME && py_kind(f, p) == PY_ASSIGNMENT &&
           py_kind(f, py_child(f, p, 0)) == PY_ATTRIBUTE && compares_literal(f, lit->text);
}

/* dist_cfg=dict(backend="nccl"), {"backend": "nccl"}, Runner(backend="nccl"): whoever gets the
 * name may ask for it; PyTorch's own functions take None. */
static bool goes_elsewhere(struct py *f, uint32_t literal) {
    uint32_t p = py_parent(f, literal), callee = py_callee(f, py_parent(f, py_parent(f, p)));
    if (py_kind(f, p) == PY_PAIR) return py_child(f, p, 0) != literal;
    if (py_kind(f, p) != PY_KEYWORD_ARGUMENT || callee == NO_NODE) return false;
    struct py_name n = py_resolve(f, callee);
    bool of_torch = n.path.p && str_starts(n.path, S(PY_TORCH "."));
    bool option = py_lists(f, "python.keyed_calls", py_describing_name(f, callee));
    return !of_torch && !option && !py_is_own_function(f, callee);
}

/* backend = "nccl" at the top of a file that goes through globals(): a setting, which whoever
 * overrides it gives a text. */
static bool is_collected(const struct py *f, uint32_t literal) {
    return py_kind(f, py_parent(f, literal)) == PY_ASSIGNMENT && f->scope_of[literal] == 0 &&
           str_find(f->src, S("globals()"), 0) < f->src.n;
}

/* CUDA_VISIBLE_DEVICES="": what the line says beside the word is more than the cell knows of. */
static bool needs_a_look(struct py *f, const struct rcell *cell, struct row_ref row,
                         uint32_t start) {
    size_t from = start, end = str_find(f->src, S("\n"), start);
    while (from && f->src.p[from - 1] != '\n') from--;
    return cell && cell->unless_line.n &&
           regex_match(f->regex, &cell->unless_line, rs_str(row.set, cell->unless_line),
                       str_sub(f->src, from, end));
}

static void add_string(struct py *f, struct row_ref row, const struct py_literal *lit,
                       enum certainty sure, struct py_context context) {
    struct py_match *m = py_add_match(f, PM_STRING, lit->string, lit->text, &row, sure);
    m->start = lit->start;
    m->end = lit->end;
    m->literal = *lit;
    m->context = context;
    bool portable_backend = row.rule->shape == SHAPE_BACKEND && m->cell && m->cell->expression.n;
    m->chosen = portable_backend && m->cell->chosen.n &&
                (goes_elsewhere(f, lit->node) || is_collected(f, lit->node) ||
                 asks_for_backend(f) || compares_literal(f, lit->text));
    if (portable_backend && is_in_asked_collection(f, lit->node))
        m->context.compared = context.compared = true;
    if (portable_backend && !context.compared &&
        py_is_collection(py_kind(f, py_parent(f, lit->node))) && sure == C_EXACT) {
        m->verdict = V_SAME;
        m->message = S("the literal is one of several to choose from");
    }
    if (portable_backend && context.compared && context.setting && sure == C_EXACT) {
        m->verdict = V_SAME;
        m->context.equality = false; /* it is true on the target, too */
        m->message =
            S("a project file sets the name that it is compared with, and goes on saying so");
        return;
    }
    if (needs_a_look(f, m->cell, row, lit->start)) {
        m->verdict = V_MANUAL;
        return;
    }
    if (m->cell && m->cell->expression.n && sure == C_EXACT && f->is_configuration) {
        m->unasked = true;
        m->verdict = V_MANUAL;
        m->message = arena_printf(f->a,
                                  "`%.*s` is in a configuration, whose reader carries out no "
                                  "import and no call of what was imported",
                                  STR_ARG(lit->text));
        return;
    }
    if (is_stored_choice(f, m, lit)) {
        m->verdict = V_MANUAL;
        m->message =
            arena_printf(f->a, "\"%.*s\" stays: the program compares it with what it stores",
                         STR_ARG(lit->text));
        return;
    }
    if (context.counted && m->verdict != V_SAME && !(m->cell && m->cell->keep_equal)) {
        m->verdict = V_MANUAL;
        m->message = arena_printf(f->a, "\"%.*s\" stays: %s", STR_ARG(lit->text), context.counted);
        return;
    }
    if (context.nvidia && m->verdict != V_SAME) {
        m->verdict = V_MANUAL;
        m->message = S("the answer is called after NVIDIA: does it ask for the vendor, or for any "
                       "accelerator?");
        return;
    }
    if (context.own && m->verdict != V_SAME) {
        m->verdict = V_SAME;
        m->message = S("the project asks its own layer over devices");
        return;
    }
    if (m->cell && m->cell->keep_equal && sure == C_EXACT && (context.key || context.pattern) &&
        row.rule->shape == SHAPE_DEVICE) {
        m->verdict = V_SAME;
        m->message = S("the literal stands beside the CPU's, and nobody asks for it");
    }
    if (m->cell && m->cell->keep_equal && sure == C_EXACT && context.compared) {
        m->verdict = V_SAME;
        m->message = S("the test keeps its meaning: it is true on NVIDIA only");
    }
    if (sure != C_EXACT && f->partial)
        f->wants_whole = true; /* what it is compared with may not have been parsed */
    if (sure != C_EXACT && m->verdict != V_SAME) {
        m->verdict = V_MANUAL;
        m->message =
            context.doubt
                ? arena_printf(f->a, "\"%.*s\" stays: %s", STR_ARG(lit->text), context.doubt)
                : arena_printf(f->a, "\"%.*s\" stands where nothing proves that it is a %s",
                               STR_ARG(lit->text),
                               row.rule->shape == SHAPE_BACKEND ? "collective backend" : "device");
    }
}

/* CUDA_HOME, NCCL_DEBUG: what environment variables are called like. */
static bool is_variable(struct row_ref row, struct str s) {
    for (size_t i = 0; i < s.n; i++)
        if (!((s.p[i] >= 'A' && s.p[i] <= 'Z') || (s.p[i] >= '0' && s.p[i] <= '9') ||
              s.p[i] == '_'))
            return false;
    return row.rule->by_form && row.rule->texts && row.rule->shape == SHAPE_EXACT;
}

/* The name of an environment variable, or a word of the program's own that is spelled so. */
static void add_variable(struct py *f, struct row_ref row, const struct py_literal *lit,
                         enum certainty sure, struct py_context context) {
    enum environment_use use =
        lit->node == lit->string ? py_environment_use(f, lit->string) : ENVIRONMENT_ASKED;
    if (use == ENVIRONMENT_UNPROVEN) context.doubt = UNPROVEN_VARIABLE;
    add_string(f, row, lit, use == ENVIRONMENT_UNPROVEN ? C_UNKNOWN : sure, context);
    struct py_match *m = &f->matches.v[f->matches.n - 1];
    if (use != ENVIRONMENT_LABEL || m->verdict == V_SAME) return;
    m->verdict = V_SAME;
    m->message = S("the text labels the value, and nobody asks the environment for it");
}

bool py_match_environment_keyword(struct py *f, uint32_t call, uint32_t keyword) {
    uint32_t id = py_child(f, keyword, 0);
    struct py_context context = {0};
    enum certainty sure;
    struct row_ref row;
    size_t cursor = 0;
    if (!py_keyword_is_variable(f, call, &sure)) return false;
    while (rules_find(f->rules, M_STRING, py_text(f, id), &cursor, &row)) {
        if (!is_variable(row, py_text(f, id))) continue;
        struct py_literal lit = {.node = id,
                                 .string = id,
                                 .start = py_node(f, id)->start,
                                 .end = py_node(f, id)->end,
                                 .text = py_text(f, id),
                                 .plain_call_free = true,
                                 .part = true};
        if (sure != C_EXACT) context.doubt = UNPROVEN_VARIABLE;
        add_string(f, row, &lit, sure, context);
        return true;
    }
    return false;
}

/* "nvidia-smi -L", "/usr/bin/nvidia-smi": the program that a command line calls. What goes on as a
 * sentence is none. */
static struct str command_of(const struct py_literal *lit) {
    struct str text = lit->text;
    size_t end = str_find(text, S(" "), 0);
    struct str word = str_sub(text, 0, end), rest = str_sub(text, end, text.n);
    while (rest.n && rest.p[0] == ' ') rest = str_sub(rest, 1, rest.n);
    if (rest.n && !strchr("-|>&;", rest.p[0])) return S("");
    if (!rest.n && end == text.n && lit->composed) return S("");
    for (size_t i = word.n; i > 0; i--)
        if (word.p[i - 1] == '/') return str_sub(word, i, word.n);
    return word;
}

/* mock.patch("torch.cuda.is_available"), monkeypatch.setattr("torch.cuda.X", ...): a name that is
 * looked up where it is used. */
static bool match_patched_name(struct py *f, const struct py_literal *lit) {
    uint32_t args = py_parent(f, lit->node), call = py_parent(f, args);
    if (lit->composed || py_kind(f, args) != PY_ARGUMENT_LIST || py_child(f, args, 0) != lit->node)
        return false;
    struct str callee = str_last_dotted(py_text(f, py_callee(f, call)));
    struct row_ref row;
    if (!py_lists(f, "python.patching_calls", callee) || !py_has_anchor(f, lit->text))
        return false;
    bool known = py_find_row(f, M_NAME, lit->text, &row);
    if ((!known && !py_find_holder(f, lit->text, &row)) || row.rule->without.n ||
        row.rule->with_is.n)
        return false;
    struct py_literal whole = *lit;
    whole.part = true; /* the text is a name, and no code can stand in it */
    bool renamed = known && py_renamed_to(f, row).n;
    struct py_match *m = py_add_match(f, renamed ? PM_STRING : PM_UNKNOWN, lit->string, lit->text,
                                      renamed ? &row : NULL, C_EXACT);
    m->row = row;
    m->start = lit->start;
    m->end = lit->end;
    m->literal = whole;
    if (f->target.target->keep_names) m->verdict = V_SAME;
    if (renamed) return true;
    m->message = arena_printf(f->a, "`%.*s` is patched by its name: patch what the code calls now",
                              STR_ARG(lit->text));
    return true;
}

/* ---- words inside of longer texts ---- */

static struct py_literal part_of(uint32_t string, struct str content, size_t at, size_t start,
                                 size_t end) {
    return (struct py_literal){.node = string,
                               .string = string,
                               .start = (uint32_t)(at + start),
                               .end = (uint32_t)(at + end),
                               .text = str_sub(content, start, end),
                               .plain_call_free = true,
                               .part = true};
}

/* The option that the value at `start` of a command line is given to: --device cuda:1,
 * --device=cuda, --devices cuda:0 cuda:1. */
static struct str option_of(struct py *f, struct row_ref row, struct str content, size_t start) {
    size_t end = row_first_value(row, content, start), i;
    while (end && strchr(" \"'=\r\n\\", content.p[end - 1])) end--;
    for (i = end; i && !strchr(" \"'=\n", content.p[i - 1]);) i--;
    struct str option = str_sub(content, i, end);
    if (!str_starts(option, S("-"))) return (struct str){0};
    while (option.n && option.p[0] == '-') option = str_sub(option, 1, option.n);
    char *plain = arena_strdup(f->a, option);
    for (i = 0; i < option.n; i++)
        if (plain[i] == '-') plain[i] = '_';
    return (struct str){plain, option.n};
}

/* A word of a command line that a row says something about in project files, too: the name of an
 * environment variable that is set, or the value of an option. */
static bool match_argument(struct py *f, uint32_t string, struct str content, size_t at,
                           size_t start, size_t end) {
    struct str word = str_sub(content, start, end);
    size_t sign = str_find(word, S("="), 0), cursor = 0;
    struct row_ref row;
    if (sign < word.n && word.p[0] == '-')
        start += sign + 1;
    else if (sign < word.n)
        end = start + sign;
    while (end > start && strchr("\"';", content.p[end - 1])) end--;
    while (start < end && strchr("\"'", content.p[start])) start++;
    struct py_literal lit = part_of(string, content, at, start, end);
    struct str key = str_sub(lit.text, 0, str_find(lit.text, S(":"), 0));
    struct str tail = str_sub(lit.text, key.n, lit.text.n);
    while (rules_find(f->rules, M_STRING, key, &cursor, &row)) {
        if (!row.rule->texts) continue;
        bool sets =
            row.rule->by_form && sign < word.n && !tail.n && row.rule->shape == SHAPE_EXACT;
        bool fits = !row.rule->by_form && device_tail(tail, true) &&
                    py_name_fits(f, row, option_of(f, row, content, start));
        if (!sets && !fits) continue;
        add_string(f, row, &lit, C_EXACT, (struct py_context){0});
        return true;
    }
    return false;
}

/* os.environ["THEANO_FLAGS"] = "device=cuda,floatX=float32": the settings of another program. */
static bool is_for_flags(const struct py *f, uint32_t string) {
    uint32_t p = py_ancestor(f, string, PY_ASSIGNMENT), target = py_child(f, p, 0);
    uint32_t key = py_child(f, target, 1);
    struct py_literal lit;
    return p != NO_NODE && py_kind(f, target) == PY_SUBSCRIPT && py_kind(f, key) == PY_STRING &&
           py_literal(f, key, &lit) && str_ends(lit.text, S("_FLAGS"));
}

/* device, +trainer.device, model/device@x: what a setting is called. */
static bool is_setting(struct str s) {
    while (s.n && (s.p[0] == '+' || s.p[0] == '~')) s = str_sub(s, 1, s.n);
    for (size_t i = 0; i < s.n; i++)
        if (!draft_identifier_char(s.p[i]) && !strchr("./@", s.p[i])) return false;
    return s.n > 0;
}

/* "pretrained=gpt2,device=cuda": settings in one argument. */
static bool match_settings(struct py *f, uint32_t string) {
    bool found = false;
    uint32_t content = py_child(f, string, 1);
    struct str text = py_text(f, content);
    if (py_kind(f, content) != PY_STRING_CONTENT || text.n > 1024 || memchr(text.p, ' ', text.n) ||
        tree_first_child(&f->tree, content) != NO_NODE || is_for_flags(f, string))
        return false;
    for (size_t i = 0, end; i < text.n; i = end + 1) {
        end = str_find(text, S(","), i);
        size_t sign = str_find(str_sub(text, i, end), S("="), 0) + i;
        if (sign >= end || sign == i || !is_setting(str_sub(text, i, sign))) continue;
        struct py_literal lit = part_of(string, text, py_node(f, content)->start, sign + 1, end);
        size_t colon = str_find(lit.text, S(":"), 0), cursor = 0;
        struct row_ref row;
        while (rules_find(f->rules, M_STRING, str_sub(lit.text, 0, colon), &cursor, &row)) {
            if (!row.rule->texts || row.rule->by_form ||
                !device_tail(str_sub(lit.text, colon, lit.text.n), true) ||
                !py_name_fits(f, row, str_sub(text, i, sign)))
                continue;
            add_string(f, row, &lit, C_EXACT, (struct py_context){0});
            found = true;
            break;
        }
    }
    return found;
}

/* Whether the text is written as it reads, but for lines that go on behind a backslash. */
static bool is_plain(const struct py *f, uint32_t content) {
    for (uint32_t i = content + 1; i < py_node(f, content)->next; i++)
        if (!str_is(py_text(f, i), "\\\n") && !str_is(py_text(f, i), "\\\r\n")) return false;
    return true;
}

/* "CUDA_VISIBLE_DEVICES=0 python t.py --device cuda": as in a shell script. */
static bool match_command(struct py *f, uint32_t string) {
    bool found = false;
    for (uint32_t c = py_child(f, string, 0); c != NO_NODE; c = py_next(f, c)) {
        struct str text = py_text(f, c);
        if (py_kind(f, c) != PY_STRING_CONTENT || text.n > 4096 || !py_is_command(text) ||
            !is_plain(f, c))
            continue;
        for (size_t i = 0, end; i < text.n; i = end + 1) {
            end = i;
            while (end < text.n && !strchr(" ,\r\n\\", text.p[end])) end++;
            if (end > i) found |= match_argument(f, string, text, py_node(f, c)->start, i, end);
        }
    }
    return found;
}

/* r"(cuda|cpu)(:\d+)?": an alternative beside another device's. */
static bool match_pattern(struct py *f, const struct py_literal *lit) {
    uint32_t args = py_parent(f, lit->node), call = py_parent(f, args);
    if (py_kind(f, args) != PY_ARGUMENT_LIST || py_child(f, args, 0) != lit->node) return false;
    struct py_name callee = py_resolve(f, py_callee(f, call));
    if (!py_lists(f, "python.pattern_calls", callee.path)) return false;
    struct row_ref row = {0};
    size_t start = 0, stop = 0;
    bool beside = false;
    for (size_t i = 0, end; i < lit->text.n; i = end + 1) {
        end = i;
        while (end < lit->text.n && draft_identifier_char(lit->text.p[end])) end++;
        bool alternative =
            (i && lit->text.p[i - 1] == '|') || (end < lit->text.n && lit->text.p[end] == '|');
        struct row_ref this;
        if (end == i || !alternative) continue;
        if (find_string_row(f, str_sub(lit->text, i, end), SHAPE_DEVICE, &this)) {
            if (row.row) return false; /* twice */
            row = this, start = i, stop = end;
        }
    }
    for (size_t i = 0, end; row.row && i < lit->text.n; i = end + 1) {
        end = i;
        while (end < lit->text.n && draft_identifier_char(lit->text.p[end])) end++;
        beside |= end > i && py_is_companion(row, str_sub(lit->text, i, end));
    }
    if (!beside) return false;
    struct py_literal part = part_of(lit->string, lit->text, lit->start, start, stop);
    add_string(f, row, &part, C_EXACT, (struct py_context){.pattern = true});
    return true;
}

/* "rank:0/cuda:0", RemoteModule("worker1/cuda:0", ...): the place of a shard or a module, a
 * process and a device of it. */
static bool match_placement(struct py *f, uint32_t string) {
    uint32_t args = py_parent(f, string), first = py_child(f, string, 1);
    bool placed =
        py_kind(f, first) == PY_STRING_CONTENT && str_starts(py_text(f, first), S("rank:"));
    if (!placed && py_kind(f, args) == PY_ARGUMENT_LIST && py_child(f, args, 0) == string) {
        struct py_name callee = py_resolve(f, py_callee(f, py_parent(f, args)));
        placed = py_lists(f, "torch.remote_devices", callee.path);
    }
    for (uint32_t c = first; placed && c != NO_NODE; c = py_next(f, c)) {
        struct str text = py_text(f, c);
        size_t slash = text.n;
        while (slash && text.p[slash - 1] != '/') slash--;
        size_t end = str_find(text, S(":"), slash);
        struct row_ref row;
        if (py_kind(f, c) != PY_STRING_CONTENT || !slash ||
            !device_tail(str_sub(text, end, text.n), py_next(f, c) != py_child(f, string, -1)) ||
            !find_string_row(f, str_sub(text, slash, end), SHAPE_DEVICE, &row))
            continue;
        struct py_literal part = part_of(string, text, py_node(f, c)->start, slash, text.n);
        add_string(f, row, &part, C_EXACT, (struct py_context){.placement = true});
        return true;
    }
    return false;
}

/* "CUDA out of memory" in str(e): what is looked for in an error's text, of which a part is the
 * same on every device. One that the text has to begin with, or to be, is for a human. */
static bool match_message(struct py *f, const struct py_literal *lit) {
    uint32_t comparison = py_parent(f, lit->node);
    struct str message, asks;
    if (py_kind(f, comparison) != PY_COMPARISON || py_child(f, comparison, 0) != lit->node ||
        lit->composed)
        return false;
    asks = str_sub(f->src, py_node(f, lit->node)->end, py_node(f, py_next(f, lit->node))->start);
    while (asks.n && asks.p[0] == ' ') asks = str_sub(asks, 1, asks.n);
    if (!str_starts(asks, S("in ")) && !str_starts(asks, S("not in "))) return false;
    for (size_t at = 0; rules_next_word(f->rules, "python.vendor_messages", &at, &message);) {
        size_t start = str_find(lit->text, message, 0);
        struct row_ref row;
        if (start == lit->text.n || !find_string_row(f, message, SHAPE_EXACT, &row)) continue;
        struct py_literal part =
            part_of(lit->string, lit->text, lit->start, start, start + message.n);
        add_string(f, row, &part, C_EXACT, (struct py_context){0});
        return true;
    }
    return false;
}

const char *py_match_string(struct py *f, uint32_t node) {
    struct py_literal lit;
    if (!py_is_prose(f, node) &&
        (match_command(f, node) || match_settings(f, node) || match_placement(f, node)))
        return NULL;
    if (!py_literal(f, node, &lit) || lit.text.n > 128) return NULL;
    if (match_pattern(f, &lit) || match_message(f, &lit) || py_match_module_name(f, node))
        return NULL;
    if (lit.text.n && memchr(lit.text.p, '.', lit.text.n) && match_patched_name(f, &lit))
        return NULL;
    size_t colon = str_find(lit.text, S(":"), 0);
    struct str word = str_sub(lit.text, 0, colon), tail = str_sub(lit.text, colon, lit.text.n);
    struct row_ref row;
    struct py_context context;
    const char *why = NULL;
    if (lit.node == lit.string && py_is_always_true(f, lit.node) &&
        find_string_row(f, lit.text, SHAPE_GATE, &row)) {
        add_string(f, row, &lit, C_EXACT, (struct py_context){0});
        f->matches.v[f->matches.n - 1].message = arena_printf(
            f->a, "\"%.*s\" by itself is true, whatever stands beside it", STR_ARG(lit.text));
        return NULL;
    }
    if (is_backend_list(lit.text)) {
        for (size_t i = 0; i < lit.text.n;) {
            size_t at = str_find(lit.text, S(":"), i), end = str_find(lit.text, S(","), at);
            if (at < end &&
                find_string_row(f, str_sub(lit.text, at + 1, end), SHAPE_BACKEND, &row)) {
                add_string(f, row, &lit, C_EXACT, (struct py_context){0});
                return NULL;
            }
            i = end + 1;
        }
    }
    size_t cursor = 0;
    while (rules_find(f->rules, M_STRING, word, &cursor, &row)) {
        if (row.rule->shape == SHAPE_GATE || row.rule->shape == SHAPE_COMMAND) continue;
        if (!is_imported(f, row)) continue;
        bool prefix = str_is(tail, ":") && !lit.composed; /* device.startswith("cuda:") */
        if (row.rule->shape == SHAPE_DEVICE ? !prefix && !device_tail(tail, lit.composed)
                                            : tail.n || lit.composed)
            continue;
        enum certainty sure = py_string_context(f, row, &lit, &context);
        if (tail.n == 0 && lit.composed && lit.node == lit.string) { /* f"cuda{i}" */
            if (sure != C_EXACT || context.never || row.rule->shape != SHAPE_DEVICE) continue;
            context.doubt = "what is joined to it may make a device of it, or another name";
            add_string(f, row, &lit, C_UNKNOWN, context);
            return NULL;
        }
        bool begins =
            py_kind(f, py_parent(f, lit.node)) != PY_COMPARISON; /* startswith("cuda:") */
        if (prefix && (!context.compared || (sure != C_EXACT && !begins))) continue;
        if (context.never && context.key &&
            tail.n) { /* a tag in a checkpoint, a name in somebody's table */
            add_string(f, row, &lit, C_EXACT, context);
            struct py_match *m = &f->matches.v[f->matches.n - 1];
            m->verdict = V_SAME;
            m->message = S("the literal is a key of data");
            return NULL;
        }
        if (context.never) {
            why = context.never;
            continue;
        }
        if (row.rule->shape == SHAPE_DEVICE && tail.n && !context.doubt)
            sure = C_EXACT; /* cuda:0 can't be anything else */
        if (sure == C_EXACT && is_variable(row, lit.text)) {
            add_variable(f, row, &lit, sure, context);
            return NULL;
        }
        if (sure == C_EXACT || row.rule->shape != SHAPE_EXACT) {
            add_string(f, row, &lit, sure, context);
            return NULL;
        }
    }
    if (find_string_row(f, command_of(&lit), SHAPE_COMMAND, &row)) {
        enum certainty sure = py_string_context(f, row, &lit, &context);
        if (sure == C_EXACT && !context.never) add_string(f, row, &lit, sure, context);
        return NULL;
    }
    if (colon < lit.text.n && find_string_row(f, lit.text, SHAPE_EXACT, &row)) {
        enum certainty sure = py_string_context(f, row, &lit, &context);
        if (sure == C_EXACT && !context.never) add_string(f, row, &lit, sure, context);
    }
    return why;
}
