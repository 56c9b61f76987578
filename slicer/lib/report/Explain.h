// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_EXPLAIN_H
#define FORERUN_SLICER_EXPLAIN_H

#include "slice/Analysis.h"

#include <llvm/Support/raw_ostream.h>

namespace forerun::slicer {

/// Says for each statement on that line why it is in the slice, as a chain of dependences that ends
/// at a call of MPI-IO, or why it is not. False if there is no statement on that line.
bool explain(const Analysis &analysis, const Units &units, llvm::StringRef file, unsigned line,
             llvm::raw_ostream &out);

} // namespace forerun::slicer

#endif
