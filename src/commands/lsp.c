/* SPDX-License-Identifier: Apache-2.0 */
/* lsp.c - `cuda-morph lsp`: a language server over standard input and output. */
#include "commands/lsp.h"

#include <stdlib.h>
#include <time.h>

enum {
    PAUSE_MS = 150, /* of typing, before diagnostics */
    PARSE_ERROR = -32700,
    INVALID_REQUEST = -32600,
    UNKNOWN_METHOD = -32601,
    INVALID_PARAMS = -32602,
    NOT_INITIALIZED = -32002,
    CANCELLED = -32800
};

/* A message that is being answered. */
struct call {
    struct lsp *lsp;
    const struct cJSON *id, *params;
    struct buf result; /* empty: it was no request, or failed */
    int error;
    struct str why;
};

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- reading parameters ---- */

static struct str text_of(const struct cJSON *object, const char *key) {
    struct json j = {0};
    const struct cJSON *v = json_get(object, key);
    return json_type(v) == JSON_STRING ? json_str(&j, v) : S("");
}

static uint32_t number_of(const struct cJSON *object, const char *key) {
    struct json j = {0};
    const struct cJSON *v = json_get(object, key);
    double n = json_type(v) == JSON_NUMBER ? json_number(&j, v) : 0;
    return n > 0 && n < UINT32_MAX ? (uint32_t)n : 0;
}

static struct lsp_position position_of(const struct cJSON *v) {
    return (struct lsp_position){number_of(v, "line"), number_of(v, "character")};
}

/* The document that the parameters name; NULL, with an error, where it is not open. */
static struct lsp_document *document_of(struct call *c) {
    struct str uri = text_of(json_get(c->params, "textDocument"), "uri");
    struct lsp_document *d = lsp_document(c->lsp, uri);
    if (d) return d;
    c->error = INVALID_PARAMS;
    c->why = S("the document is not open");
    return NULL;
}

/* ---- what the server says by itself ---- */

static void publish(struct lsp *lsp, struct lsp_document *d) {
    struct arena a;
    struct buf b;
    arena_init(&a, 0);
    a.escape = lsp->cli->a->escape;
    buf_init(&b, &a);
    buf_addz(&b, "{\"jsonrpc\": \"2.0\", \"method\": \"textDocument/publishDiagnostics\", "
                 "\"params\": {\"uri\": ");
    add_json_text(&b, d->uri);
    buf_printf(&b, ", \"version\": %lld, \"diagnostics\": ", (long long)d->version);
    lsp_add_diagnostics(lsp, &b, d);
    buf_addz(&b, "}}");
    lsp_send(lsp->cli, buf_str(&b));
    d->due = 0;
    arena_free(&a);
}

/* Everything is to be looked at again. */
static void forget(struct lsp *lsp) {
    if (!lsp_read_settings(lsp)) cli_error(lsp->cli, "lsp: the rules or settings cannot be read");
    for (struct lsp_document *d = lsp->documents; d; d = d->next) {
        d->is_known = false;
        d->due = now_ms();
    }
}

/* Milliseconds until the next diagnostics are due; -1: none are. */
static int next_due(const struct lsp *lsp) {
    int64_t wait = -1, now = now_ms();
    for (const struct lsp_document *d = lsp->documents; d; d = d->next) {
        int64_t left = d->due - now > 0 ? d->due - now : 0;
        if (d->due && (wait < 0 || left < wait)) wait = left;
    }
    return (int)wait;
}

static void publish_due(struct lsp *lsp) {
    for (struct lsp_document *d = lsp->documents; d; d = d->next)
        if (d->due && d->due <= now_ms()) publish(lsp, d);
}

/* ---- settings of the client ---- */

/* {"target": ["rocm"] or "rocm", "unsafe-fixes": true}, as initializationOptions, or below
 * "cuda-morph" in what workspace/didChangeConfiguration brings. */
