/* SPDX-License-Identifier: Apache-2.0 */
/* machine_report.h - what info and doctor share: the machine and the targets that are asked for.
 */
#ifndef CM_MACHINE_REPORT_H
#define CM_MACHINE_REPORT_H

#include "cli/cli.h"
#include "diag/probes.h"

struct machine_report {
    struct machine machine;
    probe_targets targets;           /* all of them */
    VEC(struct found_target) chosen; /* the results of those asked for; all, without --target */
    struct found_target host;        /* what programs for CUDA are built with */
    struct str forced;               /* CUDA_MORPH_TARGET, or empty */
};

/* Reads --root, --rules, --target and --full and looks at the machine, also for the
 * items of `purpose`. `whole`: the items of --full without it, and the programs that are found
 * say their versions. Returns STATUS_DONE, or STATUS_FAILED after printing why not. */
int machine_report_read(struct cli *cli, struct str purpose, bool whole, struct machine_report *r);

/* Fills in `host`, which doctor does not need. STATUS_DONE, or STATUS_FAILED after printing why
 * not. */
int machine_report_host(struct cli *cli, struct machine_report *r);

#endif
