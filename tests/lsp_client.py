# SPDX-License-Identifier: Apache-2.0
"""Talks to `cuda-morph lsp` as an editor does: raw JSON-RPC over pipes.

lsp_client.py PROGRAM; the last line is "lsp: N passed, N failed".
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import queue

TOOL = os.path.abspath(sys.argv[1])
passed = failed = 0


def check(what, ok, detail=""):
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print(f"lsp: FAILED: {what}", str(detail)[:400])


class Server:
    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [TOOL, "lsp", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.inbox = queue.Queue()
        self.number = 0
        self.notifications = []
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        out = self.process.stdout
        while True:
            length = None
            while line := out.readline().strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if length is None:
                self.inbox.put(None)
                return
            self.inbox.put(json.loads(out.read(length)))

    def write(self, message, cut=None):
        body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode()
        data = b"Content-Length: %d\r\n\r\n" % len(body) + body
        for part in (data[:cut], data[cut:]) if cut else (data,):
            self.process.stdin.write(part)
            self.process.stdin.flush()

    def notify(self, method, **params):
        self.write({"method": method, "params": params})

    def ask(self, method, **params):
        self.number += 1
        self.write({"id": self.number, "method": method, "params": params})
        return self.number

    def answer(self, number):
        while True:
            message = self.inbox.get(timeout=60)
            if message is None:
                return None
            if message.get("id") == number and "method" not in message:
                return message
            self.notifications.append(message)

    def result(self, method, **params):
        message = self.answer(self.ask(method, **params))
        check(f"{method}: a result", message and "result" in message, message)
        return message.get("result")

    def diagnostics(self, uri, version):
        """Those of that version; None where the server has ended."""
        while True:
            for message in self.notifications:
                params = message.get("params", {})
                same = params.get("uri") == uri and params.get("version") == version
                if message.get("method") == "textDocument/publishDiagnostics" and same:
                    self.notifications.remove(message)
                    return params["diagnostics"]
            message = self.inbox.get(timeout=60)
            if message is None:
                return None
            self.notifications.append(message)

    def start(self, encodings=("utf-16",), **options):
        result = self.result(
            "initialize",
            processId=os.getpid(),
            rootUri=None,
            capabilities={"general": {"positionEncodings": list(encodings)}},
            initializationOptions=options,
        )
        self.notify("initialized")
        return result["capabilities"]

    def open(self, path, text, version=1):
        uri = "file://" + path
        document = {"uri": uri, "languageId": "python", "version": version, "text": text}
        self.notify("textDocument/didOpen", textDocument=document)
        return uri

    def change(self, uri, version, *changes):
        self.notify(
            "textDocument/didChange",
            textDocument={"uri": uri, "version": version},
            contentChanges=list(changes),
        )

    def end(self):
        self.result("shutdown")
        late = self.answer(self.ask("textDocument/hover"))
        check("after shutdown nothing is answered", late["error"]["code"] == -32600, late)
        self.notify("exit")
        check("exit status", self.process.wait(timeout=60) == 0)


def at(line, character):
    return {"line": line, "character": character}


def span(line, start, end):
    return {"start": at(line, start), "end": at(line, end)}


def units(text, encoding):
    return len(text.encode("utf-16-le")) // 2 if encoding == "utf-16" else len(text.encode())


def offset(text, position, encoding):
    """A position as an index into the text."""
    lines = text.split("\n")
    index = sum(len(line) + 1 for line in lines[: position["line"]])
    count = 0
    for character in lines[position["line"]]:
        if count >= position["character"]:
            break
        count += units(character, encoding)
        index += 1
    return index


def apply(text, action, encoding="utf-16"):
    changes = action["edit"]["documentChanges"]
    check("an action changes one document", len(changes) == 1, changes)
    edits = []
    for i, e in enumerate(changes[0]["edits"]):
        where = [offset(text, e["range"][side], encoding) for side in ("start", "end")]
        edits.append((*where, i, e))
    for start, end, _, e in sorted(edits, key=lambda x: (x[0], x[2]), reverse=True):
        text = text[:start] + e["newText"] + text[end:]
    return text


def actions(server, uri, where, only=None):
    context = {"diagnostics": [], **({"only": only} if only else {})}
    return server.result(
        "textDocument/codeAction", textDocument={"uri": uri}, range=where, context=context
    )


TEXT = (
    'import torch\n\n\ndef f(x):\n    print("日本語🙂", torch.cuda.is_available())\n'
    '    return x.to("cuda")\n\n\ny = torch.zeros(2, device="cuda")\n'
)


def fixed_by_check(text, target, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.py")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        command = [TOOL, "check", "-q", "--isolated", "--fix", "--target", target]
        command += [*arguments, path]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
        with open(path, encoding="utf-8") as f:
            return f.read()


def positions_and_fixes(folder, encoding):
    server = Server()
    capabilities = server.start([encoding], target=["ascend"])
    check("the encoding is agreed", capabilities["positionEncoding"] == encoding, capabilities)
    uri = server.open(folder + "/a%20b.py".replace("%20", " "), TEXT)
    found = server.diagnostics(uri, 1)
    check("three findings", len(found) == 3, found)
    line = TEXT.split("\n")[4]
    column = units(line[: line.index("torch.cuda")], encoding)
    where = found[0]["range"]
    check(f"columns in {encoding}", where["start"] == at(4, column), where)
    check("severities, rules", all(d["severity"] in (1, 2, 3) and "/" in d["code"] for d in found))
    offered = actions(server, uri, where)
    titles = [a["title"] for a in offered]
    check("a fix, a suppression, all", len(titles) >= 3, titles)
    check("a fix is preferred", offered[0].get("isPreferred"), offered[0])
    one = apply(TEXT, offered[0], encoding)
    check("one fix", "torch.npu.is_available" in one and one.count("import torch_npu") == 1, one)
    check("one fix is one fix", 'device="cuda"' in one, one)
    compile(one, "one", "exec")
    suppress = next(a for a in offered if a["title"].startswith("Suppress"))
    text = apply(TEXT, suppress, encoding)
    check("a suppression asks why", "ignore[torch-cuda/" in text and "TODO" in text, text)
    whole = actions(server, uri, where, ["source.fixAll"])
    kinds = [a["kind"] for a in whole]
    check("only what is asked for", kinds == ["source.fixAll.cuda-morph"], whole)
    text = apply(TEXT, whole[0], encoding)
    check("all is what --fix does", text == fixed_by_check(TEXT, "ascend"), text)
    strings = actions(server, uri, found[1]["range"])
    rule = next(a for a in strings if a["title"].startswith("Fix all 2 of"))
    text = apply(TEXT, rule, encoding)
    same = fixed_by_check(TEXT, "ascend", "--select", "torch-device/device-string")
    check("all of a rule is what --fix --select does", text == same, text)
    start = where["start"]
    hover = server.result("textDocument/hover", textDocument={"uri": uri}, position=start)
    explained = subprocess.run([TOOL, "explain", found[0]["code"]], capture_output=True).stdout
    title = explained.decode().split("\n")[0]
    check("hover is explain", title in hover["contents"]["value"], hover)
    nothing = server.result("textDocument/hover", textDocument={"uri": uri}, position=at(1, 0))
    check("nothing to hover", nothing is None, nothing)
    lenses = server.result("textDocument/codeLens", textDocument={"uri": uri})
    titles = [lens["command"]["title"] for lens in lenses]
    check("a lens per target", len(titles) == 1 and "ascend: 3" in titles[0], titles)
    server.end()


def changes_in_pieces(folder):
    server = Server()
    server.start(target="rocm,ascend")
    uri = server.open(folder + "/b.py", "import torch\n")
    check("nothing found", server.diagnostics(uri, 1) == [])
    line = 'x = "🙂"; y = torch.zeros(1).cuda()\n'
    server.change(uri, 2, {"range": span(1, 0, 0), "text": line})
    found = server.diagnostics(uri, 2)
    messages = [d["message"] for d in found]
    check("the target's name stands first", messages and messages[0][:8] == "ascend: ", messages)
    start = units('x = "🙂"; y = torch.zeros(1).', "utf-16")
    server.change(
        uri,
        3,
        {"range": span(1, start, start + 4), "text": "cpu"},
        {"range": span(1, 0, 0), "text": "# new\r\n"},
    )
    check("two changes at once", server.diagnostics(uri, 3) == [])
    for version in range(4, 40):  # a burst is looked at once, when it pauses
        text = "import torch\nx = torch.zeros(1).cuda()\n" * version
        server.change(uri, version, {"text": text})
    last = server.diagnostics(uri, 39)
    check("the last of a burst", len(last) == 39, len(last))
    seen = [m for m in server.notifications if "Diagnostics" in m.get("method", "")]
    check("not each of a burst", len(seen) < 20, len(seen))
    first = server.number + 1
    message = {"id": first, "method": "textDocument/hover", "params": {}}
    cancel = {"method": "$/cancelRequest", "params": {"id": first}}
    data = b""
    for m in (message, cancel):
        body = json.dumps({"jsonrpc": "2.0", **m}).encode()
        data += b"Content-Length: %d\r\n\r\n" % len(body) + body
    server.number = first
    server.process.stdin.write(data)
    server.process.stdin.flush()
    check("a cancelled request", server.answer(first)["error"]["code"] == -32800)
    unknown = server.answer(server.ask("textDocument/rename"))
    check("an unknown request", unknown["error"]["code"] == -32601, unknown)
    server.notify("$/unheard", x=1)
    closed = server.answer(server.ask("textDocument/hover", textDocument={"uri": "file:///no"}))
    check("a document that is not open", closed["error"]["code"] == -32602, closed)
    params = {"textDocument": {"uri": uri}}
    server.write({"method": "textDocument/didClose", "params": params}, cut=30)
    server.end()


def configurations(folder):
    """Two roots, each with a configuration of its own, which changes."""
    for name, target in (("one", "rocm"), ("two", "ascend")):
        os.makedirs(f"{folder}/{name}/.git")
        with open(f"{folder}/{name}/cuda-morph.toml", "w") as f:
            f.write(f'target = ["{target}"]\n')
    server = Server()
    server.start()
    text = 'import torch\nx = torch.zeros(1, device="cuda")\n'
    one = server.open(f"{folder}/one/a.py", text)
    two = server.open(f"{folder}/two/a.py", text)
    check("the first root's target", server.diagnostics(one, 1) == [])
    check("the second root's target", len(server.diagnostics(two, 1)) == 1)
    with open(f"{folder}/one/cuda-morph.toml", "w") as f:
        f.write('target = ["xpu"]\nrules-url = "https://docs.example/rules"\n')
    server.notify("workspace/didChangeWatchedFiles", changes=[])
    found = server.diagnostics(one, 1)
    check("a changed configuration", len(found) == 1)
    page = "https://docs.example/rules/torch-device.html#torch-device-device-string"
    check("the rule's page", found[0].get("codeDescription") == {"href": page}, found)
    server.diagnostics(two, 1)
    settings = {"cuda-morph": {"target": ["rocm"]}}
    server.notify("workspace/didChangeConfiguration", settings=settings)
    check("the editor's settings win", server.diagnostics(two, 1) == [])
    config = server.open(f"{folder}/one/cuda-morph.toml", 'ignore = ["torch-cu"]\n\n')
    items = server.result(
        "textDocument/completion", textDocument={"uri": config}, position=at(0, 19)
    )["items"]
    labels = {i["label"] for i in items}
    check("rules in a configuration", {"torch-cuda", "torch-cuda/amp"} <= labels, len(labels))
    check("the word is replaced", items[0]["textEdit"]["range"] == span(0, 11, 19), items[0])
    items = server.result(
        "textDocument/completion", textDocument={"uri": config}, position=at(1, 0)
    )
    check("keys in a configuration", "per-file-ignores" in {i["label"] for i in items["items"]})
    comment = "x = 1  # cuda-morph: ignore[torch-device/"
    other = server.open(f"{folder}/one/c.py", comment + "\n")
    items = server.result(
        "textDocument/completion", textDocument={"uri": other}, position=at(0, len(comment))
    )["items"]
    check("rules in a comment", any(i["label"] == "torch-device/device-string" for i in items))
    items = server.result(
        "textDocument/completion", textDocument={"uri": other}, position=at(0, 3)
    )
    check("nothing elsewhere", items["items"] == [], items)
    server.end()


SAMPLES = {
    "train.py": "import torch\nx = torch.zeros(2).cuda()\nc = torch.cuda.get_device_capability()\n",
    "tests/test_x.py": "import torch\nx = torch.zeros(2).cuda()\n",
    "old.py": "x = 1  # cuda-morph: ignore[torch-device]\n",
    "guarded.py": "try:\n    import pycuda.driver\nexcept ImportError:\n    pycuda = None\n",
    "wide.py": "import torch\na = torch.zeros(2, dtype=torch.float64)\nb = a.double()\n",
    "k.cu": "__device__ float f(float a) { return __shfl_sync(~0u, a, 1); }\n"
    "__global__ void k(float *a) { a[threadIdx.x] = f(a[blockIdx.x]); }\n"
    "int main() { float *p; cudaMalloc(&p, 4); cudaFree(p); k<<<1, 32>>>(p); }\n",
    "setup/build_cu118.sh": "pip install x --index-url https://download.pytorch.org/whl/cu118\n",
    "CMakeLists.txt": "if(USE_CUDA)\n  find_package(CUDAToolkit)\nendif()\nenable_language(CUDA)\n",
}


def as_check_says(folder, targets):
    """An editor shows what check finds: the places, the rules, the severities."""
    if not os.path.isdir(f"{folder}/.git"):
        os.makedirs(f"{folder}/.git")
        for name, text in SAMPLES.items():
            os.makedirs(os.path.dirname(f"{folder}/{name}"), exist_ok=True)
            with open(f"{folder}/{name}", "w", encoding="utf-8") as f:
                f.write(text)
    named = [f"--target={','.join(targets)}"] if targets else []
    command = [TOOL, "check", "-q", "--exit-zero", "--no-cache", "--format=json", *named, "."]
    found = json.loads(subprocess.run(command, cwd=folder, stdout=subprocess.PIPE).stdout)
    levels = {"error": 1, "warning": 2, "note": 3}
    server = Server(*named)
    server.start()
    total = 0
    for name, text in SAMPLES.items():
        expected = []
        for f in found:
            # What --fix rewrites is one finding of a C++ file there, and in an editor each place.
            for place in f.get("places", [f]) if f["fix"] else [f]:
                where = (place["line"] - 1, place["column"] - 1)
                if f["path"] == name:
                    expected.append((*where, f["rule"], levels[f["severity"]]))
        uri = server.open(f"{folder}/{name}", text)
        shown = [
            (*d["range"]["start"].values(), d["code"], d["severity"])
            for d in server.diagnostics(uri, 1)
        ]
        total += len(shown)
        check(f"{name}: as check says, {named}", sorted(shown) == sorted(expected), (shown, expected))
    check("something is shown", total > 5, total)
    server.end()


def odd_clients():
    server = Server()
    early = server.answer(server.ask("textDocument/hover"))
    check("before initialize", early["error"]["code"] == -32002, early)
    server.start(target="no-such-target")
    uri = server.open("/nowhere/a.py", "import torch\ntorch.cuda.synchronize(\n")
    found = server.diagnostics(uri, 1)
    check("a file that does not parse", any("syntax" in d["message"] for d in found), found)
    offered = actions(server, uri, span(1, 0, 5))
    check("and nothing to fix", not [a for a in offered if "Replace" in a["title"]])
    server.process.stdin.write(b"Content-Length: 5\r\n\r\n{bad}")
    server.process.stdin.flush()
    server.process.stdin.close()
    check("an editor that is gone", server.process.wait(timeout=60) == 1)


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        for encoding in ("utf-16", "utf-8"):
            positions_and_fixes(folder, encoding)
        changes_in_pieces(folder)
        configurations(folder)
        for targets in ([], ["ascend"], ["rocm", "mlu"]):
            as_check_says(f"{folder}/project", targets)
    odd_clients()
    print(f"lsp: {passed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
