/* SPDX-License-Identifier: Apache-2.0 */
/* lsp_rpc.c - JSON-RPC over standard input and output: a header with the length, an empty line, a
 * JSON object. What is no JSON is told on standard error and passed over. */
#include "commands/lsp.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

enum { MAX_HEADER = 4096 };

static void keep_message(struct lsp_rpc *rpc, struct cli *cli, struct str text) {
    struct lsp_message *m = calloc(1, sizeof *m);
    if (!m) return;
    arena_init(&m->a, 0);
    m->a.escape = cli->a->escape;
    if (!json_parse(&m->json, &m->a, S("message"), text)) {
        cli_error(cli, "lsp: %.*s", STR_ARG(m->json.error));
        lsp_free(m);
        return;
    }
    if (rpc->last)
        rpc->last->next = m;
    else
        rpc->first = m;
    rpc->last = m;
}

/* Content-Length of a header, or -1. */
static long long content_length(struct str header) {
    static const char name[] = "content-length:";
    for (size_t at = 0; at < header.n;) {
        size_t end = str_find(header, S("\r\n"), at), i = 0;
        for (; i < sizeof name - 1 && at + i < end; i++)
            if ((header.p[at + i] | 32) != (name[i] | 32)) break;
        if (i == sizeof name - 1) return strtoll(header.p + at + i, NULL, 10);
        at = end + 2;
    }
    return -1;
}

/* Takes one whole message off the input; false: there is none. */
static bool take_message(struct lsp_rpc *rpc, struct cli *cli) {
    struct str rest =
        str_sub(rpc->input.n ? buf_str(&rpc->input) : S(""), rpc->read, rpc->input.n);
    size_t head = str_find(rest, S("\r\n\r\n"), 0);
    if (head == rest.n) {
        if (rest.n > MAX_HEADER) rpc->ended = true; /* this is no client */
        return false;
    }
    long long length = content_length(str_sub(rest, 0, head));
    if (length < 0 || length > JSON_MAX_SIZE) {
        cli_error(cli, "lsp: a message has no length, or is too long");
        rpc->ended = true;
        return false;
    }
    if (rest.n - head - 4 < (size_t)length) return false;
    keep_message(rpc, cli, str_sub(rest, head + 4, head + 4 + (size_t)length));
    rpc->read += head + 4 + (size_t)length;
    return true;
}

/* The bytes that are not taken move to the front. */
static void compact(struct lsp_rpc *rpc) {
    if (!rpc->read) return;
    memmove(rpc->input.p, rpc->input.p + rpc->read, rpc->input.n - rpc->read);
    rpc->input.n -= rpc->read;
    rpc->read = 0;
}

void lsp_receive(struct lsp_rpc *rpc, struct cli *cli, int milliseconds) {
    static char bytes[65536];
    if (!rpc->input.a) buf_init(&rpc->input, cli->a);
    struct pollfd fd = {.fd = STDIN_FILENO, .events = POLLIN};
    while (!rpc->ended && poll(&fd, 1, milliseconds) > 0) {
        ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            rpc->ended = true;
            rpc->error = n < 0 ? errno : 0;
            break;
        }
        buf_add(&rpc->input, (struct str){bytes, (size_t)n});
        while (take_message(rpc, cli)) milliseconds = 0;
        compact(rpc);
    }
}

struct lsp_message *lsp_next(struct lsp_rpc *rpc) {
    struct lsp_message *m = rpc->first;
    if (!m) return NULL;
    rpc->first = m->next;
    if (!rpc->first) rpc->last = NULL;
    return m;
}

void lsp_free(struct lsp_message *m) {
    json_free(&m->json);
    arena_free(&m->a);
    free(m);
}

void lsp_send(struct cli *cli, struct str text) {
    stream_printf(cli->out, "Content-Length: %zu\r\n\r\n", text.n);
    stream_add(cli->out, text);
    stream_flush(cli->out);
}

static bool same_id(const struct cJSON *x, const struct cJSON *y) {
    struct json j = {0};
    if (json_type(x) != json_type(y)) return false;
    if (json_type(x) == JSON_NUMBER) return json_number(&j, x) == json_number(&j, y);
    return json_type(x) == JSON_STRING && str_eq(json_str(&j, x), json_str(&j, y));
}

bool lsp_is_cancelled(const struct lsp_rpc *rpc, const struct cJSON *id) {
    struct json j = {0};
    for (const struct lsp_message *m = rpc->first; m; m = m->next) {
        const struct cJSON *method = json_get(m->json.root, "method");
        if (json_type(method) != JSON_STRING || !str_is(json_str(&j, method), "$/cancelRequest"))
            continue;
        if (same_id(json_get(json_get(m->json.root, "params"), "id"), id)) return true;
    }
    return false;
}
