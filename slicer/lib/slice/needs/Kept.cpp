// SPDX-License-Identifier: Apache-2.0
#include "slice/needs/Kept.h"

#include <limits>

namespace forerun::slicer {

namespace {

constexpr Bits kLowest{std::numeric_limits<std::int64_t>::min(),
                       std::numeric_limits<std::int64_t>::min()};

const Reason *lookUp(const llvm::DenseMap<int, Reason> &reasons, int id) {
  const auto known = reasons.find(id);
  return known == reasons.end() ? nullptr : &known->second;
}

std::vector<Bits> bitsOf(const std::set<std::pair<int, Bits>> &all, int id) {
  std::vector<Bits> result;
  for (auto at = all.lower_bound({id, kLowest}); at != all.end() && at->first == id; ++at)
    result.push_back(at->second);
  return result;
}

} // namespace

Kept::Kept(const Program &program)
    : program_(&program), nodes_(static_cast<unsigned>(program.nodes.size())),
      groups_(static_cast<unsigned>(program.groups.size())),
      calls_(static_cast<unsigned>(program.calls.size())), leaves_(calls_.size()) {}

bool Kept::needsResult(CallId id) const {
  const Call &call = program_->calls[id];
  return isCalled(id) && call.resultUsed && isActive(call.group);
}

bool Kept::needsAnyOutput(CallId call) const {
  const auto first = outputs_.lower_bound({call, kNone});
  return first != outputs_.end() && first->first == call;
}

const Reason *Kept::why(GroupId group) const { return lookUp(reasons_, group); }

const Reason *Kept::whyPresent(NodeId node) const { return lookUp(presences_, node); }

bool Kept::addGroup(GroupId group, Reason reason) {
  if (!trial.set(groups_, group))
    return false;
  reasons_[group] = reason;
  return true;
}

bool Kept::addNode(NodeId node, Reason reason) {
  if (!trial.set(nodes_, node))
    return false;
  presences_[node] = reason;
  trial.increment(cost_.nodes);
  return true;
}

std::vector<Bits> Kept::copiesOf(GroupId group) const { return bitsOf(copies_, group); }

std::vector<Bits> Kept::copiedBy(CallId call) const { return bitsOf(copied_, call); }

} // namespace forerun::slicer
