/* SPDX-License-Identifier: Apache-2.0 */
/* test_words.c - what the rules know stands in no C source: names of targets, of CUDA and of
 * Python's modules in the string literals of src/. The words are those of the rules themselves, so
 * a new row or target is watched from its first day.
 *
 * A literal that is one word is held against all of them. In longer text only words count that no
 * sentence holds by chance: with an underscore, a digit or a capital inside. A name that a pass
 * has to know by itself stands once, in src/cuda/words.h or in src/python/py.h, with a reason. */
#include "rules/rules.h"

#include <dirent.h>
#include <string.h>

#include "base/file.h"
#include "test.h"

static struct arena a;
static struct rules rules;

/* Files whose business such words are, and words that mean something else there. */
static const struct {
    const char *file, *word, *why;
} exceptions[] = {
    {"src/cuda/words.h", "*", "the names that passes over C++ know one by one"},
    {"src/python/py.h", "*", "the names that stages of Python know one by one"},
    {"src/python/py_kinds.def", "*", "the grammar's names for nodes"},
    {"*", "cuda", "the languages of rules and of files are called so"},
    {"src/nvcc/actions.def", "host", "the host's compiler: a word of the table of options"},
    {"src/diag/machine.c", "cpu", "a key of the machine's fingerprint"},
    {"src/diag/probes_load.c", "any", "a key of the files about probes"},
    {"src/rules/cuda.c", "*", "words of C++ that no sequence is found by"},
    {"src/rules/index.c", "torch", "attributes count in files that mention it"},
    {"src/rules/domains.c", "host", "a key of rules: the host's part of a program"},
    {"src/rules/domains.c", "cudaMalloc", "an example in a message about rules"},
    {"src/commands/inputs.c", "all", "--target all"},
    {"src/commands/sanitize.c", "all", "all of the runtime's checks"},
    {"src/commands/rule_sets.c", "all", "--target all"},
    {"src/commands/doctor.c", "accelerator", "what a finding is about, in the report"},
    {"src/commands/doctor.c", "torch", "the Python package that is looked for"},
    {"src/diag/versions.c", "torch", "a key of the tables of versions"},
    {"src/diag/quant.c", "ascend", "a method of quantization, as msmodelslim names it"},
    {"src/python/literal.c", "accelerator", "a role of a variable"},
    {"src/python/literal.c", "pop", "a method of Python's dict"},
    {"*", "asm", "C++'s own"},
    {"*", "__asm__", "GNU C++'s own"},
    {"src/kernels/*", "__managed__", "in a list of words that are no types"},
    {"src/kernels/*", "atomic", "how the names of atomic functions begin"},
    {"src/lanes/*", "size", "a method's name among others of its group"},
    {"src/python/*", "__all__", "Python's own"},
    {"src/python/words.c", "cudnn", "a part of torch.backends"},
    {"src/diag/quant.c", "bitsandbytes", "a method of quantization"},
    {"src/kernels/*", "sync", "a method's name among others of its group"},
    {"src/kernels/*", "Sum", "a method of BlockReduce"},
    {"src/kernels/*", "Reduce", "a method of BlockReduce"},
};

static bool is_excepted(const char *file, struct str word) {
    for (size_t i = 0; i < ARRAY_LEN(exceptions); i++)
        if (str_like(str_of(file), str_of(exceptions[i].file)) &&
            str_like(word, str_of(exceptions[i].word)))
            return true;
    return false;
}

/* ---- the words ---- */

static bool is_target(struct str word) {
    struct target_ref t;
    return rules_target(&rules, word, &t);
}

/* The name of a rule about C++, or a name of CUDA's on a list: not what C++ itself says. */
static bool is_cuda(struct str word) {
    static const char *const lists[] = {
        "cuda.barriers",  "cuda.may_block",    "cuda.may_spin",      "cuda.atomics",
        "cuda.shuffles",  "cuda.votes",        "cuda.group_queries", "cuda.group_namespaces",
        "cuda.cub_types", "cuda.tile_methods", "cuda.thread_groups"};
    struct row_ref row;
    size_t cursor = 0;
    if (rules_find(&rules, M_SYMBOL, word, &cursor, &row)) return true;
    for (size_t i = 0; i < ARRAY_LEN(lists); i++)
        if (rules_lists(&rules, lists[i], word)) return true;
    return false;
}

