// SPDX-License-Identifier: Apache-2.0
// What calls become in the pre-execution thread: one function for each form of CallPlan.
#include "emit/ExprWriter.h"
#include "emit/PragmaInsertions.h"
#include "facts/IoCalls.h"
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

namespace forerun::slicer {

using Action = CallPlan::Action;
using Io = CallPlan::Io;
using Size = Forwarded::Size;

namespace {

std::string joined(const std::vector<std::string> &parts) { return llvm::join(parts, ", "); }

} // namespace

/// A value of this type that is not used.
std::string ExprWriter::nothing(clang::QualType type) {
  type = type.getUnqualifiedType();
  if (type->isVoidType())
    return "((void)0)";
  return (type->isRecordType() ? "(" + declare(type, "") + "){0}" : "(" + declare(type, "") + ")0");
}

/// An argument that the pre-execution thread does not evaluate.
std::string ExprWriter::leftOut(const clang::CallExpr *call, unsigned index) {
  auto type = call->getArg(index)->getType().getUnqualifiedType();
  if (type->isRecordType())
    return "(" + declare(type, "") + "){0}";
  const auto *prototype =
      call->getCallee()->getType()->getPointeeType()->getAs<clang::FunctionProtoType>();
  // Where no prototype converts it, it must have the right size.
  bool converted = prototype && index < prototype->getNumParams();
  return converted ? "0" : "(" + declare(type, "") + ")0";
}

std::string ExprWriter::argument(const clang::CallExpr *call, const CallPlan &plan, int index,
                                 const char *otherwise) {
  if (index < 0 || unsigned(index) >= call->getNumArgs() || !plan.keeps(unsigned(index)))
    return otherwise;
  return text(call->getArg(unsigned(index)));
}

std::string ExprWriter::composed(const clang::CallExpr *call, const std::string &function,
                                 const CallPlan &plan) {
  std::vector<std::string> arguments;
  arguments.reserve(call->getNumArgs());
  for (unsigned i = 0; i < call->getNumArgs(); i++)
    arguments.push_back(plan.keeps(i) ? text(call->getArg(i)) : leftOut(call, i));
  return function + "(" + joined(arguments) + ")";
}

/// `value`, after the arguments that are kept for their side effects although the form that
/// replaces the call does not take them.
std::string ExprWriter::withEffects(const clang::CallExpr *call, const CallPlan &plan,
                                    const std::set<int> &used, const std::string &value) {
  std::string effects;
  for (unsigned i = 0; i < call->getNumArgs() && i < plan.kept.size(); i++)
    if (plan.kept[i] && used.count(int(i)) == 0 && call->getArg(i)->HasSideEffects(scope_.ast))
      effects += "(void)(" + text(call->getArg(i)) + "), ";
  return effects.empty() ? value : "(" + effects + value + ")";
}

/// If the call is one through a pointer, the program has declared the name.
std::string ExprWriter::standInOf(const clang::CallExpr *call, const CallPlan &plan) {
  const auto *function = call->getDirectCallee();
  return function ? standIn(plan.name, function) : plan.name;
}

std::string ExprWriter::ioCall(const clang::CallExpr *call, const CallPlan &plan) {
  const auto *function = call->getDirectCallee();
  const auto *at = ioArguments(function ? function->getName() : llvm::StringRef(plan.name));
  if (!at) {
    scope_.fail(call->getBeginLoc(), "this is not a call of MPI-IO", call);
    return "0";
  }
  struct Form {
    const char *name;
    std::vector<int> arguments;
  };
  auto form = [&]() -> Form {
    switch (plan.io) {
    case Io::Open:
      return {"open_file", {at->file}};
    case Io::ReadAt:
      return {"read_at", {at->file, at->offset, at->count, at->type}};
    case Io::Read:
      return {"read", {at->file, at->count, at->type}};
    case Io::ReadOrdered:
      return {"read_ordered", {at->file, at->count, at->type}};
    case Io::FetchAt:
      return {plan.countOnly ? "count_at" : "fetch_at",
              {at->file, at->offset, at->buffer, at->count, at->type}};
    case Io::Fetch:
      return {plan.countOnly ? "count" : "fetch", {at->file, at->buffer, at->count, at->type}};
    case Io::FetchOrdered:
      return {"fetch_ordered", {at->file, at->buffer, at->count, at->type}};
    case Io::WriteAt:
      return {"write_at", {at->file, at->offset, at->count, at->type}};
    case Io::Write:
      return {"write", {at->file, at->count, at->type}};
    case Io::Seek:
      return {plan.isFromEnd ? "seek_end" : "seek", {at->file, at->offset, at->whence}};
    case Io::View:
      return {"set_view", {at->file, at->offset, at->etype, at->filetype, at->datarep}};
    case Io::Close:
      return {"close_file", {at->file}};
    case Io::Sync:
      return {"sync_file", {}};
    }
    return {"sync_file", {}};
  }();
  std::vector<std::string> arguments{std::to_string(plan.site)};
  for (int index : form.arguments) {
    if (index < 0)
      scope_.fail(call->getBeginLoc(), "the call lacks an argument that its form needs", call);
    arguments.push_back(argument(call, plan, index));
  }
  std::set<int> used(form.arguments.begin(), form.arguments.end());
  if (plan.isFetch()) {
    arguments.push_back(argument(call, plan, at->status, "MPI_STATUS_IGNORE"));
    used.insert(at->status);
  }
  std::string value = std::string("forerun_pre_") + form.name + "(" + joined(arguments) + ")";
  const bool isWrite = plan.io == Io::WriteAt || plan.io == Io::Write;
  if (isWrite && at->status >= 0 && !plan.kept.empty() && plan.keeps(unsigned(at->status))) {
    value = "forerun_pre_wrote(" + value;
    for (int index : {at->count, at->type, at->status}) {
      value += ", " + argument(call, plan, index);
      used.insert(index);
    }
    value += ")";
  }
  if (!plan.forwarded.empty())
    value = "forerun_pre_generators(" + arguments[0] + ", " + value + ")";
  return withEffects(call, plan, used, value);
}

/// One of several functions of MPI-IO, or a clone, chosen by the pointer's value.
std::string ExprWriter::chosenCall(const clang::CallExpr *call, const CallPlan &plan) {
  const auto type = call->getType().getUnqualifiedType();
  const std::string cast = type->isVoidType() ? "(void)" : "(" + declare(type, "") + ")";
  const std::string function = "(void (*)(void))";
  std::string text =
      "__extension__({ __auto_type __forerun_called = " + this->text(call->getCallee()) + "; ";
  for (const CallPlan &each : plan.choices)
    text.append(function)
        .append("__forerun_called == ")
        .append(function)
        .append(each.name)
        .append(" ? ")
        .append(cast)
        .append(choice(call, each))
        .append(" : ");
  const std::string site = std::to_string(plan.site);
  if (plan.choosesClone) // the main thread counts it, too
    text += "(forerun_pre_at(" + site + "), " + composed(call, "__forerun_called", plan) + ")";
  else
    text += "(" + endsAt(*call) + ", " + nothing(type) + ")";
  text += "; })";
  if (plan.forwarded.empty())
    return text;
  return type->isVoidType()
             ? "(" + text + ", (void)forerun_pre_generators(" + site + ", 0))"
             : "__extension__({ __auto_type __forerun_value = " + text +
                   "; (void)forerun_pre_generators(" + site + ", 0); __forerun_value; })";
}

std::string ExprWriter::endsAt(const clang::Stmt &stmt) const {
  const auto place =
      scope_.sources.getPresumedLoc(scope_.sources.getExpansionLoc(stmt.getBeginLoc()));
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::printEscapedString(llvm::sys::path::filename(place.getFilename()), out);
  return "forerun_pre_end(\"it reached line " + std::to_string(place.getLine()) + " of " + text +
         ", where it cannot go on\")";
}

std::string ExprWriter::choice(const clang::CallExpr *call, const CallPlan &plan) {
  switch (plan.action) {
  case Action::Io:
    return ioCall(call, plan);
  case Action::Twin:
    return twinCall(call, plan);
  case Action::Gone:
    return "(forerun_pre_at(" + std::to_string(plan.site) + "), 0)";
  default:
    return "(" + endsAt(*call) + ", 0)";
  }
}

/// The mirror of what the main thread forwards (Forward.cpp).
std::string ExprWriter::receiveOne(const CallPlan &plan, const Forwarded &forwarded,
                                   EarlyArguments &arguments) {
  std::string site = std::to_string(plan.site);
  if (forwarded.size == Size::Nothing)
    return "forerun_pre_receive(" + site + ", 0, 0); ";
  if (forwarded.size == Size::Generators)
    return "forerun_pre_generators(" + site + ", 0); ";
  if (forwarded.size == Size::Variable)
    return "forerun_pre_receive(" + handOver(plan.site, name(forwarded.variable)) + "); ";
  if (forwarded.argument == Forwarded::kResult) {
    if (forwarded.size == Size::Text)
      return "__forerun_value = forerun_pre_receive_text(" + site + "); ";
    if (forwarded.size == Size::Datatype)
      return "forerun_pre_receive_type(" + site + ", &__forerun_value); ";
    return "forerun_pre_receive(" + site + ", &__forerun_value, sizeof __forerun_value); ";
  }
  const std::string into = arguments.value(forwarded.argument);
  const std::string written = arguments.text(forwarded.argument);
  const std::string head = site + ", " + into;
  if (forwarded.request >= 0)
    return "forerun_pre_expect(" + head + "); ";
  switch (forwarded.size) {
  case Size::Pointee:
  case Size::Communicator:
    return "forerun_pre_receive(" + head + ", sizeof *(" + written + ")); ";
  case Size::Array:
    return "forerun_pre_receive(" + head + ", sizeof(" + written + ")); ";
  case Size::Counted:
  case Size::Returned:
  case Size::Typed:
  case Size::Spread:
    return "forerun_pre_receive(" + head + ", (__forerun_size)-1); "; // as much as arrives
  case Size::Text:
    return standIn("forerun_pre_strcpy", nullptr) + "(" + into + ", forerun_pre_receive_text(" +
           site + ")); ";
  case Size::Datatype:
    return "forerun_pre_receive_type(" + head + "); ";
  case Size::Variable:
  case Size::Generators:
  case Size::Nothing:
    break;
  }
  return "";
}

/// The call that asks the other pre-execution threads first.
std::string ExprWriter::exchangeCall(const clang::CallExpr *call, const CallPlan &plan) {
  std::vector<std::string> arguments{std::to_string(plan.site),
                                     std::to_string(plan.forwarded.size())};
  for (int i = 0; i < plan.exchanged; ++i)
    arguments.push_back(text(call->getArg(unsigned(i))));
  return plan.exchange + "(" + joined(arguments) + ")";
}

/// The call itself, of a function that tells the time; MPI's by the name that no profiler wraps.
std::string ExprWriter::clockCall(const clang::CallExpr *call, const CallPlan &plan,
                                  EarlyArguments &arguments) {
  std::vector<std::string> given;
  for (int i = 0; i < static_cast<int>(call->getNumArgs()); ++i) {
    const clang::Expr *argument = call->getArg(unsigned(i));
    if (!argument->getType()->isPointerType())
      given.push_back(llvm::toString(argument->EvaluateKnownConstInt(scope_.ast), 10));
    else if (llvm::any_of(plan.forwarded, [&](const auto &each) { return each.argument == i; }))
      given.push_back("forerun_pre_own(" + arguments.value(i) + ", sizeof *(" + arguments.text(i) +
                      "))");
    else
      given.emplace_back("0");
  }
  const std::string name = call->getDirectCallee()->getNameAsString();
  return (name == "MPI_Wtime" ? "PMPI_Wtime" : text(call->getCallee())) + "(" + joined(given) + ")";
}

/// All processes count a collective call, whether or not they need what it gives. (Its last argument
/// is the communicator.)
std::string ExprWriter::skipCall(const clang::CallExpr *call, const CallPlan &plan) {
  const std::string head = std::to_string(plan.site) + ", " + std::to_string(plan.forwarded.size());
  const unsigned last = call->getNumArgs() - 1;
  if (plan.exchange.empty())
    return withEffects(call, plan, {},
                       "(forerun_pre_skip(" + head + "), " + nothing(call->getType()) + ")");
  return withEffects(call, plan, {static_cast<int>(last)},
                     "(forerun_pre_skip_collective(" + head + ", " + text(call->getArg(last)) +
                         "), " + nothing(call->getType()) + ")");
}

std::string ExprWriter::receiveCall(const clang::CallExpr *call, const CallPlan &plan) {
  auto type = call->getType().getUnqualifiedType();
  bool hasValue = !type->isVoidType(), receivesValue = false;
  std::string steps = plan.completes >= 0 ? "forerun_pre_receive_expected(); " : "";
  EarlyArguments arguments(
      call, scope_.ast, [&](int index) { return text(call->getArg(unsigned(index))); }, false);
  for (const auto &forwarded : plan.forwarded) {
    receivesValue |= forwarded.argument == Forwarded::kResult;
    steps += receiveOne(plan, forwarded, arguments);
  }
  if (plan.isClock)
    steps = "if (forerun_pre_asks_time(" + std::to_string(plan.site) + ")) " +
            (hasValue ? "__forerun_value = " : "") + clockCall(call, plan, arguments) +
            "; else { " + steps + "} ";
  receivesValue |= plan.isClock;
  if (!plan.exchange.empty())
    steps = "if (!" + exchangeCall(call, plan) + ") { " + steps + "} " +
            (receivesValue ? "else __forerun_value = MPI_SUCCESS; " : "");
  std::string text = "__extension__({ " + arguments.declarations();
  if (hasValue && receivesValue)
    text += declare(type, "__forerun_value", call->getBeginLoc()) + "; ";
  text += steps + (hasValue && receivesValue ? "__forerun_value" : nothing(type)) + "; })";
  return withEffects(call, plan, {}, text);
}

/// A call that opens waits for the main thread; one that reads counts as a read of the program. A
/// call through a pointer calls this function and no other.
std::string ExprWriter::twinCall(const clang::CallExpr *call, const CallPlan &plan) {
  const auto function = twinOf(plan.name);
  if (!function) {
    scope_.fail(call->getBeginLoc(), plan.name + " is not declared here", call);
    return "0";
  }
  const bool outer = std::exchange(isGivenToTwin_, true);
  auto made = fencedCall(call, plan, *function);
  if (!made)
    made = composed(call, *function, plan);
  isGivenToTwin_ = outer;
  if (plan.site < 0)
    return *made;
  return std::string("(") + (plan.opensByTwin ? "forerun_pre_open(" : "forerun_pre_at(") +
         std::to_string(plan.site) + "), " + *made + ")";
}

std::optional<std::string> ExprWriter::replaceCall(const clang::CallExpr *call) {
  auto found = scope_.slice.plans.find(call);
  if (found == scope_.slice.plans.end())
    return std::nullopt;
  const CallPlan &plan = found->second;
  bool all = true;
  for (unsigned i = 0; i < call->getNumArgs(); i++)
    all = all && plan.keeps(i);
  switch (plan.action) {
  case Action::Direct:
    return fencedCall(call, plan, {});
  case Action::Clone:
    if (const auto *callee = call->getDirectCallee();
        callee && scope_.names.hasLean(callee) && (scope_.isLean || plan.callsLean)) {
      scope_.usedClones.insert(callee->getCanonicalDecl());
      return composed(call, scope_.names.lean(callee), plan);
    }
    return all ? std::nullopt : std::optional(composed(call, text(call->getCallee()), plan));
  case Action::StandIn:
    if (plan.site < 0)
      return composed(call, standInOf(call, plan), plan);
    return "(forerun_pre_sync(" + std::to_string(plan.site) + "), " +
           composed(call, standInOf(call, plan), plan) + ")";
  case Action::Twin:
    if (!call->getDirectCallee() && call->getCallee()->HasSideEffects(scope_.ast))
      scope_.fail(call->getBeginLoc(), plan.name + " is called through a pointer here", call);
    return twinCall(call, plan);
  case Action::Io:
    return plan.choices.empty() ? choice(call, plan) : chosenCall(call, plan);
  case Action::Receive:
    return receiveCall(call, plan);
  case Action::Skip:
    return skipCall(call, plan);
  case Action::Exit: {
    const std::string end = plan.isUnable ? endsAt(*call) : "forerun_pre_exit()";
    return withEffects(
        call, plan, {},
        call->getType()->isVoidType() ? end : "(" + end + ", " + nothing(call->getType()) + ")");
  }
  case Action::Gone:
    return withEffects(call, plan, {}, nothing(call->getType()));
  }
  return std::nullopt;
}

bool ExprWriter::isGone(const clang::Expr *expr) const {
  const auto *call = llvm::dyn_cast<clang::CallExpr>(expr->IgnoreParenCasts());
  auto found = scope_.slice.plans.find(call);
  return call && found != scope_.slice.plans.end() && found->second.action == Action::Gone &&
         found->second.kept.empty();
}

} // namespace forerun::slicer
