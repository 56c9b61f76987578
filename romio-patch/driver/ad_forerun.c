/* SPDX-License-Identifier: Apache-2.0 */

/** \file
 * The stacked driver. Reads ask the registered library and fall through to the
 * file system's driver on a miss; writes and everything that changes the file go
 * to the driver and are then made known to the library.
 *
 * - Statuses, file pointers and error codes are those of the driver: what the
 *   library serves is served only in full, or (contiguous reads) short at the end
 *   of the file in the way all drivers are short.
 * - What the library is told of writes is exact for what this process wrote; an
 *   aggregator also tells what it wrote for others.
 * - The functions may run in poll functions of generalized requests, without
 *   ROMIO's critical section and on any thread: what the table does inside a call
 *   is therefore kept per thread and not in the file handle.
 */

#include "ad_forerun_internal.h"

__thread struct ad_forerun_here ad_forerun_here;

static const forerun_door *registered_door = NULL;

__attribute__((visibility("default"))) int forerun_mpiio_register(const forerun_door *door) {
  if (door && door->version != FORERUN_DOOR_VERSION)
    return 1;
  registered_door = door;
  return 0;
}

int ADIOI_Forerun_door(int access_mode, MPI_Info users_info) {
  if (!registered_door)
    return 0;
  return 1 + (registered_door->meets ? registered_door->meets(access_mode, users_info) : 0);
}

ADIOI_Fns *ADIOI_Forerun_base(ADIO_File fd) { return fd->forerun ? fd->forerun->base : fd->fns; }

/* ---- the rest of the table ---- */

void ADIOI_Forerun_epoch(ADIO_File fd, int settled) {
  if (fd->forerun && fd->forerun->handle)
    fd->forerun->door->epoch(fd->forerun->handle, settled);
}

void ADIOI_Forerun_sync(ADIO_File fd) {
#ifdef ROMIO_NFS
  /* The library reads without locks: let the NFS client drop its stale pages, as
     * it does whenever a lock is acquired. */
  if (fd->forerun && fd->forerun->serves && fd->file_system == ADIO_NFS) {
    ADIOI_READ_LOCK(fd, 0, SEEK_SET, 1);
    ADIOI_UNLOCK(fd, 0, SEEK_SET, 1);
  }
#endif
  ADIOI_Forerun_epoch(fd, 1);
}

static void ad_forerun_Fcntl(ADIO_File fd, int flag, ADIO_Fcntl_t *fcntl_struct, int *error_code) {
  struct ADIOI_Forerun *f = fd->forerun;

  ad_forerun_here.reads_bypass++; /* preallocation reads and writes back */
  (*f->base->ADIOI_xxx_Fcntl)(fd, flag, fcntl_struct, error_code);
  ad_forerun_here.reads_bypass--;
  if (flag == ADIO_FCNTL_SET_ATOMICITY)
    f->door->atomicity(f->handle, fd->atomicity);
}

static void ad_forerun_Flush(ADIO_File fd, int *error_code) {
  struct ADIOI_Forerun *f = fd->forerun;

  (*f->base->ADIOI_xxx_Flush)(fd, error_code);
  ADIOI_Forerun_sync(fd);
}

static void ad_forerun_Resize(ADIO_File fd, ADIO_Offset size, int *error_code) {
  (*fd->forerun->base->ADIOI_xxx_Resize)(fd, size, error_code);
  ADIOI_Forerun_epoch(fd, 1);
}

static void ad_forerun_SetInfo(ADIO_File fd, MPI_Info users_info, int *error_code) {
  struct ADIOI_Forerun *f = fd->forerun;

  (*f->base->ADIOI_xxx_SetInfo)(fd, users_info, error_code);
  if (users_info != MPI_INFO_NULL) {
    f->door->set_info(f->handle, users_info);
    f->door->get_info(f->handle, fd->info);
  }
}

/* ---- attaching ---- */

/* Functions that the base implements by calling others of the table are left to
 * do so: what they call is stacked already. */
static void stack_reads(ADIOI_Fns *s) {
  s->ADIOI_xxx_ReadContig = ad_forerun_ReadContig;
  s->ADIOI_xxx_ReadStrided = ad_forerun_ReadStrided;
  s->ADIOI_xxx_ReadStridedColl = ad_forerun_ReadStridedColl;
  if (s->ADIOI_xxx_IreadContig != ADIOI_FAKE_IreadContig)
    s->ADIOI_xxx_IreadContig = ad_forerun_IreadContig;
  s->ADIOI_xxx_Fcntl = ad_forerun_Fcntl;
  s->ADIOI_xxx_SetInfo = ad_forerun_SetInfo;
}

/* Where the library has no cache of the file it is told all the same of what changes
 * it: another handle of this process may have one. */
