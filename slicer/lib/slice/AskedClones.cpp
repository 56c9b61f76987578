// SPDX-License-Identifier: Apache-2.0
#include "slice/AskedClones.h"

#include "facts/IoCalls.h"
#include "models/Ids.h"

#include <algorithm>
#include <clang/AST/Decl.h>

namespace forerun::slicer {

namespace {

/// Whether the function's clone can take one more parameter: all callers call it by name.
bool canBeAsked(const Program &program, const Closure &closure, FunctionId function) {
  return function != program.main && closure.hasClone(function) &&
         program.functions[function].definition->hasPrototype() &&
         std::none_of(program.objects.begin(), program.objects.end(),
                      [&](const Object &each) { return each.function == function; });
}

} // namespace

std::set<const clang::FunctionDecl *> askedClones(const Program &program, const Closure &closure) {
  std::set<const clang::FunctionDecl *> result;
  const auto isAsked = [&](FunctionId function) {
    return result.count(program.functions[function].definition) > 0;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const CallId id : ids(program.calls)) {
      const Call &call = program.calls[id];
      const bool isSource = isRead(call) || (call.callees.size() == 1 && isAsked(call.callees[0]));
      if (isSource && closure.needOf(id) == Need::Callers && !isAsked(call.caller) &&
          canBeAsked(program, closure, call.caller)) {
        result.insert(program.functions[call.caller].definition);
        changed = true;
      }
    }
  }
  return result;
}

} // namespace forerun::slicer
