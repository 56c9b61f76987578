// SPDX-License-Identifier: Apache-2.0
// The fence in clones: stores, and what library functions write to (forerun/runtime.h).
#include "emit/ExprWriter.h"

#include <algorithm>

namespace forerun::slicer {

/// Empty if the expression is neither the place nor the address of a store, or needs no fence.
std::optional<std::string> ExprWriter::fencedStore(const clang::Expr *place) {
  const auto fence = fences_.find(place);
  const bool isAddress = fences_.isWrittenThrough(place);
  if (!fence && !isAddress)
    return std::nullopt;
  if (!open_.insert(place).second) // the text of the place itself is being written
    return std::nullopt;
  std::string text;
  if (isAddress)
    text = "(&FORERUN_PRE_OWN(*(" + this->text(place) + ")))";
  else if (fence->pointer)
    text = "FORERUN_PRE_OWN(*(" + this->text(fence->pointer) + "))." +
           fence->member->getMemberDecl()->getNameAsString();
  else if (fence->inside)
    text = "FORERUN_PRE_INSIDE(" + name(fence->inside) + ", " + this->text(place) + ")";
  else
    text = "FORERUN_PRE_OWN(" + this->text(place) + ")";
  open_.erase(place);
  return text;
}

/// The call, preceded by checks of where the function writes to. Empty if it stays as it is.
/// Each argument is evaluated once.
std::optional<std::string> ExprWriter::fencedCall(const clang::CallExpr *call, const CallPlan &plan,
                                                  const std::string &function) {
  const auto isThere = [&](int index) {
    return index >= 0 && unsigned(index) < call->getNumArgs();
  };
  std::set<int> named;
  std::string checks;
  for (const auto &[argument, count] : plan.written) {
    if (!isThere(argument) || !plan.keeps(unsigned(argument)) ||
        (count < 0 && fences_.isOwnAddress(call->getArg(argument))))
      continue;
    const auto type = call->getArg(argument)->getType();
    if (!type->isPointerType())
      continue;
    const bool isVoid = type->getPointeeType()->isVoidType();
    const std::string to = "__forerun_" + std::to_string(argument);
    const std::string one = isVoid ? "1" : "sizeof *" + to;
    named.insert(argument);
    checks.append("forerun_pre_own(").append(to).append(", ");
    if (isThere(count)) {
      named.insert(count);
      checks.append("(__forerun_size)__forerun_").append(std::to_string(count)).append(" * ");
    }
    checks.append(one).append("); ");
  }
  if (checks.empty())
    return std::nullopt;
  std::string steps, arguments;
  for (int i = 0; isThere(i); ++i) {
    const auto *argument = call->getArg(i);
    const bool isNamed = named.count(i) > 0;
    const std::string variable = "__forerun_" + std::to_string(i);
    if (isNamed)
      steps.append(declare(argument->getType().getUnqualifiedType(), variable))
          .append(" = ")
          .append(text(argument))
          .append("; ");
    arguments.append(i == 0 ? "" : ", ")
        .append(isNamed                   ? variable
                : plan.keeps(unsigned(i)) ? text(argument)
                                          : leftOut(call, unsigned(i)));
  }
  return "__extension__({ " + steps + checks +
         (function.empty() ? text(call->getCallee()) : function) + "(" + arguments + "); })";
}

} // namespace forerun::slicer
