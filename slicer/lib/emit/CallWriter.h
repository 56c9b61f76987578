// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emit/EarlyArguments.h"
#include "emit/ExprWriter.h"

namespace forerun::slicer {

/// What a call becomes in the pre-execution thread: one function for each action of its plan.
class CallWriter {
public:
  CallWriter(ExprWriter &expr, EmitScope &scope, Fences &fences, const clang::CallExpr &call,
             const CallPlan &plan)
      : expr_(expr), scope_(scope), fences_(fences), call_(call), plan_(plan),
        site_(std::to_string(plan.site)) {}

  /// Empty if the call stays as it is.
  std::optional<std::string> text() {
    return std::visit([this](const auto &action) { return written(action); }, plan_.action);
  }

private:
  using Text = std::optional<std::string>;
  Text written(const CallPlan::Gone &gone);
  Text written(const CallPlan::Direct &direct);
  Text written(const CallPlan::Clone &clone);
  Text written(const CallPlan::StandIn &standIn);
  Text written(const CallPlan::Twin &twin);
  Text written(const CallPlan::Io &io);
  Text written(const CallPlan::Choose &choose);
  Text written(const CallPlan::Receive &receive);
  Text written(const CallPlan::Skip &skip);
  Text written(const CallPlan::Exit &exit);

  std::string chosen(const CallPlan::Action &action);
  std::string calledIo(const CallPlan::Io &io);
  std::string calledTwin(const CallPlan::Twin &twin);
  std::string clock(const CallPlan::Receive &receive, EarlyArguments &arguments);
  std::string exchanged(const CallPlan::Receive::Exchange &exchange, std::size_t values);
  std::optional<std::string> fenced(const std::vector<CallPlan::Written> &written,
                                    const std::string &function);
  std::string composed(const std::string &function);
  std::string argument(int index, const char *otherwise = "0");
  std::string text(unsigned index) { return expr_.text(call_.getArg(index)); }
  std::string leftOut(unsigned index);
  std::string withEffects(const std::set<int> &used, const std::string &value);
  std::string nothing();

  ExprWriter &expr_;
  EmitScope &scope_;
  Fences &fences_;
  const clang::CallExpr &call_;
  const CallPlan &plan_;
  const std::string site_;
};

} // namespace forerun::slicer