static void take_settings(struct lsp *lsp, const struct cJSON *settings) {
    struct json j = {0};
    const struct cJSON *own = json_get(settings, "cuda-morph");
    if (json_type(own) == JSON_OBJECT) settings = own;
    const struct cJSON *target = json_get(settings, "target");
    const struct cJSON *unsafe = json_get(settings, "unsafe-fixes");
    struct buf b;
    buf_init(&b, lsp->cli->a);
    if (json_type(target) == JSON_STRING) buf_add(&b, json_str(&j, target));
    json_each(one, json_type(target) == JSON_ARRAY ? target : NULL) {
        if (b.n) buf_addc(&b, ',');
        if (json_type(one) == JSON_STRING) buf_add(&b, json_str(&j, one));
    }
    if (target) lsp->target = b.n ? arena_str(lsp->cli->a, buf_str(&b)) : S("");
    if (json_type(unsafe) == JSON_BOOL) lsp->unsafe_fixes = json_bool(&j, unsafe);
}

/* ---- notifications ---- */

static void did_open(struct call *c) {
    const struct cJSON *v = json_get(c->params, "textDocument");
    struct lsp_document *d = lsp_open(c->lsp, text_of(v, "uri"), text_of(v, "text"));
    d->version = number_of(v, "version");
    d->due = now_ms();
}

static void did_change(struct call *c) {
    struct lsp_document *d = document_of(c);
    if (!d) return;
    d->version = number_of(json_get(c->params, "textDocument"), "version");
    json_each(change, json_get(c->params, "contentChanges")) {
        const struct cJSON *range = json_get(change, "range");
        size_t start = 0, end = d->text.n;
        if (json_type(range) == JSON_OBJECT) {
            start = lsp_byte_of(c->lsp, d, position_of(json_get(range, "start")));
            end = lsp_byte_of(c->lsp, d, position_of(json_get(range, "end")));
        }
        if (end < start) end = start;
        lsp_change(d, start, end, text_of(change, "text"));
    }
    d->due = now_ms() + PAUSE_MS;
}

static void did_save(struct call *c) {
    struct lsp_document *d = document_of(c);
    if (d && d->is_config) forget(c->lsp);
}

static void did_close(struct call *c) {
    struct lsp_document *d = document_of(c);
    struct buf b;
    if (!d) return;
    buf_init(&b, &d->a);
    buf_addz(&b, "{\"jsonrpc\": \"2.0\", \"method\": \"textDocument/publishDiagnostics\", "
                 "\"params\": {\"uri\": ");
    add_json_text(&b, d->uri);
    buf_addz(&b, ", \"diagnostics\": []}}");
    lsp_send(c->lsp->cli, buf_str(&b));
    lsp_close(c->lsp, d);
}

static void did_change_settings(struct call *c) {
    take_settings(c->lsp, json_get(c->params, "settings"));
    forget(c->lsp);
}

static void did_change_files(struct call *c) { forget(c->lsp); }

static void nothing(struct call *c) { (void)c; }

static void do_exit(struct call *c) { c->lsp->exits = true; }

/* ---- requests ---- */

