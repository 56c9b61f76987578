// SPDX-License-Identifier: Apache-2.0
#include "slice/CallNeeds.h"

#include "analysis/Requests.h"
#include "facts/IoCalls.h"
#include "models/Ids.h"
#include "slice/Needs.h"

#include <algorithm>

namespace forerun::slicer {

using Form = FunctionModel::Form;
using Kind = FunctionModel::Kind;

bool isForwarded(const Call &call) {
  return !call.model || call.model->kind == Kind::Forward || call.model->kind == Kind::Visible;
}

void CallNeeds::needArgument(CallId call, int argument, GroupId by, Bits bits) {
  const auto &arguments = program_.calls[call].arguments;
  if (argument >= 0 && argument < static_cast<int>(arguments.size()))
    needs_.needBits(arguments[argument], bits, {Reason::Kind::Argument, by});
}

void CallNeeds::keepCall(CallId id, GroupId by) {
  const Call &call = program_.calls[id];
  if (call.isCallback && call.model->kind != Kind::Pure && call.model->kind != Kind::StandIn)
    return;
  if (!kept_.addCall(id))
    return;
  if (call.isConditional || call.pointer != kNone)
    needs_.needGroup(call.group, {by == kNone ? Reason::Kind::Criterion : Reason::Kind::Call, by});
  else
    needs_.keepNode(input_.nodeOf(id), by);
  for (const FunctionId callee : call.callees) {
    if (input_.isEnd(callee) && call.pointer == kNone)
      continue;
    kept_.addClone(callee);
    needs_.data.addCaller(id, callee);
  }
  if (call.callees.empty() && call.pointer == kNone)
    needLibraryInputs(id);
  if (call.mayBeLibrary)
    needAllInputs(id);
}

void CallNeeds::needResult(CallId id, GroupId by) {
  const Call &call = program_.calls[id];
  if (!kept_.isCalled(id) || !call.resultUsed)
    return;
  const auto &copied = program_.groups[call.group].copiedResults;
  const bool isCopied = std::find(copied.begin(), copied.end(), id) != copied.end();
  for (const FunctionId callee : call.callees)
    if (kept_.addResults(callee) || !isCopied)
      for (const GroupId value : input_.returned[callee])
        needs_.needBits(value, isCopied ? Bits{0, 0} : Bits{}, {Reason::Kind::Result, by});
  if (call.callees.empty() && isForwarded(call))
    kept_.addReceive();
}

void CallNeeds::needOutput(CallId id, int argument, GroupId by, Need whose) {
  const Call &call = program_.calls[id];
  kept_.addNeed(id, whose);
  const bool isFirst = !kept_.needsAnyOutput(id);
  if (!kept_.addOutput(id, argument))
    return;
  keepCall(id, by);
  needArgument(id, argument, by);
  if (isRead(call)) {
    // Its bytes are fetched: they need a place, even if only the status tells something.
    needArgument(id, ioArguments(call.name)->buffer, by);
    if (isFirst)
      kept_.addFetch();
  } else if (isForwarded(call)) {
    if (isFirst)
      kept_.addReceive();
    if (call.model && call.model->exchange != FunctionModel::Exchange::None)
      kept_.addCommunication(id);
    if (call.model && call.model->nonblocking)
      for (const CallId each : completionsOf(program_, input_.pointsTo, id))
        keepCall(each, call.group);
  }
}

void CallNeeds::needLibraryInputs(CallId id) {
  const Call &call = program_.calls[id];
  const Kind kind = call.model ? call.model->kind : Kind::Forward;
  if (kind == Kind::Io)
    needIoInputs(id);
  else if (kind == Kind::Pure || kind == Kind::StandIn)
    needAllInputs(id);
}

/// All arguments, and what the call reads through them.
void CallNeeds::needAllInputs(CallId id) {
  const Call &call = program_.calls[id];
  for (const int i : ids(call.arguments))
    needArgument(id, i, call.group);
  for (const Access &use : call.uses)
    needs_.data.needMemory(input_.nodeOf(id), use.place, call.group);
}

/// The arguments that the call of MPI-IO has in the pre-execution thread.
void CallNeeds::needIoInputs(CallId id) {
  const Call &call = program_.calls[id];
  const IoArguments *at = ioArguments(call.name);
  if (!at || call.model->form == Form::Sync)
    return;
  for (const int i : {at->file, at->offset, at->count, at->type, at->whence, at->etype,
                      at->filetype, at->datarep})
    needArgument(id, i, call.group);
  if (call.model->form == Form::View) // the text of datarep
    needs_.data.needMemory(input_.nodeOf(id), call.uses.empty() ? Place{} : call.uses[0].place,
                           call.group);
}

} // namespace forerun::slicer
