// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_EMITIOCALLS_H
#define FORERUN_SLICER_EMITIOCALLS_H

#include <llvm/ADT/StringRef.h>

/// \file
/// Where the arguments of MPI-IO calls are.

namespace forerun::slicer {

/// Indices of arguments; -1: the call has no such argument.
struct IoArguments {
  int file = -1, offset = -1, buffer = -1, count = -1, type = -1, status = -1;
  int whence = -1;                             ///< seeks
  int etype = -1, filetype = -1, datarep = -1; ///< set_view; its displacement is `offset`
};

/// Nullptr if `function` is not an MPI-IO call with a file handle.
const IoArguments *ioArguments(llvm::StringRef function);

} // namespace forerun::slicer

#endif
