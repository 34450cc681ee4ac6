/* SPDX-License-Identifier: Apache-2.0 */
/* interpreter.h - which Python runs where `python3` is called, and where that one looks for
 * packages. */
#ifndef CM_INTERPRETER_H
#define CM_INTERPRETER_H

#include "diag/machine.h"

/* Sets the machine's python3 and where it looks. Asks the file system only: PATH, pyvenv.cfg,
 * pyenv's choice. Without a python3 every Python's directories count. */
void interpreter_use(struct machine *m);

#endif
