// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_LINKNAMESPACE_H
#define FORERUN_LINKNAMESPACE_H

#include <dlfcn.h>
#include <link.h>
#include <string>

/// \file
/// A link namespace of its own, for the twin of a library: a second copy of it, and of all that it needs
/// (libc, too), which shares no variable and no lock with the program's.
///
/// Invariants
///  - The first library that is loaded gives the namespace its symbols: those that are loaded
///    afterwards may leave theirs undefined, and need not know its name.
///  - Handlers of signals that a library sets when it is loaded are taken away again.
///  - No destructor of it is called when the process ends: the twin may have been left while it held a lock,
///    or after a fault.
///  - It stays: a thread may have been ended anywhere inside.
/// Threads: one. While it loads, other threads that load libraries wait.

namespace forerun {

class LinkNamespace {
public:
  LinkNamespace() = default;
  LinkNamespace(const LinkNamespace &) = delete;
  LinkNamespace &operator=(const LinkNamespace &) = delete;

  /// False, with \p whyNot set: it is not found or not fit, there are as many namespaces as libc allows, or
  /// too few addresses are left to the program (RLIMIT_AS).
  bool load(const std::string &path, std::string &whyNot);
  /// What the library loaded last, or one that it needs, defines, or the first one; null: none does.
  void *symbol(const char *name) const;
  /// To be called by a thread that was made outside, before it calls anything inside: the tables of
  /// <ctype.h>, which that libc finds through a pointer of each thread.
  void enterThread() const;

private:
  link_map *first() const; ///< of the libraries that are loaded
  bool holds(const void *address) const;

  Lmid_t id_ = LM_ID_NEWLM;
  void *oldest_ = nullptr, *newest_ = nullptr;
};

} // namespace forerun

#endif
