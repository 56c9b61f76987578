/* SPDX-License-Identifier: Apache-2.0 */
/* A module that replaces a function of twinLibrary.c. */
int forerun_twin_twinLibraryAsks(void);
int forerun_twin_twinLibraryAsks(void) { return 42; }
