/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/** \file
 * What handles stand for. Handles of MPICH are numbers: of what the program makes, a kind and a place
 * in a table.
 */

enum { kCommunicator = (int)0x84000000, kDatatype = (int)0x8c000000, kInfo = (int)0x9c000000 };

/** A handle of this kind for a new object; the kind itself: there is no memory. */
int objectsAdd(int kind, void *object);
/** NULL: there is none. */
void *objectsFind(int kind, int handle);
void objectsRemove(int kind, int handle);
