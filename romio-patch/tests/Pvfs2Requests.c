/* SPDX-License-Identifier: Apache-2.0 */
/* In C, as the headers of PVFS2 are. */
#define _GNU_SOURCE
#include "Pvfs2Requests.h"

#include <dlfcn.h>
#include <pvfs2.h>
#include <stdatomic.h>
#include <unistd.h>

typedef PVFS_error PostIo(PVFS_object_ref ref, PVFS_Request fileRequest, PVFS_offset offset,
                          void *buffer, PVFS_Request memoryRequest,
                          const PVFS_credential *credential, PVFS_sysresp_io *response,
                          enum PVFS_io_type type, PVFS_sys_op_id *id, PVFS_hint hints, void *user);

static atomic_int reads;
static atomic_int failing;

static int fails(void) {
  return failing == AllReads || (failing == ReadsOfHelpers && gettid() != getpid());
}

/* Replaces the library's function. */
__attribute__((visibility("default"))) PVFS_error PVFS_isys_io(
    PVFS_object_ref ref, PVFS_Request fileRequest, PVFS_offset offset, void *buffer,
    PVFS_Request memoryRequest, const PVFS_credential *credential, PVFS_sysresp_io *response,
    enum PVFS_io_type type, PVFS_sys_op_id *id, PVFS_hint hints, void *user) {
  if (type == PVFS_IO_READ) {
    reads++;
    if (fails())
      return -PVFS_EACCES;
  }
  PostIo *const next = (PostIo *)dlsym(RTLD_NEXT, "PVFS_isys_io");
  return next(ref, fileRequest, offset, buffer, memoryRequest, credential, response, type, id,
              hints, user);
}

int pvfs2Reads(void) { return reads; }

void failPvfs2Reads(enum Pvfs2Failing which) { failing = which; }
