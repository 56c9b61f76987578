/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FORERUN_TWINHOST_H
#define FORERUN_TWINHOST_H

/** \file
 * What libforerun gives to a module that drives the twin of a library. The module for library L is
 * libforerun_L.so, beside libforerun.so; it lies in the twin's link namespace, where nobody sees
 * libforerun's memory allocator, standard library or copy of the library. What goes between them
 * is numbers, bytes and functions.
 *
 * Everything is called on one thread. The module's functions may end anywhere (TwinThread.h, PreThread.h);
 * they are not called again then.
 *
 * Of the module a sliced program uses:
 *  - `const char *forerun_L_begin(const forerun_twin_host *)`: first of all. NULL, or why the module cannot
 *    work with this library. The host stays.
 *  - `forerun_twin_F`, where there is one, in place of the library's function F.
 *  - `forerun_L_F`, where there is one, in place of function F of a library below, in calls that L itself makes. Else
 *    that is forerun_twin_F, of the module for that library.
 */

#include <stddef.h>
#include <stdint.h>

/** `file`: one open of a file by MPI-IO, a number never used twice, nor 0. */
typedef struct forerun_twin_host {
  void *context;
  /** 1 with the size of the file in bytes; 0: it has been closed, or its size is not known. */
  int (*size)(void *context, uint64_t file, uint64_t *bytes);
  /** Fetches through the cache. 1 with `*got` bytes, fewer than asked only where the file ends; 0: they
   * are not to be had. */
  int (*fetch)(void *context, uint64_t file, uint64_t offset, void *buffer, size_t length,
               size_t *got);
  /** The program will read these bytes. */
  void (*announce)(void *context, uint64_t file, uint64_t offset, uint64_t length);

  /** @{ For a pre-execution thread only; NULL for calls by hand. */

  /** What the main thread has opened in the call that the thread stands at; 0: nothing by MPI-IO. */
  uint64_t (*opened)(void *context);
  /** An open that the program has of the file called `name`, which the library opens itself, on the way; `before` is
   * what this gave for it last, or 0, and is given again while it is open. 0: there is none. */
  uint64_t (*find)(void *context, const char *name, uint64_t before);
  /** The rank of this process among those that have opened the file together; `*ranks`: how many they are. */
  int (*rank)(void *context, uint64_t file, int *ranks);
  /** The program will write these bytes in the call that the thread stands at. */
  void (*dirty)(void *context, uint64_t file, uint64_t offset, uint64_t length);
  /** There is nothing more to announce of this call. */
  void (*announced)(void *context);
  /** Until the main thread has made the call that the thread stands at. */
  void (*await)(void *context);
  /** Ends the thread if it may not write there. */
  void (*own)(void *context, void *to, size_t bytes);
  /** Ends the thread. `why` stays. */
  void (*end)(void *context, const char *why);

  /** @} */
} forerun_twin_host;

#endif
