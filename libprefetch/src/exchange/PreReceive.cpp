// SPDX-License-Identifier: Apache-2.0
#include "exchange/Exchanged.h"
#include "forerun/runtime.h"
#include "thread/Entry.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

/// \file
/// How the pre-execution thread gets what the main thread hands over. Elsewhere these do nothing.

using forerun::entered;
using forerun::Entry;
using forerun::Forwarding;
using forerun::PreThread;

namespace {

/// The value is to be released afterwards.
void copy(PreThread &self, const Forwarding::Value &value, void *data, size_t bytes) {
  if (const std::size_t came = std::min(bytes, value.bytes); data != nullptr && came != 0)
    std::memcpy(self.own(static_cast<std::byte *>(data) + value.shift, came), value.data, came);
}

} // namespace

extern "C" {

void forerun_pre_receive(int site, void *data, size_t bytes) {
  PreThread *self = entered<Entry::receive>();
  if (self == nullptr)
    return;
  copy(*self, self->receive(site), data, bytes);
  self->release(site);
}

int forerun_pre_generators(int site, int rc) {
  PreThread *self = entered<Entry::generators>();
  if (self == nullptr)
    return rc;
  forerun::RandomStreams::State state;
  const Forwarding::Value value = self->await(site);
  if (value.bytes == sizeof state) {
    std::memcpy(&state, value.data, sizeof state);
    self->random().take(state);
  }
  self->release(site);
  return rc;
}

int forerun_pre_asks_time(int site) {
  PreThread *self = entered<Entry::asks_time>();
  return self != nullptr && self->asksTime(site) ? 1 : 0;
}

void forerun_pre_skip(int site, int values) {
  if (PreThread *self = entered<Entry::skip>())
    self->skip(site, values);
}

int forerun_pre_condition(int site) {
  int holds = 0;
  forerun_pre_receive(site, &holds, sizeof holds);
  return holds;
}

int forerun_pre_goes_on(int site, int stays) {
  PreThread *self = entered<Entry::goes_on>();
  if (self == nullptr || !self->hasTooMuchToPredict())
    return forerun_pre_condition(site);
  self->skip(site, 1);
  return stays;
}

char *forerun_pre_receive_text(int site) {
  PreThread *self = entered<Entry::receive_text>();
  if (self == nullptr)
    return nullptr;
  const Forwarding::Value value = self->await(site);
  char *text = nullptr;
  if (value.bytes != 0)
    text = static_cast<char *>(self->arena().allocate(value.bytes));
  if (text != nullptr)
    std::memcpy(text, value.data, value.bytes);
  self->release(site);
  return text;
}

void forerun_pre_receive_type(int site, MPI_Datatype *type) {
  forerun_pre_receive(site, type, sizeof *type);
}

void forerun_pre_expect(int site, void *data) {
  if (PreThread *self = entered<Entry::expect>())
    self->expect({.site = site, .data = data});
}

void forerun_pre_receive_expected(void) {
  PreThread *self = entered<Entry::receive_expected>();
  if (self == nullptr)
    return;
  while (const forerun::Expected *first = self->expectations().first()) {
    if (!forerun::receiveExpected(*self, *first)) {
      copy(*self, self->await(first->site), first->data, SIZE_MAX);
      self->release(first->site);
    }
    self->expectations().dropFirst();
  }
}
}
