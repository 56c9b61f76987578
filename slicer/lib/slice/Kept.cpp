// SPDX-License-Identifier: Apache-2.0
#include "slice/Kept.h"

#include <limits>

namespace forerun::slicer {

namespace {

constexpr Bits kLowest{std::numeric_limits<std::int64_t>::min(),
                       std::numeric_limits<std::int64_t>::min()};

const Reason *lookUp(const llvm::DenseMap<int, Reason> &reasons, int id) {
  const auto known = reasons.find(id);
  return known == reasons.end() ? nullptr : &known->second;
}

} // namespace

Kept::Kept(const Program &program)
    : program_(&program), nodes_(static_cast<unsigned>(program.nodes.size())),
      groups_(static_cast<unsigned>(program.groups.size())),
      calls_(static_cast<unsigned>(program.calls.size())), own_(calls_.size()),
      callers_(calls_.size()) {}

bool Kept::needsResult(CallId id) const {
  const Call &call = program_->calls[id];
  return isCalled(id) && call.resultUsed && isActive(call.group);
}

bool Kept::needsAnyOutput(CallId call) const {
  const auto first = outputs_.lower_bound({call, kNone});
  return first != outputs_.end() && first->first == call;
}

Need Kept::needOf(CallId call) const {
  return own_.test(index(call))       ? Need::Own
         : callers_.test(index(call)) ? Need::Callers
                                      : Need::None;
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
  trial.increment(cost_.kept);
  return true;
}

std::vector<Bits> Kept::copiesOf(GroupId group) const {
  std::vector<Bits> result;
  for (auto at = copies_.lower_bound({group, kLowest}); at != copies_.end() && at->first == group;
       ++at)
    result.push_back(at->second);
  return result;
}

std::vector<Bits> Kept::copiedBy(CallId call) const {
  std::vector<Bits> result;
  for (auto at = copied_.lower_bound({call, kLowest}); at != copied_.end() && at->first == call;
       ++at)
    result.push_back(at->second);
  return result;
}

} // namespace forerun::slicer
