/* SPDX-License-Identifier: Apache-2.0 */
/* A library on top of twinLibrary.c, which it calls by name and through a table. */
int twinLibraryAsks(void);
int twinOnTopAsks(void);
int twinOnTopAsksByTable(void);

int (*const kTwinOnTopTable[])(void) = {twinLibraryAsks};

int twinOnTopAsks(void) { return twinLibraryAsks(); }
int twinOnTopAsksByTable(void) { return kTwinOnTopTable[0](); }
