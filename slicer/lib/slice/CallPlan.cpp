// SPDX-License-Identifier: Apache-2.0
#include "slice/CallPlan.h"

#include "facts/IoCalls.h"

namespace forerun::slicer {

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
