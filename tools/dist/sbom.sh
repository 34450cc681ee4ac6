#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sbom.sh VERSION DATE - prints what is inside the binary, as SPDX 2.3 in JSON. DATE: seconds since
# 1970. Versions of grammars are those of grammars/package.json, of libraries those of pkg-config.
set -eu
cd "$(dirname "$0")/../.."
version=$1
created=$(date -u -d "@$2" +%Y-%m-%dT%H:%M:%SZ)
first=yes
# package NAME VERSION LICENCE PURL
package() {
    id=$(printf %s "$1" | tr -c 'A-Za-z0-9\n' -)
    [ -n "$first" ] || printf ',\n'
    first=
    printf '    {"SPDXID": "SPDXRef-%s", "name": "%s", "versionInfo": "%s",\n' "$id" "$1" "$2"
    printf '     "downloadLocation": "NOASSERTION", "filesAnalyzed": false, "copyrightText": "NOASSERTION",\n'
    printf '     "licenseConcluded": "%s", "licenseDeclared": "%s",\n' "$3" "$3"
    printf '     "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",\n'
    printf '                       "referenceLocator": "%s"}]}' "$4"
    ids="$ids $id"
}
npm() {
    is=$(sed -n "s|^ *\"$1\": \"\([0-9.]*\)\",*|\1|p" grammars/package.json)
    package "$1" "$is" MIT "pkg:npm/$(echo "$1" | sed 's/@/%40/')@$is"
}
library() { # NAME MODULE LICENCE
    is=$(pkg-config --modversion "$2")
    package "$1" "$is" "$3" "pkg:generic/$1@$is"
}
ids=
printf '{\n  "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",\n'
printf '  "name": "cuda-morph-%s",\n' "$version"
printf '  "documentNamespace": "urn:cuda-morph:%s:%s",\n' "$version" "$2"
printf '  "creationInfo": {"created": "%s", "creators": ["Tool: cuda-morph-sbom"]},\n' "$created"
printf '  "packages": [\n'
package cuda-morph "$version" Apache-2.0 "pkg:generic/cuda-morph@$version"
npm tree-sitter
npm tree-sitter-python
npm tree-sitter-cuda
npm @tree-sitter-grammars/tree-sitter-toml
library pcre2 libpcre2-8 BSD-3-Clause
library cjson libcjson MIT
printf '\n  ],\n  "relationships": [\n'
printf '    {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-cuda-morph"}'
for id in $ids; do
    [ "$id" = cuda-morph ] || printf ',\n    {"spdxElementId": "SPDXRef-cuda-morph", "relationshipType": "STATIC_LINK", "relatedSpdxElement": "SPDXRef-%s"}' "$id"
done
printf '\n  ]\n}\n'
