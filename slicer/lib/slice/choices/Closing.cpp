// SPDX-License-Identifier: Apache-2.0
#include "slice/choices/Closing.h"

#include "slice/choices/EarlyExits.h"
#include "slice/choices/Exchanges.h"
#include "slice/choices/LeanClones.h"

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

std::unique_ptr<Closure> close(ClosureInput input) {
  Kept kept(input.program);
  Needs needs(input, kept);
  EarlyExits exits(input, kept, needs);
  Exchanges exchanges(input, kept, needs);
  needCriteria(input, needs);
  needs.close();
  while (exits.tryAll() || exchanges.tryAll()) {
  }
  if (!needs.isComplete())
    return std::make_unique<Closure>(std::move(input));
  return std::make_unique<Closure>(std::move(input), std::move(kept), exits.cuts());
}

/// The second closure (LeanClones.h).
struct LeanClosure {
  std::unique_ptr<const Closure> closure;
  std::map<FunctionId, std::vector<Range>> atEntry; ///< of lean clones
};

/// Without \p full, only to guess which calls are of lean clones.
LeanClosure closeLean(ClosureInput input, Lean lean, const Kept *full) {
  input.lean = std::move(lean);
  input.seeksLean = true;
  Kept kept(input.program);
  Needs needs(input, kept);
  needCriteria(input, needs);
  if (full != nullptr)
    closeLean(input, *full, kept, needs);
  else
    needs.close();
  if (!needs.isComplete())
    return {std::make_unique<Closure>(std::move(input)), {}};
  LeanClosure result;
  for (const FunctionId each : input.lean.functions)
    result.atEntry[each] = needs.data.neededAtEntry(each);
  result.closure = std::make_unique<Closure>(std::move(input), std::move(kept));
  return result;
}

/// The same closure, or one in which some functions have lean clones.
std::unique_ptr<Closure> withLean(std::unique_ptr<Closure> first) {
  const ClosureInput &input = first->input();
  const std::set<FunctionId> candidates = leanCandidates(input, first->kept());
  if (candidates.empty())
    return first;
  LeanClosure lean =
      closeLean(input, {.functions = candidates, .calls = {}, .atEntry = {}}, nullptr);
  Lean guess = leanCalls(input, candidates, first->kept(), lean.closure->kept());
  guess.atEntry = lean.atEntry;
  for (int i = 0; i < kMostGuesses && lean.closure->isComplete() && !guess.calls.empty(); ++i) {
    ClosureInput guessed = input;
    guessed.lean = guess;
    std::unique_ptr<Closure> full = close(std::move(guessed));
    if (!full->isComplete())
      return first;
    lean = closeLean(input, guess, &full->kept());
    if (!lean.closure->isComplete())
      return first;
    const bool isEntryKnown = std::exchange(guess.atEntry, lean.atEntry) == lean.atEntry;
    const auto isWrong = [&](CallId each) { return full->kept().needsOf(each); };
    if (std::erase_if(guess.calls, isWrong) > 0 || !isEntryKnown)
      continue;
    std::erase_if(guess.functions, [&](FunctionId each) {
      return areAlike(input.program, each, full->kept(), lean.closure->kept());
    });
    std::erase_if(guess.calls, [&](CallId each) {
      return !guess.functions.contains(input.program.calls[each].callees[0]);
    });
    if (!guess.functions.empty())
      full->addLean(std::move(guess.functions), std::move(guess.calls), std::move(lean.closure));
    return full;
  }
  return first;
}

} // namespace

std::unique_ptr<const Closure> closureOf(const Findings &findings, ClosureOptions options) {
  std::unique_ptr<Closure> result = close(ClosureInput(findings, std::move(options)));
  return result->isComplete() ? withLean(std::move(result)) : std::move(result);
}

} // namespace forerun::slicer
