// SPDX-License-Identifier: Apache-2.0
#include "twin/LinkNamespace.h"

#include "thread/KeptActions.h"

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
  return true;
}

void LinkNamespace::enterThread() const {
  if (void *const init = symbol("__ctype_init"))
    reinterpret_cast<void (*)()>(init)();
}

} // namespace forerun
