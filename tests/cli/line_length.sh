#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Lines that a port makes longer than the project's settings say are broken as black breaks them;
# what was longer before keeps its lines. Where settings say nothing, a file's own longest line counts,
# and no line within a hundred columns is broken.
. "${0%/*}/helper"

says_length() { # FOLDER FILE TEXT: a project with that setting
    mkdir -p "$1"
    printf '%b' "$3" >"$1/$2"
    cp long.py "$1"
}
lines() { awk -v n="$1" 'length > n' "$2" | wc -l; }

cat >long.py <<'END'
import torch
import torch.distributed as dist


def run(cfg, model, rank, optimizer_name, learning_rate, device="cuda", weight_decay=0):
    if cfg.backend == "nccl" and not cfg.on_the_host and cfg.number_of_processes > 1:
        dist.init_process_group(backend="nccl", init_method=cfg.method, rank=rank)
    peak = torch.cuda.max_memory_allocated() if cfg.verbose_output_of_memory else 0.5
    states = {"name": torch.cuda.get_device_name(rank), "model": model, "peak": peak}
    if cfg.dist_backend == "nccl":
        return states, torch.zeros(cfg.batch_size, cfg.length, device="cuda"), rank
    print(
        "everything of the state", states, torch.cuda.memory_allocated(), cfg.backend
    )
    assert model.device.type == "cuda", "the model has to be on an accelerator now"
    return model(torch.zeros(cfg.batch, device="cuda"))[0] if cfg.shift > 0 else peak


def kept(cfg):  # what was too long stays, and so does what a comment or a string holds
    first = torch.zeros(cfg.batch_size, cfg.length_of_a_sequence, device="cuda") + cfg.shift * 2
    second = torch.cuda.max_memory_allocated()  # of this process, as PyTorch has counted it
    return first, second
END
says_length black pyproject.toml '[tool.black]\nline-length = 90\n'
says_length default pyproject.toml '[tool.black]\ntarget-version = ["py39"]\n'
says_length flake8 .flake8 '[flake8]\nmax-line-length = 88\n'
says_length both setup.cfg '[flake8]\nmax-line-length = 300\n[yapf]\ncolumn_limit = 88\n'
says_length ruff ruff.toml 'line-length = 88\n'
says_length hook .pre-commit-config.yaml 'repos:\n- repo: x\n  hooks:\n  - id: black\n    args: [--line-length=88]\n'
says_length isort setup.cfg '[isort]\nline_length = 40\n'
says_length nothing setup.cfg '[metadata]\nname = x\n'
mkdir -p black/inner
printf '[tool.black]\nline-length = 300\n' >black/inner/pyproject.toml
cp long.py black/inner

