#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which releases of a vendor's adapter have the names that a port can write.

    tools/releases.py rules/releases/ascend.json SOURCE            prints what changed, writes nothing
    tools/releases.py rules/releases/ascend.json SOURCE --write    brings the file up to date
    tools/releases.py foo.json SOURCE --write                      of a target: fills its "releases"
    ... --names FILE                                               instead of asking cuda-morph

SOURCE is a git directory with the vendor's branches or tags, or a folder that holds one folder per
release, named by its "ref"; for one release it may be the vendor's sources themselves. The names
come from `cuda-morph rules names`; a file of releases says
which folder of the sources each module is. Nothing of the sources is written but the path of the
file that has a name. Absence is certain: the word is nowhere. Presence is read from the syntax tree
of Python modules, and from quoted words of native code.
"""
import argparse
import ast
import functools
import json
import pathlib
import re
import subprocess
import sys

# What native classes of these bases have from PyTorch (torch.Stream of 2.14.1 was asked).
BASES = {"THPStreamClass": ("device", "device_index", "device_type", "stream_id")}
TYPES = ("BFloat16", "Bool", "Byte", "Char", "Double", "Float", "Half", "Int", "Long", "Short")


class Blobs:
    """The contents of a git directory, each read once: releases share most of their files."""

    def __init__(self, source):
        self.process = subprocess.Popen(["git", "-C", source, "cat-file", "--batch"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    @functools.lru_cache(maxsize=None)
    def text(self, blob):
        self.process.stdin.write(blob.encode() + b"\n")
        self.process.stdin.flush()
        size = int(self.process.stdout.readline().split()[2])
        content = self.process.stdout.read(size + 1)[:-1]
        return content.decode("utf-8", "replace")

    @functools.lru_cache(maxsize=None)
    def words(self, blob):
        text = self.text(blob)
        return (frozenset(re.findall(r"[A-Za-z_]\w*", text)),
                frozenset(re.findall(r"[\"']([A-Za-z_][\w.]*)[\"']", text)))


class Folder(Blobs):
    """The same of files, which are their own names."""

    process = None

    def __init__(self):  # pylint: disable=super-init-not-called
        pass

    @functools.lru_cache(maxsize=None)
    def text(self, blob):
        return pathlib.Path(blob).read_text("utf-8", "replace")


ENDS = (".py", ".pyi", ".cpp", ".cc", ".h", ".hpp", ".yaml", ".mu", ".in")


class Tree:
    """The files of one release."""

    def __init__(self, source, ref, folder, blobs):
        self.ref, self.blobs, self.commit, self.paths = ref, blobs, "", {}
        root = pathlib.Path(source) / ref
        if not root.is_dir() and not (pathlib.Path(source) / "HEAD").exists():
            root = pathlib.Path(source)
        if root.is_dir() and blobs.process is None:
            self.paths = {str(p.relative_to(root)): str(p)
                          for p in (root / folder).rglob("*") if p.suffix in ENDS}
            return
        run = lambda *a: subprocess.run(["git", "-C", source, *a], capture_output=True, text=True,
                                        check=True).stdout
        self.commit = run("rev-parse", ref + "^{commit}").strip()
        for line in run("ls-tree", "-r", ref, "--", folder).splitlines():
            mode, path = line.split("\t", 1)
            if path.endswith(ENDS):
                self.paths[path] = mode.split()[2]

    def text(self, path):
        return self.blobs.text(self.paths[path])

    @functools.lru_cache(maxsize=None)
    def index(self):
        """word -> a path that holds it, and the same for quoted words."""
        words, quoted = {}, {}
        for path, blob in sorted(self.paths.items(), key=lambda p: (p[0].endswith(".py"), p)):
            plain, in_quotes = self.blobs.words(blob)
            for word in plain:
                words.setdefault(word, path)
            for word in in_quotes:
                quoted.setdefault(word, path)
        return words, quoted

    def paths_with(self, *wanted):
        """The files that hold all of these words."""
        return [p for p, b in sorted(self.paths.items())
                if all(w in self.blobs.words(b)[0] for w in wanted)]

    def module(self, path):
        for name in (path + "/__init__.py", path + ".py", path + "/__init__.pyi", path + ".pyi"):
            if name in self.paths:
                return name
        return None

    @functools.lru_cache(maxsize=None)
    def bindings(self, path):
        """name -> how it is bound at the top of the module, and the modules of its stars."""
        found, stars = {}, []
        try:
            body = ast.parse(self.text(path)).body
        except SyntaxError:
            return found, stars
        queue = list(body)
        while queue:
            node = queue.pop(0)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                found[node.name] = node
                queue += [n for n in node.body if isinstance(n, ast.Global)]
            elif isinstance(node, ast.Global):
                found.update({name: node for name in node.names})
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                for target in getattr(node, "targets", None) or [node.target]:
                    for part in ast.walk(target):
                        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                            found[part.id] = node
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    found[alias.asname or alias.name.split(".")[0]] = ("module", alias.name)
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    if alias.name == "*":
                        stars.append((node.level, node.module or ""))
                    else:
                        found[alias.asname or alias.name] = (node.level, node.module or "",
                                                             alias.name)
            else:
                for field in ("body", "orelse", "finalbody", "handlers"):
                    queue += getattr(node, field, [])
        return found, stars


def folder_of(tree, path, level, module, modules):
    """The folder or file, without its end, that an import means; None: outside of the sources."""
    if level:
        base = path.split("/")[:-1]
        base = base[:len(base) - (level - 1)]
        return "/".join(base + (module.split(".") if module else []))
    for name, folder in sorted(modules.items(), key=lambda m: -len(m[0])):
        if module == name or module.startswith(name + "."):
            return folder + module[len(name):].replace(".", "/")
    return None


def find(tree, folder, parts, modules, seen=()):
    """The file that binds a.b.c below the module of that folder, or None."""
    path = tree.module(folder)
    if not path or (path, parts[0]) in seen:
        return None
    found, stars = tree.bindings(path)
    seen = seen + ((path, parts[0]),)
    node = found.get(parts[0])
    if isinstance(node, tuple) and len(node) == 3:
        level, module, name = node
        base = folder_of(tree, path, level, module, modules)
        inner = base and (find(tree, base, (name,) + parts[1:], modules, seen)
                          or (tree.module(base + "/" + name) if len(parts) == 1 else
                              find(tree, base + "/" + name, parts[1:], modules, seen)))
        return inner or (path if len(parts) == 1 or not base else None)
    if isinstance(node, tuple) and len(parts) == 1:
        return path
    if isinstance(node, tuple):
        base = folder_of(tree, path, 0, node[1], modules)
        inner = base and find(tree, base, parts[1:], modules, seen)
        if inner:
            return inner
        node = None
    if node is not None:
        if len(parts) == 1:
            return path
        if isinstance(node, ast.ClassDef):
            return path if has_member(node, parts[1]) else \
                in_base(tree, folder, node, parts, modules, seen) or in_native(tree, parts, path)
        made = getattr(getattr(node, "value", None), "func", None)
        if isinstance(made, ast.Name):  # x = Class()
            return find(tree, folder, (made.id,) + parts[1:], modules, seen)
    if len(parts) > 1 and tree.module(folder + "/" + parts[0]):
        return find(tree, folder + "/" + parts[0], parts[1:], modules, seen)
    if len(parts) == 1 and tree.module(folder + "/" + parts[0]):
        return tree.module(folder + "/" + parts[0])
    for level, module in stars:
        base = folder_of(tree, path, level, module, modules)
        inner = base and find(tree, base, parts, modules, seen)
        if inner:
            return inner
    return None


def in_base(tree, folder, node, parts, modules, seen):
    """A class has what its bases have."""
    for base in node.bases:
        dotted = ast.unparse(base)
        for name, below in sorted(modules.items(), key=lambda m: -len(m[0])):
            if dotted.startswith(name + "."):
                names = tuple(dotted[len(name) + 1:].split(".")) + parts[1:]
                found = find(tree, below, names, modules, seen)
                if found:
                    return found
        bound = tree.bindings(tree.module(folder))[0].get(dotted) if tree.module(folder) else None
        if isinstance(bound, tuple) and len(bound) == 3 and \
                folder_of(tree, tree.module(folder), bound[0], bound[1], modules) is None:
            continue  # a class of PyTorch's: these sources do not tell what it has
        found = "." not in dotted and find(tree, folder, (dotted,) + parts[1:], modules, seen)
        if found:
            return found
    return None


def in_native(tree, parts, path):
    """Members of native classes are quoted in the file named like them: Stream.cpp, my_stream.cpp.
    Where their base is PyTorch's own class, they have what that has. Those that a __getattr__
    answers are quoted in the class's own file."""
    for other, blob in tree.paths.items():
        stem = other.rsplit("/", 1)[-1].split(".")[0].split("_")[-1].lower()
        if not stem or other.endswith(".py") or not parts[0].lower().endswith(stem):
            continue
        words, quoted = tree.blobs.words(blob)
        if parts[1] in quoted or any(base in words and parts[1] in members
                                     for base, members in BASES.items()):
            return other
    return path if parts[1] in tree.blobs.words(tree.paths[path])[1] else None


