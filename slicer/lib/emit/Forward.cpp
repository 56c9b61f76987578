// SPDX-License-Identifier: Apache-2.0
#include "emit/Forward.h"
#include "emit/PragmaInsertions.h"

namespace forerun::slicer {

using Size = Forwarded::Size;

namespace {

class Writer {
public:
  Writer(const Forwarded &forwarded, EarlyArguments &arguments)
      : forwarded_(forwarded), arguments_(arguments) {}

  std::string text(const std::string &site) {
    if (forwarded_.size == Size::Nothing)
      return "forerun_main_forward(" + site + ", 0, 0); ";
    const bool isResult = forwarded_.argument == Forwarded::kResult;
    const std::string value = isResult ? "__forerun_value" : textAt(forwarded_.argument);
    const std::string written = isResult ? value : arguments_.text(forwarded_.argument);
    const std::string head = site + ", " + value;
    const std::string unsure = forwarded_.isUnsure ? "_unsure" : "";
    switch (forwarded_.size) {
    case Size::Pointee:
      return isResult
                 ? "forerun_main_forward(" + site + ", &__forerun_value, sizeof __forerun_value); "
                 : "forerun_main_forward" + unsure + "(" + head + ", sizeof *(" + written + ")); ";
    case Size::Array:
      return "forerun_main_forward" + unsure + "(" + head + ", sizeof(" + written + ")); ";
    case Size::Counted:
      return "forerun_main_forward(" + head + ", " + element(written) + " * (__forerun_size)(" +
             textAt(forwarded_.count) + ")); ";
    case Size::Returned:
      return "forerun_main_forward(" + head + ", " + element(written) +
             " * (__forerun_value > 0 ? (__forerun_size)__forerun_value : 0)); ";
    case Size::Typed:
      return "forerun_main_forward_typed(" + head + ", " + count(textAt(forwarded_.count)) + ", " +
             textAt(forwarded_.datatype) + "); ";
    case Size::Spread:
      return "forerun_main_forward_spread(" + head + ", " + count("1") + ", " +
             textAt(forwarded_.count) + ", " + textAt(forwarded_.displacements) + ", " +
             textAt(forwarded_.datatype) + "); ";
    case Size::Text:
      return "forerun_main_forward" + unsure + "_text(" + head + "); ";
    case Size::Datatype:
      return "forerun_main_forward_type(" + site + (isResult ? ", &" : ", ") + value + "); ";
    case Size::Communicator:
      return "forerun_main_forward_comm(" + head + "); ";
    case Size::Variable:
    case Size::Generators:
    case Size::Nothing:
      break;
    }
    return "";
  }

private:
  /// The size of what is counted.
  std::string element(const std::string &written) const {
    return forwarded_.elementBytes > 0 ? std::to_string(forwarded_.elementBytes)
                                       : "sizeof *(" + written + ")";
  }

  std::string textAt(int index) { return arguments_.value(index); }

  /// `of` for each process; none where nothing is received.
  std::string count(std::string of) {
    if (forwarded_.communicator >= 0)
      of = "forerun_main_count_of_all(" + of + ", " + textAt(forwarded_.communicator) + ")";
    if (forwarded_.root >= 0)
      of = "forerun_main_count_at_root(" + of + ", " + textAt(forwarded_.root) + ", " +
           textAt(forwarded_.rootIn) + ")";
    return of;
  }

  const Forwarded &forwarded_;
  EarlyArguments &arguments_;
};

} // namespace

std::string forwardText(int site, const Forwarded &forwarded, EarlyArguments &arguments) {
  if (forwarded.size == Size::Generators)
    return "forerun_main_generators(" + std::to_string(site) + ", 0); ";
  if (forwarded.size == Size::Variable)
    return forwardVariable(site, *forwarded.variable) + " ";
  const std::string text = Writer(forwarded, arguments).text(std::to_string(site));
  return forwarded.request < 0
             ? text
             : "forerun_main_defer(" + arguments.value(forwarded.request) + "); " + text;
}

std::string receiveText(int atSite, const Forwarded &forwarded, EarlyArguments &arguments,
                        ExprWriter &expr, EmitScope &scope) {
  const std::string name = std::string("forerun_pre_") + forwarded.receiver() + "(";
  const std::string call = name + std::to_string(atSite);
  if (forwarded.size == Size::Nothing)
    return call + ", 0, 0); ";
  if (forwarded.size == Size::Generators)
    return call + ", 0); ";
  if (forwarded.size == Size::Variable)
    return name + handOver(atSite, expr.name(forwarded.variable)) + "); ";
  if (forwarded.argument == Forwarded::kResult) {
    if (forwarded.size == Size::Text)
      return "__forerun_value = " + call + "); ";
    return call + ", &__forerun_value" +
           (forwarded.size == Size::Datatype ? "); " : ", sizeof __forerun_value); ");
  }
  const std::string into = arguments.value(forwarded.argument);
  const std::string written = arguments.text(forwarded.argument);
  if (forwarded.request >= 0)
    return call + ", " + into + "); ";
  switch (forwarded.size) {
  case Size::Pointee:
  case Size::Communicator:
    return call + ", " + into + ", sizeof *(" + written + ")); ";
  case Size::Array:
    return call + ", " + into + ", sizeof(" + written + ")); ";
  case Size::Text:
    return scope.standIn("forerun_pre_strcpy", nullptr) + "(" + into + ", " + call + ")); ";
  case Size::Datatype:
    return call + ", " + into + "); ";
  default:
    return call + ", " + into + ", (__forerun_size)-1); "; // as much as arrives
  }
}

} // namespace forerun::slicer