static void do_initialize(struct call *c) {
    struct json j = {0};
    bool utf8 = false;
    const struct cJSON *general = json_get(json_get(c->params, "capabilities"), "general");
    json_each(e, json_get(general, "positionEncodings")) utf8 |=
        json_type(e) == JSON_STRING && str_is(json_str(&j, e), "utf-8");
    c->lsp->utf8 = utf8;
    const struct cJSON *published = json_get(
        json_get(json_get(c->params, "capabilities"), "textDocument"), "publishDiagnostics");
    const struct cJSON *relates = json_get(published, "relatedInformation");
    c->lsp->relates = json_type(relates) == JSON_BOOL && json_bool(&j, relates);
    take_settings(c->lsp, json_get(c->params, "initializationOptions"));
    if (!lsp_read_settings(c->lsp)) {
        c->error = INVALID_PARAMS;
        c->why = S("the rules or settings cannot be read; standard error has the reason");
        return;
    }
    c->lsp->initialized = true;
    buf_printf(&c->result,
               "{\"capabilities\": {\"positionEncoding\": \"%s\", \"textDocumentSync\": "
               "{\"openClose\": true, \"change\": 2, \"save\": true}, \"hoverProvider\": true, "
               "\"codeLensProvider\": {}, \"codeActionProvider\": {\"codeActionKinds\": "
               "[\"quickfix\", \"source.fixAll.cuda-morph\"]}, \"completionProvider\": "
               "{\"triggerCharacters\": [\"[\", \",\", \"\\\"\", \"/\"]}, \"workspace\": "
               "{\"workspaceFolders\": {\"supported\": true, \"changeNotifications\": true}}}, "
               "\"serverInfo\": {\"name\": \"cuda-morph\", \"version\": \"" CM_VERSION "\"}}",
               utf8 ? "utf-8" : "utf-16");
}

/* Asks to be told of configuration files that change outside of the editor. */
static void did_initialize(struct call *c) {
    lsp_send(c->lsp->cli,
             S("{\"jsonrpc\": \"2.0\", \"id\": \"cuda-morph-watch\", \"method\": "
               "\"client/registerCapability\", \"params\": {\"registrations\": [{\"id\": "
               "\"configuration\", \"method\": \"workspace/didChangeWatchedFiles\", "
               "\"registerOptions\": {\"watchers\": [{\"globPattern\": "
               "\"**/{cuda-morph.toml,.cuda-morph.toml,pyproject.toml}\"}]}}]}}"));
}

static void do_shutdown(struct call *c) {
    c->lsp->shut_down = true;
    buf_addz(&c->result, "null");
}

static void do_hover(struct call *c) {
    struct lsp_document *d = document_of(c);
    if (!d) return;
    size_t at = lsp_byte_of(c->lsp, d, position_of(json_get(c->params, "position")));
    lsp_hover(c->lsp, &c->result, d, at);
}

static void do_completion(struct call *c) {
    struct lsp_document *d = document_of(c);
    if (!d) return;
    size_t at = lsp_byte_of(c->lsp, d, position_of(json_get(c->params, "position")));
    lsp_completion(c->lsp, &c->result, d, at);
}

static void do_code_lens(struct call *c) {
    struct lsp_document *d = document_of(c);
    if (d) lsp_code_lenses(c->lsp, &c->result, d);
}

static void do_code_action(struct call *c) {
    struct lsp_document *d = document_of(c);
    const struct cJSON *range = json_get(c->params, "range");
    if (!d) return;
    size_t start = lsp_byte_of(c->lsp, d, position_of(json_get(range, "start")));
    size_t end = lsp_byte_of(c->lsp, d, position_of(json_get(range, "end")));
    lsp_code_actions(c->lsp, &c->result, d, start, end,
                     json_get(json_get(c->params, "context"), "only"));
}

static const struct {
    const char *name;
    void (*work)(struct call *c);
    bool is_request;
} methods[] = {
    {"initialize", do_initialize, true},
    {"shutdown", do_shutdown, true},
    {"textDocument/hover", do_hover, true},
    {"textDocument/completion", do_completion, true},
    {"textDocument/codeLens", do_code_lens, true},
    {"textDocument/codeAction", do_code_action, true},
    {"initialized", did_initialize, false},
    {"exit", do_exit, false},
    {"textDocument/didOpen", did_open, false},
    {"textDocument/didChange", did_change, false},
    {"textDocument/didSave", did_save, false},
    {"textDocument/didClose", did_close, false},
    {"workspace/didChangeConfiguration", did_change_settings, false},
    {"workspace/didChangeWatchedFiles", did_change_files, false},
    {"workspace/didChangeWorkspaceFolders", nothing, false},
    {"$/cancelRequest", nothing, false},
};

/* ---- one message ---- */

