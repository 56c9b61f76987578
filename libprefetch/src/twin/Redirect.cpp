// SPDX-License-Identifier: Apache-2.0
#include "twin/Redirect.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

namespace forerun {
namespace {

/// A library's relocations, of either form: both begin with where and what.
class Relocations {
public:
  explicit Relocations(const link_map &library) : base_(library.l_addr) {
    for (const ElfW(Dyn) *each = library.l_ld; each->d_tag != DT_NULL; ++each)
      if (each->d_tag > 0 && static_cast<std::size_t>(each->d_tag) < values_.size())
        values_[static_cast<std::size_t>(each->d_tag)] = each->d_un.d_val;
  }

  /// Calls \p with(name, slot) for each symbol of another library, as long as that returns true.
  template <typename With> bool each(const With &with) const {
    const std::size_t callBytes =
        values_[DT_PLTREL] == DT_RELA ? sizeof(ElfW(Rela)) : sizeof(ElfW(Rel));
    return each(DT_RELA, values_[DT_RELASZ], sizeof(ElfW(Rela)), with) &&
           each(DT_REL, values_[DT_RELSZ], sizeof(ElfW(Rel)), with) &&
           each(DT_JMPREL, values_[DT_PLTRELSZ], callBytes, with);
  }

private:
  static constexpr unsigned kSymbolShift = sizeof(void *) == 8 ? 32 : 8;

  template <typename With>
  bool each(std::size_t table, std::size_t bytes, std::size_t entryBytes, const With &with) const {
    const auto *const names = at<char>(values_[DT_STRTAB]);
    for (std::size_t offset = 0; offset < bytes; offset += entryBytes) {
      const auto &entry = *at<ElfW(Rel)>(values_[table] + offset);
      const auto &symbol = at<ElfW(Sym)>(values_[DT_SYMTAB])[entry.r_info >> kSymbolShift];
      if (symbol.st_shndx == SHN_UNDEF && symbol.st_name != 0 &&
          !with(names + symbol.st_name, at<void *>(base_ + entry.r_offset)))
        return false;
    }
    return true;
  }
  /// The loader has turned library-relative values into addresses, where it could write there.
  template <typename T> T *at(std::uintptr_t value) const {
    const std::uintptr_t address = value < base_ ? base_ + value : value;
    return reinterpret_cast<T *>(address); // NOLINT(performance-no-int-to-ptr)
  }

  const std::uintptr_t base_;
  std::array<std::uintptr_t, DT_JMPREL + 1> values_{}; ///< by tag
};

/// The page may have been made read-only after everything was bound.
bool write(void **slot, void *value) {
  const auto pageBytes = static_cast<std::uintptr_t>(getpagesize());
  char *const page =
      reinterpret_cast<char *>(slot) - reinterpret_cast<std::uintptr_t>(slot) % pageBytes;
  if (mprotect(page, pageBytes, PROT_READ | PROT_WRITE) != 0)
    return false;
  *slot = value;
  return true;
}

} // namespace

std::string inPlaceOf(const char *function, const std::string &caller) {
  return "forerun_" + caller + '_' + function;
}

bool redirectCalls(const link_map &library, const FindFunction &inPlace,
                   const FindFunction &original, std::string &whyNot) {
  return Relocations(library).each([&](const char *name, void **slot) {
    void *const ours = inPlace(name);
    if (ours == nullptr || *slot == ours)
      return true;
    if (*slot != original(name))
      whyNot = std::string("another ") + name + " is called than its module was built for";
    else if (write(slot, ours))
      return true;
    else
      whyNot = "the system does not let its calls be changed";
    return false;
  });
}

} // namespace forerun
