// SPDX-License-Identifier: Apache-2.0
#include "twin/LoadedLibrary.h"

#include <algorithm>
#include <dlfcn.h>
#include <link.h>
#include <vector>

namespace forerun {
namespace {

/// The path of the library or program that contains \p function; the program's is empty.
std::string pathOf(const void *function) {
  Dl_info where{};
  link_map *map = nullptr;
  const int found = dladdr1(function, &where, reinterpret_cast<void **>(&map), RTLD_DL_LINKMAP);
  return found != 0 && map != nullptr ? map->l_name : "";
}

std::vector<std::string> loadedPaths() {
  std::vector<std::string> paths;
  dl_iterate_phdr(
      [](dl_phdr_info *each, std::size_t, void *to) {
        static_cast<std::vector<std::string> *>(to)->emplace_back(each->dlpi_name);
        return 0;
      },
      &paths);
  return paths;
}

/// Includes libraries loaded with local scope, as interpreters do.
std::vector<std::string> pathsThatDefine(const char *function) {
  std::vector<std::string> paths;
  for (const std::string &path : loadedPaths()) {
    void *const handle = path.empty() ? nullptr : dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr)
      continue;
    const void *const found = dlsym(handle, function); // in it, or in what it needs
    const std::string definer = found != nullptr ? pathOf(found) : "";
    if (!definer.empty() && std::ranges::find(paths, definer) == paths.end())
      paths.push_back(definer);
    dlclose(handle);
  }
  return paths;
}

} // namespace

LoadedLibrary libraryThatDefines(const char *function, std::string &whyNot) {
  LoadedLibrary library;
  if (const void *const global = dlsym(RTLD_DEFAULT, function)) {
    library.path = pathOf(global);
    whyNot = "it is a part of the program, and not a library that can be loaded again";
  } else {
    const std::vector<std::string> paths = pathsThatDefine(function);
    if (paths.size() == 1)
      library.path = paths.front();
    whyNot = paths.empty() ? "no library is loaded that has it; it may be linked statically"
                           : "several libraries have it";
  }
  if (!library.path.empty())
    library.handle = dlopen(library.path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  return library;
}

std::string pathBeside(const std::string &name) {
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void *>(&pathBeside), &self) == 0 || self.dli_fname == nullptr)
    return name;
  const std::string path = self.dli_fname;
  return path.substr(0, path.rfind('/') + 1) + name;
}

std::string pathOfModule(const std::string &library) {
  return pathBeside("libforerun_" + library + ".so");
}

} // namespace forerun
