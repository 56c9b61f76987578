// SPDX-License-Identifier: Apache-2.0
#include "input/StmtKinds.h"

namespace forerun::slicer {

bool isKnownKind(const clang::Stmt *stmt) {
  return visitKind<bool>(
      stmt, Kinds{[](const auto *) { return true; }, [](UnknownKind) { return false; }});
}

std::vector<const clang::Stmt *> statementsIn(const clang::Stmt *stmt) {
  using Parts = std::vector<const clang::Stmt *>;
  return visitKind<Parts>(
      stmt,
      Kinds{
          [](const clang::CompoundStmt *block) {
            return Parts{block->body_begin(), block->body_end()};
          },
          [](const clang::IfStmt *branch) { return Parts{branch->getThen(), branch->getElse()}; },
          [](const clang::WhileStmt *loop) { return Parts{loop->getBody()}; },
          [](const clang::DoStmt *loop) { return Parts{loop->getBody()}; },
          [](const clang::ForStmt *loop) { return Parts{loop->getBody()}; },
          [](const clang::SwitchStmt *choice) { return Parts{choice->getBody()}; },
          [](const clang::SwitchCase *label) { return Parts{label->getSubStmt()}; },
          [](const clang::LabelStmt *label) { return Parts{label->getSubStmt()}; },
          [](const clang::AttributedStmt *each) { return Parts{each->getSubStmt()}; },
          [](const clang::Stmt *) { return Parts{}; },
          [](UnknownKind) { return Parts{}; },
      });
}

} // namespace forerun::slicer
