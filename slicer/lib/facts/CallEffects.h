// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/LoweringState.h"

#include <vector>

namespace forerun::slicer {

/// What a call does that is not of the program's own functions: which memory it reads and writes,
/// which pointers it stores, and what its result may point to.
class CallEffects {
public:
  /// \p pointees: by argument, the memory that it points to.
  CallEffects(LoweringState &state, Call &call, CallId id, const std::vector<Place> &pointees)
      : state_(state), call_(call), id_(id), pointees_(pointees) {}

  /// As the call's model says.
  void ofLibrary();
  /// A function without body and model may read and change whatever its arguments point to, and
  /// return something of its own or of theirs.
  void ofUnknown();

private:
  void argumentEffects();
  void resultEffects();
  void copiedContents();
  void pointerEffects();
  void stateEffects();
  void keptPointers();
  void callback(const FunctionModel::Callback &model);

  void reads(const Place &place);
  void define(const Place &place, int argument = kNone, bool fillsArray = false);
  Var valueOf(int parameter) const;
  Var pointersOf(const PointerPlace &from) const;

  LoweringState &state_;
  Call &call_;
  const CallId id_;
  const std::vector<Place> &pointees_;
};

} // namespace forerun::slicer
