// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/Facts.h"

#include <llvm/ADT/StringRef.h>

/// \file
/// What the slicer knows of the calls of MPI-IO, and of MPI's start, by name.

namespace forerun::slicer {

/// Indices of arguments; -1: the call has no such argument.
struct IoArguments {
  int file = -1, offset = -1, buffer = -1, count = -1, type = -1, status = -1;
  int whence = -1;                             ///< seeks
  int etype = -1, filetype = -1, datarep = -1; ///< set_view; its displacement is `offset`
  bool operator==(const IoArguments &) const = default;
};

/// Null if `function` is not an MPI-IO call that concerns a file. PMPI_x and MPI_x_c count as
/// MPI_x.
const IoArguments *ioArguments(llvm::StringRef function);

/// MPI_Init, MPI_Init_thread, and their PMPI names.
bool startsMpi(llvm::StringRef function);

/// Whether the program itself makes the call, and it reads from a file by MPI-IO.
bool isRead(const Call &call);

/// ... by a library that has a twin.
bool isTwinRead(const Call &call);

/// Whether it asks what the pre-execution thread may know of an open file: its pointer, its view.
bool asksOfFile(const FunctionModel &model, llvm::StringRef function);

} // namespace forerun::slicer
