/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PART_H
#define PART_H

int readNumber(const char *path);

#endif
