// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "thread/PreThread.h"

/// \file
/// How a function that clones call begins, by its row in forerun/predictions.def.

namespace forerun {

enum class Entry {
#define FORERUN_PRE_CALL(name, effect) name,
#include "forerun/predictions.def"
#undef FORERUN_PRE_CALL
};

/// What a call does to predictions that are open.
enum class OnPredictions { Keeps, MaySettle, Settles };

constexpr OnPredictions onPredictions(Entry entry) {
  constexpr OnPredictions kEffects[] = {
#define FORERUN_PRE_CALL(name, effect) OnPredictions::effect,
#include "forerun/predictions.def"
#undef FORERUN_PRE_CALL
  };
  return kEffects[static_cast<int>(entry)];
}

/// The pre-execution thread; null on every other. If the call settles, no prediction is open.
template <Entry Call> PreThread *entered() {
  if constexpr (onPredictions(Call) == OnPredictions::Settles)
    return PreThread::self();
  else
    return PreThread::predicting();
}

} // namespace forerun
