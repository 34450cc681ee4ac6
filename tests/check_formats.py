# SPDX-License-Identifier: Apache-2.0
"""Runs `cuda-morph check` over a hostile tree and reads each format with a parser of its own.

    check_formats.py path/to/cuda-morph

File names hold line breaks, escape sequences, bidirectional controls and commands of CI servers;
so does the source. Whatever the format: it parses, it says the same findings, and nothing of that
reaches a terminal or a CI server as a command.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unicodedata
import urllib.parse
import xml.etree.ElementTree as ElementTree

TOOL = os.path.abspath(sys.argv[1])
JENKINS = {"name", "time", "classname", "group"}
CALL = "ok = torch.cuda.is_available()"
NAMES = [
    "plain.py",
    "sub/deep.py",
    "with space, colon: and %.py",
    "line\nbreak.py",
    "::error::forged.py",
    "%0A::error::x.py",
    "##[error]old.py",
    "esc\x1b[31mred.py",
    "bidi\u202egnp.py",
    "\u4e2d\u6587.py",
    "quote\"'<&>.py",
]
SOURCES = {
    "wide.py": 'import torch\n\n\n\t\u4e2d = "\u6587\u6587"\n',
    "tabs.py": "import torch\n\n\nif 1:\n\tx =\t torch.cuda.is_available()\n",
    "astral.py": 'import torch\n\n\ns = "\U0001f600"; ok = torch.cuda.is_available()\n',
    "cjk.py": 'import torch\n\n\ns = "\u4e2d\u6587"; ok = torch.cuda.is_available()\n',
    "comment.py": "import torch\n\n\n"
    + CALL
    + "  # ::error::x ##[error]y \x1b[2J \u202e \x9b31m <![CDATA[ ]]>\n",
    "long.py": "import torch\n\n\ns = '"
    + "x" * 400
    + "'; "
    + CALL
    + "; t = '"
    + "y" * 400
    + "'\n",
    "crlf.py": "import torch\r\n\r\n\r\n" + CALL + "\r\n",
    "bom.py": "\ufeffimport torch; " + CALL + "\n",
    "same.py": "import torch\n\n\n" + (CALL + "\n") * 3,
    "over.py": "import torch\n\n\nx = (torch.cuda\n     .is_available())\n",
    "unicode_token.py": "import torch\n\n\n" + "\u540d" + " = torch.cuda.is_available()\n",
    "clean.py": "import torch\n",
}

# What Azure's agents set, and this environment without what any CI server has set.
AZURE = {
    "TF_BUILD": "True",
    "SYSTEM_COLLECTIONURI": "https://dev.azure.com/house/",
    "SYSTEM_TEAMPROJECTID": "0b6f7f0e-6a5c-4c0a-9b1e-3a8d1f7d2c11",
    "SYSTEM_DEFINITIONID": "12",
    "BUILD_DEFINITIONNAME": 'nightly "build"',
    "SYSTEM_PHASEID": "3a8d1f7d-6a5c-4c0a-9b1e-0b6f7f0e2c11",
    "SYSTEM_PHASENAME": "Job",
    "BUILD_BUILDID": "345",
    "BUILD_SOURCEBRANCH": "refs/heads/main",
    "BUILD_REPOSITORY_URI": "https://user:secret@dev.azure.com/house/tree/_git/tree",
    "BUILD_SOURCEVERSION": "0123456789abcdef",
}
SERVERLESS = {
    name: value
    for name, value in os.environ.items()
    if name not in AZURE and not name.startswith(("GITHUB_", "CI_"))
}

passed = failed = 0


def check(what, condition, detail=""):
    global passed, failed
    if condition:
        passed += 1
    else:
        failed += 1
        print(f"check_formats: FAILED: {what} {detail}", file=sys.stderr)


def run(*arguments, status=1, variables=None):
    done = subprocess.run(
        [TOOL, "check", "-q", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env={**SERVERLESS, "LC_ALL": "C", "NO_COLOR": "1", **(variables or {})},
    )
    check(f"{arguments}: status {done.returncode}", done.returncode == status, done.stderr[:300])
    check(f"{arguments}: silent", not done.stderr, done.stderr[:300])
    return done.stdout


def harmless(what, text):
    """No control but line feeds, no invisible reordering, no command of a CI server."""
    text = text.decode("utf-8")
    bad = {c for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")}
    check(f"{what}: no controls", not bad, [hex(ord(c)) for c in bad])
    check(f"{what}: no ##[", "##[" not in text)
    for line in text.splitlines():
        forged = re.match(r"\s*::", line) and not re.match(
            r"::(error|warning|notice) file=[^:,]+(,[a-zA-Z]+=[^:,]*)*::", line
        )
        check(f"{what}: no command of ours", not forged, line)
    return text


def build_tree():
    for name in NAMES:
        os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
        with open(name, "w", newline="") as f:
            f.write("import torch\n\n\n" + CALL + "\n")
    for name, source in SOURCES.items():
        with open(name, "w", encoding="utf-8", newline="") as f:
            f.write(source)
    os.mkdir(".git")


def read_json():
    text = harmless("json", run("--format", "json"))
    findings = json.loads(text)
    names = {f["path"] for f in findings}
    expected = set(NAMES) | set(SOURCES) - {"clean.py", "wide.py"}
    check("json: every file", names == expected, names ^ expected)
    for f in findings:
        with open(f["path"], "rb") as source:
            data = source.read()
        token = data[f["start"] : f["end"]].decode()
        lines = data.decode("utf-8-sig").split("\n")
        line = lines[f["line"] - 1]
        check("json: start", line[f["column"] - 1 :].startswith(token.split("\n")[0]), f)
        last = lines[f["end_line"] - 1]
        check("json: end", last[: f["end_column"] - 1].endswith(token.split("\n")[-1]), f)
        check("json: severity", f["severity"] in ("error", "warning", "note"))
        fix = f["fix"]
        if fix:
            check("json: applicability", fix["applicability"] in ("safe", "unsafe"))
            for edit in fix["edits"] + fix["imports"]:
                check("json: edit in the file", 0 <= edit["start"] <= edit["end"] <= len(data))
    keys = [(f["path"].encode(), f["start"], f["rule"]) for f in findings]
    check("json: in order", keys == sorted(keys))
    pairs = [(f["path"], f["fingerprint"]) for f in findings]
    check("json: fingerprints differ in a file", len(set(pairs)) == len(pairs))
    lines = harmless("jsonl", run("--format", "jsonl")).splitlines()
    check("jsonl: the same", [json.loads(line) for line in lines] == findings)
    return findings


def apply_fixes(findings):
    """The edits of the JSON make what --fix writes."""
    name = "same.py"
    with open(name, "rb") as f:
        data = f.read()
    edits = {}
    for finding in findings:
        if finding["path"] == name and finding["fix"]:
            for edit in finding["fix"]["edits"] + finding["fix"]["imports"]:
                edits[edit["start"], edit["end"]] = edit["text"].encode()
    fixed = data
    for (start, end), text in sorted(edits.items(), reverse=True):
        fixed = fixed[:start] + text + fixed[end:]
    run(name, "--fix", status=0)
    with open(name, "rb") as f:
        check("json: edits are those of --fix", f.read() == fixed)
    with open(name, "wb") as f:
        f.write(data)


def fixes_stand_alone():
    """Each fix of the JSON and of the SARIF alone leaves Python that compiles, and names what it
    needs: no helper that nobody calls, none that is called and not there."""
    source = (
        "import torch\nimport torch.nn as nn\nfrom torch.cuda.amp import autocast\n\n\n"
        "def f(x):\n    with autocast():\n        x = x.cuda()\n"
        "    return x.to('cuda'), torch.zeros(2, device='cuda:0')\n\n\n"
        "n = torch.cuda.device_count()\n"
    )
    with open("alone.py", "w", encoding="utf-8") as f:
        f.write(source)
    for target in ("portable", "ascend"):
        findings = json.loads(run("alone.py", "--target", target, "--format", "json"))
        fixes = [f["fix"]["imports"] + f["fix"]["edits"] for f in findings if f["fix"]]
        check(f"alone: fixes for {target}", len(fixes) >= 5, len(fixes))
        pairs = [x + [e for e in y if e not in x] for x in fixes for y in fixes]
        for edits in fixes + pairs:
            text = source
            for e in sorted(edits, key=lambda e: -e["start"]):
                text = text[: e["start"]] + e["text"] + text[e["end"] :]
            compile(text, "alone.py", "exec")
            helper = "def _accelerator()"
            defined, called = helper in text, "_accelerator()" in text.replace(helper, "")
            check(f"alone: helper where it is called ({target})", defined == called, text)
            check("alone: one helper", text.count(helper) <= 1, text)
            vendor = "import torch_npu"
            needs = "npu" in text.replace(vendor, "")
            check("alone: torch_npu where it is needed", (vendor in text) == needs, text)
        runs = json.loads(run("alone.py", "--target", target, "--format", "sarif"))["runs"]
        sarif = [
            r["fixes"][0]["artifactChanges"][0]["replacements"]
            for r in runs[0]["results"]
            if r.get("fixes")
        ]
        texts = [sorted(e["insertedContent"]["text"] for e in fix) for fix in sarif]
        same = texts == [sorted(e["text"] for e in fix) for fix in fixes]
        check("alone: sarif has the same", same)
    os.remove("alone.py")


def newer_formats(findings):
    """rdjson, sonar and markdown tell the same findings, in their own columns."""
    rdjson = json.loads(harmless("rdjson", run("--format", "rdjson")))
    sonar = json.loads(harmless("sonar", run("--format", "sonar")))
    page = harmless("markdown", run("--format", "markdown"))
    check("rdjson: as many", len(rdjson["diagnostics"]) == len(findings))
    check("sonar: as many", len(sonar["issues"]) == len(findings))
    rules = {r["id"] for r in sonar["rules"]}
    check("sonar: the rules of the issues", rules == {i["ruleId"] for i in sonar["issues"]})
    check("markdown: the figure", f"**{len(findings)} findings**" in page, page[:300])
    check("markdown: at most 65,536 characters", len(page) < 65536)
    check("markdown: nobody is called", "@" not in re.sub("`[^`]*`", "", page))
    for f, d, i in zip(findings, rdjson["diagnostics"], sonar["issues"]):
        with open(f["path"], "rb") as source:
            data = source.read().removeprefix(b"\xef\xbb\xbf")
        lines = data.split(b"\n")
        start = d["location"]["range"]["start"]
        token = f["token"].encode().split(b"\n")[0]
        column = len(lines[f["line"] - 1].decode()[: f["column"] - 1].encode()) + 1
        check("rdjson: line and column in bytes", start == {"line": f["line"], "column": column}, d)
        check("rdjson: rule", d["code"]["value"] == f["rule"], token)
        suggestions = d.get("suggestions", [])
        edits = f["fix"]["imports"] + f["fix"]["edits"] if f["fix"] else []
        check("rdjson: the fix", [s["text"] for s in suggestions] == [e["text"] for e in edits])
        where = i["primaryLocation"]["textRange"]
        units = utf16(lines[f["line"] - 1].decode()[: f["column"] - 1])
        check("sonar: columns from 0", where.get("startColumn", units) == units, where)
        empty = "startColumn" in where and where["startLine"] == where["endLine"]
        check("sonar: no empty range", not empty or where["startColumn"] < where["endColumn"])


def utf16(text):
    return len(text.encode("utf-16-le")) // 2


def check_sarif_run(run_, findings, target):
    driver = run_["tool"]["driver"]
    check("sarif: name", driver["name"] == "cuda-morph" and driver["semanticVersion"])
    check("sarif: category", run_["automationDetails"]["id"] == f"cuda-morph/{target}/")
    check("sarif: column kind", run_["columnKind"] == "utf16CodeUnits")
    ids = [rule["id"] for rule in driver["rules"]]
    check("sarif: rules once", len(set(ids)) == len(ids) and len(ids) <= 25000)
    for rule in driver["rules"]:
        for key in ("shortDescription", "fullDescription", "help"):
            check(f"sarif: {key} of {rule['id']}", 0 < len(rule[key]["text"]) <= 1024)
        check(
            "sarif: level", rule["defaultConfiguration"]["level"] in ("note", "warning", "error")
        )
        check("sarif: tags", len(rule["properties"]["tags"]) <= 20)
        check("sarif: no security-severity", "security-severity" not in rule["properties"])
    check("sarif: success", run_["invocations"][0]["executionSuccessful"] is True)
    check("sarif: as many", len(run_["results"]) == len(findings))
    for result, finding in zip(run_["results"], findings):
        check("sarif: rule", ids[result["ruleIndex"]] == result["ruleId"] == finding["rule"])
        check("sarif: level", result["level"] == finding["severity"])
        check("sarif: message", result["message"]["text"])
        location = result["locations"][0]["physicalLocation"]
        uri = location["artifactLocation"]["uri"]
        check("sarif: uri", re.fullmatch(r"[A-Za-z0-9/._~%-]+", uri), uri)
        check("sarif: path", urllib.parse.unquote(uri) == finding["path"], uri)
        check(
            "sarif: base", location["artifactLocation"]["uriBaseId"] in run_["originalUriBaseIds"]
        )
        region = location["region"]
        with open(finding["path"], encoding="utf-8-sig", newline="") as f:
            lines = f.read().split("\n")
        before = lines[finding["line"] - 1][: finding["column"] - 1]
        check("sarif: column", region["startColumn"] == utf16(before) + 1, finding["path"])
        check("sarif: line", region["startLine"] == finding["line"])
        check(
            "sarif: end",
            (region["endLine"], region["endColumn"])
            > (region["startLine"], region["startColumn"]),
        )
        check(
            "sarif: fingerprint",
            re.fullmatch(
                r"[0-9a-f]{16}:[1-9][0-9]*",
                result["partialFingerprints"]["primaryLocationLineHash"],
            ),
        )
        for fix in result.get("fixes", []):
            for change in fix["artifactChanges"]:
                check("sarif: fix of the file", change["artifactLocation"]["uri"] == uri)
                for replacement in change["replacements"]:
                    check(
                        "sarif: replacement",
                        "deletedRegion" in replacement
                        and isinstance(replacement["insertedContent"]["text"], str),
                    )


def read_sarif(findings):
    log = json.loads(harmless("sarif", run("--format", "sarif")))
    check("sarif: schema", log["$schema"] == "https://json.schemastore.org/sarif-2.1.0.json")
    check("sarif: version", log["version"] == "2.1.0")
    check("sarif: one run", len(log["runs"]) == 1)
    check_sarif_run(log["runs"][0], findings, "portable")
    two = json.loads(run("--format", "sarif", "--target", "ascend,xpu", "plain.py"))
    check(
        "sarif: a run for each target",
        [r["automationDetails"]["id"] for r in two["runs"]]
        == ["cuda-morph/ascend/", "cuda-morph/xpu/"],
    )
    clean = json.loads(run("--format", "sarif", "clean.py", status=0))
    check("sarif: no results is a list", clean["runs"][0]["results"] == [])


def read_sarif_of_servers():
    """Azure wants its pipeline in the log, GitHub and GitLab say which commit it was."""

    def first(variables):
        return json.loads(run("--format", "sarif", "plain.py", variables=variables))["runs"][0]

    azure = first(AZURE)
    details, prefix = azure["automationDetails"], "azuredevops/pipeline/build/"
    check(
        "sarif: Azure's id",
        details["id"]
        == prefix + "house/" + AZURE["SYSTEM_TEAMPROJECTID"] + "/12/"
        + AZURE["SYSTEM_PHASEID"] + "/refs/heads/main/345",
        details["id"],
    )
    properties = details["properties"]
    check("sarif: Azure's number", properties[prefix + "buildDefinitionId"] == 12)
    check("sarif: Azure's name", properties[prefix + "buildDefinitionName"] == 'nightly "build"')
    version = azure["versionControlProvenance"][0]
    check("sarif: no secret", version["repositoryUri"] == "https://dev.azure.com/house/tree/_git/tree")
    check("sarif: the commit", version["revisionId"] == AZURE["BUILD_SOURCEVERSION"])
    old = {"SYSTEM_COLLECTIONURI": "https://house.visualstudio.com/"}
    check("sarif: Azure's old address", first({**AZURE, **old})["automationDetails"] == details)
    for name in set(AZURE) - {"BUILD_REPOSITORY_URI", "BUILD_SOURCEVERSION"}:
        half = first({n: v for n, v in AZURE.items() if n != name})["automationDetails"]
        check(f"sarif: without {name}", half == {"id": "cuda-morph/portable/"}, half)
    github = {
        "GITHUB_SERVER_URL": "https://github.com",
        "GITHUB_REPOSITORY": "a/b",
        "GITHUB_SHA": "0123",
        "GITHUB_REF": "refs/heads/main",
    }
    version = first(github)["versionControlProvenance"][0]
    check("sarif: GitHub's repository", version["repositoryUri"] == "https://github.com/a/b")
    check("sarif: nothing of a server", "versionControlProvenance" not in first({}))


def read_github(findings):
    text = harmless("github", run("--format", "github"))
    commands = [line for line in text.splitlines() if line.startswith("::")]
    check("github: as many", len(commands) == len(findings))
    for line in commands:
        match = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line)
        check("github: syntax", match, line)
        properties = dict(p.split("=", 1) for p in match[2].split(","))
        path = properties["file"]
        for escape, character in (
            ("%0A", "\n"),
            ("%0D", "\r"),
            ("%3A", ":"),
            ("%2C", ","),
            ("%25", "%"),
        ):
            path = path.replace(escape, character)
        check(
            "github: known properties",
            set(properties) <= {"file", "line", "endLine", "col", "endColumn", "title"},
        )
        check(
            "github: columns on one line only",
            ("col" in properties) == (properties["line"] == properties["endLine"]),
        )
        shown = "\\x" in path or "\\u{" in path  # made visible, so no name any more
        check("github: path", shown or os.path.exists(path), path)
    order = [line.split(" ")[0] for line in commands]
    check(
        "github: worst first",
        order == sorted(order, key=["::error", "::warning", "::notice"].index),
    )
    check("github: says what is not shown", "GitHub annotates the first 10" in text)


def read_gitlab(findings):
    report = json.loads(harmless("gitlab", run("--format", "gitlab")))
    check("gitlab: as many", len(report) == len(findings))
    check("gitlab: unique", len({entry["fingerprint"] for entry in report}) == len(report))
    for entry, finding in zip(report, findings):
        check("gitlab: members", entry["description"] and entry["check_name"] == finding["rule"])
        check(
            "gitlab: severity",
            entry["severity"] in ("info", "minor", "major", "critical", "blocker"),
        )
        check("gitlab: path", entry["location"]["path"] == finding["path"])
        check("gitlab: line", entry["location"]["lines"]["begin"] == finding["line"])
    check("gitlab: clean", json.loads(run("--format", "gitlab", "clean.py", status=0)) == [])


def read_junit(findings):
    root = ElementTree.fromstring(harmless("junit", run("--format", "junit")))
    suites = root.findall("testsuite")
    cases = root.findall("testsuite/testcase")
    check("junit: as many", len(cases) == len(findings) == int(root.get("tests")))
    check(
        "junit: failures",
        len(root.findall("testsuite/testcase/failure")) == int(root.get("failures")),
    )
    check("junit: a suite for each file", len(suites) == len({f["path"] for f in findings}))
    for suite in suites:
        check("junit: count", len(suite.findall("testcase")) == int(suite.get("tests")))
    for case, finding in zip(cases, findings):
        place = f"line {finding['line']}, column {finding['column']}: "
        check("junit: rule", case.get("name") == finding["rule"])
        check("junit: place", case.find("failure").text.startswith(place))
        check("junit: attributes of Jenkins' schema", not set(case.keys()) - JENKINS)
    clean = ElementTree.fromstring(run("--format", "junit", "clean.py", status=0))
    check(
        "junit: one passing case",
        len(clean.findall("testsuite/testcase")) == 1 and clean.get("failures") == "0",
    )


def width(text):
    """Cells on a terminal."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def read_full(findings):
    harmless("concise", run("--format", "concise"))
    text = harmless("full", run("--format", "full"))
    blocks = [b.split("\n") for b in text.split("\n\n") if " | " in b]
    check("full: as many", len(blocks) == len(findings), (len(blocks), len(findings)))
    for block in blocks:
        source = next(line for line in block if re.match(r" +\d+ \| ", line))
        carets = block[block.index(source) + 1]
        check("full: carets", re.fullmatch(r" +\| +\^+", carets), carets)
        marked, position = "", 0
        for character in source:
            if carets[position : position + 1] == "^":
                marked += character
            position += width(character)
        check("full: the marked text", marked in ("torch.cuda.is_available", "torch.cuda"), block)
        check("full: no long lines", width(source) <= 220, width(source))


