// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <dlfcn.h>
#include <link.h>
#include <string>
#include <vector>

/// \file
/// A separate link namespace for the twin of a library: a second copy of it and of all that it
/// needs (including libc), which shares no variable and no lock with the program's.
///
/// Invariants
///  - What a library needs is taken from those already loaded, if one has that name (soname).
///  - Signal handlers that a library sets when it is loaded are removed again.
///  - No destructor in it is called when the process ends: the twin may have been left while it
///    held a lock, or after a fault.
///  - It is never unloaded: a thread may have been ended anywhere inside.
/// Threads: one. While it loads, other threads that load libraries wait.

namespace forerun {

struct LibraryOnTop {
  std::string path;
  std::string name, module; ///< the module that drives it, by its path; empty: none
};

class LinkNamespace {
public:
  LinkNamespace() = default;
  LinkNamespace(const LinkNamespace &) = delete;
  LinkNamespace &operator=(const LinkNamespace &) = delete;

  /// False, with \p whyNot set: it was not found or is unfit, libc allows no more namespaces, too
  /// few addresses are left to the program (RLIMIT_AS), or it runs under valgrind.
  bool load(const std::string &path, std::string &whyNot);
  /// Like `load`, for a library on top of those loaded: its calls to them go to what a module has
  /// in their place (Redirect.h), first to its own module, which is loaded, too.
  bool loadOnTop(const LibraryOnTop &library, std::string &whyNot);
  /// What the library loaded last, or one that it needs, defines; otherwise the one before, and so
  /// on. Null: none does.
  void *symbol(const char *name) const;
  /// Whether the two libraries that were loaded last have the same \p name from the same library.
  bool agreeOn(const char *name) const;
  /// To be called by a thread made outside, before it calls anything inside: sets the tables of
  /// <ctype.h>, which that libc finds through a pointer of each thread.
  void enterThread() const;

private:
  /// Like `symbol`, among the first \p count that were loaded.
  void *symbolAmong(std::size_t count, const char *name) const;
  link_map *newest() const; ///< of the libraries that are loaded
  link_map *first() const;
  bool holds(const void *address) const;

  Lmid_t id_ = LM_ID_NEWLM;
  std::vector<void *> loaded_; ///< the newest last
};

} // namespace forerun
