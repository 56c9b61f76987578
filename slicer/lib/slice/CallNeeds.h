// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_CALLNEEDS_H
#define FORERUN_SLICER_CALLNEEDS_H

#include "slice/ClosureInput.h"
#include "slice/Kept.h"

namespace forerun::slicer {

class Needs;

/// Whether the main thread hands over the results of the call where they are needed.
bool isForwarded(const Call &call);

/// Whether the call is made only after the main thread has made it: the text, or the library's
/// file, that it opens may be new.
bool awaitsOpen(const Call &call);

/// Whether it is a call of a library's twin that has a site: it opens, reads or writes.
bool isTwinSite(const Call &call);

/// What a needed call needs of its callee, its arguments and the memory that it reads. A part of
/// Needs.
class CallNeeds {
public:
  CallNeeds(const ClosureInput &input, Kept &kept, Needs &needs)
      : input_(input), program_(input.program), kept_(kept), needs_(needs) {}

  /// The call is made, whether or not its result is used.
  void keepCall(CallId call, GroupId by);
  /// The expression that contains the call is needed, and so is the call's result if it is used.
  void needResult(CallId call, GroupId by);
  /// What the call writes through its argument (kNone: hidden state) is needed.
  void needOutput(CallId call, int argument, GroupId by);
  /// These bits of what the call copies into memory that it allocates are needed.
  void needCopied(CallId call, GroupId by, Bits bits);
  void needArgument(CallId call, int argument, GroupId by, Bits bits = {});

private:
  void keepEvery(CallId call);
  void needLibraryInputs(CallId call);
  void needAllInputs(CallId call);
  void needTwinInputs(CallId call);
  void needIoInputs(CallId call);

  const ClosureInput &input_;
  const Program &program_;
  Kept &kept_;
  Needs &needs_;
};

} // namespace forerun::slicer

#endif
