// SPDX-License-Identifier: Apache-2.0
#include "emit/CallWriter.h"

#include "emit/Forward.h"
#include "facts/IoCalls.h"

#include <llvm/ADT/StringExtras.h>

namespace forerun::slicer {

namespace {

std::string joined(const std::vector<std::string> &parts) { return llvm::join(parts, ", "); }

} // namespace

/// A value of the call's type that is not used.
std::string CallWriter::nothing() {
  const auto type = call_.getType().getUnqualifiedType();
  if (type->isVoidType())
    return "((void)0)";
  return "(" + expr_.declare(type, "") + (type->isRecordType() ? "){0}" : ")0");
}

/// An argument that the pre-execution thread does not evaluate.
std::string CallWriter::leftOut(unsigned index) {
  const auto type = call_.getArg(index)->getType().getUnqualifiedType();
  if (type->isRecordType())
    return "(" + expr_.declare(type, "") + "){0}";
  const auto *prototype =
      call_.getCallee()->getType()->getPointeeType()->getAs<clang::FunctionProtoType>();
  // Where no prototype converts it, it must have the right size.
  const bool isConverted = prototype && index < prototype->getNumParams();
  return isConverted ? "0" : "(" + expr_.declare(type, "") + ")0";
}

std::string CallWriter::argument(int index, const char *otherwise) {
  if (index < 0 || unsigned(index) >= call_.getNumArgs() || !plan_.keeps(unsigned(index)))
    return otherwise;
  return text(unsigned(index));
}

std::string CallWriter::composed(const std::string &function) {
  std::vector<std::string> arguments;
  arguments.reserve(call_.getNumArgs());
  for (unsigned i = 0; i < call_.getNumArgs(); i++)
    arguments.push_back(plan_.keeps(i) ? text(i) : leftOut(i));
  return function + "(" + joined(arguments) + ")";
}

/// `value`, after the arguments that are kept for their side effects although the form that
/// replaces the call does not take them.
std::string CallWriter::withEffects(const std::set<int> &used, const std::string &value) {
  std::string effects;
  for (unsigned i = 0; i < call_.getNumArgs() && i < plan_.kept.size(); i++)
    if (plan_.kept[i] && used.count(int(i)) == 0 && call_.getArg(i)->HasSideEffects(scope_.ast))
      effects += "(void)(" + text(i) + "), ";
  return effects.empty() ? value : "(" + effects + value + ")";
}

/// The call, preceded by checks of where the function writes to. Empty if it stays as it is.
/// Each argument is evaluated once.
std::optional<std::string> CallWriter::fenced(const std::vector<CallPlan::Written> &written,
                                              const std::string &function) {
  const auto isThere = [&](int index) {
    return index >= 0 && unsigned(index) < call_.getNumArgs();
  };
  std::set<int> named;
  std::string checks;
  for (const auto &[argument, count] : written) {
    if (!isThere(argument) || !plan_.keeps(unsigned(argument)) ||
        (count < 0 && fences_.isOwnAddress(call_.getArg(argument))))
      continue;
    const auto type = call_.getArg(argument)->getType();
    if (!type->isPointerType())
      continue;
    const bool isVoid = type->getPointeeType()->isVoidType();
    const std::string to = "__forerun_" + std::to_string(argument);
    const std::string one = isVoid ? "1" : "sizeof *" + to;
    named.insert(argument);
    checks.append("forerun_pre_own(").append(to).append(", ");
    if (isThere(count)) {
      named.insert(count);
      checks.append("(__forerun_size)__forerun_").append(std::to_string(count)).append(" * ");
    }
    checks.append(one).append("); ");
  }
  if (checks.empty())
    return std::nullopt;
  std::string steps;
  std::vector<std::string> arguments;
  for (int i = 0; isThere(i); ++i) {
    const std::string variable = "__forerun_" + std::to_string(i);
    const bool isNamed = named.count(i) > 0;
    if (isNamed)
      steps.append(expr_.declare(call_.getArg(i)->getType().getUnqualifiedType(), variable))
          .append(" = ")
          .append(text(unsigned(i)))
          .append("; ");
    arguments.push_back(isNamed                    ? variable
                        : plan_.keeps(unsigned(i)) ? text(unsigned(i))
                                                   : leftOut(unsigned(i)));
  }
  return "__extension__({ " + steps + checks +
         (function.empty() ? expr_.text(call_.getCallee()) : function) + "(" + joined(arguments) +
         "); })";
}

std::optional<std::string> CallWriter::written(const CallPlan::Gone &) {
  return withEffects({}, nothing());
}

std::optional<std::string> CallWriter::written(const CallPlan::Direct &direct) {
  return fenced(direct.written, {});
}

std::optional<std::string> CallWriter::written(const CallPlan::Clone &clone) {
  if (const auto *callee = call_.getDirectCallee();
      callee && scope_.names.hasLean(callee) && (scope_.isLean || clone.isLean)) {
    scope_.usedClones.insert(callee->getCanonicalDecl());
    return composed(scope_.names.lean(callee));
  }
  for (unsigned i = 0; i < call_.getNumArgs(); i++)
    if (!plan_.keeps(i))
      return composed(expr_.text(call_.getCallee()));
  return std::nullopt;
}

/// If the call is one through a pointer, the program has declared the name.
std::optional<std::string> CallWriter::written(const CallPlan::StandIn &standIn) {
  const auto *function = call_.getDirectCallee();
  const std::string call =
      composed(function ? scope_.standIn(standIn.function, function) : standIn.function);
  return plan_.site < 0 ? call : "(forerun_pre_sync(" + site_ + "), " + call + ")";
}

std::optional<std::string> CallWriter::written(const CallPlan::Twin &twin) {
  if (!call_.getDirectCallee() && call_.getCallee()->HasSideEffects(scope_.ast))
    scope_.fail(call_.getBeginLoc(), twin.function + " is called through a pointer here", &call_);
  return calledTwin(twin);
}

/// A call that opens waits for the main thread; one that reads counts as a read of the program. A
/// call through a pointer calls this function and no other.
std::string CallWriter::calledTwin(const CallPlan::Twin &twin) {
  const auto function = scope_.twinOf(twin.function);
  if (!function) {
    scope_.fail(call_.getBeginLoc(), twin.function + " is not declared here", &call_);
    return "0";
  }
  std::string made = expr_.givenToTwin([&] {
    const auto text = fenced(twin.written, *function);
    return text ? *text : composed(*function);
  });
  if (plan_.site < 0)
    return made;
  return (twin.opens ? "(forerun_pre_open(" : "(forerun_pre_at(") + site_ + "), " + made + ")";
}

std::optional<std::string> CallWriter::written(const CallPlan::Io &io) { return calledIo(io); }

std::string CallWriter::calledIo(const CallPlan::Io &io) {
  const auto *at = ioArguments(io.function);
  if (!at) {
    scope_.fail(call_.getBeginLoc(), "this is not a call of MPI-IO", &call_);
    return "0";
  }
  const auto [name, given] = io.called();
  std::vector<std::string> arguments{site_};
  for (int index : given) {
    if (index < 0)
      scope_.fail(call_.getBeginLoc(), "the call lacks an argument that its form needs", &call_);
    arguments.push_back(argument(index));
  }
  std::set<int> used(given.begin(), given.end());
  if (io.isFetch()) {
    arguments.push_back(argument(at->status, "MPI_STATUS_IGNORE"));
    used.insert(at->status);
  }
  std::string value = std::string("forerun_pre_") + name + "(" + joined(arguments) + ")";
  if (io.isWrite() && at->status >= 0 && !plan_.kept.empty() && plan_.keeps(unsigned(at->status))) {
    value = "forerun_pre_wrote(" + value;
    for (int index : {at->count, at->type, at->status}) {
      value += ", " + argument(index);
      used.insert(index);
    }
    value += ")";
  }
  if (plan_.movesGenerators && plan_.is<CallPlan::Io>())
    value = "forerun_pre_generators(" + site_ + ", " + value + ")";
  return withEffects(used, value);
}

/// One of several functions of MPI-IO, or a clone, chosen by the pointer's value.
std::optional<std::string> CallWriter::written(const CallPlan::Choose &choose) {
  const auto type = call_.getType().getUnqualifiedType();
  const std::string cast = type->isVoidType() ? "(void)" : "(" + expr_.declare(type, "") + ")";
  const std::string function = "(void (*)(void))";
  std::string text =
      "__extension__({ __auto_type __forerun_called = " + expr_.text(call_.getCallee()) + "; ";
  for (const auto &[name, action] : plan_.choices)
    text.append(function)
        .append("__forerun_called == ")
        .append(function)
        .append(name)
        .append(" ? ")
        .append(cast)
        .append(chosen(action))
        .append(" : ");
  if (choose.orClone) // the main thread counts it, too
    text += "(forerun_pre_at(" + site_ + "), " + composed("__forerun_called") + ")";
  else
    text += "(" + scope_.endsAt(call_) + ", " + nothing() + ")";
  text += "; })";
  if (!plan_.movesGenerators)
    return text;
  return type->isVoidType()
             ? "(" + text + ", (void)forerun_pre_generators(" + site_ + ", 0))"
             : "__extension__({ __auto_type __forerun_value = " + text +
                   "; (void)forerun_pre_generators(" + site_ + ", 0); __forerun_value; })";
}

std::string CallWriter::chosen(const CallPlan::Action &action) {
  if (const auto *io = std::get_if<CallPlan::Io>(&action))
    return calledIo(*io);
  if (const auto *twin = std::get_if<CallPlan::Twin>(&action))
    return calledTwin(*twin);
  return "(" +
         (std::holds_alternative<CallPlan::Gone>(action) ? "forerun_pre_at(" + site_ + ")"
                                                         : scope_.endsAt(call_)) +
         ", 0)";
}

/// The call that asks the other pre-execution threads first.
std::string CallWriter::exchanged(const CallPlan::Receive::Exchange &exchange, std::size_t values) {
  std::vector<std::string> arguments{site_, std::to_string(values)};
  for (int i = 0; i < exchange.arguments; ++i)
    arguments.push_back(text(unsigned(i)));
  return exchange.function + "(" + joined(arguments) + ")";
}

/// The call itself, of a function that tells the time; MPI's by the name that no profiler wraps.
std::string CallWriter::clock(const CallPlan::Receive &receive, EarlyArguments &arguments) {
  std::vector<std::string> given;
  for (int i = 0; i < static_cast<int>(call_.getNumArgs()); ++i) {
    const clang::Expr *argument = call_.getArg(unsigned(i));
    if (!argument->getType()->isPointerType())
      given.push_back(llvm::toString(argument->EvaluateKnownConstInt(scope_.ast), 10));
    else if (llvm::any_of(receive.forwarded, [&](const auto &each) { return each.argument == i; }))
      given.push_back("forerun_pre_own(" + arguments.value(i) + ", sizeof *(" + arguments.text(i) +
                      "))");
    else
      given.emplace_back("0");
  }
  const std::string name = call_.getDirectCallee()->getNameAsString();
  return (name == "MPI_Wtime" ? "PMPI_Wtime" : expr_.text(call_.getCallee())) + "(" +
         joined(given) + ")";
}

/// All processes count a collective call, whether or not they need what it gives. (Its last argument
/// is the communicator.)
std::optional<std::string> CallWriter::written(const CallPlan::Skip &skip) {
  const std::string head = site_ + ", " + std::to_string(skip.values);
  if (!skip.isCollective)
    return withEffects({}, "(forerun_pre_skip(" + head + "), " + nothing() + ")");
  const unsigned last = call_.getNumArgs() - 1;
  return withEffects({static_cast<int>(last)}, "(forerun_pre_skip_collective(" + head + ", " +
                                                   text(last) + "), " + nothing() + ")");
}

std::optional<std::string> CallWriter::written(const CallPlan::Receive &receive) {
  const auto type = call_.getType().getUnqualifiedType();
  const bool hasValue = !type->isVoidType();
  bool receivesValue = receive.isClock;
  std::string steps = receive.completes ? "forerun_pre_receive_expected(); " : "";
  EarlyArguments arguments(
      &call_, scope_.ast, [&](int index) { return text(unsigned(index)); }, false);
  for (const auto &forwarded : receive.forwarded) {
    receivesValue |= forwarded.argument == Forwarded::kResult;
    steps += receiveText(plan_.site, forwarded, arguments, expr_, scope_);
  }
  if (receive.isClock)
    steps = "if (forerun_pre_asks_time(" + site_ + ")) " + (hasValue ? "__forerun_value = " : "") +
            clock(receive, arguments) + "; else { " + steps + "} ";
  if (receive.exchange)
    steps = "if (!" + exchanged(*receive.exchange, receive.forwarded.size()) + ") { " + steps +
            "} " + (receivesValue ? "else __forerun_value = MPI_SUCCESS; " : "");
  std::string text = "__extension__({ " + arguments.declarations();
  if (hasValue && receivesValue)
    text += expr_.declare(type, "__forerun_value", call_.getBeginLoc()) + "; ";
  text += steps + (hasValue && receivesValue ? "__forerun_value" : nothing()) + "; })";
  return withEffects({}, text);
}

std::optional<std::string> CallWriter::written(const CallPlan::Exit &exit) {
  const std::string end = exit.isUnable ? scope_.endsAt(call_) : "forerun_pre_exit()";
  return withEffects({}, call_.getType()->isVoidType() ? end : "(" + end + ", " + nothing() + ")");
}

} // namespace forerun::slicer
