// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/Allocators.h"
#include "input/Overrides.h"

namespace forerun::slicer {

/// The program's own small functions that are lowered once for each of their calls: `push(&offsets, x)`
/// and `push(&results, y)` then have nothing to do with each other, neither what they write to nor
/// what they allocate. (Cloning-based context sensitivity; Whaley and Lam, PLDI 2004.)
///
/// Such a function has a pointer among its parameters, or returns one; it is called by name from
/// several places, leads to no call that has a site, and not to itself, and has no jumps but returns
/// and those of a switch.
std::set<const clang::FunctionDecl *>
functionsToCopy(const std::set<const clang::FunctionDecl *> &definitions, const Models &models,
                const Overrides &overrides, const FindDefinition &definitionOf);

} // namespace forerun::slicer
