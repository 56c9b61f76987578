// SPDX-License-Identifier: Apache-2.0
#include "exchange/Exchanged.h"
#include "forerun/runtime.h"
#include "thread/PreThread.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

/// \file
/// How the pre-execution thread gets what the main thread hands over. Elsewhere these do nothing.

using forerun::Forwarding;
using forerun::PreThread;

extern "C" {

void forerun_pre_receive(int site, void *data, size_t bytes) {
  PreThread *self = PreThread::self();
  if (self == nullptr)
    return;
  const Forwarding::Value value = self->awaitForwarded(site);
  if (const std::size_t came = std::min(bytes, value.bytes); data != nullptr && came != 0)
    std::memcpy(self->own(static_cast<std::byte *>(data) + value.shift, came), value.data, came);
  self->forwarding().release(site);
}

char *forerun_pre_receive_text(int site) {
  PreThread *self = PreThread::self();
  if (self == nullptr)
    return nullptr;
  const Forwarding::Value value = self->awaitForwarded(site);
  char *text = nullptr;
  if (value.bytes != 0)
    text = static_cast<char *>(self->arena().allocate(value.bytes));
  if (text != nullptr)
    std::memcpy(text, value.data, value.bytes);
  self->forwarding().release(site);
  return text;
}

void forerun_pre_receive_type(int site, MPI_Datatype *type) {
  forerun_pre_receive(site, type, sizeof *type);
}

void forerun_pre_expect(int site, void *data) {
  if (PreThread *self = PreThread::self())
    self->expect({.site = site, .data = data});
}

void forerun_pre_receive_expected(void) {
  PreThread *self = PreThread::self();
  if (self == nullptr)
    return;
  while (PreThread::Expected *first = self->expected()) {
    if (!forerun::receiveExpected(*self, *first))
      forerun_pre_receive(first->site, first->data, SIZE_MAX);
    self->expected() = first->next;
    self->inner().release(first);
  }
}
}
