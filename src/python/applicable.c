/* SPDX-License-Identifier: Apache-2.0 */
/* applicable.c - whether a match may be edited at all, by how good the rule's answer is and how
 * certain it is that the place means what the rule says. What is not applied is manual. */
#include "python/py.h"

bool py_applicable(const struct py *f, const struct py_match *m) {
    if (m->kind == PM_UNKNOWN || !m->cell || m->suppressed || m->blocked) return false;
    bool exact = m->verdict == V_EXACT || m->verdict == V_SHIM;
    bool hazard = m->row.rule && m->row.rule->lint; /* of those a port makes the safe fixes */
    bool unsafe = f->options->unsafe_fixes && !(hazard && f->options->verify);
    if (m->verdict == V_CLOSE ? !unsafe : !exact) return false;
    return m->certainty == C_EXACT || (m->certainty == C_LIKELY && unsafe);
}
