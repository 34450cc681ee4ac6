# SPDX-License-Identifier: Apache-2.0
"""runtime_names.py - the names that ported programs may import from runtime/python.

    tools/runtime_names.py           prints them, as the list `runtime.names` of rules/words.json
    tools/runtime_names.py --check   fails where the list has others, or a rule writes a name that
                                     is not there

A rewrite that hands out a name which the runtime lacks is an ImportError without a word: what is
not in the list stays with its own package, and is for a human. Reads the sources, imports nothing.
"""
import ast
import json
import os
import re
import sys
import textwrap

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGE = "cuda_morph_rt"
PARTS = ("apex", "flash_attn", "nvtx", "torch_scatter", "xformers")  # they stand for others


def names_of(path, module, parts):
    """The public names that a module binds, and itself; with methods where no parts are asked."""
    found = {module}
    for node in ast.parse(open(path).read()).body:
        names = []
        if isinstance(node, ast.ClassDef) and not parts:
            found.update(f"{module}.{node.name}.{m.name}" for m in node.body
                         if isinstance(m, ast.FunctionDef))
        if isinstance(node, ast.FunctionDef) and node.name == "__getattr__":
            found.add(module + ".*")  # it makes them when it is asked
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names = [node.name]
        elif isinstance(node, ast.Assign):
            names = [t.id for t in node.targets if isinstance(t, ast.Name)]
        elif isinstance(node, ast.ImportFrom) and node.level:
            names = [a.asname or a.name for a in node.names]
        found.update(f"{module}.{n}" for n in names if not n.startswith("_") or n == "__version__")
    return found


def names(parts):
    root, found = os.path.join(HERE, "runtime", "python", PACKAGE), set()
    for folder, _, files in os.walk(root):
        for path in (os.path.join(folder, f) for f in files if f.endswith(".py")):
            module = os.path.relpath(path, root)[:-3].replace(os.sep, ".")
            module = re.sub(r"(^|\.)__init__$", "", module)
            if not parts or module.split(".")[0] in parts:
                found |= names_of(path, f"{PACKAGE}.{module}" if module else PACKAGE, parts)
    return found


def written():
    """The names below the package that cells of the rules write."""
    found = set()
    for folder in ("rules", "rules/targets"):
        for name in os.listdir(os.path.join(HERE, folder)):
            if name.endswith(".json") and name != "words.json":
                text = open(os.path.join(HERE, folder, name)).read()
                found |= set(re.findall(PACKAGE + r"(?:\.\w+)+(?![\w.{])", text))
    return found


def check():
    listed = json.load(open(os.path.join(HERE, "rules", "words.json")))["words"]["runtime.names"]
    differ = set(listed["words"]) ^ names(PARTS)
    wrong = [f"rules/words.json: runtime.names: {n}: run tools/runtime_names.py"
             for n in sorted(differ) if not n.endswith(".*")]
    known = names(())
    wrong += [f"rules write {n}, which runtime/python lacks" for n in sorted(written() - known)
              if n.rsplit(".", 1)[0] + ".*" not in known]
    print("\n".join(wrong) if wrong else f"{len(known)} names")
    return 1 if wrong else 0


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(check())
    words = ", ".join(f'"{n}"' for n in sorted(names(PARTS)) if not n.endswith("*"))
    print(textwrap.fill(words, 99, initial_indent=" " * 8, subsequent_indent=" " * 8))
