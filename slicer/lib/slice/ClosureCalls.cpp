// SPDX-License-Identifier: Apache-2.0
#include "slice/Closure.h"

#include "analysis/Requests.h"
#include "facts/IoCalls.h"

#include <algorithm>

/// \file
/// Closure's calls: what one needs of its callee, its arguments and the memory that it reads.

namespace forerun::slicer {

using Form = FunctionModel::Form;
using Kind = FunctionModel::Kind;

void Closure::passEntry(CallId id, FunctionId callee, const Range &range, GroupId by) {
  const Object &object = program_.objects[range.object];
  const Call &made = program_.calls[id];
  if (object.owner == callee && object.parameter != kNone) {
    const bool isRest = range.object == program_.functions[callee].variadic;
    for (int i = object.parameter; i < static_cast<int>(made.arguments.size()); ++i) {
      argument(id, i, by, isRest ? Bits{} : Bits{range.low, range.high});
      if (!isRest)
        break;
    }
  } else if (object.owner != callee || object.isStatic) {
    const NodeId node = program_.groups[made.group].node;
    if (program_.nodes[node].isOrdered)
      searchNode(node, range, by, Need::Own);
    for (const NodeId before : program_.nodes[node].predecessors)
      search(before, range, by, Need::Own);
  }
}

void Closure::argument(CallId call, int index, GroupId by, Bits bits) {
  const auto &arguments = program_.calls[call].arguments;
  if (index >= 0 && index < static_cast<int>(arguments.size()))
    need(arguments[index], bits, {Reason::Kind::Argument, by});
}

void Closure::call(CallId id, GroupId by) {
  if (state_.calls[id])
    return;
  const Call &made = program_.calls[id];
  if (made.isCallback && made.model->kind != Kind::Pure && made.model->kind != Kind::StandIn)
    return;
  set(state_.calls, id);
  const NodeId node = program_.groups[made.group].node;
  if (made.isConditional || made.pointer != kNone)
    need(made.group, {by == kNone ? Reason::Kind::Criterion : Reason::Kind::Call, by});
  else
    present(node, by);
  for (const FunctionId callee : made.callees) {
    if (isEnd(callee) && made.pointer == kNone)
      continue;
    insert(state_.clones, callee);
    state_.callers[callee].push_back(id);
    if (isTrying_)
      undo_.push_back([this, callee] { state_.callers[callee].pop_back(); });
    for (const Range &range : std::set(state_.atEntry[callee]))
      passEntry(id, callee, range, made.group);
  }
  if (made.callees.empty() && made.pointer == kNone)
    libraryCall(id);
  if (made.mayBeLibrary)
    useAll(id);
}

/// Called when what contains the call is needed.
void Closure::result(CallId id, GroupId by) {
  const Call &made = program_.calls[id];
  if (!state_.calls[id] || !made.resultUsed)
    return;
  const auto &copied = program_.groups[made.group].copiedResults;
  const bool isCopied = std::find(copied.begin(), copied.end(), id) != copied.end();
  for (const FunctionId callee : made.callees)
    if (insert(state_.results, callee) || !isCopied)
      for (const GroupId value : returned_[callee])
        need(value, isCopied ? Bits{0, 0} : Bits{}, {Reason::Kind::Result, by});
  const Kind kind = made.model ? made.model->kind : Kind::Forward;
  if (made.callees.empty() && (kind == Kind::Forward || kind == Kind::Visible))
    ++cost_.receives;
}

void Closure::libraryCall(CallId id) {
  const Call &made = program_.calls[id];
  const Kind kind = made.model ? made.model->kind : Kind::Forward;
  if (kind == Kind::Io) {
    ioCall(id);
  } else if (kind == Kind::Pure || kind == Kind::StandIn) {
    useAll(id);
  }
}

void Closure::useAll(CallId id) {
  const Call &made = program_.calls[id];
  for (int i = 0; i < static_cast<int>(made.arguments.size()); ++i)
    argument(id, i, made.group);
  for (const Access &use : made.uses)
    read(program_.groups[made.group].node, use.place, made.group);
}

void Closure::ioCall(CallId id) {
  const Call &made = program_.calls[id];
  const IoArguments *at = ioArguments(made.name);
  if (!at || made.model->form == Form::Sync)
    return;
  for (const int i : {at->file, at->offset, at->count, at->type, at->whence, at->etype,
                      at->filetype, at->datarep})
    argument(id, i, made.group);
  if (made.model->form == Form::View) // the text of datarep
    read(program_.groups[made.group].node, made.uses.empty() ? Place{} : made.uses[0].place,
         made.group);
}

/// What the call writes through its argument (kNone: hidden state) is needed.
void Closure::output(CallId id, int index, GroupId by, Need whose) {
  const Call &made = program_.calls[id];
  insert(state_.needs, std::pair(id, whose));
  const bool isFirst = !needsAnyOutput(id);
  if (!insert(state_.outputs, std::pair(id, index)))
    return;
  call(id, by);
  argument(id, index, by);
  const Kind kind = made.model ? made.model->kind : Kind::Forward;
  if (isRead(made)) {
    // Its bytes are fetched: they need a place, also if only the status tells something.
    argument(id, ioArguments(made.name)->buffer, by);
    cost_.fetches += isFirst;
  } else if (kind == Kind::Forward || kind == Kind::Visible) {
    cost_.receives += isFirst;
    if (made.model && made.model->exchange != FunctionModel::Exchange::None)
      insert(state_.communication, id);
    if (made.model && made.model->nonblocking)
      for (const CallId each : completionsOf(program_, pointsTo_, id))
        call(each, made.group);
  }
}
} // namespace forerun::slicer
