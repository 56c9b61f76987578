// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/Facts.h"

namespace forerun::slicer {

/// Whether nothing moves a shared file pointer except ordered reads of one constant size. Then the
/// k-th of them reads, on the process of rank r, piece number k * processes + r of its file: each
/// is collective, and whichever of the calls a process makes, it reads as much as the others.
bool areOrderedReadsAlike(const Program &program);

} // namespace forerun::slicer
