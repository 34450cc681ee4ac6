/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/notebook.h"

#include "test.h"

#include <unistd.h>

static struct arena a;
static struct cm_session *session;
static struct cm_workspace *workspace;

static struct str padded(const char *text) {
    char *p = arena_zalloc(&a, strlen(text) + 64);
    memcpy(p, text, strlen(text));
    return (struct str){p, strlen(text)};
}

static struct cm_result port(struct str json, const char *target) {
    struct cm_input in = {.name = S("n.ipynb"),
                          .bytes = json,
                          .language = CM_NOTEBOOK,
                          .target = cm_session_target(session, str_of(target))};
    struct cm_result r;
    cm_run_buffer(session, workspace, &in, &r);
    return r;
}

/* A notebook of one cell whose source is written as given. */
static struct str notebook_of(const char *source) {
    const char *format = "{\"cells\": [{\"cell_type\": \"code\", \"source\": %s}]}";
    char *text = arena_zalloc(&a, strlen(format) + strlen(source) + 64);
    sprintf(text, format, source);
    return str_of(text);
}

static void check_port(const char *target, const char *source, const char *want, int line) {
    struct cm_result r = port(notebook_of(source), target);
    if (!test_check(str_eq(r.output, notebook_of(want)), __FILE__, line, source))
        fprintf(stderr, "  got: %.*s\n", STR_ARG(r.output));
}

#define PORTS(source, want) check_port("ascend", source, want, __LINE__)
#define PORTS_TO_CPU(source, want) check_port("cpu", source, want, __LINE__)

/* ---- reading ---- */

static void check_json(const char *text, const char *error, size_t at, int line) {
    struct notebook nb;
    bool ok = notebook_read(&nb, &a, padded(text));
    if (!error)
        test_check(ok, __FILE__, line, text);
    else if (test_check(!ok && nb.error_at == at, __FILE__, line, text))
        CHECK_HAS(str_of(nb.error), error);
    else
        fprintf(stderr, "  byte %zu: %s\n", nb.error_at, nb.error ? nb.error : "no error");
}

#define GOOD(text) check_json(text, NULL, 0, __LINE__)
#define BAD(text, at, error) check_json(text, error, at, __LINE__)

static void test_json(void) {
    GOOD("{}");
    GOOD(" [ ] \n");
    GOOD("\xEF\xBB\xBF{\"a\": [1, -0.5e+7, true, false, null, \"\\u00e9\\/\", {}, [[]]]}\r\n");
    GOOD("[NaN, Infinity, -Infinity]");
    BAD("", 0, "a value is expected");
    BAD("{\"a\": 1", 7, "a comma or a closing bracket");
    BAD("{\"a\" 1}", 5, "a colon");
    BAD("{a: 1}", 1, "a string is expected");
    BAD("{\"a\": 1,}", 8, "a string is expected");
    BAD("[1,]", 3, "a value is expected");
    BAD("[1}", 2, "a comma or a closing bracket");
    BAD("[01]", 3, "malformed");
    BAD("[1.]", 3, "malformed");
    BAD("[1e]", 3, "malformed");
    BAD("[-]", 2, "a value is expected");
    BAD("[tru]", 1, "a value is expected");
    BAD("[\"a\nb\"]", 3, "control character");
    BAD("[\"\\x\"]", 3, "escape");
    BAD("[\"\\u12g4\"]", 4, "hex digits");
    BAD("[\"\\", 3, "escape");
    BAD("[\"a", 3, "does not end");
    BAD("[] []", 3, "more text");
    BAD("[\"\xff\"]", 2, "UTF-8");
}

static void test_depth(void) {
    enum { DEPTH = 200000 };
    char *deep = arena_zalloc(&a, 2 * DEPTH + 64);
    memset(deep, '[', DEPTH);
    struct notebook nb;
    CHECK(!notebook_read(&nb, &a, (struct str){deep, DEPTH}));
    memset(deep + DEPTH, ']', DEPTH);
    CHECK(notebook_read(&nb, &a, (struct str){deep, 2 * DEPTH}));
    CHECK(!nb.has_cells);
}

