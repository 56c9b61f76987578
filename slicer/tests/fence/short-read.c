/* SPDX-License-Identifier: Apache-2.0 */
/* A read that asks for more than the file has, and for more than there is room for. */
#include "reader.h"

#include <fcntl.h>
#include <unistd.h>

static void work(void) {
  enum { kThere = 100, kAsked = 8 << 20 };
  char bytes[kThere], name[] = "fence.XXXXXX";
  int fd = mkstemp(name);
  for (int i = 0; i < kThere; i++)
    bytes[i] = (char)(i % 64);
  ssize_t got = write(fd, bytes, kThere);
  lseek(fd, 0, SEEK_SET);
  got += read(fd, bytes, kAsked);
  close(fd);
  unlink(name);
  for (int i = 0; i < kThere; i++)
    readAt(bytes[i] + got);
}
