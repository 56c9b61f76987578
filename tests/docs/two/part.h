/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PART_H
#define PART_H

void makeSteps(const char *path, int steps);
long sumSteps(const char *path, int steps);

#endif
