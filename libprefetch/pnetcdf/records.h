/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/** \file
 * How many records a file has, which all processes that write some say together, and the twin cannot ask.
 */

/** The program writes to this variable. */
void recordsWritten(int ncid, int variable);
/** Ends the thread if the length of this dimension depends on what other processes write. */
void recordsNeeded(int ncid, int dimension);
/** The same for this variable, of which PnetCDF has said `rc`. */
void recordsRead(int ncid, int variable, int rc);