def has_member(node, name):
    for part in ast.walk(node):
        if isinstance(part, (ast.FunctionDef, ast.ClassDef)) and part.name == name:
            return True
        if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Store):
            return True
        if isinstance(part, ast.Attribute) and part.attr == name \
                and isinstance(part.ctx, ast.Store):
            return True
    return False


def a_property(tree, name):
    """The Python file in which a class has that property."""
    made = re.compile(rf"@property\s+def {name}\(")
    return next((p for p in tree.paths_with("property", name)
                 if p.endswith(".py") and made.search(tree.text(p))), None)


def registered(tree, backend):
    """The file that registers that back end: torch.distributed.Backend has its name then."""
    call = re.compile(rf"\bregister_backend\(\s*(name\s*=\s*)?['\"]{backend}['\"]")
    return next((p for p in tree.paths_with("register_backend", backend)
                 if call.search(tree.text(p))), None)


def patched(tree, name, modules):
    """torch.a.B set from outside: a.B = ..., setattr(a, "B", ...), or native code's "B"."""
    above, last = name.rsplit(".", 1)
    heads = {above.split(".")[-1]} | {m.split(".")[-1] for m, below in modules.items()
                                      if below == modules.get(above)}
    for head in sorted(heads):
        wanted = re.compile(rf"^[^#\n]*(\b{head}\.{last}\s*=[^=]|\b{head}\b[^()]{{0,80}}['\"]{last}['\"])",
                            re.M)
        for path in tree.paths_with(head, last):
            if wanted.search(tree.text(path)):
                return path
    if above not in modules:  # the vendor's own PyTorch has it, where its package uses it
        used = re.compile(rf"^[^#\n]*\b{above.split('.')[-1]}\.{last}\b", re.M)
        return next((p for p in tree.paths_with(above.split(".")[-1], last)
                     if "/testing/" not in p and used.search(tree.text(p))), None)
    if above in modules:
        return next((p for p, b in sorted(tree.paths.items())
                     if p.endswith("Module.cpp") and last in tree.blobs.words(b)[1]), None)
    return None