static void test_cells(void) {
    struct notebook nb;
    CHECK(notebook_read(
        &nb, &a,
        padded("{\"cells\": [{\"cell_type\": \"markdown\", \"source\": \"x\"},\n"
               " {\"source\": [\"a\\n\", \"\", \"\\\"\\u4e2d\\ud83d\\ude80\"],\n"
               "  \"cell_type\": \"code\"},\n"
               " {\"source\": \" \\n\", \"cell_type\": \"code\"}, 7,\n"
               " {\"source\": [3], \"cell_type\": \"code\"},\n"
               " {\"source\": \"b\", \"cell_type\": \"raw\", \"cell_type\": \"code\"},\n"
               " {\"source\": \"\\udc00\", \"cell_type\": \"code\"},\n"
               " {\"metadata\": {\"source\": \"no\", \"cell_type\": \"code\"}}]}")));
    if (!CHECK(nb.cells.n == 3)) return;
    CHECK_STR(nb.cells.v[0].text, "a\n\"\xE4\xB8\xAD\xF0\x9F\x9A\x80");
    CHECK_STR(nb.cells.v[0].separator, "\", \"");
    CHECK(nb.cells.v[0].number == 2 && !nb.cells.v[0].unreadable);
    CHECK_STR(nb.cells.v[1].text, "b");
    CHECK(nb.cells.v[1].number == 6 && !nb.cells.v[1].separator.p);
    CHECK(nb.cells.v[2].unreadable);
    CHECK(nb.ascii);
    CHECK_STR(notebook_text(&a, S("[")), "");
}

static void check_language(const char *metadata, const char *want) {
    struct notebook nb;
    struct str json = padded(arena_printf(&a, "{\"metadata\": %s, \"cells\": []}", metadata).p);
    CHECK(notebook_read(&nb, &a, json));
    CHECK_STR(nb.language, want);
}

static void test_language(void) {
    check_language("{}", "");
    check_language("7", "");
    check_language("{\"kernelspec\": {\"language\": \"python\"}}", "");
    check_language("{\"kernelspec\": {\"language\": \"julia\"}}", "julia");
    check_language("{\"language_info\": {\"name\": \"R\"}}", "R");
}

/* ---- magics ---- */

static void count_hidden(void *ctx, size_t start, size_t end) { *(size_t *)ctx += end - start; }

static void check_hides(const char *text, const char *want, size_t hidden, int line) {
    struct str copy = padded(text);
    size_t count = 0;
    notebook_hide_magics((char *)copy.p, copy.n, count_hidden, &count);
    if (!test_check(str_is(copy, want) && count == hidden, __FILE__, line, text))
        fprintf(stderr, "  got: \"%.*s\", %zu bytes hidden\n", STR_ARG(copy), count);
}

#define HIDES(text, want, n) check_hides(text, want, n, __LINE__)
#define KEEPS(text) check_hides(text, text, 0, __LINE__)

static void test_magics(void) {
    HIDES("%cd x\ny", "0    \ny", 5);
    HIDES("if a:\n  !ls\n  b", "if a:\n  0  \n  b", 3);
    HIDES("!a \\\n b\nc", "0   \n  \nc", 7);
    HIDES("!a\r\nb", "0 \r\nb", 3);
    HIDES("x = !ls -l\ny", "x = 0     \ny", 6);
    HIDES("a, b = %sql 1", "a, b = 0     ", 6);
    HIDES("?x", "0 ", 2);
    HIDES("x.y??", "0    ", 5);
    HIDES("f(1)\nx? \ny", "f(1)\n0  \ny", 3);
    KEEPS("x = (1\n% 2)");
    KEEPS("x = 1 \\\n  % 2");
    KEEPS("s = '''\n%x\n!y?\n'''");
    KEEPS("s = 'really?'  # yes?");
    KEEPS("a == b != c");
    KEEPS("x = y % 2");
    KEEPS("x = '\\'' \n");
    KEEPS("x = '\\");
    HIDES("%time f()", "0    ;f()", 0);
    HIDES("%timeit -n 10 -r3 -o f()", "0                   ;f()", 0);
    HIDES("%timeit", "0      ", 7);
    HIDES("%time --x f()", "0            ", 13);
    HIDES("%time x = f?", "0    ;0     ", 6);
}

static void test_cell_magics(void) {
    CHECK(notebook_cell_magic(S("x = 1\n%%time")) == NB_NONE);
    CHECK(notebook_cell_magic(S("%time x")) == NB_NONE);
    CHECK(notebook_cell_magic(S("\n%%time\nx")) == NB_PYTHON);
    CHECK(notebook_cell_magic(S("%%timeit -n 3\nx")) == NB_PYTHON);
    CHECK(notebook_cell_magic(S("%%timer\nx")) == NB_FOREIGN);
    CHECK(notebook_cell_magic(S("%%bash\nx")) == NB_FOREIGN);
    CHECK(notebook_cell_magic(S("%%")) == NB_FOREIGN);
}

/* ---- writing ---- */

