// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_PLANOUTPUT_H
#define FORERUN_SLICER_PLANOUTPUT_H

#include "Facts.h"
#include "Slice.h"

#include <optional>

namespace clang {
class ASTContext;
} // namespace clang

namespace forerun::slicer {

/// How the main thread hands over what a library's call writes through one argument; nothing if its
/// extent is not known, or evaluating the arguments that tell it again would do something.
std::optional<Forwarded> outputOf(const Call &call, int index, const clang::ASTContext &ast);

/// Whether that argument is a buffer that a non-blocking call fills some time after it.
bool isLater(const Call &call, int index);
/// ... handed over when its request has completed.
std::optional<Forwarded> outputLater(const Call &call, int index, const clang::ASTContext &ast);
/// Has `plan` say what the call completes; false: its arguments cannot be evaluated again.
bool completes(const Call &call, const clang::ASTContext &ast, CallPlan &plan);

} // namespace forerun::slicer

#endif
