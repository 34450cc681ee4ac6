/* SPDX-License-Identifier: Apache-2.0 */
/* utsname.h - the system's name. */
#ifndef CM_WINDOWS_UTSNAME_H
#define CM_WINDOWS_UTSNAME_H

struct utsname {
    char sysname[32], release[32], machine[32];
};
/* POSIX's. */
int uname(struct utsname *out);

#endif