static void add_id(struct buf *b, const struct cJSON *id) {
    struct json j = {0};
    if (json_type(id) == JSON_STRING)
        add_json_text(b, json_str(&j, id));
    else if (json_type(id) == JSON_NUMBER)
        buf_printf(b, "%.0f", json_number(&j, id));
    else
        buf_addz(b, "null");
}

static void answer(struct call *c) {
    struct buf b;
    buf_init(&b, c->result.a);
    buf_addz(&b, "{\"jsonrpc\": \"2.0\", \"id\": ");
    add_id(&b, c->id);
    if (c->error || !c->result.n) {
        buf_printf(&b, ", \"error\": {\"code\": %d, \"message\": ",
                   c->error ? c->error : INVALID_REQUEST);
        add_json_text(&b, c->why.n ? c->why : S("the request cannot be answered"));
        buf_addz(&b, "}}");
    } else {
        buf_addz(&b, ", \"result\": ");
        buf_add(&b, buf_str(&c->result));
        buf_addc(&b, '}');
    }
    lsp_send(c->lsp->cli, buf_str(&b));
}

/* Why a request is refused before it is looked at; 0: it is not. */
static int refusal(const struct call *c, struct str method, struct str *why) {
    if (!c->lsp->initialized && !str_is(method, "initialize")) {
        *why = S("the first request has to be initialize");
        return NOT_INITIALIZED;
    }
    if (c->lsp->shut_down) {
        *why = S("the server was shut down");
        return INVALID_REQUEST;
    }
    if (!lsp_is_cancelled(&c->lsp->rpc, c->id)) return 0;
    *why = S("the client cancelled the request");
    return CANCELLED;
}

static void handle(struct lsp *lsp, struct lsp_message *m) {
    struct json j = {0};
    const struct cJSON *root = m->json.root, *method = json_get(root, "method");
    struct call c = {.lsp = lsp, .id = json_get(root, "id"), .params = json_get(root, "params")};
    if (json_type(method) != JSON_STRING) return; /* an answer to what we asked */
    struct str name = json_str(&j, method);
    size_t i = 0;
    while (i < ARRAY_LEN(methods) && !str_is(name, methods[i].name)) i++;
    buf_init(&c.result, &m->a);
    if (c.id) {
        c.error = refusal(&c, name, &c.why);
        if (!c.error && (i == ARRAY_LEN(methods) || !methods[i].is_request)) {
            c.error = UNKNOWN_METHOD;
            c.why = arena_printf(&m->a, "the server has no method %.*s", STR_ARG(name));
        }
        if (!c.error) methods[i].work(&c);
        answer(&c);
        return;
    }
    bool is_ready = lsp->initialized || str_is(name, "exit");
    if (is_ready && i < ARRAY_LEN(methods) && !methods[i].is_request) methods[i].work(&c);
}

int command_lsp(struct cli *cli) {
    struct lsp *lsp = NEW(cli->a, struct lsp);
    *lsp = (struct lsp){.cli = cli, .workspace = cm_workspace_new()};
    if (!lsp->workspace) return cli_error(cli, "out of memory");
    if (cli->operands.n) return cli_error(cli, "lsp takes no paths: an editor starts it");
    arena_init(&lsp->a, 0);
    while (!lsp->exits && !cli->out->error) {
        struct lsp_message *m;
        lsp_receive(&lsp->rpc, cli, lsp->rpc.first ? 0 : next_due(lsp));
        if (!(m = lsp_next(&lsp->rpc))) {
            if (lsp->rpc.ended) break;
            publish_due(lsp);
            continue;
        }
        handle(lsp, m);
        lsp_free(m);
    }
    while (lsp->documents) lsp_close(lsp, lsp->documents);
    cm_workspace_free(lsp->workspace);
    arena_free(&lsp->a);
    if (lsp->rpc.error)
        return cli_error(cli, "standard input cannot be read: %s", strerror(lsp->rpc.error));
    return lsp->shut_down ? STATUS_DONE : STATUS_FINDINGS;
}
