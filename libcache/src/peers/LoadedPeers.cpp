// SPDX-License-Identifier: Apache-2.0
#include "peers/LoadedPeers.h"

#include <dlfcn.h>
#include <string>

namespace forerun {

namespace {

/// Beside the library or program that contains this code.
std::string modulePath() {
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void *>(&Peers::load), &self) == 0 || self.dli_fname == nullptr)
    return kUcxModule;
  const std::string path = self.dli_fname;
  return path.substr(0, path.rfind('/') + 1) + kUcxModule;
}

} // namespace

std::unique_ptr<Peers> Peers::load(std::uint32_t self, std::string &whyNone) {
  void *const module = dlopen(modulePath().c_str(), RTLD_NOW | RTLD_LOCAL); // stays
  void *const symbol = module != nullptr ? dlsym(module, kMakeTransport) : nullptr;
  if (symbol == nullptr) {
    const char *const why = dlerror(); // NOLINT(concurrency-mt-unsafe): is the thread's own
    whyNone = std::string("other nodes cannot be asked: ") + (why != nullptr ? why : kUcxModule);
    return nullptr;
  }
  std::unique_ptr<PeerTransport> transport(reinterpret_cast<MakeTransport *>(symbol)(self));
  if (transport == nullptr) {
    whyNone = "other nodes cannot be asked: UCX finds no network, or no memory or file descriptor "
              "for one";
    return nullptr;
  }
  return std::make_unique<LoadedPeers>(self, std::move(transport));
}

} // namespace forerun
