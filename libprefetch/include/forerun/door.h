/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FORERUN_DOOR_H
#define FORERUN_DOOR_H

/** \file
 * The door between an MPI-IO implementation and Forerun: a table of functions that libforerun
 * registers with the patched MPI-IO. The MPI-IO calls through it and links against nothing of ours;
 * without a registered table it behaves as stock. An interposition library for an MPI that cannot
 * be patched would use the same table.
 *
 * All functions may be called from any thread that may call MPI-IO; none of them calls back into
 * MPI-IO, and none takes the MPI-IO's locks. None returns an error: an internal failure costs only
 * time. Offsets and lengths are bytes of the file, after views have been applied.
 */

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FORERUN_DOOR_VERSION 11u

/** A ticket that means: `missed` need not be called, nor the read be timed. */
#define FORERUN_UNTOLD UINT64_MAX
/** A ticket that means: `missed` is to be called, but the read need not be timed. */
#define FORERUN_UNTIMED (UINT64_MAX - 1)

/** What Forerun keeps for one open MPI_File. */
typedef struct forerun_handle forerun_handle;

typedef struct forerun_range {
  uint64_t offset;
  uint64_t length;
} forerun_range;

/** How Forerun's own threads read a file that has no descriptor. */
typedef struct forerun_reader {
  /** Like preadv: fills `buffers`, one after the other, with what follows `offset`, and returns the
   * number of bytes, fewer than they hold only at the end of the file, or -errno. Called by several
   * threads at a time, also while a thread is inside the MPI-IO: takes none of its locks. */
  int64_t (*read)(void *context, const struct iovec *buffers, int count, uint64_t offset);
  /** Nobody will read through `context` any more. */
  void (*release)(void *context);
  void *context;
  /** Identifies the file, by whatever name it was opened: like st_dev and st_ino for others. */
  uint64_t file_system, file;
} forerun_reader;

typedef struct forerun_open_file {
  MPI_File fh;
  const char *path;        /**< without the "ufs:" prefix */
  const char *file_system; /**< "ufs", "nfs", "testfs", "pvfs2", "lustre" */
  int fd;                  /**< readable descriptor, or -1 if the file system has none */
  int amode;               /**< as given to MPI_File_open */
  MPI_Comm comm;           /**< the file's communicator */
  MPI_Info info;           /**< the user's hints, or MPI_INFO_NULL */
  MPI_Offset position;     /**< the individual file pointer after open, in bytes */
  /** How the file is read if `fd` is -1, or NULL: not at all. `attach` takes it over: whatever it
   * returns, it ensures that `release` is called, once. That may be long after `detach`, if the
   * file is open a second time. */
  const forerun_reader *reader;
  /** What `meet` gave; 0 if it was not called, or this process opens the file later than others. */
  uint64_t name;
} forerun_open_file;

/** How the driver of a file system is asked to read. */
typedef enum forerun_form { FORERUN_CONTIGUOUS, FORERUN_STRIDED, FORERUN_COLLECTIVE } forerun_form;

/** Reads of one open file, some of which are made once more before it is closed. */
typedef struct forerun_samples forerun_samples;

/** What a process read in a collective read: `bytes` of them between `begin` and `end`. */
typedef struct forerun_extent {
  int64_t begin, end;
  int64_t bytes; /**< FORERUN_NOT_AGAIN: it cannot be made once more */
} forerun_extent;
#define FORERUN_NOT_AGAIN INT64_MAX

/** No more collective reads than these are kept of an open file. */
#define FORERUN_MOST_KEPT 256

/** What the program's reads cost, and would cost without Forerun: for a report. Only blocking reads,
 * not those of a file in atomic mode. After `take` one thread at a time. */
typedef struct forerun_costs {
  /** The program has read: the driver was called in this form, and no other one around it. `ns`:
   * how long that took, of which `waited` for processes that came later. `served`: 1 if `read`
   * served any of it. */
  void (*read)(forerun_handle *h, forerun_form form, const forerun_range *ranges, size_t count,
               int served, uint64_t ns, uint64_t waited);
  /** `h` is about to be detached. The samples are those of `h`; NULL: there are none. */
  forerun_samples *(*take)(forerun_handle *h);
  /** The n-th of the collective reads that were kept, the same calls on all processes; 0: there are
   * no more. */
  int (*kept)(forerun_samples *s, size_t n, forerun_extent *extent);
  /** About how many bytes the file system is asked for in that read, on all processes;
   * FORERUN_NOT_AGAIN: a process cannot make it once more. */
  void (*weigh)(forerun_samples *s, size_t n, int64_t bytes);
  /** After `detach` and `weigh`: the next few reads of that form that are to be made once more now,
   * without Forerun, in this order. Returns how many, or 0: there are none, or they would take too
   * long. Of collective reads all processes are given the same, as long as each has any. */
  size_t (*next)(forerun_samples *s, forerun_form form);
  /** The n-th of these. */
  void (*get)(const forerun_samples *s, size_t n, const forerun_range **ranges, size_t *count);
  /** All of these have been made, and took so long together. */
  void (*took)(forerun_samples *s, uint64_t ns);
  void (*end)(forerun_samples *s);
} forerun_costs;

