// SPDX-License-Identifier: Apache-2.0
#include "base/SafeRead.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace forerun {
namespace {

constexpr std::size_t kSmallestPage = 4096; ///< readability is per page
constexpr std::size_t kLongestText = std::size_t{16} << 20;

/// From \p address to the end of its page.
std::size_t leftInPage(const void *address) {
  return kSmallestPage - reinterpret_cast<std::uintptr_t>(address) % kSmallestPage;
}

} // namespace

std::size_t readIfThere(const void *from, void *to, std::size_t bytes) {
  const int before = errno;
  const iovec here{to, bytes};
  const iovec there{const_cast<void *>(from), bytes}; // NOLINT: it is only read
  // Not by the C library's function: sanitizers intercept that one.
  const long read = syscall(SYS_process_vm_readv, getpid(), &here, 1UL, &there, 1UL, 0UL);
  errno = before;
  return read > 0 ? static_cast<std::size_t>(read) : 0;
}

std::string textIfThere(const char *text) {
  std::string whole;
  while (text != nullptr && whole.size() <= kLongestText) {
    std::array<char, kSmallestPage> part;
    const std::size_t asked = leftInPage(text);
    const std::size_t read = readIfThere(text, part.data(), asked);
    const std::string_view come(part.data(), read);
    whole += come.substr(0, come.find('\0'));
    if (read < asked || come.find('\0') != std::string_view::npos)
      break;
    text += read;
  }
  return whole;
}

} // namespace forerun
