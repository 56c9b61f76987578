// SPDX-License-Identifier: Apache-2.0
#include "twin/Redirect.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <span>
#include <sys/mman.h>
#include <unistd.h>

namespace forerun {
namespace {

using Entry = ElfW(Rela);

/// A loaded library's dynamic section, as far as it tells what was bound.
class Bound {
public:
  explicit Bound(const link_map &library) : base_(library.l_addr) {
    for (const ElfW(Dyn) *each = library.l_ld; each->d_tag != DT_NULL; ++each)
      note(*each);
  }
  bool isKnown() const { return isKnown_; }
  std::span<const Entry> data() const { return {data_, dataBytes_ / sizeof(Entry)}; }
  std::span<const Entry> calls() const { return {calls_, callBytes_ / sizeof(Entry)}; }
  /// Of a symbol that is another library's; null: it is its own, or has none.
  const char *nameOf(const Entry &entry) const {
    const ElfW(Sym) &symbol = symbols_[entry.r_info >> kSymbolShift];
    return symbol.st_shndx == SHN_UNDEF && symbol.st_name != 0 ? names_ + symbol.st_name : nullptr;
  }
  void **slotOf(const Entry &entry) const {
    return reinterpret_cast<void **>(base_ + entry.r_offset); // NOLINT(performance-no-int-to-ptr)
  }

private:
  static constexpr unsigned kSymbolShift = sizeof(void *) == 8 ? 32 : 8;

  /// The loader has made addresses of them, where it may write there.
  template <typename T> const T *at(const ElfW(Dyn) & entry) const {
    const std::uintptr_t address =
        entry.d_un.d_ptr < base_ ? base_ + entry.d_un.d_ptr : entry.d_un.d_ptr;
    return reinterpret_cast<const T *>(address); // NOLINT(performance-no-int-to-ptr)
  }
  void note(const ElfW(Dyn) & entry) {
    switch (entry.d_tag) {
    case DT_SYMTAB:
      symbols_ = at<ElfW(Sym)>(entry);
      break;
    case DT_STRTAB:
      names_ = at<char>(entry);
      break;
    case DT_RELA:
      data_ = at<Entry>(entry);
      break;
    case DT_RELASZ:
      dataBytes_ = entry.d_un.d_val;
      break;
    case DT_JMPREL:
      calls_ = at<Entry>(entry);
      break;
    case DT_PLTRELSZ:
      callBytes_ = entry.d_un.d_val;
      break;
    case DT_REL:
      isKnown_ = false;
      break;
    default:
      break;
    }
  }

  const std::uintptr_t base_;
  const ElfW(Sym) *symbols_ = nullptr;
  const char *names_ = nullptr;
  const Entry *data_ = nullptr, *calls_ = nullptr;
  std::size_t dataBytes_ = 0, callBytes_ = 0;
  bool isKnown_ = true;
};

/// The page may have been made read-only when all was bound.
bool write(void **slot, void *value) {
  const auto pageBytes = static_cast<std::uintptr_t>(getpagesize());
  const auto address = reinterpret_cast<std::uintptr_t>(slot);
  char *const page = reinterpret_cast<char *>(slot) - address % pageBytes;
  if (mprotect(page, pageBytes, PROT_READ | PROT_WRITE) != 0)
    return false;
  *slot = value;
  return true;
}

bool redirect(const Bound &bound, const Entry &entry, void *module, std::string &whyNot) {
  const char *const name = bound.nameOf(entry);
  void *const ours = name == nullptr ? nullptr : dlsym(module, inPlaceOf(name).c_str());
  if (ours == nullptr)
    return true;
  void **const slot = bound.slotOf(entry);
  if (*slot != dlsym(module, name)) {
    whyNot = std::string("another ") + name + " is called than its module was built for";
    return false;
  }
  if (write(slot, ours))
    return true;
  whyNot = "the system does not let its calls be changed";
  return false;
}

bool redirect(const Bound &bound, void *module, std::string &whyNot) {
  for (const auto entries : {bound.data(), bound.calls()})
    for (const Entry &entry : entries)
      if (!redirect(bound, entry, module, whyNot))
        return false;
  return true;
}

/// Modules call the libraries themselves.
bool isModule(const link_map &library) {
  const char *const slash = std::strrchr(library.l_name, '/');
  return std::strncmp(slash == nullptr ? library.l_name : slash + 1, "libforerun_", 11) == 0;
}

} // namespace

std::string inPlaceOf(const std::string &function) { return "forerun_twin_" + function; }

bool redirectCalls(const link_map *first, void *module, std::string &whyNot) {
  for (const link_map *each = first; each != nullptr; each = each->l_next) {
    if (isModule(*each))
      continue;
    const Bound bound(*each);
    if (!bound.isKnown())
      whyNot = "relocations of this machine's form are not known";
    if (!bound.isKnown() || !redirect(bound, module, whyNot))
      return false;
  }
  return true;
}

} // namespace forerun