/* A module of Python's that rules are about. */
static bool is_module(struct str word) {
    struct row_ref row;
    size_t cursor = 0, names = 0;
    return rules_find(&rules, M_MODULE, word, &cursor, &row) ||
           rules_find(&rules, M_NAME, word, &names, &row) || str_is(word, "torch");
}

/* ---- string literals ---- */

static bool is_distinctive(struct str word) {
    for (size_t i = 0; i < word.n; i++) {
        bool capital = i && word.p[i] >= 'A' && word.p[i] <= 'Z' && word.p[i - 1] >= 'a';
        if (capital || word.p[i] == '_' || (word.p[i] >= '0' && word.p[i] <= '9')) return true;
    }
    return false;
}

static void check_literal(const char *file, size_t line, struct str literal) {
    for (size_t i = 0; i < literal.n;) {
        size_t start = i;
        while (i < literal.n && is_word_char(literal.p[i])) i++;
        struct str word = str_sub(literal, start, i);
        bool whole = word.n && word.n == literal.n;
        bool root =
            word.n && start == 0 && i < literal.n && literal.p[i] == '.' && i + 1 == literal.n;
        bool bad = (whole && is_target(word)) || ((whole || root) && is_module(word)) ||
                   ((whole || (word.n && is_distinctive(word))) && is_cuda(word));
        if (bad && !is_excepted(file, word))
            test_check(false, file, (int)line,
                       arena_printf(&a,
                                    "\"%.*s\" says %.*s, which the rules know: ask them, or "
                                    "give it a name in words.h or py.h%c",
                                    STR_ARG(literal), STR_ARG(word), 0)
                           .p);
        if (i == start) i++;
    }
}

/* Behind a comment, a character or an #include at i; i where there is none. */
static size_t skip_other(struct str t, size_t i) {
    if (str_starts(str_sub(t, i, t.n), S("/*"))) return str_find(t, S("*/"), i + 2) + 2;
    if (str_starts(str_sub(t, i, t.n), S("#include"))) return str_find(t, S("\n"), i);
    if (t.p[i] == '\'') return i + (t.p[i + 1] == '\\' ? 4 : 3);
    return i;
}

static void check_file(const char *file) {
    struct str t, error;
    size_t line = 1, counted = 0;
    if (!CHECK(file_read(&a, file, 1 << 22, &t, NULL, &error))) return;
    for (size_t i = 0; i < t.n;) {
        size_t other = skip_other(t, i), end = i + 1;
        if (other > i || t.p[i] != '"') {
            i = other > i ? other : i + 1;
            continue;
        }
        while (end < t.n && t.p[end] != '"') end += t.p[end] == '\\' ? 2 : 1;
        for (; counted < i; counted++) line += t.p[counted] == '\n';
        check_literal(file, line, str_sub(t, i + 1, end));
        i = end + 1;
    }
    CHECK(t.n > 0);
}

static void check_folder(const char *folder) {
    DIR *dir = opendir(folder);
    if (!CHECK(dir)) return;
    for (struct dirent *e; (e = readdir(dir)) != NULL;) {
        struct str name = str_of(e->d_name);
        const char *path = arena_printf(&a, "%s/%s%c", folder, e->d_name, 0).p;
        if (e->d_name[0] == '.') continue;
        if (str_ends(name, S(".c")) || str_ends(name, S(".h")) || str_ends(name, S(".def")))
            check_file(path);
        else if (!strchr(e->d_name, '.'))
            check_folder(path);
    }
    closedir(dir);
}

int main(void) {
    arena_init(&a, 0);
    rules.n = 1;
    if (!CHECK(ruleset_open(cm_rules_blob, cm_rules_blob_size, &rules.set[0])))
        return test_end("words");
    /* The words are there, so that the scan means something. */
    CHECK(is_target(S("ascend")) && is_cuda(S("threadIdx")) && is_cuda(S("__shfl_xor_sync")));
    CHECK(is_module(S("torch")) && !is_target(S("file")) && !is_cuda(S("file")));
    check_folder("src");
    arena_free(&a);
    return test_end("words");
}
