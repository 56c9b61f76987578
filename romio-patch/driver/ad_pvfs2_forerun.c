/* SPDX-License-Identifier: Apache-2.0 */

/* How the library behind the door (forerun/door.h) reads a file of PVFS2, which has
 * no descriptor: by requests of its own, which need nothing of the MPI_File. */

#include "ad_pvfs2.h"
#include "ad_pvfs2_common.h"
#include "adio.h"
#include "forerun/door.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Whether each piece of memory lies behind the one before it. Where they do not, and leave
 * no gap between the first and the last byte of all, libpvfs2 (PINT_process_request) takes
 * the memory for contiguous: from the first piece on, and beyond the last. */
static int ascend(const struct iovec *buffers, int count) {
  int i;

  for (i = 1; i < count; i++)
    if ((char *)buffers[i].iov_base < (char *)buffers[i - 1].iov_base + buffers[i - 1].iov_len)
      return 0;
  return 1;
}

/* Memory as PVFS2 wants it described. Returns 0, or a PVFS2 error. */
static int describe(const struct iovec *buffers, int count, PVFS_Request *mem_req) {
  int32_t *lengths = (int32_t *)ADIOI_Malloc(count * sizeof(int32_t));
  PVFS_size *addresses = (PVFS_size *)ADIOI_Malloc(count * sizeof(PVFS_size));
  int i, ret;

  for (i = 0; i < count; i++) {
    lengths[i] = (int32_t)buffers[i].iov_len;
    addresses[i] = (PVFS_size)(intptr_t)buffers[i].iov_base;
  }
  ret = PVFS_Request_hindexed(count, lengths, addresses, PVFS_BYTE, mem_req);
  ADIOI_Free(addresses);
  ADIOI_Free(lengths);
  return ret;
}

/* Reads into pieces that ascend. */
static int64_t read_ascending(ADIOI_PVFS2_fs *fs, const struct iovec *buffers, int count,
                              int32_t length, uint64_t offset) {
  PVFS_Request mem_req, file_req;
  PVFS_sysresp_io resp;
  int ret;

  if (describe(buffers, count, &mem_req) != 0)
    return -ENOMEM;
  if (PVFS_Request_contiguous(length, PVFS_BYTE, &file_req) != 0) {
    PVFS_Request_free(&mem_req);
    return -ENOMEM;
  }
  ret = PVFS_sys_read(fs->object_ref, file_req, offset, PVFS_BOTTOM, mem_req, &fs->credentials,
                      &resp);
  PVFS_Request_free(&file_req);
  PVFS_Request_free(&mem_req);
  return ret == 0 ? resp.total_completed : -EIO;
}

/* Reads into memory of its own, and copies: also the zeros beyond what was read. */
static int64_t read_and_copy(ADIOI_PVFS2_fs *fs, const struct iovec *buffers, int count,
                             int32_t length, uint64_t offset) {
  struct iovec whole = {calloc(1, length), length}; /* ADIOI_Calloc may abort */
  const char *from = (const char *)whole.iov_base;
  int64_t got = -ENOMEM;
  int i;

  if (whole.iov_base)
    got = read_ascending(fs, &whole, 1, length, offset);
  for (i = 0; i < count && got >= 0; i++) {
    memcpy(buffers[i].iov_base, from, buffers[i].iov_len);
    from += buffers[i].iov_len;
  }
  free(whole.iov_base);
  return got;
}

static int64_t read_file(void *context, const struct iovec *buffers, int count, uint64_t offset) {
  ADIOI_PVFS2_fs *fs = (ADIOI_PVFS2_fs *)context;
  int32_t length = 0;
  int i;

  for (i = 0; i < count; i++)
    length += (int32_t)buffers[i].iov_len;
  if (!ascend(buffers, count))
    return read_and_copy(fs, buffers, count, length, offset);
  /* Of a hole in a striped file the library counts the bytes, and may leave memory as it
     * was. */
  for (i = 0; i < count; i++)
    memset(buffers[i].iov_base, 0, buffers[i].iov_len);
  return read_ascending(fs, buffers, count, length, offset);
}

static void release(void *context) { ADIOI_Free(context); }

/* What the credentials point to is shared: the driver never frees it. */
void ADIOI_PVFS2_Forerun_reader(ADIO_File fd, forerun_reader *reader) {
  ADIOI_PVFS2_fs *fs = (ADIOI_PVFS2_fs *)ADIOI_Malloc(sizeof(ADIOI_PVFS2_fs));

  *fs = *(const ADIOI_PVFS2_fs *)fd->fs_ptr;
  reader->read = read_file;
  reader->release = release;
  reader->context = fs;
  reader->file_system = (uint64_t)fs->object_ref.fs_id;
  reader->file = (uint64_t)fs->object_ref.handle;
}
