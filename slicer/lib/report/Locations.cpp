// SPDX-License-Identifier: Apache-2.0
#include "report/Locations.h"

#include "models/Ids.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

namespace forerun::slicer {

Locations::Locations(const Program &program, const Units &units) {
  std::map<const clang::ASTContext *, const clang::ASTUnit *> byContext;
  for (const Unit &unit : units)
    byContext[&unit.ast->getASTContext()] = unit.ast.get();
  for (const FunctionId id : ids(program.functions))
    if (const auto *definition = program.functions[id].definition)
      units_[id] = byContext[&definition->getASTContext()];
}

SourcePlace Locations::of(const clang::Stmt *stmt, FunctionId function) const {
  const auto unit = units_.find(function);
  if (!stmt || unit == units_.end())
    return {};
  const clang::SourceManager &manager = unit->second->getSourceManager();
  const auto begin = manager.getPresumedLoc(manager.getExpansionLoc(stmt->getBeginLoc()));
  const auto end = manager.getPresumedLoc(manager.getExpansionLoc(stmt->getEndLoc()));
  if (begin.isInvalid() || end.isInvalid())
    return {};
  return {begin.getFilename(), begin.getLine(), begin.getColumn(), end.getLine()};
}

SourcePlace Locations::of(const Node &node) const { return of(partOf(node), node.function); }

const clang::Stmt *Locations::partOf(const Node &node) {
  const bool isInitialised = node.kind == Node::Kind::Initialiser && node.variable->getInit();
  return isInitialised ? node.variable->getInit() : node.stmt;
}

const clang::ASTUnit *Locations::unitOf(FunctionId function) const {
  const auto unit = units_.find(function);
  return unit == units_.end() ? nullptr : unit->second;
}

std::string Locations::lineOf(const Node &node) const {
  const clang::Stmt *stmt = partOf(node);
  const auto unit = units_.find(node.function);
  if (!stmt || unit == units_.end())
    return "";
  const clang::SourceManager &manager = unit->second->getSourceManager();
  const auto [file, offset] =
      manager.getDecomposedLoc(manager.getExpansionLoc(stmt->getBeginLoc()));
  const llvm::StringRef text = manager.getBufferData(file);
  const std::size_t begin = text.rfind('\n', offset);
  return text.slice(begin == llvm::StringRef::npos ? 0 : begin, text.find('\n', offset))
      .trim()
      .str();
}

} // namespace forerun::slicer
