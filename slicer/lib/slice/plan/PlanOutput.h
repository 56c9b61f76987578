// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/Facts.h"
#include "slice/plan/Slice.h"

#include <clang/AST/Type.h>
#include <optional>

namespace clang {
class ASTContext;
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace forerun::slicer {

/// How the main thread hands over what a library call writes through one argument. Empty if its
/// extent is unknown, if it contains pointers (the pre-execution thread would write through them),
/// or if the arguments that determine the extent have side effects and so cannot be
/// evaluated again.
std::optional<Forwarded> outputOf(const Call &call, int index, const clang::ASTContext &ast);

/// The same for the call's result: a text, or a value without pointers. False if it cannot be.
bool resultOf(clang::QualType type, Forwarded &result);

/// The same for a global that the call changes. Empty if its bytes do not mean the same to both
/// threads, or if its name means something else in `caller`.
std::optional<Forwarded> outputOf(const clang::VarDecl &global, const clang::FunctionDecl &caller);

/// Whether the bytes of a variable mean the same to both threads, for as long as they run (no
/// pointers, and no handles of MPI, which the main thread may free), and are few.
bool canBeHandedOver(const clang::VarDecl &variable);

/// Whether that argument is a buffer that a non-blocking call fills later.
bool isLater(const Call &call, int index);
/// How that buffer is handed over when its request has completed.
std::optional<Forwarded> outputLater(const Call &call, int index, const clang::ASTContext &ast);
/// What the call completes. Empty if its arguments cannot be evaluated again.
std::optional<CallPlan::Receive::Completion> completionOf(const Call &call,
                                                          const clang::ASTContext &ast);

} // namespace forerun::slicer