static void stack(struct ADIOI_Forerun *f) {
  ADIOI_Fns *s = &f->stacked;

  *s = *f->base;
  if (f->serves)
    stack_reads(s);
  s->ADIOI_xxx_WriteContig = ad_forerun_WriteContig;
  s->ADIOI_xxx_WriteStrided = ad_forerun_WriteStrided;
  s->ADIOI_xxx_WriteStridedColl = ad_forerun_WriteStridedColl;
  if (s->ADIOI_xxx_IwriteContig != ADIOI_FAKE_IwriteContig)
    s->ADIOI_xxx_IwriteContig = ad_forerun_IwriteContig;
  if (s->ADIOI_xxx_IwriteStrided != ADIOI_GEN_IwriteStrided &&
      s->ADIOI_xxx_IwriteStrided != ADIOI_FAKE_IwriteStrided)
    s->ADIOI_xxx_IwriteStrided = ad_forerun_IwriteStrided;
  s->ADIOI_xxx_IwriteStridedColl = ad_forerun_IwriteStridedColl;
  s->ADIOI_xxx_Flush = ad_forerun_Flush;
  s->ADIOI_xxx_Resize = ad_forerun_Resize;
}

static const char *file_system_name(int file_system, int *has_descriptor) {
  *has_descriptor = 0;
  switch (file_system) {
  case ADIO_PVFS2:
    return "pvfs2";
  case ADIO_TESTFS:
    return "testfs";
  case ADIO_UFS:
    *has_descriptor = 1;
    return "ufs";
  case ADIO_NFS:
    *has_descriptor = 1;
    return "nfs";
  case ADIO_LUSTRE:
    *has_descriptor = 1;
    return "lustre";
  default:
    return NULL;
  }
}

static void attach(ADIO_File fd) {
  struct ADIOI_Forerun *f = fd->forerun;
  forerun_open_file file;
  int has_descriptor;

  file.fh = (MPI_File)fd;
  file.path = fd->filename;
  file.file_system = file_system_name(fd->file_system, &has_descriptor);
  file.fd = has_descriptor ? fd->fd_sys : -1;
  file.amode = f->access_mode;
  file.comm = fd->comm;
  file.info = f->users_info;
  file.position = fd->fp_ind;
  file.reader = NULL;
  file.name = f->name;
  if (!file.file_system)
    return;
#ifdef ROMIO_PVFS2
  forerun_reader reader;
  if (fd->file_system == ADIO_PVFS2) {
    ADIOI_PVFS2_Forerun_reader(fd, &reader);
    file.reader = &reader;
  }
#endif
  f->handle = f->door->attach(&file, &f->serves);
  if (!f->handle)
    return;
  stack(f);
  fd->fns = &f->stacked;
  if (f->serves) {
    f->costs = f->door->costs;
    f->door->get_info(f->handle, fd->info);
  }
}

void ADIOI_Forerun_open(ADIO_File fd, int access_mode, MPI_Info users_info, int doors) {
  struct ADIOI_Forerun *f;
  int attached, least, nprocs;

  if (!registered_door)
    return;
  f = (struct ADIOI_Forerun *)ADIOI_Calloc(1, sizeof(*f));
  f->door = registered_door;
  f->base = fd->fns;
  f->access_mode = access_mode;
  MPI_Comm_size(fd->comm, &nprocs);
  f->shared = nprocs > 1 && (access_mode & MPI_MODE_RDWR);
  ADIOI_incorporate_system_hints(users_info, ADIOI_syshints, &f->users_info);
  fd->forerun = f;
  if (doors > 1)
    f->name = f->door->meet(fd->comm, access_mode, users_info, doors - 1);
  if (fd->is_open)
    attach(fd);
  if (doors) {
    attached = f->serves + (f->costs != NULL);
    MPI_Allreduce(&attached, &least, 1, MPI_INT, MPI_MIN, fd->comm);
    f->everywhere = least > 0;
    f->costs_everywhere = least > 1;
  }
}

/* With deferred open not every process can be attached: no agreements then. */
void ADIOI_Forerun_opened_late(ADIO_File fd) {
  struct ADIOI_Forerun *f = fd->forerun;

  if (!f || f->handle)
    return;
  f->name = 0; /* it may have been written since the others opened it */
  attach(fd);
  if (!f->serves)
    return;
  f->door->view(f->handle, fd->disp, fd->etype, fd->filetype);
  if (fd->atomicity)
    f->door->atomicity(f->handle, 1);
}

void ADIOI_Forerun_close(ADIO_File fd) {
  struct ADIOI_Forerun *f = fd->forerun;
  forerun_samples *samples = NULL;

  if (!f)
    return;
  if (f->costs)
    samples = f->costs->take(f->handle);
  if (f->handle)
    f->door->detach(f->handle);
  fd->fns = f->base;
  if (f->costs)
    ad_forerun_read_again(fd, samples);
  fd->forerun = NULL;
  if (f->users_info != MPI_INFO_NULL)
    MPI_Info_free(&f->users_info);
  ADIOI_Free(f);
}

void ADIOI_Forerun_view(ADIO_File fd) {
  struct ADIOI_Forerun *f = fd->forerun;

  if (f && f->serves)
    f->door->view(f->handle, fd->disp, fd->etype, fd->filetype);
}
