// SPDX-License-Identifier: Apache-2.0
#include "emit/CallPlaces.h"

#include <clang/AST/Expr.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/Support/raw_ostream.h>

namespace forerun::slicer {

namespace {

/// What the compiler calls the unit itself, since the user may have told it (-fmacro-prefix-map).
std::string writtenFile(const EmitScope &scope, clang::SourceLocation location) {
  if (scope.isInMainFile(location))
    return "__FILE__";
  std::string text = "\"";
  llvm::raw_string_ostream out(text);
  out.write_escaped(scope.sources.getPresumedLoc(location).getFilename(), true);
  return text + "\"";
}

std::string calledName(const clang::CallExpr &call) {
  const auto *function = call.getDirectCallee();
  return function ? function->getNameAsString() : "through a pointer";
}

} // namespace

std::string callPlaces(const EmitScope &scope) {
  std::map<int, std::string> places;
  for (const clang::CallExpr *call : scope.editedCalls) {
    const CallPlan &plan = scope.slice.plans.at(scope.analysed(call));
    const auto location = scope.sources.getExpansionLoc(call->getBeginLoc());
    if (plan.action == CallPlan::Action::Io || plan.action == CallPlan::Action::Twin)
      places[plan.site] = "    {" + std::to_string(plan.site) + ", " +
                          std::to_string(scope.sources.getPresumedLineNumber(location)) + ", " +
                          writtenFile(scope, location) + ", \"" + calledName(*call) + "\"},\n";
  }
  std::string text;
  for (const auto &[site, place] : places)
    text += place;
  return text.empty() ? ""
                      : "static const struct forerun_main_place __forerun_places[] = {\n" + text +
                            R"(};
__attribute__((constructor)) static void __forerun_know_places(void) {
  static struct forerun_main_places places = {
      __forerun_places, sizeof __forerun_places / sizeof __forerun_places[0], 0};
  forerun_main_know_places(&places);
}
)";
}

} // namespace forerun::slicer
