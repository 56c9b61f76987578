/* SPDX-License-Identifier: Apache-2.0 */
#include "files.h"

#include "driver.h"

/** A program that reads more files in turn has them opened again. */
enum { kMostFiles = 16 };

static struct {
  uint64_t file;
  hid_t opened; /**< 0: none */
} files[kMostFiles];

static void closeThoseThatTheProgramHasClosed(const forerun_hdf5_host *host) {
  for (int i = 0; i < kMostFiles; i++) {
    uint64_t bytes;
    if (files[i].opened == 0 || host->size(host->context, files[i].file, &bytes))
      continue;
    H5Fclose(files[i].opened);
    files[i].opened = 0;
  }
}

static int freePlace(void) {
  static int next;
  for (int i = 0; i < kMostFiles; i++)
    if (files[i].opened == 0)
      return i;
  next = (next + 1) % kMostFiles;
  H5Fclose(files[next].opened);
  files[next].opened = 0;
  return next;
}

hid_t filesOpen(const forerun_hdf5_host *host, uint64_t file) {
  for (int i = 0; i < kMostFiles; i++)
    if (files[i].opened != 0 && files[i].file == file)
      return files[i].opened;
  closeThoseThatTheProgramHasClosed(host);
  const hid_t opened = driverOpen(file);
  if (opened < 0)
    return opened;
  const int place = freePlace();
  files[place].file = file;
  files[place].opened = opened;
  return opened;
}
