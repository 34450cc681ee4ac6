#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sarif.sh - what check writes as SARIF, judged by Microsoft's validator with the rules of the
# standard, of GitHub and of Azure DevOps.
#
# SARIF_TOOL: the folder in which `npm install @microsoft/sarif-multitool` put it, which is 100 MB
# and therefore nothing that a test fetches by itself. An error fails; warnings and notes are counted.
set -u
top=$(cd "${0%/*}/.." && pwd)
name=sarif
. "$top/tests/helper"
validator=$(find "${SARIF_TOOL:-/nowhere}" -name Sarif.Multitool -type f 2>/dev/null | head -n 1)
if [ -z "$validator" ] || ! command -v python3 >/dev/null; then
    echo "sarif: skipped: SARIF_TOOL names no folder with Microsoft's sarif-multitool, or there is no python3"
    exit 0
fi
chmod u+x "$validator" 2>/dev/null
export DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 # Debian's ICU is optional
cd "$scratch" || exit 2

# judged RULES FILE: the validator's errors are none.
judged() {
    rm -f verdict.sarif
    "$validator" validate "$2" --rule-kind "$1" --output verdict.sarif --log ForceOverwrite \
        --level 'Error;Warning;Note' --kind Fail --json-schema "$(dirname "$validator")/sarif-2.1.0.json" >said 2>&1
    python3 - <<'END' >errors 2>&1
import collections, json
runs = json.load(open("verdict.sarif"))["runs"]
count = collections.Counter()
for run in runs:
    for result in run["results"]:
        count[result.get("level", "warning"), result["ruleId"]] += 1
        if result.get("level", "warning") == "error":
            place = result["locations"][0]["physicalLocation"].get("region", {})
            print(result["ruleId"], result["message"].get("arguments"), place)
with open("counted", "w") as f:
    print(", ".join(f"{n} {level} {rule}" for (level, rule), n in sorted(count.items())) or "nothing", file=f)
END
    check "$2, $1: $(head -n 3 errors)" test -s verdict.sarif -a ! -s errors
    echo "sarif: $2, $1: $(cat counted)"
}

# written PATH OPTIONS...: as in a checkout, where paths are relative to its root.
written() { (cd "$top" && "$tool" check -q --exit-zero --format sarif "$@"); }
written docs/examples >portable.sarif
written docs/examples tests/precision --target ascend,rocm >two.sarif
mkdir clean
echo 'import torch' >clean/a.py
"$tool" check -q --format sarif clean >clean.sarif
echo 'x = torch.cuda.is_available(' >clean/b.py
"$tool" check -q --format sarif clean >broken.sarif 2>/dev/null
for file in portable.sarif two.sarif clean.sarif broken.sarif; do judged 'Sarif;Ghas' $file; done

# Azure wants to know which pipeline it was: what its agents set.
export TF_BUILD=True SYSTEM_COLLECTIONURI=https://dev.azure.com/house/ SYSTEM_DEFINITIONID=12 BUILD_BUILDID=345 \
    SYSTEM_TEAMPROJECTID=0b6f7f0e-6a5c-4c0a-9b1e-3a8d1f7d2c11 BUILD_DEFINITIONNAME='nightly build' \
    SYSTEM_PHASEID=3a8d1f7d-6a5c-4c0a-9b1e-0b6f7f0e2c11 SYSTEM_PHASENAME=Job BUILD_SOURCEBRANCH=refs/heads/main \
    BUILD_REPOSITORY_URI=https://user@dev.azure.com/house/project/_git/tree BUILD_SOURCEVERSION=0123456789012345678901234567890123456789
written docs/examples >azure.sarif
written docs/examples --target ascend,rocm >azure-two.sarif
for file in azure.sarif azure-two.sarif; do
    judged 'Sarif;GHAzDO' $file
    judged 'Sarif;Ghas' $file
done

done_testing
