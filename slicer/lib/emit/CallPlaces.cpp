// SPDX-License-Identifier: Apache-2.0
#include "emit/CallPlaces.h"

#include "emit/Headers.h"
#include <clang/AST/Expr.h>
#include <clang/Basic/SourceManager.h>

namespace forerun::slicer {

namespace {

std::string calledName(const clang::CallExpr &call) {
  const auto *function = call.getDirectCallee();
  return function ? function->getNameAsString() : "through a pointer";
}

} // namespace

std::string callPlaces(const EmitScope &scope) {
  std::map<int, std::string> places;
  for (const clang::CallExpr *call : scope.editedCalls) {
    const CallPlan &plan = scope.slice.plans.at(scope.analysed(call));
    if (plan.action != CallPlan::Action::Io && plan.action != CallPlan::Action::Twin)
      continue;
    // File names as the user's compiler gives them, which -fmacro-prefix-map may change.
    const auto [file, offset] =
        scope.sources.getDecomposedLoc(scope.sources.getExpansionLoc(call->getBeginLoc()));
    places[plan.site] = lineDirective(file, offset, scope.sources) + "    {" +
                        std::to_string(plan.site) + ", __LINE__, __FILE__, \"" + calledName(*call) +
                        "\"},\n";
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
