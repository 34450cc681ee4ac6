/* SPDX-License-Identifier: Apache-2.0 */
/* rules_files.h - the smallest rule files that compile, for tests to add what they are about. */
#ifndef CM_RULES_FILES_H
#define CM_RULES_FILES_H

#include "rules/rules.h"

#define REFERENCES "\"references\": [{\"source\": \"s\", \"checked\": \"2026-11\"}]"
#define TARGET(name, order, names, facts)                                                         \
    "{\"target\": \"" name "\", \"aliases\": [\"" name "-alias\"], \"order\": " order             \
    ", \"title\": \"T\", \"summary\": \"S\", \"names\": \"" names "\", \"facts\": {" facts        \
    "}, " REFERENCES "}"
#define RULE(id, match, rest)                                                                     \
    "{\"id\": \"" id "\", \"title\": \"T\", \"why\": \"W\", \"severity\": \"error\", "            \
    "\"match\": \"" match "\", \"examples\": [{\"target\": \"ascend\", \"before\": \"b\", "       \
    "\"after\": \"a\"}], " REFERENCES ", " rest "}"
#define DOMAIN_OF(language, rules)                                                                \
    "{\"domain\": \"d\", \"language\": \"" language "\", \"title\": \"T\", \"rules\": [" rules "]}"
#define DOMAIN(rules) DOMAIN_OF("python", rules)

#define ASCEND TARGET("ascend", "2", "port", "\"device\": \"npu\", \"module\": \"torch.npu\"")
#define ROCM TARGET("rocm", "1", "keep", "\"device\": \"cuda\"")

static inline struct rule_source source(const char *path, const char *text) {
    return (struct rule_source){str_of(path), str_of(text)};
}

#endif
