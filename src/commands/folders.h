/* SPDX-License-Identifier: Apache-2.0 */
/* folders.h - the configuration that counts for each source of `check`: the nearest one upwards.
 *
 * A file's configuration says its targets, which rules are asked for, their severities and what is
 * left out. What holds for the whole run (format, baseline, threshold, rule files) is said by the
 * command line and the configuration of the directory that all named paths are in. */
#ifndef CM_FOLDERS_H
#define CM_FOLDERS_H

#include "commands/config.h"
#include "commands/inputs.h"

struct folder {
    struct cli *cli; /* the command line, with what the configuration sets */
    struct config config;
    struct selectors select, ignore; /* no select: every rule */
    size_t *targets;                 /* numbers among those of the run */
    size_t n_targets;
    bool asks_target;                   /* somebody named them */
    struct glob_rules exclude, include; /* of a configuration that is not the run's */
};

struct folder_entry;

struct folders {
    struct inputs *in;
    const struct project *project;
    const struct rule_list *rules;
    const struct cli *plain; /* as the user gave it, without any configuration */
    struct folder *run;      /* of the run's own configuration */
    VEC(struct folder *) all;
    const struct folder **of; /* of each source */
    /* directories by name: open addressing */
    struct folder_entry *table;
    size_t n_entries, size;
};

/* A copy whose options can be set without a change of the original. */
struct cli *cli_copy(const struct cli *cli);

/* Reads selection and targets of one configuration; names of targets that are new are added to
 * those of the inputs. False after a message. */
bool folder_read_options(struct folders *all, struct folder *f, struct str otherwise);

/* Whether a rule is asked for in a file, given by its path from the project's root. */
bool folder_wants(const struct folder *f, const struct project *project, struct str path,
                  struct str rule);
/* The configuration of a file, by its absolute path; NULL after a message. */
const struct folder *folders_of_path(struct folders *all, struct str path, struct str otherwise);

/* Finds the folder of each source, reads the configurations that are met on the way, and drops the
 * sources that those leave out. False after a message. */
bool folders_find(struct folders *all, struct str default_target);

#endif
