/* SPDX-License-Identifier: Apache-2.0 */
/* A module of twinOnTop.c's own. */
int forerun_onTop_twinLibraryAsks(void);
int forerun_onTop_twinLibraryAsks(void) { return 43; }
