// SPDX-License-Identifier: Apache-2.0
#include "slice/plan/PlanOutput.h"

#include "analysis/Requests.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/STLExtras.h>

namespace forerun::slicer {

using Size = Forwarded::Size;

namespace {

/// Takes the amount that is written from the model. False if the model does not tell.
bool askModel(const FunctionModel &model, int index, Forwarded &result) {
  for (const auto &root : model.atRoots)
    if (root.buffer == index) {
      result.root = root.root;
      result.rootIn = root.communicator;
    }
  for (const auto &typed : model.typed)
    if (typed.buffer == index) {
      result.size = Size::Typed;
      result.count = typed.count;
      result.datatype = typed.datatype;
      result.communicator = typed.communicator.value_or(-1);
      return true;
    }
  for (const auto &spread : model.spreads)
    if (spread.buffer == index) {
      result.size = Size::Spread;
      result.count = spread.counts;
      result.displacements = spread.displacements;
      result.datatype = spread.datatype;
      result.communicator = spread.communicator;
      return true;
    }
  for (const auto &length : model.lengths)
    if (length.array == index) {
      result.size = length.isResult ? Size::Returned : Size::Counted;
      result.count = length.count;
    }
  if (llvm::is_contained(model.datatypes, index))
    result.size = Size::Datatype;
  else if (llvm::is_contained(model.communicators, index))
    result.size = Size::Communicator;
  else if (llvm::is_contained(model.texts, index))
    result.size = Size::Text;
  return result.size != Size::Pointee;
}

/// Copying more than this costs the main thread more than a late request.
constexpr std::uint64_t kMaximumBytes = 4096;

bool isPlain(clang::QualType type) {
  if (const auto *alias = type->getAs<clang::TypedefType>()) {
    const llvm::StringRef name = alias->getDecl()->getName();
    const bool isNumber = name == "MPI_Offset" || name == "MPI_Aint" || name == "MPI_Count";
    if ((name.starts_with("MPI_") && !isNumber) || name == "uintptr_t" || name == "intptr_t")
      return false;
  }
  if (type.isConstQualified() || type.isVolatileQualified() || type->isAtomicType())
    return false;
  if (const auto *array = type->getAsArrayTypeUnsafe())
    return isa<clang::ConstantArrayType>(array) && isPlain(array->getElementType());
  if (const auto *record = type->getAsRecordDecl())
    return std::all_of(record->field_begin(), record->field_end(),
                       [](const auto *field) { return isPlain(field->getType()); });
  return type->isArithmeticType() || type->isEnumeralType();
}

/// Whether the type contains a pointer to memory that the program may write to. A handle does not
/// count: only its library knows what it points to.
bool leadsElsewhere(clang::QualType type) {
  type = type.getCanonicalType();
  if (type->isPointerType())
    return !type->getPointeeType()->isRecordType() || !type->getPointeeType()->isIncompleteType();
  if (const auto *atomic = type->getAs<clang::AtomicType>())
    return leadsElsewhere(atomic->getValueType());
  if (const auto *array = type->getAsArrayTypeUnsafe())
    return leadsElsewhere(array->getElementType());
  const auto *record = type->getAsRecordDecl();
  return record && std::any_of(record->field_begin(), record->field_end(),
                               [](const auto *field) { return leadsElsewhere(field->getType()); });
}

/// Whether the function declares something else of that name.
bool hides(const clang::FunctionDecl &function, const clang::VarDecl &global) {
  return llvm::any_of(function.decls(), [&](const clang::Decl *each) {
    const auto *variable = clang::dyn_cast<clang::VarDecl>(each);
    return variable && !variable->hasExternalStorage() && variable->getName() == global.getName();
  });
}

/// Whether the function's unit declares the global before the function.
bool isDeclaredBefore(const clang::VarDecl &global, const clang::FunctionDecl &function) {
  const clang::ASTContext &ast = function.getASTContext();
  const auto &sources = ast.getSourceManager();
  for (const clang::Decl *each : ast.getTranslationUnitDecl()->decls())
    if (const auto *variable = clang::dyn_cast<clang::VarDecl>(each);
        variable && variable->getName() == global.getName() &&
        (variable->getCanonicalDecl() == &global ||
         (variable->hasExternalFormalLinkage() && global.hasExternalFormalLinkage())))
      return sources.isBeforeInTranslationUnit(variable->getLocation(), function.getLocation());
  return false;
}

std::int64_t elementBytesOf(const Call &call, int index, const clang::ASTContext &ast) {
  const clang::FunctionDecl *callee = call.expr->getDirectCallee();
  const auto at = static_cast<unsigned>(index);
  if (callee == nullptr || at >= callee->getNumParams())
    return 0;
  const clang::QualType element = callee->getParamDecl(at)->getType()->getPointeeType();
  if (element.isNull() || element->isFunctionType())
    return 0;
  if (element->isVoidType())
    return 1;
  return element->isIncompleteType() ? 0 : ast.getTypeSizeInChars(element).getQuantity();
}

bool hasEffects(const Call &call, int index, const clang::ASTContext &ast) {
  return index >= 0 && call.expr->getArg(static_cast<unsigned>(index))->HasSideEffects(ast);
}

} // namespace

std::optional<Forwarded> outputOf(const Call &call, int index, const clang::ASTContext &ast) {
  Forwarded result;
  result.argument = index;
  result.isUnsure = call.model == nullptr;
  const bool isTold = call.model && askModel(*call.model, index, result);
  for (const int each : {result.argument, result.count, result.datatype, result.displacements,
                         result.communicator, result.root, result.rootIn})
    if (hasEffects(call, each, ast))
      return std::nullopt;
  const clang::QualType type =
      call.expr->getArg(static_cast<unsigned>(index))->IgnoreParenCasts()->getType();
  const clang::QualType element = type->isArrayType()
                                      ? clang::QualType(type->getBaseElementTypeUnsafe(), 0)
                                      : type->getPointeeType();
  if (!element.isNull() && leadsElsewhere(element))
    return std::nullopt;
  result.elementBytes = elementBytesOf(call, index, ast);
  if (isTold)
    return result;
  if (type->isConstantArrayType() || type->isVariableArrayType()) {
    result.size = Size::Array;
    return result;
  }
  const clang::QualType to = type->getPointeeType();
  if (to.isNull() || to->isVoidType() || to->isIncompleteType() || to->isFunctionType())
    return std::nullopt;
  return result;
}

bool canBeHandedOver(const clang::VarDecl &variable) {
  return isPlain(variable.getType()) && variable.getStorageClass() != clang::SC_Register &&
         variable.getTLSKind() == clang::VarDecl::TLS_None &&
         variable.getASTContext().getTypeSizeInChars(variable.getType()).getQuantity() <=
             static_cast<std::int64_t>(kMaximumBytes);
}

bool resultOf(const clang::QualType type, Forwarded &result) {
  result.argument = Forwarded::kResult;
  if (!type->isPointerType())
    return !leadsElsewhere(type);
  result.size = Size::Text;
  return type->getPointeeType()->isCharType();
}

std::optional<Forwarded> outputOf(const clang::VarDecl &global, const clang::FunctionDecl &caller) {
  if (hides(caller, global) || !canBeHandedOver(global) || !isDeclaredBefore(global, caller))
    return std::nullopt;
  return Forwarded{.argument = kNone, .size = Size::Variable, .variable = &global};
}

bool isLater(const Call &call, int index) {
  return call.is(FunctionModel::Kind::Forward) && call.model->nonblocking &&
         requestOf(*call.model) != index;
}

std::optional<Forwarded> outputLater(const Call &call, int index, const clang::ASTContext &ast) {
  auto result = outputOf(call, index, ast);
  const auto request = requestOf(*call.model);
  if (!result || !request || hasEffects(call, *request, ast) ||
      (result->size != Size::Typed && result->size != Size::Spread))
    return std::nullopt;
  result->request = *request;
  return result;
}

std::optional<CallPlan::Receive::Completion> completionOf(const Call &call,
                                                          const clang::ASTContext &ast) {
  const auto requests = call.model->completes;
  if (!requests)
    return std::nullopt;
  CallPlan::Receive::Completion result{*requests, kNone};
  for (const auto &length : call.model->lengths)
    if (length.array == result.requests)
      result.count = length.count;
  if (hasEffects(call, result.requests, ast) || hasEffects(call, result.count, ast))
    return std::nullopt;
  return result;
}

} // namespace forerun::slicer