run port . --target portable -o out
exits 0 'port'
python3 -c 'import ast, sys; [ast.parse(open(f).read()) for f in sys.argv[1:]]' out/*/long.py
check 'what is written can be read' [ $? -eq 0 ]
check 'as long as black leaves them' [ "$(lines 90 out/black/long.py)" -eq 2 ]
for folder in default flake8 both ruff hook; do
    check "$folder: its length" [ "$(lines 88 out/$folder/long.py)" -eq 2 ]
done
check 'isort says nothing of code' cmp -s out/isort/long.py out/nothing/long.py
check 'the innermost settings count' [ "$(lines 100 out/black/inner/long.py)" -gt 8 ]
check 'without settings what a file keeps to' [ "$(lines 100 out/nothing/long.py)" -eq 1 ]
check 'what is within a hundred columns stays' [ "$(lines 90 out/nothing/long.py)" -gt 3 ]
mkdir wide && { cat long.py && printf '# %0130d\n' 0; } >wide/long.py
run port wide --target portable -o out_wide
check 'a file with long lines keeps its lines' [ "$(lines 100 out_wide/long.py)" -gt 9 ]
mkdir with && printf 'import torch\n\n\ndef run(x, dev, out):\n    with torch.cuda.device(dev):\n        out.append(x)\n' >with/with.py
run port with/with.py --target portable
check 'with: brackets that are there' grep -qx '    with (' "$out"
cat >wanted <<'END'
def run(
    cfg,
    model,
    rank,
    optimizer_name,
    learning_rate,
    device=_accelerator().type,
    weight_decay=0,
):
END
sed -n '/^def run/,/^):/p' out/default/long.py >begins
check 'parameters' cmp -s begins wanted
run port out --target portable --check
exits 0 'a second port changes nothing'
run port default --target ascend --diff
lacks_lines() { ! grep -q '^+.*($' "$out"; }
check 'what fits is not broken' lacks_lines

# What stands before a `for` never goes into brackets together with it, and of several targets
# none: {k: (v for v in w)} is a dictionary of one generator, (a = b) is nothing at all.
mkdir each && printf '[tool.black]\nline-length = 74\n' >each/pyproject.toml
cat >each/each.py <<'END'
import torch


async def put(batch, q_long, key):
    batch = {k: v.cuda(non_blocking=True) for k, v in batch.items()}
    batch = {k: v.cuda(non_blocking=True) async for k, v in batch.rows()}
    batch = dict(**{k: v.cuda(non_blocking=True) for k, v in key.items()})
    batch = [v.cuda(non_blocking=True) for v in batch if v and v.has_data]
    first = second = q_long.cuda(non_blocking=True) + key.cuda() + batch
    if batch: return torch.zeros(5, device="cuda") + torch.cuda.FloatTensor(3)
    return {k: v.cuda(non_blocking=True)for(k, v)in batch.items()if(k)}
END
cat >wanted <<'END'
    batch = {
        k: v.to(_accelerator(), non_blocking=True)
        for k, v in batch.items()
    }
    batch = {
        k: v.to(_accelerator(), non_blocking=True)
        async for k, v in batch.rows()
    }
    batch = dict(
        **{
            k: v.to(_accelerator(), non_blocking=True)
            for k, v in key.items()
        }
    )
    batch = [
        v.to(_accelerator(), non_blocking=True)
        for v in batch
        if v and v.has_data
    ]
END
run port each --target portable -o narrow_each
exits 0 'lines with a comprehension or several targets'
sed -n '/^    batch = /,$p' narrow_each/each.py | head -n "$(awk 'END { print NR }' wanted)" >begins
check 'a line for each clause of a comprehension' cmp -s wanted begins

# Whatever the limit, the fixtures' outputs say what they say without one.
if can python3 'a comparison of what narrow and wide lines say'; then
    mkdir same
    cp each/each.py long.py same
    for input in "$top"/tests/fixtures/*/*/input.py; do
        fixture=${input%/input.py} domain=${input%/*/input.py}
        cat "$input" >"same/${domain##*/}-${fixture##*/}.py"
    done
    for limit in 9999 36 56 74 88; do
        printf '[tool.black]\nline-length = %s\n' "$limit" >same/pyproject.toml
        "$tool" port same --target portable -o "same.$limit" >"$out" 2>"$err" </dev/null
        ! grep -q 'internal error' "$out" "$err"
        check "$limit columns: all of it can be read" [ $? -eq 0 ]
    done
    cat >compare.py <<'END'
import ast, pathlib, sys, warnings

warnings.simplefilter("ignore")
wrapped = different = 0
for wide in sorted(pathlib.Path("same.9999").glob("*.py")):
    try:
        tree = ast.dump(ast.parse(wide.read_bytes()))
    except (SyntaxError, ValueError, RecursionError):
        continue
    for limit in sys.argv[1:]:
        narrow = pathlib.Path("same." + limit, wide.name).read_bytes()
        if narrow == wide.read_bytes():
            continue
        wrapped += 1
        try:
            same = ast.dump(ast.parse(narrow)) == tree
        except (SyntaxError, RecursionError):
            same = False
        if not same:
            different += 1
            print(limit, wide.name, file=sys.stderr)
sys.exit(different > 0 or wrapped < 100)
END
    python3 compare.py 36 56 74 88
    check 'narrow lines say what wide ones say' [ $? -eq 0 ]
fi
done_testing
