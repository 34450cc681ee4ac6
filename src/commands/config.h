/* SPDX-License-Identifier: Apache-2.0 */
/* config.h - configuration files: cuda-morph.toml, .cuda-morph.toml, [tool.cuda-morph] of
 * pyproject.toml.
 *
 * The keys are the long names of the options that options.def lists as SETTINGs; a file sets what
 * the command line leaves open. Two tables go beyond that:
 *
 *     [per-file-ignores]
 *     "tests/" = ["torch-cuda", "torch-device/pinned"]   # patterns as in .gitignore
 *     [severity]
 *     "torch-device/pinned" = "off"     # or "note", "warning", "error"
 *
 *     extend = "../cuda-morph.toml"     # read first; what this file says wins
 *     required-version = ">=0.2"
 *
 * For a command the nearest file upwards counts, from the directory that all named paths are in;
 * files above it do not. The search ends at the root of a repository and at $HOME. `check` asks
 * the same for each source (folders.h). */
#ifndef CM_CONFIG_H
#define CM_CONFIG_H

#include "base/glob.h"
#include "commands/project.h"
#include "commands/rule_list.h"

/* What files that match a pattern leave out. */
struct file_ignores {
    struct str pattern; /* from `base`, the directory of its file, absolute */
    struct str base;
    struct glob_rules glob;
    struct selectors rules;
};

enum { SEVERITY_OFF = -1 };

struct severity_setting {
    struct str rule; /* id or domain */
    int severity;    /* enum severity or SEVERITY_OFF */
};

struct config {
    const char *path;         /* of the file, or NULL: there is none */
    VEC(struct str) extended; /* the files that it extends, the farthest first */
    VEC(struct file_ignores) ignores;
    VEC(struct severity_setting) severities;
};

/* Finds and reads the configuration and gives cli's options the values that the command line left
 * open. False after messages. */
bool config_read(struct cli *cli, const struct project *project, struct config *out);
/* The same of one file, and of --config KEY=VALUE. */
bool config_read_file(struct cli *cli, const struct project *project, const char *path,
                      struct config *out);
/* *path: the configuration file that lies in an absolute directory, or NULL. False after a
 * message. */
bool config_in_directory(struct cli *cli, const struct project *project, struct str directory,
                         const char **path);
/* Whether no configuration above this directory counts: a repository's root, and $HOME. */
bool config_search_ends(struct cli *cli, struct str directory);
/* Whether --config names a file, which then counts for all sources. */
bool config_is_given(const struct cli *cli);
/* Whether every rule that it names exists; false after a message. */
bool config_check_rules(struct cli *cli, const struct config *config,
                        const struct rule_list *rules);
/* The n-th key that a configuration file may have, and what it does; false: there are no more. */
bool config_key(size_t n, struct str *name, struct str *help);
/* Prints the settings in use, as TOML with their origins. */
void config_show(struct cli *cli, const struct config *config);

/* The severity of a rule: as configured, or `otherwise`. */
int config_severity(const struct config *config, struct str rule, int otherwise);
/* The selectors for a file, by its path from the project's root: whether any pattern that matches
 * it ignores the rule. */
bool config_ignores(const struct config *config, const struct project *project, struct str path,
                    struct str rule);

#endif
