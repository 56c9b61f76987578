/* SPDX-License-Identifier: Apache-2.0 */
/* The module of twinOnTop.c. */
int forerun_onTop_twinLibraryAsks(void);
int forerun_onTop_twinLibraryAsks(void) { return 43; }
