// SPDX-License-Identifier: Apache-2.0
// Names, attributes and directories: passed through to the backing directory, without delay.
#include "Bed.h"

#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <vector>

namespace forerun::testbed {

namespace {

/// How long the kernel may trust names and attributes: all changes to them pass through here.
constexpr double kAttributeSeconds = 1.0;

int errnoOf(int result) { return result == 0 ? 0 : errno; }

std::string procPath(const Bed &bed, fuse_ino_t number) {
  return "/proc/self/fd/" + std::to_string(bed.inodes.descriptor(number));
}

struct stat controlAttributes() {
  struct stat attributes{};
  attributes.st_ino = Inodes::kControl;
  attributes.st_mode = S_IFREG | 0600;
  attributes.st_nlink = 1;
  attributes.st_uid = getuid();
  attributes.st_gid = getgid();
  return attributes;
}

void replyEntry(fuse_req_t request, fuse_ino_t parent, const char *name) {
  fuse_entry_param entry{};
  if (parent == FUSE_ROOT_ID && std::strcmp(name, kControlName) == 0) {
    entry.ino = Inodes::kControl;
    entry.attr = controlAttributes();
  } else if (const int error = Bed::of(request).inodes.lookup(parent, name, entry)) {
    fuse_reply_err(request, error);
    return;
  }
  entry.attr_timeout = entry.entry_timeout = kAttributeSeconds;
  fuse_reply_entry(request, &entry);
}

void forget(fuse_req_t request, fuse_ino_t number, std::uint64_t lookups) {
  Bed::of(request).inodes.forget(number, lookups);
  fuse_reply_none(request);
}

void forgetMulti(fuse_req_t request, std::size_t count, fuse_forget_data *forgets) {
  for (std::size_t i = 0; i < count; ++i)
    Bed::of(request).inodes.forget(forgets[i].ino, forgets[i].nlookup);
  fuse_reply_none(request);
}

void getattr(fuse_req_t request, fuse_ino_t number, fuse_file_info *) {
  struct stat attributes = {};
  if (number == Inodes::kControl)
    attributes = controlAttributes();
  else if (fstatat(Bed::of(request).inodes.descriptor(number), "", &attributes,
                   AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW) != 0) {
    fuse_reply_err(request, errno);
    return;
  }
  fuse_reply_attr(request, &attributes, kAttributeSeconds);
}

int setTimes(const std::string &path, const struct stat &attributes, int which) {
  timespec times[2] = {{0, UTIME_OMIT}, {0, UTIME_OMIT}};
  if (which & FUSE_SET_ATTR_ATIME_NOW)
    times[0].tv_nsec = UTIME_NOW;
  else if (which & FUSE_SET_ATTR_ATIME)
    times[0] = attributes.st_atim;
  if (which & FUSE_SET_ATTR_MTIME_NOW)
    times[1].tv_nsec = UTIME_NOW;
  else if (which & FUSE_SET_ATTR_MTIME)
    times[1] = attributes.st_mtim;
  return errnoOf(utimensat(AT_FDCWD, path.c_str(), times, 0));
}

void setattr(fuse_req_t request, fuse_ino_t number, struct stat *attributes, int which,
             fuse_file_info *info) {
  if (number == Inodes::kControl) { // a shell's > truncates before it writes
    getattr(request, number, info);
    return;
  }
  const std::string path = procPath(Bed::of(request), number);
  int error = 0;
  if (which & FUSE_SET_ATTR_MODE)
    error = errnoOf(chmod(path.c_str(), attributes->st_mode));
  if (error == 0 && (which & (FUSE_SET_ATTR_UID | FUSE_SET_ATTR_GID)))
    error = errnoOf(chown(path.c_str(), which & FUSE_SET_ATTR_UID ? attributes->st_uid : -1,
                          which & FUSE_SET_ATTR_GID ? attributes->st_gid : -1));
  if (error == 0 && (which & FUSE_SET_ATTR_SIZE))
    error = errnoOf(truncate(path.c_str(), attributes->st_size));
  if (error == 0 && (which & (FUSE_SET_ATTR_ATIME | FUSE_SET_ATTR_MTIME)))
    error = setTimes(path, *attributes, which);
  if (error != 0)
    fuse_reply_err(request, error);
  else
    getattr(request, number, info);
}

void makeDirectory(fuse_req_t request, fuse_ino_t parent, const char *name, mode_t mode) {
  if (mkdirat(Bed::of(request).inodes.descriptor(parent), name, mode) != 0)
    fuse_reply_err(request, errno);
  else
    replyEntry(request, parent, name);
}

void removeFile(fuse_req_t request, fuse_ino_t parent, const char *name) {
  fuse_reply_err(request, errnoOf(unlinkat(Bed::of(request).inodes.descriptor(parent), name, 0)));
}

void removeDirectory(fuse_req_t request, fuse_ino_t parent, const char *name) {
  fuse_reply_err(request,
                 errnoOf(unlinkat(Bed::of(request).inodes.descriptor(parent), name, AT_REMOVEDIR)));
}

void renameFile(fuse_req_t request, fuse_ino_t parent, const char *name, fuse_ino_t newParent,
                const char *newName, unsigned flags) {
  const Inodes &inodes = Bed::of(request).inodes;
  fuse_reply_err(request, errnoOf(renameat2(inodes.descriptor(parent), name,
                                            inodes.descriptor(newParent), newName, flags)));
}

void statFileSystem(fuse_req_t request, fuse_ino_t) {
  struct statvfs figures = {};
  if (fstatvfs(Bed::of(request).inodes.descriptor(FUSE_ROOT_ID), &figures) != 0)
    fuse_reply_err(request, errno);
  else
    fuse_reply_statfs(request, &figures);
}

void openDirectory(fuse_req_t request, fuse_ino_t number, fuse_file_info *info) {
  const int fd = Bed::of(request).inodes.reopen(number, O_RDONLY | O_DIRECTORY);
  DIR *directory = fd < 0 ? nullptr : fdopendir(fd);
  if (directory == nullptr) {
    fuse_reply_err(request, fd < 0 ? -fd : errno);
    return;
  }
  info->fh = reinterpret_cast<std::uint64_t>(directory);
  fuse_reply_open(request, info);
}

void readDirectory(fuse_req_t request, fuse_ino_t, std::size_t size, off_t offset,
                   fuse_file_info *info) {
  auto *directory = pointerFrom<DIR>(info->fh);
  seekdir(directory, offset);
  std::vector<char> buffer(size);
  std::size_t used = 0;
  while (const dirent *found = readdir(directory)) {
    struct stat attributes = {};
    attributes.st_ino = found->d_ino;
    attributes.st_mode = static_cast<mode_t>(found->d_type) << 12;
    const std::size_t need = fuse_add_direntry(request, buffer.data() + used, size - used,
                                               found->d_name, &attributes, found->d_off);
    if (need > size - used)
      break;
    used += need;
  }
  fuse_reply_buf(request, buffer.data(), used);
}

void releaseDirectory(fuse_req_t request, fuse_ino_t, fuse_file_info *info) {
  closedir(pointerFrom<DIR>(info->fh));
  fuse_reply_err(request, 0);
}

} // namespace

void addMetadataOperations(fuse_lowlevel_ops &operations) {
  operations.lookup = replyEntry;
  operations.forget = forget;
  operations.forget_multi = forgetMulti;
  operations.getattr = getattr;
  operations.setattr = setattr;
  operations.mkdir = makeDirectory;
  operations.unlink = removeFile;
  operations.rmdir = removeDirectory;
  operations.rename = renameFile;
  operations.statfs = statFileSystem;
  operations.opendir = openDirectory;
  operations.readdir = readDirectory;
  operations.releasedir = releaseDirectory;
}

} // namespace forerun::testbed
