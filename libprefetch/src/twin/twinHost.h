/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/** \file
 * What libforerun provides to a module that drives the twin of a library. The module for library L
 * is libforerun_L.so, beside libforerun.so; it lies in the twin's link namespace, where nobody sees
 * libforerun's memory allocator, standard library or copy of the library. Only numbers, bytes and
 * functions pass between them.
 *
 * Everything is called on one thread. The module's functions may end anywhere (TwinThread.h,
 * PreThread.h); they are not called again then.
 *
 * A sliced program uses of the module:
 *  - `const char *forerun_L_begin(const forerun_twin_host *)`: called first. NULL, or why the
 *    module cannot work with this library. The host stays valid.
 *  - `forerun_twin_F`, if it exists, in place of the library's function F.
 *  - `forerun_L_F`, if it exists, in place of function F of a library below, in calls that L itself
 *    makes. Otherwise that is forerun_twin_F of the module for that library.
 */

#include <stddef.h>
#include <stdint.h>

/** `file`: one open of a file by MPI-IO, a number that is never reused and not 0. */
typedef struct forerun_twin_host {
  void *context;
  /** 1 with the size of the file in bytes; 0: it has been closed, or its size is unknown. */
  int (*size)(void *context, uint64_t file, uint64_t *bytes);
  /** Fetches through the cache. 1 with `*got` bytes, fewer than asked only at the end of the file;
   * 0: they are unavailable. */
  int (*fetch)(void *context, uint64_t file, uint64_t offset, void *buffer, size_t length,
               size_t *got);
  /** The program will read these bytes. */
  void (*announce)(void *context, uint64_t file, uint64_t offset, uint64_t length);

  /** @{ Only for a pre-execution thread; NULL for calls by hand. */

  /** What the main thread has opened in the call that the thread is at; 0: nothing by MPI-IO. */
  uint64_t (*opened)(void *context);
  /** An open that the program has of the file `name`, which the library itself opens on the way.
   * `before`: what this returned last, or 0; returned again while it is open. 0: there is none. */
  uint64_t (*find)(void *context, const char *name, uint64_t before);
  /** The rank of this process among those that opened the file together; `*ranks`: their number. */
  int (*rank)(void *context, uint64_t file, int *ranks);
  /** The program will write these bytes in the call that the thread is at. */
  void (*dirty)(void *context, uint64_t file, uint64_t offset, uint64_t length);
  /** There is nothing more to announce for this call. */
  void (*announced)(void *context);
  /** Waits until the main thread has made the call that the thread is at. */
  void (*await)(void *context);
  /** Ends the thread if it may not write there. */
  void (*own)(void *context, void *to, size_t bytes);
  /** Ends the thread. `why` stays valid. */
  void (*end)(void *context, const char *why);

  /** @} */
} forerun_twin_host;
