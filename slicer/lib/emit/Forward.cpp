// SPDX-License-Identifier: Apache-2.0
#include "emit/Forward.h"
#include "emit/PragmaInsertions.h"

namespace forerun::slicer {

using Size = Forwarded::Size;

namespace {

class Writer {
public:
  Writer(EmitScope &scope, const clang::CallExpr *call, const Forwarded &forwarded,
         const CallPlace &place)
      : scope_(scope), call_(call), forwarded_(forwarded), place_(place) {}

  std::string text(const std::string &site) const {
    if (forwarded_.size == Size::Nothing)
      return "forerun_main_forward(" + site + ", 0, 0); ";
    const bool isResult = forwarded_.argument == Forwarded::kResult;
    const std::string value = isResult ? "__forerun_value" : textAt(forwarded_.argument);
    const std::string head = site + ", " + value;
    switch (forwarded_.size) {
    case Size::Pointee:
      return isResult
                 ? "forerun_main_forward(" + site + ", &__forerun_value, sizeof __forerun_value); "
                 : "forerun_main_forward(" + head + ", sizeof *(" + value + ")); ";
    case Size::Array:
      return "forerun_main_forward(" + head + ", sizeof(" + value + ")); ";
    case Size::Counted:
      return "forerun_main_forward(" + head + ", sizeof *(" + value + ") * (__forerun_size)(" +
             textAt(forwarded_.count) + ")); ";
    case Size::Returned:
      return "forerun_main_forward(" + head + ", sizeof *(" + value +
             ") * (__forerun_value > 0 ? (__forerun_size)__forerun_value : 0)); ";
    case Size::Typed:
      return "forerun_main_forward_typed(" + head + ", " + count(textAt(forwarded_.count)) + ", " +
             textAt(forwarded_.datatype) + "); ";
    case Size::Spread:
      return "forerun_main_forward_spread(" + head + ", " + count("1") + ", " +
             textAt(forwarded_.count) + ", " + textAt(forwarded_.displacements) + ", " +
             textAt(forwarded_.datatype) + "); ";
    case Size::Text:
      return "forerun_main_forward_text(" + head + "); ";
    case Size::Datatype:
      return "forerun_main_forward_type(" + site + (isResult ? ", &" : ", ") + value + "); ";
    case Size::Communicator:
      return "forerun_main_forward_comm(" + head + "); ";
    case Size::Variable:
    case Size::Nothing:
      break;
    }
    return "";
  }

private:
  std::string textAt(int index) const { return argumentAgain(scope_, call_, index, place_); }

  /// `of` for each process; none where nothing is received.
  std::string count(std::string of) const {
    if (forwarded_.communicator >= 0)
      of = "forerun_main_count_of_all(" + of + ", " + textAt(forwarded_.communicator) + ")";
    if (forwarded_.root >= 0)
      of = "forerun_main_count_at_root(" + of + ", " + textAt(forwarded_.root) + ", " +
           textAt(forwarded_.rootIn) + ")";
    return of;
  }

  EmitScope &scope_;
  const clang::CallExpr *call_;
  const Forwarded &forwarded_;
  const CallPlace &place_;
};

} // namespace

std::string forwardText(EmitScope &scope, const clang::CallExpr *call, int site,
                        const Forwarded &forwarded, const CallPlace &place) {
  if (forwarded.size == Size::Variable)
    return forwardVariable(site, *forwarded.variable) + " ";
  const std::string text = Writer(scope, call, forwarded, place).text(std::to_string(site));
  return forwarded.request < 0
             ? text
             : "forerun_main_defer(" + argumentAgain(scope, call, forwarded.request, place) +
                   "); " + text;
}

std::string argumentAgain(EmitScope &scope, const clang::CallExpr *call, int index,
                          const CallPlace &place) {
  std::string text = place.arguments.at(static_cast<std::size_t>(index));
  if (text.empty())
    scope.fail(call->getBeginLoc(), "an argument cannot be named a second time in a macro", call);
  return text;
}

} // namespace forerun::slicer