static void test_edits(void) {
    PORTS("[\"import torch\\n\",\n   \"x.cuda()\"]",
          "[\"import torch\\n\",\n   \"import torch_npu\\n\",\n   \"x.npu()\"]");
    PORTS("[\n \"import torch;torch.zeros(1).cuda()\"\n]",
          "[\n \"import torch; import torch_npu;torch.zeros(1).npu()\"\n]");
    PORTS("\"import torch\\r\\nx.cuda()\"", "\"import torch\\r\\nimport torch_npu\\r\\nx.npu()\"");
    PORTS("[\"import torch\\nx.cuda()\"]", "[\"import torch\\n\",\"import torch_npu\\nx.npu()\"]");
    PORTS("[\"import torch\", \"\\n\", \"x\", \".cu\", \"da()\"]",
          "[\"import torch\", \"\\n\", \"import torch_npu\\n\", \"x\", \".npu()\"]");
    PORTS("\"import torch\\nx.\\u0063uda()\"", "\"import torch\\nimport torch_npu\\nx.npu()\"");
    PORTS("\"x.cuda() # \\u0063\\/\\u00e9\"",
          "\"import torch_npu\\nx.npu() # \\u0063\\/\\u00e9\"");
    PORTS("\"\\n  y = x.cuda()\\nz\"", "\"  import torch_npu\\n\\n  y = x.npu()\\nz\"");
    PORTS("\"import numpy\\n%time import torch\\nx.cuda()\"",
          "\"import numpy\\n%time import torch; import torch_npu\\nx.npu()\"");
}

/* On a CPU there is nothing to wait for. */
static void test_deleted_lines(void) {
    PORTS_TO_CPU("[\"torch.cuda.synchronize()\\n\", \"import a\\n\", \"b\"]",
                 "[\"import a\\n\", \"b\"]");
    PORTS_TO_CPU("[\"import a\\n\", \"torch.cuda.synchronize()\\n\", \"b\"]",
                 "[\"import a\\n\", \"b\"]");
    PORTS_TO_CPU("[\"import a\\n\", \"torch.cuda.synchronize()\\n\"]", "[\"import a\\n\"]");
    PORTS_TO_CPU("[\"import a\\n\", \"torch.cuda.synchronize()\"]", "[\"import a\"]");
    PORTS_TO_CPU("\"import a\\r\\ntorch.cuda.synchronize()\"", "\"import a\"");
    PORTS_TO_CPU("\"import a\\ntorch.cuda.synchronize()\\ntorch.cuda.synchronize()\"",
                 "\"import a\\n\"");
    const char *before = "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\"import a\"]}, "
                         "{\"cell_type\": \"code\", \"source\": [\"";
    const char *in = arena_printf(&a, "%s%s\"]}]}", before, "torch.cuda.synchronize()").p;
    CHECK_STR(port(padded(in), "cpu").output, arena_printf(&a, "%s\"]}]}", before).p);
}

static void test_escape(void) {
    struct notebook nb = {.ascii = true};
    struct nb_cell cell = {.separator = S("\",\n\"")};
    struct str text = S("\"\\\t\x01\r\n\xC3\xA9\xF0\x9F\x9A\x80/\n");
    CHECK_STR(notebook_escape(&a, &nb, &cell, text, true),
              "\\\"\\\\\\t\\u0001\\n\",\n\"\\u00e9\\ud83d\\ude80/\\n");
    nb.ascii = false;
    cell.separator.p = NULL;
    cell.crlf = true;
    CHECK_STR(notebook_escape(&a, &nb, &cell, text, false),
              "\\\"\\\\\\t\\u0001\\r\\n\xC3\xA9\xF0\x9F\x9A\x80/\\r\\n");
}

static void test_places(void) {
    struct str json = padded("{\"cells\": [\n"
                             "{\"cell_type\": \"code\", \"source\": \"import torch\"},\n"
                             "{\"cell_type\": \"code\", \"source\": "
                             "[\"%%time\\n\", \"s = '\\u4e2d\\\"'; x.cuda()\"]}]}");
    struct cm_result r = port(json, "ascend");
    if (!CHECK(r.n_findings == 1 && r.n_notes == 0)) return;
    const struct cm_finding *f = &r.findings[0];
    CHECK(f->cell == 2 && f->line == 2 && f->column == 13 && f->end_column == 17);
    CHECK_STR(str_sub(json, f->start, f->end), "cuda");
    CHECK(r.counts[CM_PORTED] == 1 && r.changed);
}

