/* SPDX-License-Identifier: Apache-2.0 */
/* pipeline.c - the run of a CI server, from its environment.
 *
 * Azure DevOps drops a SARIF run that does not say from which pipeline it comes, in an id of its
 * own form; everybody else keeps runs apart by a category. Half an identity would be dropped, too:
 * where one variable is missing, the category stays. */
#include "report/pipeline.h"

#include <stdlib.h>

#include "report/escape.h"

static struct str variable(const char *name, const char *other) {
    const char *value = getenv(name);
    if ((!value || !*value) && other) value = getenv(other);
    return str_of(value ? value : "");
}

static bool is_number(struct str s) {
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] < '0' || s.p[i] > '9') return false;
    return s.n > 0;
}

/* dev.azure.com/ORGANIZATION/ or ORGANIZATION.visualstudio.com/ */
static struct str organization(struct str uri) {
    size_t start = str_find(uri, S("://"), 0);
    if (start >= uri.n) return (struct str){NULL, 0};
    struct str host = str_sub(uri, start + 3, uri.n);
    size_t slash = str_find(host, S("/"), 0);
    size_t old = str_find(host, S(".visualstudio.com"), 0);
    if (old < slash) return str_sub(host, 0, old);
    if (slash >= host.n) return (struct str){NULL, 0};
    struct str rest = str_sub(host, slash + 1, host.n);
    return str_sub(rest, 0, str_find(rest, S("/"), 0));
}

static void add_property(struct buf *b, const char *comma, const char *key, struct str value) {
    buf_printf(b, "%s\"azuredevops/pipeline/build/%s\": ", comma, key);
    add_json_text(b, value);
}

/* False: this is no pipeline of Azure's, or it does not say which. */
static bool add_azure(struct buf *b) {
    struct str build = variable("BUILD_BUILDID", NULL),
               branch = variable("BUILD_SOURCEBRANCH", NULL),
               definition = variable("SYSTEM_DEFINITIONID", "BUILD_DEFINITIONID"),
               name = variable("BUILD_DEFINITIONNAME", NULL),
               phase = variable("SYSTEM_PHASEID", "SYSTEM_JOBID"),
               phase_name = variable("SYSTEM_PHASENAME", "SYSTEM_JOBNAME"),
               project = variable("SYSTEM_TEAMPROJECTID", NULL),
               owner = organization(variable("SYSTEM_COLLECTIONURI", NULL));
    if (!variable("TF_BUILD", NULL).n || !is_number(definition) || !build.n || !branch.n ||
        !name.n || !phase.n || !phase_name.n || !project.n || !owner.n)
        return false;
    buf_addz(b, "\"automationDetails\": {\"id\": ");
    add_json_text(b, arena_printf(b->a, "azuredevops/pipeline/build/%.*s/%.*s/%.*s/%.*s/%.*s/%.*s",
                                  STR_ARG(owner), STR_ARG(project), STR_ARG(definition),
                                  STR_ARG(phase), STR_ARG(branch), STR_ARG(build)));
    buf_printf(b, ",\n \"properties\": {\"azuredevops/pipeline/build/buildDefinitionId\": %.*s",
               STR_ARG(definition));
    add_property(b, ", ", "buildDefinitionName", name);
    add_property(b, ", ", "phaseId", phase);
    add_property(b, ", ", "phaseName", phase_name);
    buf_addz(b, "}},\n");
    return true;
}

/* The address without a name or a token that a server may have put in front of its host. */
static struct str without_user(struct arena *a, struct str uri) {
    size_t start = str_find(uri, S("://"), 0);
    if (start >= uri.n) return uri;
    size_t end = str_find(uri, S("/"), start + 3), at = end;
    while (at > start + 3 && uri.p[at - 1] != '@') at--;
    if (at == start + 3) return uri;
    return arena_printf(a, "%.*s%.*s", (int)(start + 3), uri.p, (int)(uri.n - at), uri.p + at);
}

static void add_provenance(struct buf *b) {
    struct str uri = variable("BUILD_REPOSITORY_URI", "CI_PROJECT_URL"),
               commit = variable("BUILD_SOURCEVERSION", "CI_COMMIT_SHA"),
               branch = variable("BUILD_SOURCEBRANCH", "CI_COMMIT_REF_NAME");
    struct str server = variable("GITHUB_SERVER_URL", NULL),
               repository = variable("GITHUB_REPOSITORY", NULL);
    if (server.n && repository.n) {
        uri = arena_printf(b->a, "%.*s/%.*s", STR_ARG(server), STR_ARG(repository));
        commit = variable("GITHUB_SHA", NULL);
        branch = variable("GITHUB_REF", NULL);
    }
    if (!commit.n || str_find(uri, S("://"), 0) >= uri.n) return;
    buf_addz(b, "\"versionControlProvenance\": [{\"repositoryUri\": ");
    add_json_text(b, without_user(b->a, uri));
    buf_addz(b, ", \"revisionId\": ");
    add_json_text(b, commit);
    if (branch.n) {
        buf_addz(b, ", \"branch\": ");
        add_json_text(b, branch);
    }
    buf_addz(b, ", \"mappedTo\": {\"uriBaseId\": \"%SRCROOT%\"}}],\n");
}

void add_pipeline(struct buf *b, struct str category) {
    if (!add_azure(b)) {
        buf_addz(b, "\"automationDetails\": {\"id\": ");
        add_json_text(b, arena_printf(b->a, "cuda-morph/%.*s/", STR_ARG(category)));
        buf_addz(b, "},\n");
    }
    add_provenance(b);
}
