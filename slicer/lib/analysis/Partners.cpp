// SPDX-License-Identifier: Apache-2.0
#include "analysis/Partners.h"

#include "analysis/Walks.h"
#include "models/Ids.h"

#include <clang/AST/Stmt.h>
#include <llvm/ADT/STLExtras.h>

namespace forerun::slicer {

using Exchange = FunctionModel::Exchange;

namespace {

constexpr int kTag = 4;                                   // of calls that send
constexpr int kSourceFromEnd = 4, kReceiveTagFromEnd = 3; // of calls that receive

bool sends(const FunctionModel &model) {
  return model.exchange == Exchange::Send || model.exchange == Exchange::Both;
}

bool receives(const FunctionModel &model) {
  return model.exchange == Exchange::Receive || model.exchange == Exchange::Both;
}

std::optional<std::int64_t> receivedTag(const Program &program, const Call &call) {
  return constantOf(program, call, static_cast<int>(call.arguments.size()) - kReceiveTagFromEnd);
}

std::optional<std::int64_t> receivedFrom(const Program &program, const Call &call) {
  return constantOf(program, call, static_cast<int>(call.arguments.size()) - kSourceFromEnd);
}

bool differ(std::optional<std::int64_t> one, std::optional<std::int64_t> other) {
  return one && other && *one != *other;
}

/// The branching statements around a call, including those around the calls of its function.
std::set<NodeId> branchesAround(const Program &program, CallId id) {
  std::set<NodeId> result;
  for (const CallId each : waysTo(program, id))
    for (NodeId node = program.nodeOf(each); node != kNone; node = program.nodes[node].enclosing)
      if (clang::isa_and_nonnull<clang::IfStmt, clang::SwitchStmt>(program.nodes[node].stmt))
        result.insert(node);
  return result;
}

bool haveCommon(const std::set<NodeId> &one, const std::set<NodeId> &other) {
  return llvm::any_of(one, [&](NodeId each) { return other.contains(each); });
}

} // namespace

bool receivesKnown(const Program &program, const Call &call) {
  return receives(*call.model) && receivedFrom(program, call).value_or(0) >= 0 &&
         receivedTag(program, call).value_or(0) >= 0;
}

std::vector<CallId> partnersOf(const Program &program, CallId id) {
  const Call &call = program.calls[id];
  const bool isReceive = receives(*call.model);
  const auto tag = isReceive ? receivedTag(program, call) : std::nullopt;
  const std::set<NodeId> around = branchesAround(program, id);
  const auto isPartner = [&](CallId otherId, const Call &other) {
    if (isReceive)
      return (sends(*other.model) && !differ(tag, constantOf(program, other, kTag))) ||
             (receivesKnown(program, other) && !differ(tag, receivedTag(program, other)));
    return other.model->exchangedBy == call.model->exchangedBy &&
           haveCommon(around, branchesAround(program, otherId));
  };
  std::vector<CallId> result;
  for (const CallId each : ids(program.calls))
    if (const Call &other = program.calls[each];
        other.model && !other.isCallback && other.caller != 0 && isPartner(each, other))
      result.push_back(each);
  return result;
}

} // namespace forerun::slicer
