// SPDX-License-Identifier: Apache-2.0
#include "slice/plan/CallPlan.h"

#include "facts/IoCalls.h"

#include <algorithm>
#include <llvm/ADT/StringSwitch.h>

namespace forerun::slicer {

namespace {

/// The runtime's call of this name, which it begins with forerun_pre_ or without.
bool settlesIn(llvm::StringRef name) {
  enum class OnPredictions { Keeps, MaySettle, Settles };
  name.consume_front("forerun_pre_");
  return llvm::StringSwitch<bool>(name)
#define FORERUN_PRE_CALL(call, effect) .Case(#call, OnPredictions::effect != OnPredictions::Keeps)
#include "forerun/predictions.def"
#undef FORERUN_PRE_CALL
      .Default(true);
}

bool settlesIn(const CallPlan::Receive &receive) {
  return receive.completes || (receive.exchange && settlesIn(receive.exchange->function)) ||
         std::ranges::any_of(receive.forwarded,
                             [](const Forwarded &each) { return settlesIn(each.receiver()); });
}

} // namespace

const char *Forwarded::receiver() const {
  if (request >= 0)
    return "expect";
  switch (size) {
  case Size::Text:
    return "receive_text";
  case Size::Datatype:
    return "receive_type";
  case Size::Generators:
    return "generators";
  default:
    return "receive";
  }
}

bool CallPlan::settles() const {
  if (const auto *io = as<Io>()) // a seek that may be from the end is called by another name
    return io->form != Io::Form::Seek && settlesIn(io->called().name);
  if (const auto *receive = as<Receive>())
    return settlesIn(*receive);
  if (const auto *skip = as<Skip>())
    return settlesIn(skip->isCollective ? "skip_collective" : "skip");
  return is<Choose>() || is<StandIn>() || is<Twin>();
}

CallPlan::Io::Called CallPlan::Io::called() const {
  const IoArguments *at = ioArguments(function);
  switch (form) {
  case Form::Open:
    return {"open_file", {at->file}};
  case Form::ReadAt:
    return {"read_at", {at->file, at->offset, at->count, at->type}};
  case Form::Read:
    return {"read", {at->file, at->count, at->type}};
  case Form::ReadOrdered:
    return {"read_ordered", {at->file, at->count, at->type}};
  case Form::FetchAt:
    return {countOnly ? "count_at" : "fetch_at",
            {at->file, at->offset, at->buffer, at->count, at->type}};
  case Form::Fetch:
    return {countOnly ? "count" : "fetch", {at->file, at->buffer, at->count, at->type}};
  case Form::FetchOrdered:
    return {"fetch_ordered", {at->file, at->buffer, at->count, at->type}};
  case Form::WriteAt:
    return {"write_at", {at->file, at->offset, at->count, at->type}};
  case Form::Write:
    return {"write", {at->file, at->count, at->type}};
  case Form::Seek:
    return {isFromEnd ? "seek_end" : "seek", {at->file, at->offset, at->whence}};
  case Form::View:
    return {"set_view", {at->file, at->offset, at->etype, at->filetype, at->datarep}};
  case Form::Close:
    return {"close_file", {at->file}};
  case Form::Sync:
    break;
  }
  return {"sync_file", {}};
}

const CallPlan::Action &CallPlan::actionFor(const std::string &function) const {
  for (const Choice &each : choices)
    if (each.function == function)
      return each.action;
  return action;
}

} // namespace forerun::slicer
