/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>

/** \file
 * What the module knows of open files beyond what netCDF does. A file is any of its groups.
 */

/** A new one, of which nothing is known: netCDF uses numbers again. */
void filesAdd(int file);
/** Whether HDF5's driver serves it: any other is read as it is, and so not for nothing. */
bool filesIsDriven(int file);

/** The program opened it, or created it, with several processes. */
void filesIsOpenInParallel(int file, bool isCreated);
/** Whether the program may write a variable beyond an unlimited dimension: each process by itself may not. */
bool filesMayExtend(int file, int variable);

/** The program has written attributes to it: the twin has no values of them. */
void filesLacksAttributes(int file);
/** Ends the thread if the twin may lack what the slice now needs: an attribute. */
void filesNeedsAttribute(int file);

/** What the program says of how it will read (nc_var_par_access). */
void filesReads(int file, int variable, bool collectively);
bool filesAreReadCollectively(int file, int variable);
