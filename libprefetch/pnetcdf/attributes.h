/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stddef.h>

/** An attribute of a variable, or of the file. */
typedef struct Attribute {
  int ncid, variable;
  const char *name;
} Attribute;

/** Before its values are read to `to`: ends the thread where they may not be put there, and where the twin does
 * not have them. `elementBytes` 0: as many as in the file. */
void attributesBegin(const Attribute *attribute, void *to, size_t elementBytes);
/** What PnetCDF answers to who reads it and looks at no value. */
int attributesAnnounce(const Attribute *attribute);
/** What is written in place of values that the twin does not have: NULL: there is no memory. To be freed. */
void *attributesWritten(int ncid, long long elements);
