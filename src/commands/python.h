/* SPDX-License-Identifier: Apache-2.0 */
/* python.h - what the commands need that hand their work to Python: this program's own place, the
 * Python part beside it, an interpreter. Each prints a message where it fails. */
#ifndef CM_COMMANDS_PYTHON_H
#define CM_COMMANDS_PYTHON_H

#include "cli/cli.h"

/* The package that ported programs import. */
#define PYTHON_RUNTIME "cuda_morph_rt"

struct python_place {
    struct cli *cli;
    char *program;   /* this binary */
    char *directory; /* the one it is in */
    char *python;    /* the interpreter */
};

/* Fills program and directory. */
bool python_find_program(struct python_place *p);
/* A file of the Python part, such as "cuda_morph_rt/boot.py": of the build folder, of what `make
 * install` made, or of the environment that a wheel was installed into; NULL after a message. */
char *python_find_part(struct python_place *p, const char *name);
/* The same without a message. */
char *python_seek_part(struct python_place *p, const char *name);
/* libcudamorph.so, which Python loads; NULL after a message. */
char *python_find_library(struct python_place *p);
/* NAME where it holds a slash and is a program, or the first NAME in a directory of PATH; or NULL.
 */
char *program_in_path(struct arena *a, const char *name);
/* Fills python: --python, that of $VIRTUAL_ENV, or python3 in PATH. */
bool python_find_interpreter(struct python_place *p);
/* Becomes the interpreter with these arguments (argv[0] is set here); returns only on failure. */
int python_become(struct python_place *p, char **argv);

#endif
