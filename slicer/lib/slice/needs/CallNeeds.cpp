// SPDX-License-Identifier: Apache-2.0
#include "analysis/Requests.h"
#include "analysis/Walks.h"
#include "facts/IoCalls.h"
#include "models/Ids.h"
#include "slice/needs/Needs.h"

#include <algorithm>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <llvm/ADT/STLExtras.h>

namespace forerun::slicer {

using Form = FunctionModel::Form;
using Kind = FunctionModel::Kind;

namespace {

/// In bits from the start of an element: nothing beyond this is a member of a structure.
constexpr std::int64_t kFarthestMember = std::int64_t{1} << 20;

/// Whether all executions of the call give the same, so that it does not matter which of them a
/// value comes from: the rank in MPI_COMM_WORLD, which many programs ask for wherever they print.
bool givesTheSame(const Program &program, const Call &call) {
  const llvm::StringRef name = call.name;
  const llvm::StringRef plain = name.starts_with("PMPI_") ? name.drop_front() : name;
  return (plain == "MPI_Comm_rank" || plain == "MPI_Comm_size") && constantOf(program, call, 0);
}

} // namespace

/// The main thread hands something over at the site of the call, so none of its executions may be
/// left out.
void CallNeeds::keepEvery(CallId id) {
  if (!givesTheSame(program_, program_.calls[id]))
    needs_.ways.keepAllTo(program_.nodeOf(id), program_.calls[id].group);
}

void CallNeeds::needArgument(CallId call, int argument, GroupId by, Bits bits) {
  const auto &arguments = program_.calls[call].arguments;
  if (argument >= 0 && argument < static_cast<int>(arguments.size()))
    needs_.needBits(arguments[argument], bits, {Reason::Kind::Argument, by});
}

void CallNeeds::keepCall(CallId id, GroupId by) {
  const Call &call = program_.calls[id];
  if (call.isCallback && !call.model->isMadeAhead())
    return;
  if (!kept_.addCall(id))
    return;
  // With a function that it calls back, the whole statement runs: that call is a part of it.
  const bool callsBack = call.model && call.model->isMadeAhead() && !call.model->callbacks.empty();
  const Reason reason{by == kNone ? Reason::Kind::Criterion : Reason::Kind::Call, by};
  if (call.isBound || callsBack)
    needs_.needGroup(call.group, reason);
  else
    needs_.keepNode(program_.nodeOf(id), by);
  needs_.needGroup(call.calleeGroup, reason);
  for (const Guard &each : call.guards)
    needs_.needGroup(each.group, reason);
  for (const FunctionId callee : call.callees) {
    if (input_.isEnd(callee) && call.pointer == kNone)
      continue;
    kept_.addClone(callee);
    if (input_.callsLean(id))
      needs_.data.addLeanCaller(id, callee);
    else
      needs_.data.addCaller(id, callee);
  }
  if (call.callees.empty() && call.pointer == kNone)
    needLibraryInputs(id);
  if (call.mayBeLibrary)
    needAllInputs(id);
  if (call.awaitsOpen())
    keepEvery(id);
}

void CallNeeds::needResult(CallId id, GroupId by) {
  const Call &call = program_.calls[id];
  if (!kept_.isCalled(id) || !call.resultUsed)
    return;
  const auto &copied = program_.groups[call.group].copiedResults;
  const bool isCopied = llvm::is_contained(copied, id);
  for (const FunctionId callee : call.callees)
    if (input_.isPassedTo(callee, id) && (kept_.addResults(callee) || !isCopied))
      for (const GroupId value : input_.returned[callee])
        needs_.needBits(value, isCopied ? Bits{0, 0} : Bits{}, {Reason::Kind::Result, by});
  if (call.callees.empty() && call.isForwarded()) {
    kept_.addReceive();
    keepEvery(id);
  }
}

void CallNeeds::needOutput(CallId id, int argument, GroupId by) {
  const Call &call = program_.calls[id];
  kept_.addNeed(id);
  const bool isFirst = !kept_.needsAnyOutput(id);
  if (!kept_.addOutput(id, argument))
    return;
  keepCall(id, by);
  needArgument(id, argument, by);
  if (isRead(call)) {
    // Its bytes are fetched: they need a buffer, even if only the status is of use.
    needArgument(id, ioArguments(call.name)->buffer, by);
    if (isFirst)
      kept_.addFetch(id);
  } else if (call.isForwarded()) {
    if (isFirst)
      kept_.addReceive();
    keepEvery(id);
    if (call.model && call.model->exchange != FunctionModel::Exchange::None)
      kept_.addCommunication(id);
    if (call.model && call.model->nonblocking)
      for (const CallId each : completionsOf(program_, input_.pointsTo, id)) {
        keepCall(each, call.group);
        keepEvery(each);
      }
  } else if (call.opened != kNone) {
    keepEvery(id);
  }
}

void CallNeeds::needCopied(CallId id, GroupId by, Bits bits) {
  if (bits.low >
      kFarthestMember) // memory that is copied to another place within itself, again and again
    bits = {};
  kept_.addNeed(id);
  if (!kept_.addCopied(id, bits))
    return;
  keepCall(id, by);
  for (Place each : program_.calls[id].copied) {
    each.offset += bits.low;
    each.size = std::min(each.size, bits.high - bits.low);
    needs_.data.needMemory(program_.nodeOf(id), each, program_.calls[id].group);
  }
}

void CallNeeds::needUses(CallId id) {
  for (const Access &use : program_.calls[id].uses)
    needs_.data.needMemory(program_.nodeOf(id), use.place, program_.calls[id].group);
}

void CallNeeds::needLibraryInputs(CallId id) {
  const Call &call = program_.calls[id];
  const Kind kind = call.model ? call.model->kind : Kind::Forward;
  if (kind == Kind::Io)
    needIoInputs(id);
  else if (kind == Kind::Pure || kind == Kind::StandIn)
    needAllInputs(id);
  else if (kind == Kind::Twin)
    needTwinInputs(id);
}

/// All arguments, and what the call reads through them.
void CallNeeds::needAllInputs(CallId id) {
  const Call &call = program_.calls[id];
  for (const int i : ids(call.arguments))
    needArgument(id, i, call.group);
  needUses(id);
}

/// Neither the data that the call would write nor the buffer that it would fill: needOutput() adds
/// the buffer where the bytes are needed.
void CallNeeds::needTwinInputs(CallId id) {
  const Call &call = program_.calls[id];
  const std::vector<int> &skipped = call.model->skipped;
  for (const int i : ids(call.arguments))
    if (call.model->announces != i && !llvm::is_contained(skipped, i))
      needArgument(id, i, call.group);
  needUses(id);
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
    needs_.data.needMemory(program_.nodeOf(id), call.uses.empty() ? Place{} : call.uses[0].place,
                           call.group);
}

} // namespace forerun::slicer
