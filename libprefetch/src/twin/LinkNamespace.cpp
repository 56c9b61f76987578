// SPDX-License-Identifier: Apache-2.0
#include "twin/LinkNamespace.h"

#include "twin/KeptActions.h"

#include <link.h>

namespace forerun {

bool LinkNamespace::load(const std::string &path, std::string &whyNot) {
  const KeptActions actions;
  void *const loaded = dlmopen(id_, path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr) {
    const char *const why = dlerror(); // NOLINT(concurrency-mt-unsafe): is the thread's own
    whyNot = why != nullptr ? why : path;
    return false;
  }
  newest_ = loaded;
  if (id_ == LM_ID_NEWLM)
    dlinfo(loaded, RTLD_DI_LMID, &id_);
  actions.putBack([this](const void *handler) { return holds(handler); });
  return true;
}

bool LinkNamespace::holds(const void *address) const {
  Dl_info where{};
  link_map *holder = nullptr;
  link_map *each = nullptr;
  if (dladdr1(address, &where, reinterpret_cast<void **>(&holder), RTLD_DL_LINKMAP) == 0 ||
      dlinfo(newest_, RTLD_DI_LINKMAP, static_cast<void *>(&each)) != 0)
    return false;
  while (each->l_prev != nullptr)
    each = each->l_prev;
  while (each != nullptr && each != holder)
    each = each->l_next;
  return each != nullptr;
}

void LinkNamespace::enterThread() const {
  if (void *const init = symbol("__ctype_init"))
    reinterpret_cast<void (*)()>(init)();
}

} // namespace forerun
