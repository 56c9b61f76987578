// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slice/Analysis.h"

#include <llvm/Support/raw_ostream.h>

namespace forerun::slicer {

/// Says for each statement on that line why it is in the slice, as a chain of dependences that ends
/// at a call of MPI-IO, or why it is not; and what becomes of the calls in it that read. Returns the
/// nearest line on which a statement begins; 0 if the file has none.
unsigned explain(const Analysis &analysis, const Units &units, llvm::StringRef file, unsigned line,
                 llvm::raw_ostream &out);

} // namespace forerun::slicer
