// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_NOTE_H
#define FORERUN_SLICER_NOTE_H

#include "facts/Facts.h"

namespace forerun::slicer {

/// Something that the user should know about a place in the source.
struct Note {
  const clang::Stmt *where = nullptr;
  FunctionId function = kNone; ///< the function that contains it
  std::string text;
};

} // namespace forerun::slicer

#endif
