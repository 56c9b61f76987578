// SPDX-License-Identifier: Apache-2.0
#include "slice/PlanOrdered.h"

#include "facts/IoCalls.h"
#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <llvm/ADT/StringRef.h>
#include <optional>
#include <utility>

namespace forerun::slicer {

using Form = FunctionModel::Form;

namespace {

std::optional<std::int64_t> constantOf(const Call &call, int index, const clang::ASTContext &ast) {
  clang::Expr::EvalResult result;
  if (index < 0 || !call.expr->getArg(static_cast<unsigned>(index))->EvaluateAsInt(result, ast))
    return std::nullopt;
  return result.Val.getInt().getExtValue();
}

} // namespace

bool areOrderedReadsAlike(const Program &program) {
  std::optional<std::pair<std::int64_t, std::int64_t>> common; // count and (named) datatype
  for (const Call &call : program.calls) {
    const Form form = call.model ? call.model->form : Form::None;
    if (form == Form::WriteShared || form == Form::SeekShared)
      return false;
    if (form != Form::ReadShared)
      continue;
    const llvm::StringRef name = call.name;
    const IoArguments *at = ioArguments(name);
    if (!at || call.isCallback || !name.contains("_ordered"))
      return false;
    const auto &ast = program.functions[call.caller].definition->getASTContext();
    const auto count = constantOf(call, at->count, ast);
    const auto type = constantOf(call, at->type, ast);
    if (!count || !type || (common && *common != std::pair(*count, *type)))
      return false;
    common.emplace(*count, *type);
  }
  return common.has_value();
}

} // namespace forerun::slicer