def found_in(tree, spec, name):
    """The file of that release that has the name; None: it lacks; False: nothing here can tell."""
    modules, words = spec["modules"], tree.index()
    if name.strip(".") in (spec.get("method"), "is_" + spec.get("method", "")):
        made = words[0].get("generate_methods_for_privateuse1_backend")
        if made:
            return made
    if "." not in name:
        return words[1].get(name) or None
    if name.startswith("."):
        return words[1].get(name[1:]) or a_property(tree, name[1:])
    if name.startswith("torch.distributed.Backend."):
        return registered(tree, name.rsplit(".", 1)[1].lower()) or None
    for module, below in sorted(modules.items(), key=lambda m: -len(m[0])):
        if name == module:
            return tree.module(below)
        if not name.startswith(module + "."):
            continue
        parts = tuple(name[len(module) + 1:].split("."))
        if re.fullmatch(r"_[A-Z]+", parts[0]):
            return words[1].get(parts[-1]) or words[0].get(parts[-1]) or None
        path = find(tree, below, parts, modules)
        if path:
            return path
        module_file = tree.module(below)
        if len(parts) == 1 and module_file and any(  # the module is made an object of its class
                isinstance(n, ast.ClassDef) and has_member(n, parts[0])
                for n in tree.bindings(module_file)[0].values()):
            return module_file
        if parts[-1] in [t + "Tensor" for t in TYPES]:  # made of the types' names
            return next((p for p in sorted(tree.paths)
                         if re.search(r"(?i)[/_](python_?tensor|tensor_?type)\.cpp$", p)), None)
        if len(parts) == 1:
            return patched(tree, name, modules)
        return None
    method = spec.get("method")
    if method and name.split(".")[-1] in (method, "is_" + method):
        return words[0].get("generate_methods_for_privateuse1_backend") or patched(tree, name, modules)
    if spec.get("common"):
        return False
    return patched(tree, name, modules) if name.startswith("torch.") else False


def ranges(have, versions):
    """"a..b", "c.." of the releases that have it."""
    out, i = [], 0
    while i < len(versions):
        if not have[i]:
            i += 1
            continue
        last = i
        while last + 1 < len(versions) and have[last + 1]:
            last += 1
        end = "" if last == len(versions) - 1 else versions[last]
        out.append(versions[i] if last == i and end else f"{versions[i]}..{end}")
        i = last + 1
    return out


