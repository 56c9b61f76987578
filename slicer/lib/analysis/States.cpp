// SPDX-License-Identifier: Apache-2.0
#include "analysis/States.h"

#include <set>
#include <string>

namespace forerun::slicer {

using Kind = FunctionModel::Kind;

namespace {

bool isMadeByMainAlone(const FunctionModel &model) {
  return model.kind == Kind::Forward || model.kind == Kind::Visible;
}

} // namespace

void forwardChangedStates(Program &program, const Models &models) {
  std::set<std::string> changed;
  for (const Call &call : program.calls)
    if (call.model && isMadeByMainAlone(*call.model) && !call.model->state.empty())
      changed.insert(call.model->state);
  for (Call &call : program.calls)
    if (call.model && !isMadeByMainAlone(*call.model) && changed.count(call.model->state) > 0)
      call.model = &models.forwarded(*call.model);
}

} // namespace forerun::slicer