def check_fingerprints():
    """They stay when lines move or are indented, and differ for another text."""

    def prints(source):
        with open("moving.py", "w") as f:
            f.write(source)
        return [f["fingerprint"] for f in json.loads(run("--format", "json", "moving.py"))]

    head = "import torch\n\n\n"
    first = prints(head + CALL + "\n" + CALL + "\n")
    check("fingerprints: two", len(set(first)) == 2)
    check("fingerprints: moved", prints(head + "# new\n\n" + CALL + "\n" + CALL + "\n") == first)
    check("fingerprints: indented", prints(head + f"if 1:\n    {CALL}\n    {CALL}\n") == first)
    check("fingerprints: another line", not set(prints(head + CALL + " or x\n")) & set(first))
    os.remove("moving.py")


def check_files():
    """Several formats at once are those formats."""
    out = run(
        "--format",
        "concise",
        "--add-format",
        "json=../x.json",
        "--add-format",
        "junit=../x.xml",
        "--add-format",
        "sarif=../x.sarif",
    )
    check("add-format: the first", out == run("--format", "concise"))
    for name, format_ in (("../x.json", "json"), ("../x.xml", "junit"), ("../x.sarif", "sarif")):
        with open(name, "rb") as f:
            check(f"add-format: {format_}", f.read() == run("--format", format_))


def main():
    with tempfile.TemporaryDirectory() as scratch:
        os.mkdir(os.path.join(scratch, "tree"))
        os.chdir(os.path.join(scratch, "tree"))
        build_tree()
        findings = read_json()
        apply_fixes(findings)
        fixes_stand_alone()
        newer_formats(findings)
        read_sarif(findings)
        read_sarif_of_servers()
        read_github(findings)
        read_gitlab(findings)
        read_junit(findings)
        read_full(findings)
        check_fingerprints()
        check_files()
        os.chdir("/")
    print(f"check_formats: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
