// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "input/Unit.h"

#include <string>

/// \file
/// Which MPI the program is compiled for, by the macros of the mpi.h that it includes.

namespace forerun::slicer {

/// Its name and version, in the words of forerun-cc; empty if that is not known, or if the units
/// include no mpi.h.
std::string mpiOf(const Units &units);

} // namespace forerun::slicer
