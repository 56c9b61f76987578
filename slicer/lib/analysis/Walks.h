// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/Facts.h"

#include <optional>

namespace clang {
class ASTContext;
} // namespace clang

/// \file
/// Where facts lead: outwards from a statement, and from a function to its callers.

namespace forerun::slicer {

/// Whether it is a `for`, `while` or `do`. False of null.
bool isLoop(const clang::Stmt *stmt);
/// Whether the node is in the body or the condition of this loop.
bool isInLoop(const Program &program, NodeId node, NodeId loop);
/// The operands of a condition that are nodes of their own.
std::vector<NodeId> operandsOf(const Program &program, NodeId condition);

/// These functions and all their direct and indirect callers.
std::set<FunctionId> withCallers(const Program &program, const std::vector<FunctionId> &functions);
/// This call and all those through which the program reaches it.
std::vector<CallId> waysTo(const Program &program, CallId call);

const clang::ASTContext &contextOf(const Program &program, const Call &call);
/// The value of the argument, if it is a constant.
std::optional<std::int64_t> constantOf(const Program &program, const Call &call, int argument);

} // namespace forerun::slicer