static void test_refusals(void) {
    struct cm_result r = port(padded("{\"cells\": [\n,]}"), "ascend");
    CHECK(r.n_notes == 1 && r.notes[0].fatal && r.notes[0].line == 2 && r.notes[0].column == 1);
    CHECK(!r.changed);
    r = port(padded("[1]"), "ascend");
    CHECK(r.n_notes == 1 && !r.notes[0].fatal && !r.changed);
    r = port(padded(""), "ascend");
    CHECK(r.n_notes == 0 && !r.changed);
    r = port(notebook_of("\"x = 1\""), "ascend");
    CHECK(r.n_notes == 0 && r.skipped && !r.changed);
    r = port(notebook_of("\"class ( :\""), "ascend");
    CHECK(r.n_notes == 0 && !r.changed); /* nothing to port, nothing to tell */
}

static void test_facts(void) {
    struct cm_project_facts *facts = cm_facts_new(&a);
    const char *source = "[\"class Net:\\n\", \"    def cuda(self):\\n\", \"        pass\"]";
    struct str told = cm_facts_of(session, facts->a, CM_NOTEBOOK, S("a.ipynb"), notebook_of(source));
    cm_facts_add(facts, CM_NOTEBOOK, S("a.ipynb"), told);
    if (!CHECK(facts->python.own_cuda_classes.n == 1)) return;
    CHECK_STR(facts->python.own_cuda_classes.v[0].name, "Net");
}

/* ---- what Python's json says ---- */

static const char script[] =
    "import json, sys\n"
    "old, new = (json.load(open(p, encoding='utf-8')) for p in sys.argv[1:])\n"
    "assert old != new\n"
    "for nb in old, new:\n"
    "    for cell in nb['cells']:\n"
    "        if cell['cell_type'] != 'code': continue\n"
    "        source = cell.pop('source')\n"
    "        if isinstance(source, list):\n"
    "            assert source == ''.join(source).splitlines(True)\n"
    "            source = ''.join(source)\n"
    "        compile(source, 'cell', 'exec')\n"
    "assert old == new\n";

static void write_file(const char *path, struct str text) {
    FILE *f = fopen(path, "wb");
    if (!CHECK(f != NULL)) exit(1);
    fwrite(text.p, 1, text.n, f);
    fclose(f);
}

static void test_python(void) {
    struct str json =
        padded("{\"cells\": [\n {\"cell_type\": \"markdown\", \"source\": [\"`x.cuda()`\"]},\n"
               " {\"cell_type\": \"code\", \"outputs\": [{\"text\": [\"cuda:0\", NaN]}],\n"
               "  \"source\": [\n   \"import torch\\n\",\n   \"d = f\\\"cuda:{1}\\\"\\n\",\n"
               "   \"x = torch.zeros(1, device=d)\"]},\n"
               " {\"cell_type\": \"code\",\n"
               "  \"source\": \"y = x.cuda()\\nprint('\\ud83d\\ude80\\u00e9')\"},\n"
               " {\"cell_type\": \"code\", \"source\": [\"with torch.cuda.amp.autocast(\\n\",\n"
               "  \"    enabled=True,\\n\", \"    dtype=None):\\n\",\n"
               "  \"  torch.cuda.synchronize()\"]}]}\n");
    char directory[] = "/tmp/cuda-morph-notebook-XXXXXX";
    if (system("python3 -c '' >/dev/null 2>&1") != 0 || !CHECK(mkdtemp(directory) != NULL)) return;
    const char *check = arena_printf(&a, "%s/check.py", directory).p;
    const char *old = arena_printf(&a, "%s/old", directory).p;
    const char *new = arena_printf(&a, "%s/new", directory).p;
    write_file(check, str_of(script));
    write_file(old, json);
    for (size_t i = 0; i < cm_session_n_targets(session); i++) {
        struct str name = cm_target_name(cm_session_target_at(session, i));
        const char *target = arena_strdup(&a, name);
        struct str output = arena_str(&a, port(json, target).output);
        if (str_eq(output, json)) continue;
        write_file(new, output);
        bool ok = system(arena_printf(&a, "python3 %s %s %s", check, old, new).p) == 0;
        if (!CHECK(ok)) fprintf(stderr, "  for %s\n", target);
        CHECK(!port(padded(output.p), target).changed);
    }
    unlink(check), unlink(old), unlink(new), rmdir(directory);
}

int main(void) {
    struct str error;
    arena_init(&a, 0);
    struct cm_options options = {0};
    session = cm_session_new(&a, &options, &error);
    workspace = cm_workspace_new();
    if (!CHECK(session && workspace)) return 1;
    test_json();
    test_depth();
    test_cells();
    test_language();
    test_magics();
    test_cell_magics();
    test_edits();
    test_deleted_lines();
    test_escape();
    test_places();
    test_refusals();
    test_facts();
    test_python();
    cm_workspace_free(workspace);
    arena_free(&a);
    return test_end("notebook");
}
