// SPDX-License-Identifier: Apache-2.0
#include "slice/Closure.h"

#include "models/Ids.h"
#include "slice/Exchanges.h"
#include "slice/LeanClones.h"

#include <llvm/ADT/STLExtras.h>
#include <utility>

namespace forerun::slicer {

namespace {

/// Each guess costs two closures.
constexpr int kMostGuesses = 6;

/// Every call that leads to a criterion is needed.
void needCriteria(const ClosureInput &input, Needs &needs) {
  for (const FunctionId function : input.criteria.functions)
    for (const CallId caller : input.program.functions[function].callers)
      needs.calls.keepCall(caller, kNone);
  for (const CallId each : input.criteria.calls)
    needs.calls.keepCall(each, kNone);
}

} // namespace

Closure::Closure(const Findings &findings, Options options)
    : Closure(ClosureInput(findings, std::move(options))) {
  if (isComplete_)
    findLean();
}

Closure::Closure(ClosureInput input) : input_(std::move(input)), kept_(input_.program) {
  Kept kept(input_.program);
  Needs needs(input_, kept);
  EarlyExits exits(input_, kept, needs);
  Exchanges exchanges(input_, kept, needs);
  needCriteria(input_, needs);
  needs.close();
  while (exits.tryAll() || exchanges.tryAll()) {
  }
  isComplete_ = needs.isComplete();
  if (!isComplete_)
    return;
  kept_ = std::move(kept);
  cuts_ = exits.cuts();
}

Closure::Closure(ClosureInput input, const Kept *full)
    : input_(std::move(input)), kept_(input_.program) {
  Kept kept(input_.program);
  Needs needs(input_, kept);
  needCriteria(input_, needs);
  if (full != nullptr)
    closeLean(input_, *full, kept, needs);
  else
    needs.close();
  isComplete_ = needs.isComplete();
  if (!isComplete_)
    return;
  kept_ = std::move(kept);
  for (const FunctionId each : input_.lean.functions)
    atEntry_[each] = needs.data.neededAtEntry(each);
}

void Closure::findLean() {
  const std::set<FunctionId> candidates = leanCandidates(input_, kept_);
  if (candidates.empty())
    return;
  const auto seek = [this](Lean lean, const Kept *full) {
    ClosureInput input = input_;
    input.lean = std::move(lean);
    input.seeksLean = true;
    return std::unique_ptr<const Closure>(new Closure(std::move(input), full));
  };
  auto lean = seek({.functions = candidates, .calls = {}, .atEntry = {}}, nullptr);
  Lean guess = leanCalls(input_, candidates, kept_, lean->kept_);
  guess.atEntry = lean->atEntry_;
  for (int i = 0; i < kMostGuesses && lean->isComplete() && !guess.calls.empty(); ++i) {
    ClosureInput input = input_;
    input.lean = guess;
    Closure full(std::move(input));
    if (!full.isComplete())
      return;
    lean = seek(guess, &full.kept_);
    if (!lean->isComplete())
      return;
    const bool isEntryKnown = std::exchange(guess.atEntry, lean->atEntry_) == lean->atEntry_;
    const auto isWrong = [&](CallId each) { return full.kept_.needsOf(each); };
    if (std::erase_if(guess.calls, isWrong) > 0 || !isEntryKnown)
      continue;
    kept_ = std::move(full.kept_);
    cuts_ = std::move(full.cuts_);
    take(std::move(guess), std::move(lean));
    return;
  }
}

void Closure::take(Lean guess, std::unique_ptr<const Closure> lean) {
  withLean_ = std::move(guess.functions);
  std::erase_if(withLean_, [&](FunctionId each) {
    return areAlike(input_.program, each, kept_, lean->kept_);
  });
  for (const CallId each : guess.calls)
    if (withLean_.contains(input_.program.calls[each].callees[0]))
      leanCalls_.insert(each);
  if (!withLean_.empty())
    lean_ = std::move(lean);
}

bool Closure::speaksForAll(FunctionId id) const {
  const auto &functions = input_.program.functions;
  const FunctionId first = functions[id].copyOf == kNone ? id : functions[id].copyOf;
  if (functions[first].copies.empty() || hasClone(first))
    return id == first;
  for (const FunctionId each : functions[first].copies)
    if (hasClone(each))
      return id == each;
  return id == first;
}

bool Closure::isHandedOver(NodeId node) const {
  return input_.isHanded(node) && kept_.isActive(input_.program.nodes[node].group);
}

HandedStatements Closure::notHandedOver() const {
  HandedStatements result;
  const auto runs = [this](CallId each) { return kept_.isCalled(each); };
  for (const NodeId id : ids(input_.program.nodes))
    if (input_.isHanded(id) && llvm::any_of(input_.callsOf[id], runs))
      result.insert(input_.handedAs(id));
  return result;
}

Cost Closure::cost() const {
  return CostModel(input_, leanCalls_).of(kept_, lean_ ? &lean_->kept_ : nullptr);
}

} // namespace forerun::slicer
