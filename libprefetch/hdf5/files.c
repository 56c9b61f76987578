/* SPDX-License-Identifier: Apache-2.0 */
#include "files.h"

#include "driver.h"

/** A program that reads more files in turn has them opened again. */
enum { kMaxFiles = 16 };

static struct {
  uint64_t file;
  hid_t opened; /**< 0: none */
} files[kMaxFiles];

static void closeThoseThatTheProgramHasClosed(const forerun_twin_host *host) {
  for (int i = 0; i < kMaxFiles; i++) {
    uint64_t bytes;
    if (files[i].opened == 0 || host->size(host->context, files[i].file, &bytes))
      continue;
    H5Fclose(files[i].opened);
    files[i].opened = 0;
  }
}

static hid_t openToRead(uint64_t file) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  const DriverFile which = {.source = SourceHost, .file = file};
  const hid_t opened = driverSet(access, which) < 0 ? -1 : H5Fopen("forerun", kReadOnly, access);
  H5Pclose(access);
  return opened;
}

static int freePlace(void) {
  static int next;
  for (int i = 0; i < kMaxFiles; i++)
    if (files[i].opened == 0)
      return i;
  next = (next + 1) % kMaxFiles;
  H5Fclose(files[next].opened);
  files[next].opened = 0;
  return next;
}

static hid_t openedFile(const forerun_twin_host *host, uint64_t file) {
  for (int i = 0; i < kMaxFiles; i++)
    if (files[i].opened != 0 && files[i].file == file)
      return files[i].opened;
  closeThoseThatTheProgramHasClosed(host);
  const hid_t opened = openToRead(file);
  if (opened < 0)
    return opened;
  const int place = freePlace();
  files[place].file = file;
  files[place].opened = opened;
  return opened;
}

hid_t filesOpenDataset(const forerun_twin_host *host, uint64_t file, const char *path) {
  const hid_t opened = openedFile(host, file);
  if (opened < 0)
    return -1;
  const hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
  H5Pset_chunk_cache(access, 1, 0, 0);
  const hid_t dataset = H5Dopen2(opened, path, access);
  H5Pclose(access);
  return dataset;
}
