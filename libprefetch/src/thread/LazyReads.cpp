// SPDX-License-Identifier: Apache-2.0
#include "thread/LazyReads.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace forerun {
namespace {

/// Uses a system call: a library interposed before libc's function may have a lock.
bool protect(std::span<std::byte> pages, int how) {
  return syscall(SYS_mprotect, pages.data(), pages.size(), how) == 0;
}

bool haveInCommon(std::span<const std::byte> one, const std::byte *from, std::size_t bytes) {
  return one.data() < from + bytes && from < one.data() + one.size();
}

bool covers(std::span<const std::byte> whole, std::span<const std::byte> part) {
  return whole.data() <= part.data() && part.data() + part.size() <= whole.data() + whole.size();
}

} // namespace

std::span<std::byte> pagesOf(std::span<std::byte> bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
  const std::uintptr_t inFront = begin % Arena::kPageBytes;
  const std::uintptr_t all =
      (inFront + bytes.size() + Arena::kPageBytes - 1) & ~(Arena::kPageBytes - 1);
  return {bytes.data() - inFront, all};
}

const LazyReads::Read *LazyReads::find(const void *from, std::size_t bytes) const {
  const auto *const first = static_cast<const std::byte *>(from);
  const auto found = std::ranges::find_if(
      all(), [&](const Read &each) { return haveInCommon(pagesOf(each.to), first, bytes); });
  return found != all().end() ? &*found : nullptr;
}

bool LazyReads::add(const Read &read) {
  const std::span<std::byte> pages = pagesOf(read.to);
  if (pages.data() != read.to.data() || read.to.size() < kLeastBytes)
    return false;
  for (const Read &each : all())
    if (haveInCommon(pagesOf(each.to), pages.data(), pages.size()) &&
        !covers(pages, pagesOf(each.to)))
      return false;
  const Read *const had = find(pages.data(), pages.size());
  if ((had == nullptr && table_.count == kMax) || !protect(pages, PROT_NONE))
    return false;
  Read *const end = std::remove_if(
      table_.reads.data(), table_.reads.data() + table_.count,
      [&](const Read &each) { return haveInCommon(each.to, pages.data(), pages.size()); });
  Read *const place =
      std::upper_bound(table_.reads.data(), end, read, [](const Read &one, const Read &other) {
        return one.to.data() < other.to.data();
      });
  std::move_backward(place, end, end + 1);
  *place = read;
  table_.count = static_cast<std::size_t>(end + 1 - table_.reads.data());
  return true;
}

void LazyReads::remove(const Read &read) {
  protect(pagesOf(read.to), PROT_READ | PROT_WRITE);
  Read *const gone = table_.reads.data() + (&read - table_.reads.data());
  std::move(gone + 1, table_.reads.data() + table_.count, gone);
  --table_.count;
}

void LazyReads::forget(const void *block) {
  if (const Read *read = find(block, 1); read != nullptr && read->to.data() == block)
    remove(*read);
}

const LazyReads::Read *LazyReads::findRagged() const {
  const auto found = std::ranges::find_if(
      all(), [](const Read &each) { return each.to.size() % Arena::kPageBytes != 0; });
  return found != all().end() ? &*found : nullptr;
}

void LazyReads::open() const {
  for (const Read &each : all())
    protect(pagesOf(each.to), PROT_READ | PROT_WRITE);
}

void LazyReads::close() const {
  for (const Read &each : all())
    protect(pagesOf(each.to), PROT_NONE);
}

} // namespace forerun
