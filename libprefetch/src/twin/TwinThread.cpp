// SPDX-License-Identifier: Apache-2.0
#include "twin/TwinThread.h"

#include "forerun/SignalsBlocked.h"
#include "thread/HandlerStack.h"
#include "thread/JumpBack.h"
#include "thread/Signals.h"

#include <unistd.h>

namespace forerun {
namespace {

constexpr const char *kAsked = "it was asked to end";

// initial-exec: signal handlers read it, and the general model may allocate at the first touch.
__attribute__((tls_model("initial-exec"))) constinit thread_local TwinThread *theTwinThread =
    nullptr;

} // namespace

bool TwinThread::start() {
  handlerStack_ = std::make_unique<std::array<std::byte, kHandlerBytes>>();
  if (!signals::takeOver(onSignal))
    return false;
  const SignalsBlocked blocked; // the thread unblocks its own when it can handle them
  joinable_ = pthread_create(&thread_, nullptr, main, this) == 0;
  if (!joinable_)
    signals::giveBack(onSignal);
  return joinable_;
}

void TwinThread::stop() {
  if (!joinable_)
    return;
  joinable_ = false;
  stopping_.store(true, std::memory_order_relaxed);
  pthread_kill(thread_, signals::endSignal());
  pthread_join(thread_, nullptr);
  signals::giveBack(onSignal);
}

void *TwinThread::main(void *self) {
  static_cast<TwinThread *>(self)->run();
  return nullptr;
}

void TwinThread::run() {
  pthread_setname_np(pthread_self(), "forerun-twin");
  const HandlerStack handlers(*handlerStack_);
  theTwinThread = this;
  signals::take(true);
  work_();
  signals::take(false);
  theTwinThread = nullptr;
}

bool TwinThread::enter(void (*act)(const void *), const void *what) {
  if (why_ != nullptr)
    return false;
  if (sigsetjmp(base_, 1) != 0) // the jump restores the mask of this point
    return false;
  inside_ = 1;
  if (endPending_ != 0) // asked before; from here on the signal itself ends it
    leave(kAsked);
  act(what);
  inside_ = 0;
  return true;
}

void TwinThread::leave(const char *why) {
  inside_ = 0;
  why_ = why;
  jumpBack(base_);
}

bool TwinThread::onSignal(int signal, const siginfo_t &info, void * /*context*/) {
  TwinThread *const self = theTwinThread;
  if (self == nullptr)
    return false;
  if (signal == signals::endSignal()) {
    if (!self->stopping_.load(std::memory_order_relaxed) || !signals::isSentToThread(info)) {
      signals::giveToMainThread(info);
      return true;
    }
    self->endPending_ = 1;
    if (self->inside_ != 0)
      self->leave(kAsked);
    return true;
  }
  // A fault of this thread, or its own abort; a signal that another process sent is the program's.
  const bool own = info.si_code > 0 || signals::isSentToThread(info);
  if (!own) {
    signals::giveToMainThread(info);
    return true;
  }
  if (self->inside_ != 0)
    self->leave(signals::nameOf(signal));
  return false;
}

TwinThread::Outside::Outside()
    : self_(theTwinThread != nullptr && theTwinThread->inside_ != 0 ? theTwinThread : nullptr) {
  if (self_ != nullptr)
    self_->inside_ = 0;
}

TwinThread::Outside::~Outside() {
  if (self_ == nullptr)
    return;
  self_->inside_ = 1;
  if (self_->endPending_ != 0)
    self_->leave(kAsked);
}

} // namespace forerun
