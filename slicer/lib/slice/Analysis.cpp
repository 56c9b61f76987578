// SPDX-License-Identifier: Apache-2.0
#include "slice/Analysis.h"

#include "analysis/Choices.h"
#include "analysis/Control.h"
#include "analysis/Frames.h"
#include "analysis/States.h"
#include "analysis/Streams.h"
#include "facts/IoCalls.h"
#include "facts/Lowering.h"
#include "models/Ids.h"
#include "models/Worklist.h"
#include "slice/choices/Closing.h"
#include "slice/choices/CostModel.h"

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>

namespace forerun::slicer {

using Kind = FunctionModel::Kind;

bool isStatement(const Program &program, const Node &node) {
  return node.kind != Node::Kind::HandedOver && !node.isOperand && node.function != 0 &&
         node.function != kNone && node.stmt && program.functions[node.function].definition;
}

namespace {

std::unique_ptr<Effects> effectsOf(Program &program, const PointsTo &pointsTo, const Models &models,
                                   Budget budget) {
  forwardChangedStates(program, models);
  if (pointsTo.isComplete()) {
    dropChoices(program, pointsTo);
    forwardForeignStreams(program, pointsTo, models);
    findManyFrames(program, pointsTo);
  }
  return std::make_unique<Effects>(program, pointsTo, std::move(budget));
}

/// Whether the program can do without the function: nothing names it, and it is nobody else's. A
/// header has many such.
bool isUnused(const Program &program, FunctionId id) {
  const clang::FunctionDecl *function = id == kNone ? nullptr : program.functions[id].definition;
  return function && !function->isExternallyVisible() && !function->isReferenced() &&
         !function->hasAttr<clang::ConstructorAttr>() &&
         !function->hasAttr<clang::DestructorAttr>() && !function->hasAttr<clang::UsedAttr>();
}

} // namespace

Analysis::Analysis(const Units &units, const Models &models, Overrides overrides)
    : Analysis(units, models, std::move(overrides), Limits()) {}

Analysis::Analysis(const Units &units, const Models &models, Overrides overrides,
                   const Limits &limits)
    : overrides_(std::move(overrides)), limits_(limits),
      frame_(limits.functions == Functions::All
                 ? std::nullopt
                 : std::optional<Frame>(std::in_place, units, models, overrides_.launchIn)),
      program_(lower(units, models, overrides_, frame_ ? &*frame_ : nullptr)),
      pointsTo_(std::make_unique<PointsTo>(program_, limits.fields, limits.budget)),
      effects_(effectsOf(program_, *pointsTo_, models, limits.budget)),
      control_(controlDependences(program_, true)),
      controlWithoutExits_(controlDependences(program_, false)) {
  findOrder();
}

void Analysis::take(Closure::Options options) {
  closure_ = closureOf(findings(), completed(std::move(options)));
  notes_.clear();
  slice_ = isComplete() ? plan(*closure_, notes_) : Slice();
  slice_.launch = overrides_.launch;
  slice_.launchIn = overrides_.launchIn;
  reached_ = reachedNodes(*closure_, slice_);
}

Closure::Options Analysis::completed(Closure::Options options) const {
  options.unwritable = options.leftOut;
  options.budget = limits_.budget;
  for (const Call &call : program_.calls)
    if (call.expr && program_.main != kNone && !inOrder_.contains(call.caller) &&
        !options.forced.contains(call.expr))
      options.leftOut.insert(call.expr);
  return options;
}

Cost Analysis::cost() const {
  Cost result = costOf(*closure_);
  for (const NodeId id : ids(program_.nodes))
    result.statements += isStatement(program_, program_.nodes[id]) && closure_->isPresent(id) &&
                         closure_->speaksForAll(program_.nodes[id].function);
  return result;
}

Search Analysis::search(const Closure::Options &options, HandedExits exits) const {
  const auto costWith = [this](Closure::Options with, HandedStatements &notHandedOver) {
    return this->costWith(std::move(with), notHandedOver);
  };
  return {cost(), costWith, options, std::move(exits)};
}

std::optional<Cost> Analysis::costWith(Closure::Options options,
                                       HandedStatements &notHandedOver) const {
  const auto closure = closureOf(findings(), completed(std::move(options)));
  notHandedOver = closure->notHandedOver();
  return closure->isComplete() && notHandedOver.empty() ? std::optional(costOf(*closure))
                                                        : std::nullopt;
}

bool Analysis::isComplete() const {
  return pointsTo_->isComplete() && effects_->isComplete() && closure_->isComplete();
}

void Analysis::compareWith(const Analysis &without) {
  using Part = std::pair<const clang::Stmt *, const clang::VarDecl *>;
  std::set<Part> kept;
  const auto &before = without.program_.nodes;
  for (const NodeId id : ids(before))
    if (without.closure_->isPresent(id))
      kept.insert({before[id].stmt, before[id].variable});
  for (const NodeId id : ids(program_.nodes))
    if (const Node &node = program_.nodes[id];
        node.stmt && !closure_->isPresent(id) && kept.contains({node.stmt, node.variable}))
      spared_.insert(id);
}

std::string Analysis::whyLeftOut(const Call &call) const {
  if (!isComplete())
    return "the analysis took too long";
  if (program_.main == kNone)
    return "there is no main";
  if (const auto by = runBy_.find(call.caller); by != runBy_.end())
    return "its function is run by " + by->second;
  if (!inOrder_.contains(call.caller))
    return isUnused(program_, call.caller) ? "its function is not used"
                                           : "its function is not called where the slicer sees it";
  if (closure_->input().options.unwanted.contains(call.expr))
    return "--leave-out names its line";
  if (closure_->isUnwritable(call))
    return "no text can be written for it";
  if (call.isIgnored && isRead(call))
    return "a pragma says so";
  return "nothing is read from this file after it";
}

/// Functions that libraries call back in a thread of their own, or at a time of their own, do not
/// run in main's order.
void Analysis::findOrder() {
  if (program_.main == kNone)
    return;
  inOrder_ = reachedFrom(program_.main);
  for (const Call &call : program_.calls)
    if (call.isCallback)
      for (const FunctionId callee : call.callees) {
        for (const FunctionId each : reachedFrom(callee))
          if (!inOrder_.contains(each))
            runBy_.try_emplace(each, call.model->name);
      }
}

std::set<FunctionId> Analysis::reachedFrom(FunctionId from) const {
  std::vector<std::vector<FunctionId>> calls(program_.functions.size());
  for (const Call &call : program_.calls)
    if (call.caller != kNone && (!call.isCallback || call.model->isMadeAhead()))
      calls[call.caller].insert(calls[call.caller].end(), call.callees.begin(), call.callees.end());
  Worklist<FunctionId> open{from};
  while (const auto each = open.next())
    open.addAll(calls[*each]);
  return open.met();
}

} // namespace forerun::slicer
