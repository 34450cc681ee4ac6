/* SPDX-License-Identifier: Apache-2.0 */
/* schema.h - the configuration file as a JSON schema. */
#ifndef CM_SCHEMA_H
#define CM_SCHEMA_H

#include "base/base.h"

/* The schema's text: a key for each SETTING of options.def, and nothing else is taken. */
struct str settings_schema(struct arena *a);

#endif
