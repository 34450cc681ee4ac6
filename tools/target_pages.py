#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fills in what docs/targets/*.md and docs/zh/targets/*.md say of each target's facts.

    tools/target_pages.py            writes what stands between <!-- made: NAME --> and <!-- /made -->
    tools/target_pages.py --check    exit status 1, and names, if a page would change or is missing

The facts are those of the program: rules/targets (device, what `doctor` looks for), rules/versions, rules/releases, and
the verdicts of docs/rules, which `cuda-morph rules docs` has made. What stands outside the marks was written by people. A target
without a page gets one from the pages' common form.
"""
import collections
import glob
import json
import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CHINESE = ("ascend", "mlu", "musa")

WORDS = {
    "en": dict(
        device="device string", module="module", imports="import", backend="distributed back end", also="also called",
        none="none", writes="What `port` writes",
        install="What has to be there, as `cuda-morph doctor --target {t}` looks for it:", part="part", need="need", mend="where it is missing",
        required="required", recommended="recommended", optional="optional",
        choose="Which devices a program sees: {}.", visible="`{}` ({})",
        versions="Versions that go together (newest first; all of them: `cuda-morph doctor --target {t}`):",
        noversions="No table of versions is known for this target.",
        known="Names are known for {} releases of {}, {} to {}; `--target-version {t}={}` writes for an older one.",
        gaps="How many of the names that the rules know have an answer here:", domain="library", works="same or rewritten", close="close (`--unsafe-fixes`)",
        open="manual", nogaps="Nothing of CUDA's is out of reach here.", sources="Where this was read: {}.",
        form="What stands in the rules about {title}. Nothing here was tried on the hardware: the check-list below is for whoever has it."),
    "zh": dict(
        device="设备字符串", module="模块", imports="导入", backend="分布式后端", also="别名", none="无", writes="`port` 写出的内容",
        install="需要的组件（即 `cuda-morph doctor --target {t}` 检查的内容）：", part="组件", need="必要性", mend="缺少时",
        required="必需", recommended="建议", optional="可选", choose="程序可见的设备由下列变量决定：{}。", visible="`{}`（{}）",
        versions="相互匹配的版本（新的在前；完整检查：`cuda-morph doctor --target {t}`）：", noversions="没有已知的版本对照表。",
        known="已收录 {1} 的 {0} 个版本（{2} 至 {3}）中的名字；`--target-version {t}={4}` 可为旧版本移植。",
        gaps="规则已知的名字中，有多少在该目标上有对应：", domain="库", works="不变或自动改写", close="近似（`--unsafe-fixes`）", open="人工",
        nogaps="没有缺口。", sources="依据：{}。", form=""),
}


def read(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as f:
        return json.load(f)


def verdicts():
    """{target: {domain: Counter of verdicts}} of the tables in docs/rules."""
    found = collections.defaultdict(lambda: collections.defaultdict(collections.Counter))
    for page in sorted(glob.glob(os.path.join(TOP, "docs/rules/*.md"))):
        domain = os.path.basename(page)[:-3]
        if domain in ("README", "targets", "silent", "cuda-silent", "stale"):  # the last three are lints
            continue
        columns = None
        with open(page, encoding="utf-8") as f:
            for line in f:
                cells = [c.strip() for c in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
                if line.startswith("| | "):
                    columns = [c.split(", ") for c in cells[1:]]
                elif not line.startswith("|"):
                    columns = None
                elif columns and not cells[0].startswith("-"):
                    names = max(1, len(re.findall(r"`[^`]+`", cells[0])))
                    for targets, verdict in zip(columns, cells[1:]):
                        for target in targets:
                            found[target][domain][verdict.split()[0] if verdict else ""] += names
    return found


def version_key(text):
    return [int(x) for x in re.findall(r"\d+", text if isinstance(text, str) else text[-1])]


def made_facts(t, d, w, _):
    f = d["facts"]
    rows = [(w["device"], f.get("device")), (w["module"], f.get("module")), (w["imports"], f.get("import")),
            (w["backend"], f.get("backend"))]
    out = ["| | " + w["writes"] + " |", "|---|---|"]
    out += ["| %s | %s |" % (k, "`%s`" % v if v else w["none"]) for k, v in rows]
    out.append("| %s | %s |" % (w["also"], ", ".join("`%s`" % a for a in d["aliases"])))
    return out


def made_install(t, d, w, _):
    probes = d.get("probes", {})
    out = [w["install"].format(t=t), "", "| %s | %s | %s |" % (w["part"], w["need"], w["mend"]), "|---|---|---|"]
    for i in probes.get("items", []):
        if not i.get("for"):
            out.append("| %s | %s | %s |" % (i["title"], w[i["need"]], i.get("fix", "").replace("|", "\\|")))
    if probes.get("select"):
        out += ["", w["choose"].format("; ".join(w["visible"].format(s["name"], s["note"]) for s in probes["select"]))]
    return out


def made_versions(t, d, w, lang):
    path = "rules/versions/%s.json" % t
    rows = read(path)["rows"] if os.path.exists(os.path.join(TOP, path)) else []
    out = [w["versions"].format(t=t) if rows else w["noversions"]]
    if rows:
        keys = [k for k in dict.fromkeys(k for r in rows for k in r) if k not in ("source", "note")]
        first = next(k for k in keys if k != "torch") if len(keys) > 1 else keys[0]
        rows = sorted(rows, key=lambda r: (version_key(r.get("torch", "0")), version_key(r.get(first, "0"))), reverse=True)
        out += ["", "| " + " | ".join(keys) + " |", "|" + "---|" * len(keys)]
        text = lambda v: ", ".join(v) if isinstance(v, list) else str(v)
        out += ["| " + " | ".join(text(r.get(k, "")) for k in keys) + " |" for r in rows[:10]]
    path = "rules/releases/%s.json" % t
    if os.path.exists(os.path.join(TOP, path)):
        r = read(path)
        names = sorted((x["version"] for x in r["list"]), key=version_key)
        out += ["", w["known"].format(len(names), r["package"], names[0], names[-1], names[0], t=t)]
    return out


def made_gaps(t, d, w, lang):
    up = "../rules/" if lang == "en" else "../../rules/"
    out = [w["gaps"], "", "| %s | %s | %s | %s |" % (w["domain"], w["works"], w["close"], w["open"]), "|---|--:|--:|--:|"]
    for domain, c in sorted(ALL[t].items()):
        done, close, left = sum(c[v] for v in ("same", "exact", "shim")), c["close"], c["manual"] + c["none"]
        if done + close + left:
            out.append("| [%s](%s%s.md) | %d | %d | %d |" % (domain, up, domain, done, close, left))
    return out


def made_checklist(t, d, w, lang):
    device = d["facts"].get("device", "cpu")
    if t == "cpu":
        return ["The machine at hand is the hardware: `make test SUITE=cpu` runs every CUDA program of the tests on it."]
    index = "" if device in ("cpu", "mps", "privateuseone") else ":0"
    say = {"en": ["Nobody has run this on the vendor's hardware yet. In this order, and stop at the first that fails:",
                  "the machine: driver, toolkit, adapter, and whether their versions go together",
                  "the device computes: each operator against float64 on the CPU, wrong results named",
                  "the program without files written; tracebacks show your lines",
                  "then the ported tree, which is what you keep",
                  "one step on the device against one on the CPU: same seed, same batch, float32, losses side by side",
                  "more than one device: a run of two processes before one of eight",
                  "an error code of the vendor's, alone or in a log",
                  "time: only after the results are right"],
           "zh": ["目前尚无人在该厂商的硬件上运行过。按以下顺序进行，遇到失败即停：",
                  "机器：驱动、工具包、适配器是否齐全，版本是否匹配",
                  "设备能否正确计算：逐个算子与 CPU 上的 float64 比较，指出错误结果",
                  "不写文件，直接运行；回溯信息显示的是你的源码行",
                  "再运行移植后的代码（最终保留的版本）",
                  "设备与 CPU 各跑一步：同样的随机种子、同样的数据、float32，对比损失值",
                  "多卡：先两个进程，再八个进程",
                  "厂商的错误码，单独给出或在日志里",
                  "性能：结果正确之后再看"]}[lang]
    out = [say[0], "", "1. `cuda-morph doctor --target %s`: %s." % (t, say[1]),
           "2. `cuda-morph verify --device %s`: %s." % (device, say[2]),
           "3. `cuda-morph run --target %s train.py`: %s." % (t, say[3]),
           "4. `cuda-morph port src --target %s -o out`: %s." % (t, say[4]),
           "5. `%s%s`: %s." % (device, index, say[5]), "6. torchrun: %s." % say[6],
           "7. `cuda-morph error - <train.log`: %s." % say[7], "8. `cuda-morph bench ops --device %s`: %s." % (device, say[8])]
    if lang == "zh":
        out = [x.replace(": ", "：", 1).rstrip(".") + "。" if x[:1].isdigit() else x for x in out]
    return out


def made_sources(t, d, w, lang):
    texts = ["%s (%s)" % (r["source"], r["checked"]) for r in d.get("references", [])]
    return [w["sources"].format("; ".join(texts))] if texts else []


MADE = dict(facts=made_facts, install=made_install, versions=made_versions, gaps=made_gaps, checklist=made_checklist,
            sources=made_sources)

FORM = """# {title} (`{t}`)

