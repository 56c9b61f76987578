// SPDX-License-Identifier: Apache-2.0
#include "forerun/GuardedCopy.h"

#include <atomic>
#include <csetjmp>
#include <cstdint>
#include <cstring>
#include <ucontext.h>

namespace forerun {
namespace {

struct Memory {
  std::uintptr_t begin;
  std::size_t bytes;
  bool has(std::uintptr_t address) const { return address - begin < bytes; }
};

/// A copy in progress, on the stack of its thread.
struct Copy {
  Memory to, from;
  Copy *interrupted; ///< which a signal handler that copies has interrupted
  sigjmp_buf faulted;
};

// initial-exec: signal handlers read it, and the general model may allocate at the first touch.
__attribute__((tls_model("initial-exec"))) constinit thread_local Copy *volatile theCopy = nullptr;

/// For an address of no canonical form the system names none.
bool isCanonical(std::uintptr_t address) {
  constexpr unsigned kBits = 48;
  const auto top = static_cast<std::intptr_t>(address) >> (kBits - 1);
  return top == 0 || top == -1;
}

bool isFaultOf(const Copy &copy, const siginfo_t &info) {
  const auto at = reinterpret_cast<std::uintptr_t>(info.si_addr);
  if (info.si_code == SI_KERNEL)
    return !isCanonical(copy.to.begin) || !isCanonical(copy.to.begin + copy.to.bytes);
  return info.si_code > 0 && (copy.to.has(at) || copy.from.has(at));
}

/// Where the thread goes on when the handler has returned: with its signal mask and stack as they
/// were at the fault.
[[noreturn]] void goOn(Copy *copy) { siglongjmp(copy->faulted, 1); }

} // namespace

/// Null is bad memory like any other: no fault of the caller's that a sanitizer has to tell of.
[[gnu::no_sanitize("nonnull-attribute")]] bool copyGuarded(void *to, const void *from,
                                                           std::size_t bytes) {
  Copy copy;
  copy.to = {reinterpret_cast<std::uintptr_t>(to), bytes};
  copy.from = {reinterpret_cast<std::uintptr_t>(from), bytes};
  copy.interrupted = theCopy;
  const bool isWhole = sigsetjmp(copy.faulted, 0) == 0;
  if (isWhole) {
    theCopy = &copy;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    std::memcpy(to, from, bytes);
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  theCopy = copy.interrupted;
  return isWhole;
}

bool endFaultedCopy(int signal, const siginfo_t &info, void *context) {
  Copy *const copy = theCopy;
  if (copy == nullptr || (signal != SIGSEGV && signal != SIGBUS) || !isFaultOf(*copy, info))
    return false;
  // The call of goOn is made by hand: below what a leaf function may use of its stack, and aligned.
  constexpr greg_t kRedZone = 128, kAlignment = 16, kWord = 8;
  greg_t *const registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
  registers[REG_RSP] = ((registers[REG_RSP] - kRedZone) & ~(kAlignment - 1)) - kWord;
  registers[REG_RIP] = reinterpret_cast<greg_t>(&goOn);
  registers[REG_RDI] = reinterpret_cast<greg_t>(copy);
  return true;
}

} // namespace forerun
