/* SPDX-License-Identifier: Apache-2.0 */
/* The exported functions of libcudamorph.so, linked as they are. */
#include "capi/capi.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

static char error[200];

static struct cm_py_porter *porter_for(const char *target) {
    return cm_py_open(target, NULL, NULL, 0, error, sizeof error);
}

static struct cm_py_result port(struct cm_py_porter *p, const char *text) {
    struct cm_py_result r;
    cm_py_port(p, "x.py", text, strlen(text), &r);
    return r;
}

static void test_open(void) {
    CHECK(cm_py_abi() == CM_PY_ABI);
    CHECK(cm_py_version()[0] >= '0');
    struct cm_py_porter *p = porter_for("huawei");
    if (!CHECK(p != NULL)) return;
    CHECK_STR(str_of(cm_py_target(p)), "ascend");
    CHECK_STR(str_of(cm_py_fact(p, "import")), "torch_npu");
    CHECK(cm_py_fact(p, "nothing") == NULL);
    struct cm_py_porter *other = porter_for("xpu");
    CHECK(other && cm_py_rules_hash(other) == cm_py_rules_hash(p));
    cm_py_close(other);
    cm_py_close(p);
    cm_py_close(NULL);
}

static void test_errors(void) {
    CHECK(porter_for("nothing") == NULL);
    CHECK_HAS(str_of(error), "there is no target 'nothing'");
    const char *const rules[] = {"/nothing/rules.json", NULL};
    CHECK(cm_py_open("cpu", rules, NULL, 0, error, sizeof error) == NULL);
    CHECK_HAS(str_of(error), "/nothing/rules.json");
    const char *const versions[] = {"rocm", NULL};
    CHECK(cm_py_open("cpu", NULL, versions, 0, error, sizeof error) == NULL);
    CHECK(cm_py_open("cpu", NULL, versions, 0, error, 4) == NULL && strlen(error) == 3);
    CHECK(cm_py_open("cpu", NULL, versions, 0, NULL, 0) == NULL);
}

static void test_port(void) {
    struct cm_py_porter *p = porter_for("ascend");
    if (!CHECK(p != NULL)) return;
    CHECK(cm_py_is_plain(p, "print(1)\n", 9));
    CHECK(cm_py_is_plain(p, NULL, 0));
    CHECK(!cm_py_is_plain(p, "x = 'cuda'\n", 11));
    CHECK(port(p, "print(1)\n").status == CM_PY_PLAIN);
    CHECK(port(p, "").status == CM_PY_PLAIN);
    struct cm_py_result r = port(p, "import torch\nx = torch.device('cuda')\n");
    CHECK(r.status == CM_PY_PORTED);
    CHECK_STR(((struct str){r.output, r.output_length}),
              "import torch\nimport torch_npu\nx = torch.device('npu')\n");
    CHECK(r.n_edits == 2);
    CHECK(r.edits[0].start == 12 && r.edits[0].end == 12 && r.edits[0].length == 17);
    CHECK(r.edits[1].start == 31 && r.edits[1].end == 35 && r.edits[1].length == 3);
    CHECK_STR(str_of(r.message), "");
    r = port(p, "import torch\ntorch.cuda.get_device_capability()\n");
    CHECK(r.status == CM_PY_UNCHANGED);
    CHECK_STR(str_of(r.message), "");
    r = port(p, "import torch\ntorch.cuda.synchronize(\n");
    CHECK(r.status == CM_PY_REFUSED);
    CHECK_HAS(str_of(r.message), "syntax error");
    cm_py_close(p);
}

static void test_flags(void) {
    struct cm_py_porter *p = cm_py_open("ascend", NULL, NULL, CM_PY_REMARKS, error, sizeof error);
    if (!CHECK(p != NULL)) return;
    struct cm_py_result r = port(p, "import torch\ntorch.cuda.get_device_capability()\n");
    CHECK_HAS(str_of(r.message), "2:1: ");
    CHECK_HAS(str_of(r.message), "[torch-cuda/capability]");
    cm_py_close(p);
}