{form}

<!-- made: facts -->
<!-- /made -->

## Install

<!-- made: install -->
<!-- /made -->

<!-- made: versions -->
<!-- /made -->

## Port and build

    cuda-morph port src --target {t} -o out

## Known gaps

<!-- made: gaps -->
<!-- /made -->

## The first run on hardware

<!-- made: checklist -->
<!-- /made -->

<!-- made: sources -->
<!-- /made -->
"""


def page(t, lang, text):
    d, w = read("rules/targets/%s.json" % t), WORDS[lang]
    if text is None:
        text = FORM.format(title=d["title"][0].upper() + d["title"][1:], t=t, form=w["form"].format(title=d["title"]))
    fill = lambda m: "\n".join([m[1]] + MADE[m[2]](t, d, w, lang) + ["<!-- /made -->"])
    return re.sub(r"(<!-- made: (\w+) -->)\n.*?<!-- /made -->", fill, text, flags=re.S)


def main():
    status = 0
    targets = sorted(os.path.basename(p)[:-5] for p in glob.glob(os.path.join(TOP, "rules/targets/*.json")))
    for lang, t in [("en", t) for t in targets] + [("zh", t) for t in CHINESE]:
        path = os.path.join(TOP, "docs/targets" if lang == "en" else "docs/zh/targets", t + ".md")
        old = open(path, encoding="utf-8").read() if os.path.exists(path) else None
        new = page(t, lang, old)
        if new == old:
            continue
        if "--check" in sys.argv:
            print("%s: make docs writes something else" % os.path.relpath(path, TOP))
            status = 1
        else:
            with open(path, "w", encoding="utf-8") as f:
                f.write(new)
    return status


ALL = verdicts()
sys.exit(main())