typedef struct forerun_door {
  unsigned version; /**< FORERUN_DOOR_VERSION */

  /** A file has been opened. NULL: nothing needs to be reported about it (everything is switched
   * off, or it has no cache and cannot be written). `*serves` is 1 if it has a cache, and 0 if it
   * has none (switched off, write-only, not supported): then only what changes the file is reported
   * (`written`, `wrote`, `writing`, `epoch`, `detach`), since another handle of the file may have
   * a cache. Not collective. */
  forerun_handle *(*attach)(const forerun_open_file *file, int *serves);
  /** The file is about to be closed: drains the fetches on it, unless it is open a second time. */
  void (*detach)(forerun_handle *h);

  /** The program reads. Returns 1 if served: `*got` bytes are in `buffer` (fewer than asked only at
   * the end of the file). Returns 0 if the MPI-IO has to read the file itself (the buffer may have
   * been overwritten); then `*ticket` is to be passed to `missed`, unless it is FORERUN_UNTOLD. If
   * `*ticket` is FORERUN_UNTOLD on entry, the program does not wait for the bytes (a non-blocking
   * read): nothing is read from the file for it here. */
  int (*read)(forerun_handle *h, void *buffer, uint64_t offset, size_t length, size_t *got,
              uint64_t *ticket);
  /** Copies bytes that were read to the program's memory. Returns 0 if that cannot be written to: the
   * MPI-IO then has to read the file itself, and reports what the file system says. */
  int (*copy)(void *to, const void *from, size_t length);
  /** After the MPI-IO's own read that followed a miss: `got` bytes of the `length` asked are in
   * `buffer`. Not called if that read failed. `ns`: how long it took; 0 for FORERUN_UNTIMED. */
  void (*missed)(forerun_handle *h, const void *buffer, uint64_t offset, size_t length, size_t got,
                 uint64_t ticket, uint64_t ns);
  /** Also after a miss: the MPI-IO reads the file itself, and does not wait for that. */
  void (*started)(forerun_handle *h, uint64_t offset, size_t length);
  /** 1 if a read of all ranges would be served from memory or from fetches in flight. */
  int (*covered)(forerun_handle *h, const forerun_range *ranges, size_t count);

  /** A blocking write of the ranges has returned, successfully or not. */
  void (*written)(forerun_handle *h, const forerun_range *ranges, size_t count);
  /** The same for one that succeeded, and wrote all `length` bytes of `buffer` at `offset`. */
  void (*wrote)(forerun_handle *h, const void *buffer, uint64_t offset, size_t length);
  /** A non-blocking write of the ranges is about to be posted. */
  void (*writing)(forerun_handle *h, const forerun_range *ranges, size_t count);
  /** Sync, set_size, preallocate, even if they fail: nothing read before is trusted any more.
   * `settled`: 1 if no non-blocking write through `h` is in progress. */
  void (*epoch)(forerun_handle *h, int settled);
  /** MPI_File_set_atomicity. */
  void (*atomicity)(forerun_handle *h, int atomic);
  /** MPI_File_set_view has succeeded (displacement in bytes). */
  void (*view)(forerun_handle *h, MPI_Offset displacement, MPI_Datatype etype,
               MPI_Datatype filetype);

  /** Hints of MPI_File_set_info and set_view that may change after open. */
  void (*set_info)(forerun_handle *h, MPI_Info users);
  /** Writes the hints in force ("forerun_*") into what MPI_File_get_info returns. */
  void (*get_info)(forerun_handle *h, MPI_Info used);

  /** A file is being opened with this mode and hints: not 0 if `meet` is to be called, provided
   * that no process that opens it returns 0. NULL: 0. Local. */
  int (*meets)(int amode, MPI_Info users);
  /** Called by all processes that open a file together, before `attach`, if `meets` was 0 on none.
   * `least`: the minimum of what it returned on all. Collective over `comm`. Returns the name of
   * the file, as opened here, among the caches of several nodes; 0: it is not shared with them. */
  uint64_t (*meet)(MPI_Comm comm, int amode, MPI_Info users, int least);

  /** NULL: nobody asks, and no read is timed for it. */
  const forerun_costs *costs;
} forerun_door;

/** Exported by the patched MPI-IO. Registers `door` for the rest of the process (NULL: none).
 * Returns 0, or 1 if the version is not the one the MPI-IO was built for (nothing is registered).
 * Call before the first MPI_File_open. */
int forerun_mpiio_register(const forerun_door *door);

/** Where a read call of the program begins to read. */
enum forerun_pointer { FORERUN_INDIVIDUAL, FORERUN_EXPLICIT, FORERUN_SHARED, FORERUN_ORDERED };

/** A read call, of any form, is about to be made. `offset`: only for FORERUN_EXPLICIT. */
typedef void forerun_watcher(MPI_File fh, enum forerun_pointer pointer, MPI_Offset offset,
                             MPI_Count count, MPI_Datatype datatype);

/** A read call of any form, or the end of a split collective one, begins (1) or has returned (0). */
typedef void forerun_timer(int begins);

/** Exported by the patched MPI-IO. From now on every read call is reported to `watcher` and to
 * `timer` (NULL: to none), whether or not a door is registered; call before the first
 * MPI_File_open. For FORERUN_CHECK and FORERUN_REPORT. Returns 0, or 1 if the MPI-IO is not in use,
 * since MPI is not the one that it was built for: then nothing is reported. */
int forerun_mpiio_watch(forerun_watcher *watcher, forerun_timer *timer);

#ifdef __cplusplus
}
#endif

#endif
