/* The exported functions of libcudamorph.so, linked as they are. */
#include "capi/capi.h"

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

int main(void) {
    test_open();
    test_errors();
    test_port();
    test_flags();
    return test_end("capi");
}