def names_of(arguments, spec):
    if arguments.names:
        text = pathlib.Path(arguments.names).read_text()
    else:
        own = ["--rules", arguments.file] if arguments.own else []
        text = subprocess.run([arguments.program, "rules", "names", *own, "--target",
                               ",".join(spec["releases"])],
                              stdout=subprocess.PIPE, text=True, check=False).stdout
    return sorted({line.split()[1] for line in text.splitlines() if len(line.split()) > 1})


def is_ours(spec, name):
    """Whether this file of releases can tell anything about the name."""
    if not re.fullmatch(r"\.?[A-Za-z_][\w.]*", name):
        return False
    if "." not in name:
        return bool(re.match(spec.get("variables", "$"), name))
    known = tuple(m + "." for m in spec["modules"])
    own, backend = spec.get("method"), spec.get("backend")
    return name.startswith(known) or name in spec["modules"] or name in spec["names"] or \
        bool(own and (own in name.lower().split(".")[-1] or own in name.lower())) or \
        bool(backend and backend in name.lower())


def mine(spec, source, names):
    git = (pathlib.Path(source) / "HEAD").exists()
    blobs = Blobs(source) if git else Folder()
    trees = [Tree(source, r["ref"], spec["folder"], blobs) for r in spec["list"]]
    versions = [r["version"] for r in spec["list"]]
    for release, tree in zip(spec["list"], trees):
        if tree.commit:
            release["commit"] = tree.commit[:12]
    table = {}
    for name in names:
        if not is_ours(spec, name):
            continue
        files = [found_in(tree, spec, name) for tree in trees]
        if all(f is False for f in files):
            continue
        have = [bool(f) for f in files]
        entry = {} if all(have) else {"in": ranges(have, versions)}
        last = next((f for f in reversed(files) if f), None)
        if last:
            entry["file"] = last
        if last or not spec.get("common"):  # native names of PyTorch are not in these sources
            table[name] = entry
    return table


def written(spec):
    """The file as it is laid out: a release and a name on a line each."""
    def rows(values):
        return ",\n".join("    " + v for v in values)
    head = {k: v for k, v in spec.items() if k not in ("list", "names")}
    lines = ",\n".join(f"  {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}"
                       for k, v in head.items())
    releases = rows(json.dumps(r) for r in spec["list"])
    names = rows(f"{json.dumps(n)}: {json.dumps(v)}" for n, v in sorted(spec["names"].items()))
    return f"{{\n{lines},\n  \"list\": [\n{releases}\n  ],\n  \"names\": {{\n{names}\n  }}\n}}\n"


def spec_of(target, source):
    """What a file of releases would say of a target whose own file holds them."""
    facts, known = target["facts"], target["releases"]
    package, device = facts["import"] or "torch", facts["device"]
    inner = next((f"{package}/{device}" for p in pathlib.Path(source).rglob(f"{package}/{device}*")
                  if p.suffix in ("", ".py")), package)
    for release in known["list"]:
        release.setdefault("ref", release["version"])
    return {"releases": [target["target"]], "folder": ".", "method": facts["method"],
            "variables": device.upper() + "_", "backend": facts.get("backend", ""),
            "modules": {facts["module"]: inner, package: package}, **known}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file"), parser.add_argument("source")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--names")
    built = pathlib.Path(__file__).resolve().parent.parent / "build/cuda-morph"
    parser.add_argument("--program", default=str(built) if built.exists() else "cuda-morph",
                        help="cuda-morph (default: that of the tree, else of PATH)")
    arguments = parser.parse_args()
    arguments.own = False
    spec = target = json.loads(pathlib.Path(arguments.file).read_text())
    if "facts" in target:
        arguments.own, spec = True, spec_of(target, arguments.source)
    spec.setdefault("names", {})
    before = dict(spec["names"])
    hand = {n: v for n, v in before.items() if v.get("file", "").startswith("by hand")}
    spec["names"] = {**mine(spec, arguments.source, names_of(arguments, spec) + list(before)), **hand}
    changed = 0
    for name in sorted(set(before) | set(spec["names"])):
        old, new = before.get(name), spec["names"].get(name)
        if old != new:
            changed += 1
            print(f"{name}: {json.dumps(old)} -> {json.dumps(new)}")
    print(f"{len(spec['names'])} names, {len(spec['list'])} releases, {changed} changed",
          file=sys.stderr)
    if arguments.write and spec is not target:
        target["releases"]["names"] = spec["names"]
        text = json.dumps(target, indent=2, ensure_ascii=False) + "\n"
        pathlib.Path(arguments.file).write_text(text)
    elif arguments.write:
        pathlib.Path(arguments.file).write_text(written(spec))
    return 0


if __name__ == "__main__":
    sys.exit(main())
