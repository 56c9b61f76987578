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

/// The table's rows, in the order of the sites.
class Rows {
public:
  explicit Rows(const EmitScope &scope) : scope_(scope) {
    for (const clang::CallExpr *call : scope.editedCalls)
      add(scope.slice.plans.at(scope.analysed(call)).site, *call, calledName(*call));
    for (const auto &[stmt, handed] : scope.slice.conditions)
      if (isHere(handed.function))
        add(handed.site, *stmt, "a condition, forwarded");
    for (const auto &[stmt, all] : scope.slice.handedOver)
      for (const HandedOver &each : all)
        if (isHere(each.function))
          add(each.site, *stmt, each.variable->getNameAsString() + ", forwarded");
  }

  std::string text() const {
    std::string all;
    for (const auto &[site, row] : rows_)
      all += row;
    return all;
  }

private:
  bool isHere(const clang::FunctionDecl *function) const {
    return &function->getASTContext() == &scope_.ast;
  }

  /// File names as the user's compiler gives them, which -fmacro-prefix-map may change.
  void add(int site, const clang::Stmt &stmt, const std::string &what) {
    const auto [file, offset] =
        scope_.sources.getDecomposedLoc(scope_.sources.getExpansionLoc(stmt.getBeginLoc()));
    rows_[site] = lineDirective(file, offset, scope_.sources) + "    {" + std::to_string(site) +
                  ", __LINE__, __FILE__, \"" + what + "\"},\n";
  }

  const EmitScope &scope_;
  std::map<int, std::string> rows_;
};

} // namespace

std::string callPlaces(const EmitScope &scope) {
  const std::string rows = Rows(scope).text();
  return rows.empty() ? ""
                      : "static const struct forerun_main_place __forerun_places[] = {\n" + rows +
                            R"(};
__attribute__((constructor)) static void __forerun_know_places(void) {
  static struct forerun_main_places places = {
      __forerun_places, sizeof __forerun_places / sizeof __forerun_places[0], 0};
  forerun_main_know_places(&places);
}
)";
}

} // namespace forerun::slicer
