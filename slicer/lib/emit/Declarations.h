// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emit/ExprWriter.h"

/// \file
/// Declarations at file level: heads and prototypes of clones, private copies of globals.

namespace forerun::slicer {

/// Whether each unit has its own clone of the function: true for static functions.
bool hasLocalClone(const clang::FunctionDecl *function);

/// The head of a definition, up to the brace, in its original layout where that can be copied.
std::string cloneHead(const EmitScope &scope, ExprWriter &expr,
                      const clang::FunctionDecl *function);
/// The prototype, with its semicolon.
std::string clonePrototype(const EmitScope &scope, ExprWriter &expr,
                           const clang::FunctionDecl *function);

/// The private copies of all globals of the unit that other units need, or that the text written so
/// far uses; one line each. Uses more clones if initialisers name functions.
std::string privateGlobals(EmitScope &scope, ExprWriter &expr);

} // namespace forerun::slicer