/* Names of C, for programs that look them up at run time, through ctypes or dlsym(). */
static void test_names(void) {
    static const struct {
        const char *target, *name, *wanted;
    } names[] = {
        {"musa", "cudaMalloc", "musaMalloc"},       {"rocm", "cudaMalloc", "hipMalloc"},
        {"musa", "ncclAllReduce", "mcclAllReduce"}, {"rocm", "cublasSgemm", "hipblasSgemm"},
        {"rocm", "ncclAllReduce", "ncclAllReduce"}, /* RCCL keeps NCCL's names */
        {"musa", "my_function", "my_function"},     {"musa", "", ""},
    };
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct cm_py_porter *p = porter_for(names[i].target);
        if (!p) continue;
        const char *got = cm_py_c_name(p, names[i].name);
        CHECK(got && strcmp(got, names[i].wanted) == 0);
        cm_py_close(p);
    }
}

/* Nothing happens to a program that only loads the library and ports: its variables are what
 * they were. */
static void test_environment(void) {
    struct arena a;
    struct buf before, after;
    arena_init(&a, 0);
    buf_init(&before, &a);
    buf_init(&after, &a);
    for (char **e = environ; *e; e++) buf_printf(&before, "%s\n", *e);
    struct cm_py_porter *p = porter_for("ascend");
    if (p) port(p, "x = 'cuda'\n");
    cm_py_close(p);
    for (char **e = environ; *e; e++) buf_printf(&after, "%s\n", *e);
    CHECK(before.n > 0 && str_eq(buf_str(&before), buf_str(&after)));
    arena_free(&a);
}

/* Opened, used and closed a thousand times by eight threads at once; make sanitize looks for
 * leaks. */
enum { THREADS = 8, ROUNDS = 125 };

static void *open_and_close(void *done) {
    for (int i = 0; i < ROUNDS; i++) {
        char message[200];
        struct cm_py_result r;
        struct cm_py_porter *p =
            cm_py_open(i % 2 ? "xpu" : "musa", NULL, NULL, 0, message, sizeof message);
        if (!p) continue;
        cm_py_port(p, "x.py", "import torch\ntorch.cuda.synchronize()\n", 38, &r);
        *(int *)done += r.status == CM_PY_PORTED;
        cm_py_close(p);
    }
    return NULL;
}

static void test_threads(void) {
    pthread_t thread[THREADS];
    int done[THREADS] = {0}, started = 0, sum = 0;
    while (started < THREADS &&
           pthread_create(&thread[started], NULL, open_and_close, &done[started]) == 0)
        started++;
    for (int i = 0; i < started; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < started; i++) sum += done[i];
    CHECK(started > 0 && sum == started * ROUNDS);
}

/* A program that has the library in it goes on when memory ends: started anew, since the rehearsal
 * (CM_ALLOC_FAIL=N, see base.c) counts from the first block of a process. */
enum { REFUSED_IN_WORDS, SOMETHING_ELSE, ENOUGH };

static int open_and_port(void) {
    struct cm_py_porter *p = porter_for("ascend");
    if (!p) return strcmp(error, "out of memory") == 0 ? REFUSED_IN_WORDS : SOMETHING_ELSE;
    cm_py_fact(p, "import");
    struct cm_py_result r = port(p, "import torch\ntorch.cuda.synchronize()\n");
    int status = r.status == CM_PY_PORTED ? ENOUGH : REFUSED_IN_WORDS;
    cm_py_close(p);
    return status;
}

static int with_blocks(int n) {
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        char text[16];
        snprintf(text, sizeof text, "%d", n);
        setenv("CM_ALLOC_FAIL", text, 1);
        execl("/proc/self/exe", "test_capi", "memory", (char *)NULL);
        _exit(SOMETHING_ELSE);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status);
}

static void test_end_of_memory(void) {
    int status = with_blocks(1), n = 2;
    if (status < 0) {
        test_skip("capi", "the end of memory", S("a program cannot be started anew here"));
        return;
    }
    while (status == REFUSED_IN_WORDS && n < 200) status = with_blocks(n++);
    CHECK(n > 3 && status == ENOUGH);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "memory") == 0) return open_and_port();
    test_open();
    test_errors();
    test_port();
    test_flags();
    test_names();
    test_environment();
    test_threads();
    test_end_of_memory();
    return test_end("capi");
}
