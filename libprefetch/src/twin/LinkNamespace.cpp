// SPDX-License-Identifier: Apache-2.0
#include "twin/LinkNamespace.h"

#include "forerun/Addresses.h"
#include "forerun/Valgrind.h"
#include "twin/KeptActions.h"
#include "twin/Redirect.h"

#include <cstddef>
#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

namespace forerun {
namespace {

/// Where addresses are limited: how many must be left to the program for a twin to be loaded.
constexpr std::uint64_t kLeastAddresses = std::uint64_t{1} << 30;

void doNothing() {}

/// The dynamic section may have been made read-only after the library was relocated.
bool makeWritable(const ElfW(Dyn) * begin, const ElfW(Dyn) * end) {
  const auto pageBytes = static_cast<std::uintptr_t>(getpagesize());
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  const std::size_t before = address % pageBytes;
  const std::size_t bytes = before + static_cast<std::size_t>(end - begin) * sizeof *begin;
  char *const page = reinterpret_cast<char *>(const_cast<ElfW(Dyn) *>(begin)) - before;
  return mprotect(page, bytes, PROT_READ | PROT_WRITE) == 0;
}

/// The loader looks in the dynamic section for what to call at the end: it finds nothing now.
void forgetDestructors(const link_map &library) {
  ElfW(Dyn) *end = library.l_ld;
  bool hasSome = false;
  for (; end->d_tag != DT_NULL; ++end)
    hasSome |= end->d_tag == DT_FINI || end->d_tag == DT_FINI_ARRAYSZ;
  if (!hasSome || !makeWritable(library.l_ld, end))
    return;
  for (ElfW(Dyn) *each = library.l_ld; each != end; ++each)
    if (each->d_tag == DT_FINI_ARRAYSZ)
      each->d_un.d_val = 0;
    else if (each->d_tag == DT_FINI)
      each->d_un.d_ptr = reinterpret_cast<std::uintptr_t>(doNothing) - library.l_addr;
}

} // namespace

bool LinkNamespace::load(const std::string &path, std::string &whyNot) {
  if (addressesLeft() < kLeastAddresses) {
    whyNot = "the address-space limit (RLIMIT_AS) leaves too little for a twin";
    return false;
  }
  if (isInValgrind()) {
    whyNot = "valgrind knows of one link namespace only";
    return false;
  }
  const KeptActions actions;
  void *const loaded = dlmopen(id_, path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr) {
    const char *const why = dlerror(); // NOLINT(concurrency-mt-unsafe): is the thread's own
    whyNot = why != nullptr ? why : path;
    return false;
  }
  loaded_.push_back(loaded);
  if (id_ == LM_ID_NEWLM)
    dlinfo(loaded, RTLD_DI_LMID, &id_);
  for (const link_map *each = first(); each != nullptr; each = each->l_next)
    forgetDestructors(*each);
  actions.putBack([this](const void *handler) { return holds(handler); });
  return true;
}

bool LinkNamespace::loadOnTop(const LibraryOnTop &library, std::string &whyNot) {
  const std::size_t below = loaded_.size();
  if (!load(library.path, whyNot))
    return false;
  const link_map &loaded = *newest();
  if (!library.module.empty() && !load(library.module, whyNot))
    return false;
  const auto inPlace = [&](const char *function) {
    void *const own = symbol(inPlaceOf(function, library.name).c_str());
    return own != nullptr ? own : symbolAmong(below, inPlaceOf(function).c_str());
  };
  return redirectCalls(
      loaded, inPlace, [&](const char *function) { return symbolAmong(below, function); }, whyNot);
}

void *LinkNamespace::symbol(const char *name) const { return symbolAmong(loaded_.size(), name); }

void *LinkNamespace::symbolAmong(std::size_t count, const char *name) const {
  void *found = nullptr;
  while (count > 0 && found == nullptr)
    found = dlsym(loaded_[--count], name);
  return found;
}

bool LinkNamespace::agreeOn(const char *name) const {
  const std::size_t count = loaded_.size();
  return count < 2 || dlsym(loaded_[count - 1], name) == dlsym(loaded_[count - 2], name);
}

link_map *LinkNamespace::newest() const {
  link_map *map = nullptr;
  dlinfo(loaded_.back(), RTLD_DI_LINKMAP, static_cast<void *>(&map));
  return map;
}

link_map *LinkNamespace::first() const {
  link_map *each = newest();
  while (each->l_prev != nullptr)
    each = each->l_prev;
  return each;
}

bool LinkNamespace::holds(const void *address) const {
  Dl_info where{};
  link_map *holder = nullptr;
  if (dladdr1(address, &where, reinterpret_cast<void **>(&holder), RTLD_DL_LINKMAP) == 0)
    return false;
  const link_map *each = first();
  while (each != nullptr && each != holder)
    each = each->l_next;
  return each != nullptr;
}

void LinkNamespace::enterThread() const {
  if (void *const init = symbol("__ctype_init"))
    reinterpret_cast<void (*)()>(init)();
}

} // namespace forerun
