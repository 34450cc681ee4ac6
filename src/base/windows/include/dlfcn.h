/* SPDX-License-Identifier: Apache-2.0 */
/* dlfcn.h - no library is opened on Windows. */
#ifndef CM_WINDOWS_DLFCN_H
#define CM_WINDOWS_DLFCN_H

enum { RTLD_LAZY = 1, RTLD_NOW = 2, RTLD_LOCAL = 0 };
/* They find nothing. */
void *dlopen(const char *name, int flags);
void *dlsym(void *library, const char *name);
int dlclose(void *library);
char *dlerror(void);

#endif
