// SPDX-License-Identifier: Apache-2.0
#include "Inodes.h"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace forerun::testbed {

Inodes::Inodes(int rootFd) : rootFd_(rootFd) {}

Inodes::~Inodes() {
  for (const auto &[identity, node] : nodes_)
    close(node->fd);
  close(rootFd_);
}

int Inodes::descriptor(fuse_ino_t number) const {
  return number == FUSE_ROOT_ID ? rootFd_ : pointerFrom<Node>(number)->fd;
}

int Inodes::lookup(fuse_ino_t parent, const char *name, fuse_entry_param &entry) {
  const int fd = openat(descriptor(parent), name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0)
    return errno;
  entry = {};
  if (fstat(fd, &entry.attr) != 0) {
    const int error = errno;
    close(fd);
    return error;
  }
  const Identity identity{entry.attr.st_dev, entry.attr.st_ino};
  auto &node = nodes_[identity];
  if (node)
    close(fd);
  else
    node = std::make_unique<Node>(Node{fd, identity, 0});
  ++node->lookups;
  entry.ino = reinterpret_cast<fuse_ino_t>(node.get());
  return 0;
}

void Inodes::forget(fuse_ino_t number, std::uint64_t lookups) {
  if (number == FUSE_ROOT_ID || number == kControl)
    return;
  auto *node = pointerFrom<Node>(number);
  node->lookups -= lookups;
  if (node->lookups > 0)
    return;
  close(node->fd);
  nodes_.erase(Identity{node->identity});
}

int Inodes::reopen(fuse_ino_t number, int flags) const {
  const std::string self = "/proc/self/fd/" + std::to_string(descriptor(number));
  const int fd = open(self.c_str(), (flags & ~O_NOFOLLOW) | O_CLOEXEC);
  return fd >= 0 ? fd : -errno;
}

} // namespace forerun::testbed
