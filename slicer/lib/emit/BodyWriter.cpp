// SPDX-License-Identifier: Apache-2.0
#include "emit/BodyWriter.h"

#include "emit/Marks.h"
#include "emit/PragmaInsertions.h"
#include <llvm/ADT/STLExtras.h>

namespace forerun::slicer {

using clang::dyn_cast;
using clang::isa;

namespace {

constexpr const char *kStep = "  ";

/// A label is not a statement: a statement must follow it.
std::string afterLabel(const std::string &lines, const std::string &indent) {
  return llvm::StringRef(lines).ends_with(":\n") ? lines + indent + ";\n" : lines;
}

std::string endOfLine(const std::string &text) {
  return llvm::StringRef(text).ends_with("\n") ? text : text + "\n";
}

bool isSimple(const clang::Stmt *statement) {
  return isa<clang::Expr, clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt,
             clang::GotoStmt>(statement);
}

} // namespace

std::string BodyWriter::body(const clang::FunctionDecl *function) {
  scope_.function = function;
  function_ = function;
  targets_.clear();
  findTargets(function->getBody());
  return "{\n" + environment(function) +
         children(cast<clang::CompoundStmt>(function->getBody()), kStep) + "}";
}

/// Finds labels that a kept goto names, and all `&&label`: an indirect goto's target is unknown.
void BodyWriter::findTargets(const clang::Stmt *statement) {
  if (!statement)
    return;
  if (const auto *jump = dyn_cast<clang::GotoStmt>(statement); jump && isKept(jump))
    targets_.insert(jump->getLabel());
  if (const auto *address = dyn_cast<clang::AddrLabelExpr>(statement))
    targets_.insert(address->getLabel());
  for (const auto *child : statement->children())
    findTargets(child);
}

/// The white space before a statement that begins its line.
BodyWriter::Indent BodyWriter::indentOf(const clang::Stmt *statement,
                                        const Indent &otherwise) const {
  auto location = statement->getBeginLoc();
  if (location.isMacroID()) {
    auto stretch = stretchOf(statement->getSourceRange(), scope_.ast);
    if (!stretch)
      return otherwise;
    location = scope_.sources.getComposedLoc(stretch->file, stretch->begin);
  }
  auto [file, offset] = scope_.sources.getDecomposedLoc(location);
  auto before = scope_.sources.getBufferData(file).take_front(offset);
  auto indent = before.substr(before.rfind('\n') + 1);
  bool beginsLine = indent.find_first_not_of(" \t") == llvm::StringRef::npos;
  return beginsLine ? indent.str() : otherwise;
}

std::string BodyWriter::children(const clang::CompoundStmt *block, const Indent &indent,
                                 const clang::Stmt *value) {
  std::string lines;
  Indent own = indent;
  bool isOver = false; // what follows may name a variable that is not declared
  for (const auto *child : block->body()) {
    own = indentOf(child, own);
    if (isOver) {
      lines += labelsOf(child, own);
      continue;
    }
    isOver = scope_.slice.unwritten.count(child) > 0;
    std::string next = child == value && isa<clang::Expr>(child)
                           ? expression(cast<clang::Expr>(child), own)
                           : statement(child, own);
    if (!next.empty() && isa<clang::DeclStmt>(child))
      lines = afterLabel(lines, own);
    lines += next + handedOver(child, own);
    if (isa<clang::SwitchCase, clang::LabelStmt>(child))
      own += kStep;
  }
  return afterLabel(lines, own);
}

/// The counterpart of what the main thread hands over after the statement (PragmaInsertions.cpp).
std::string BodyWriter::handedOver(const clang::Stmt *statement, const Indent &indent) {
  std::string lines;
  const auto known = scope_.slice.handedOver.find(statement);
  if (known != scope_.slice.handedOver.end())
    for (const auto &each : known->second) {
      lines += indent;
      lines += "forerun_pre_receive(" + handOver(each.site, expr_.name(each.variable)) + ");\n";
    }
  return lines;
}

/// The lines with a mark of where they come from.
std::string BodyWriter::statement(const clang::Stmt *statement, const Indent &indent) {
  const auto *outer = std::exchange(scope_.statement, statement);
  const std::string lines = linesOf(statement, indent);
  scope_.statement = outer;
  return lines.empty() ? lines : markOf(*statement, scope_.sources) + lines;
}

std::string BodyWriter::linesOf(const clang::Stmt *statement, const Indent &indent) {
  if (scope_.slice.ends.count(statement) > 0 && !isa<clang::DeclStmt>(statement))
    return indent + scope_.endsAt(*statement) + ";\n";
  if (auto text = wholeMacro(statement))
    return indent + *text + ";\n";
  return visitKind<std::string>(
      statement,
      Kinds{
          // A statement that only contains others stays if any of them does.
          [](const clang::NullStmt *) { return std::string(); },
          [&](const clang::CompoundStmt *each) { return block(each, indent); },
          [&](const clang::OMPExecutableDirective *region) {
            return region->hasAssociatedStmt() ? this->statement(region->getRawStmt(), indent) : "";
          },
          [&](const clang::AttributedStmt *each) {
            return this->statement(each->getSubStmt(), indent);
          },
          [&](const clang::DeclStmt *each) {
            return (scope_.slice.ends.count(each) > 0 ? indent + scope_.endsAt(*each) + ";\n"
                                                      : "") +
                   declaration(each, indent);
          },
          [&](const clang::LabelStmt *each) { return label(each, indent); },
          [&](const clang::SwitchCase *each) { return caseLabel(each, indent); },
          [&](UnknownKind kind) { return unknown(kind, indent); },
          // All others stay if they are kept themselves.
          [&](const auto *each) {
            if (!isKept(each))
              return skipped(each, indent);
            indent_ = indent;
            const auto calls = scope_.slice.extracts.find(each);
            if (calls == scope_.slice.extracts.end())
              return kept(each, indent);
            return extracted(calls->second, indent) + (scope_.slice.bareReturns.count(each) > 0
                                                           ? kept(each, indent)
                                                           : skipped(each, indent));
          },
      });
}

std::string BodyWriter::block(const clang::CompoundStmt *block, const Indent &indent) {
  const std::string lines = children(block, indent + kStep);
  return lines.empty() ? "" : indent + "{\n" + lines + indent + "}\n";
}

/// The lowering has made no node for it, and has reported it.
std::string BodyWriter::unknown(UnknownKind kind, const Indent &indent) {
  if (isKept(kind.stmt))
    scope_.fail(kind.stmt->getBeginLoc(),
                "a statement of the kind " + kind.name().str() + " cannot be written");
  return skipped(kind.stmt, indent);
}

/// Of a statement that is left out, only the labels that kept jumps name remain.
std::string BodyWriter::skipped(const clang::Stmt *statement, const Indent &indent) {
  std::string lines;
  for (const auto *child : statement->children())
    if (child)
      lines += labelsOf(child, indent);
  return lines;
}

/// The same, with the statement's own label.
std::string BodyWriter::labelsOf(const clang::Stmt *statement, const Indent &indent) {
  std::string lines;
  if (const auto *target = dyn_cast<clang::LabelStmt>(statement);
      target && targets_.count(target->getDecl()))
    lines = indentOf(target, indent) + target->getName() + std::string(":\n");
  return lines + skipped(statement, indent);
}

/// Calls that run for their side effects, as statements of their own.
std::string BodyWriter::extracted(const ExtractedCalls &calls, const Indent &indent) {
  std::string lines;
  for (const std::string &each : expr_.extracted(calls))
    lines += indent + each + ";\n";
  return lines;
}

std::string BodyWriter::expression(const clang::Expr *expr, const Indent &indent) {
  indent_ = indent;
  return indent + expr_.text(expr) + ";\n";
}

std::string BodyWriter::kept(const clang::Expr *expr, const Indent &indent) {
  const auto *call = llvm::dyn_cast<clang::CallExpr>(expr->IgnoreParenCasts());
  const CallPlan *plan = call ? scope_.slice.planOf(call) : nullptr;
  const bool isGone = plan && plan->is<CallPlan::Gone>() && plan->kept.empty();
  return isGone ? "" : expression(expr, indent);
}

std::string BodyWriter::kept(const clang::Stmt *jump, const Indent &indent) {
  std::string text = isa<clang::BreakStmt>(jump) ? "break" : "continue";
  if (const auto *from = dyn_cast<clang::ReturnStmt>(jump))
    text = "return" + returned(from);
  if (const auto *to = dyn_cast<clang::GotoStmt>(jump))
    text = "goto " + to->getLabel()->getNameAsString();
  if (const auto *to = dyn_cast<clang::IndirectGotoStmt>(jump))
    text = "goto *" + expr_.text(to->getTarget());
  return indent + text + ";\n";
}

std::string BodyWriter::returned(const clang::ReturnStmt *statement) {
  auto type = function_->getReturnType().getUnqualifiedType();
  if (scope_.slice.bareReturns.count(statement) == 0)
    return statement->getRetValue() ? " " + expr_.text(statement->getRetValue()) : "";
  if (type->isVoidType())
    return "";
  return type->isRecordType() ? " (" + expr_.declare(type, "") + "){0}" : " 0";
}

/// What follows `if (...)` and the like. It ends with the brace if there is one, or with its line.
std::string BodyWriter::controlled(const clang::Stmt *statement, const Indent &indent,
                                   bool braces) {
  const auto *block = dyn_cast<clang::CompoundStmt>(statement);
  Indent inner = indent + kStep;
  std::string lines =
      block ? children(block, inner)
            : afterLabel(this->statement(statement, indentOf(statement, inner)), inner) +
                  handedOver(statement, inner);
  if (!block && !braces && isSimple(statement) && !lines.empty() &&
      scope_.slice.handedOver.count(statement) == 0 && scope_.slice.extracts.count(statement) == 0)
    return "\n" + lines;
  return " {\n" + lines + indent + "}";
}

/// The condition, or what the main thread hands over in its place.
std::string BodyWriter::condition(const clang::Stmt *of, const clang::Expr *condition) {
  const auto handed = scope_.slice.conditions.find(of);
  return handed == scope_.slice.conditions.end() ? expr_.text(condition) : received(handed->second);
}

/// Without indent. A branch stays in braces or on its own line; an else branch that is left empty
/// disappears.
std::string BodyWriter::ifChain(const clang::IfStmt *statement, const Indent &indent) {
  std::string text = "if (" + condition(statement, statement->getCond()) + ")";
  text += controlled(statement->getThen(), indent);
  const auto *other = statement->getElse();
  if (!other)
    return text;
  std::string rest;
  if (const auto *next = dyn_cast<clang::IfStmt>(other);
      next && isKept(next) && !scope_.slice.extracts.count(next) && !scope_.slice.ends.count(next))
    rest = " " + ifChain(next, indent);
  else
    rest = controlled(other, indent);
  if (rest == " {\n" + indent + "}")
    return text;
  return text + (llvm::StringRef(text).ends_with("\n") ? indent : " ") + "else" + rest;
}

std::string BodyWriter::kept(const clang::IfStmt *branch, const Indent &indent) {
  return endOfLine(indent + ifChain(branch, indent));
}

std::string BodyWriter::kept(const clang::SwitchStmt *choice, const Indent &indent) {
  return indent + "switch (" + expr_.text(choice->getCond()) + ")" +
         controlled(choice->getBody(), indent, true) + "\n";
}

std::string BodyWriter::kept(const clang::WhileStmt *loop, const Indent &indent) {
  return endOfLine(indent + "while (" + condition(loop, loop->getCond()) + ")" +
                   controlled(loop->getBody(), indent));
}

std::string BodyWriter::kept(const clang::DoStmt *loop, const Indent &indent) {
  std::string until = condition(loop, loop->getCond());
  return indent + "do" + controlled(loop->getBody(), indent, true) + " while (" + until + ");\n";
}

/// Several declarations, some of which are left out, cannot be one declaration: they are written
/// before the loop, in a block of their own.
std::string BodyWriter::kept(const clang::ForStmt *loop, const Indent &indent) {
  std::string init, before;
  const auto isExtracted = [&](const clang::Stmt *part) {
    return part && scope_.slice.extracts.count(part) > 0;
  };
  if (const auto *declared = dyn_cast_or_null<clang::DeclStmt>(loop->getInit())) {
    auto each = declarations(declared);
    if (each.size() == 1 && !hasExtracts(declared))
      init = each.front().substr(0, each.front().size() - 1);
    else
      for (const auto &one : each)
        before.append(indent).append(kStep).append(one).append("\n");
  } else if (isExtracted(loop->getInit())) {
    before = statement(loop->getInit(), indent + kStep);
  } else if (loop->getInit() && isKept(loop->getInit())) {
    init = expr_.text(cast<clang::Expr>(loop->getInit()));
  }
  std::string text = "for (" + init + ";";
  if (loop->getCond())
    text += " " + condition(loop, loop->getCond());
  text += ";";
  if (isExtracted(loop->getInc()))
    for (const std::string &each : expr_.extracted(scope_.slice.extracts.at(loop->getInc())))
      text += (text.ends_with(";") ? " " : ", ") + each;
  else if (loop->getInc() && isKept(loop->getInc()))
    text += " " + expr_.text(loop->getInc());
  text += ")";
  if (before.empty())
    return endOfLine(indent + text + controlled(loop->getBody(), indent));
  Indent inner = indent + kStep;
  return indent + "{\n" + before + endOfLine(inner + text + controlled(loop->getBody(), inner)) +
         indent + "}\n";
}

std::string BodyWriter::labelled(const std::string &label, const clang::Stmt *statement,
                                 const Indent &indent) {
  Indent inner = isa<clang::SwitchCase>(statement) ? indent : indent + kStep;
  std::string head = indent + label + ":";
  if (const auto *block = dyn_cast<clang::CompoundStmt>(statement)) {
    auto lines = children(block, inner);
    return lines.empty() ? head + "\n" : head + " {\n" + lines + indent + "}\n";
  }
  return head + "\n" + this->statement(statement, indentOf(statement, inner));
}

std::string BodyWriter::label(const clang::LabelStmt *label, const Indent &indent) {
  if (targets_.count(label->getDecl()) == 0)
    return statement(label->getSubStmt(), indentOf(label->getSubStmt(), indent + kStep));
  return labelled(label->getName(), label->getSubStmt(), indent);
}

/// All labels of a kept switch are kept: they determine for which values the rest does not run.
std::string BodyWriter::caseLabel(const clang::SwitchCase *label, const Indent &indent) {
  const auto *values = dyn_cast<clang::CaseStmt>(label);
  if (!values)
    return labelled("default", label->getSubStmt(), indent);
  std::string text = "case " + expr_.text(values->getLHS());
  if (values->caseStmtIsGNURange())
    text += " ... " + expr_.text(values->getRHS());
  return labelled(text, label->getSubStmt(), indent);
}

/// A statement expression: its last expression is its value, and is kept if the whole is. Empty if
/// all of it is kept, unless `always`.
std::optional<std::string> BodyWriter::statementExpr(const clang::StmtExpr *block, bool always) {
  const auto *inside = block->getSubStmt();
  const auto *value = inside->body_empty() ? nullptr : inside->body_back();
  const auto isKeptWhole = [&](const auto *child) { return child == value || isWhole(child); };
  if (!always && llvm::all_of(inside->body(), isKeptWhole))
    return std::nullopt;
  Indent outer = indent_;
  auto lines = children(inside, outer + kStep, value);
  indent_ = outer;
  return "({\n" + lines + outer + "})";
}

/// The use of a macro that expands to statements, if all of them are kept.
std::optional<std::string> BodyWriter::wholeMacro(const clang::Stmt *statement) {
  if (!statement->getBeginLoc().isMacroID() || !statement->getEndLoc().isMacroID() ||
      !isa<clang::CompoundStmt, clang::DoStmt, clang::IfStmt, clang::WhileStmt, clang::ForStmt,
           clang::SwitchStmt>(statement) ||
      !isWhole(statement))
    return std::nullopt;
  return expr_.copyWritten(statement->getSourceRange(), statement);
}

bool BodyWriter::isWhole(const clang::Stmt *statement) const {
  if (!statement)
    return true;
  if (scope_.slice.extracts.count(statement) > 0 || scope_.slice.ends.count(statement) > 0)
    return false;
  const auto areWhole = [&] {
    return llvm::all_of(statementsIn(statement), [&](const auto *each) { return isWhole(each); });
  };
  const bool isKeptWhole = isKept(statement) && scope_.slice.bareReturns.count(statement) == 0;
  // A statement that only contains others.
  if (isa<clang::CompoundStmt, clang::AttributedStmt, clang::LabelStmt, clang::SwitchCase>(
          statement))
    return areWhole();
  return visitKind<bool>(statement,
                         Kinds{
                             [](const clang::NullStmt *) { return true; },
                             [&](const clang::DeclStmt *declared) { return isWhole(declared); },
                             [&](const clang::ForStmt *loop) {
                               return isKeptWhole && isWhole(loop->getInit()) &&
                                      isWhole(loop->getInc()) && areWhole();
                             },
                             [](UnknownKind) { return false; },
                             [&](const auto *) { return isKeptWhole && areWhole(); },
                         });
}

} // namespace forerun::slicer
