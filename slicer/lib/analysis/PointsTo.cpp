// SPDX-License-Identifier: Apache-2.0
#include "analysis/PointsTo.h"

#include "analysis/Graph.h"
#include "models/Ids.h"

#include <algorithm>
#include <clang/AST/Decl.h>
#include <llvm/ADT/STLExtras.h>
#include <utility>

namespace forerun::slicer {

namespace {

constexpr std::size_t kMaximumOffsets = 512; ///< of an object, before it is collapsed

bool hasParts(const Object &object) {
  return object.kind == Object::Kind::Heap ||
         (object.variable && (object.variable->getType()->isArrayType() ||
                              object.variable->getType()->isRecordType()));
}

} // namespace

PointsTo::PointsTo(Program &program, Fields fields, Budget budget)
    : program_(program), budget_(std::move(budget)), offsets_(program.objects.size()),
      collapsed_(program.objects.size()), copiedFrom_(program.objects.size()) {
  grow(program.temporaries);
  if (fields == Fields::AsOne)
    for (std::size_t i = 0; i < program.objects.size(); ++i)
      collapsed_[i] = hasParts(program.objects[i]);
  for (const CallId id : ids(program.calls))
    if (program.calls[id].pointer != kNone)
      calls_[program.calls[id].pointer].push_back(id);
  for (const CallId id : ids(program.calls))
    for (const FunctionId callee : program.calls[id].callees)
      bind(id, callee);
  for (const Constraint &constraint : program.constraints)
    addConstraint(constraint);
  solve();
  findTargets();
  for (const CallId id : ids(program.calls))
    for (const FunctionId callee : program.calls[id].callees)
      program.functions[callee].callers.push_back(id);
}

void PointsTo::grow(Var var) {
  const auto size = static_cast<std::size_t>(var) + 1;
  while (same_.size() < size)
    same_.push_back(static_cast<Var>(same_.size()));
  if (points_.size() >= size)
    return;
  const auto resize = [size](auto &...all) { (all.resize(size), ...); };
  resize(points_, passed_, met_, edges_, shifts_, loads_, stores_, sources_, targetsOf_, calls_);
  resize(rank_, isOpen_);
}

Var PointsTo::find(Var var) const {
  while (same_[var] != var)
    var = same_[var] = same_[same_[var]];
  return var;
}

PointsTo::Location PointsTo::newLocation(ObjectId object, std::int64_t offset) {
  const auto result = static_cast<Location>(locations_.size());
  locations_.push_back({object, offset});
  grow(content(result));
  return result;
}

PointsTo::Location PointsTo::location(ObjectId object, std::int64_t offset) {
  const auto kind = program_.objects[object].kind;
  if (kind != Object::Kind::Variable && kind != Object::Kind::Heap)
    offset = 0;
  if (offset < 0 || offsets_[object].size() > kMaximumOffsets)
    collapse(object);
  if (collapsed_[object])
    offset = kAnyOffset;
  const auto [place, isNew] = offsets_[object].try_emplace(offset, 0);
  if (!isNew)
    return place->second;
  const Location result = place->second = newLocation(object, offset);
  if (!copiedFrom_[object].empty())
    openParts_.push_back(result);
  return result;
}

void PointsTo::collapse(ObjectId object) {
  if (collapsed_[object])
    return;
  const auto before = offsets_[object];
  collapsed_[object] = true;
  const Var whole = content(location(object, kAnyOffset));
  for (const auto &[offset, part] : before) {
    addEdge(content(part), whole);
    addEdge(whole, content(part));
  }
}

PointsTo::Location PointsTo::shifted(Location from, std::int64_t offset, bool anyOffset) {
  const auto [object, at] = locations_[from];
  if (anyOffset && hasParts(program_.objects[object]))
    collapse(object);
  if (at == kAnyOffset || (offset == 0 && !collapsed_[object]))
    return from;
  return location(object, at + offset);
}

void PointsTo::open(Var var) {
  if (isOpen_[var])
    return;
  isOpen_[var] = true;
  open_.emplace(rank_[var], var);
}

void PointsTo::add(Var to, Location location) {
  to = find(to);
  if (points_[to].test_and_set(static_cast<unsigned>(location)))
    open(to);
}

void PointsTo::addEdge(Var from, Var to) {
  from = find(from);
  to = find(to);
  if (from == to || !edges_[from].test_and_set(static_cast<unsigned>(to)))
    return;
  areRanksOld_ = true;
  const bool isMore = points_[to] |= points_[from];
  if (isMore)
    open(to);
}

void PointsTo::addShift(Var from, const Shift &shift) {
  if (shift.offset == 0 && !shift.anyOffset) {
    addEdge(from, shift.to);
    return;
  }
  from = find(from);
  shifts_[from].push_back(shift);
  for (const unsigned each : Locations(points_[from]))
    add(shift.to, shifted(static_cast<Location>(each), shift.offset, shift.anyOffset));
}

void PointsTo::addConstraint(const Constraint &constraint) {
  switch (constraint.kind) {
  case Constraint::Kind::Address:
    add(constraint.to, location(constraint.object, constraint.offset));
    break;
  case Constraint::Kind::Copy:
    addShift(constraint.from, {constraint.to, constraint.offset, constraint.anyOffset});
    break;
  case Constraint::Kind::Load:
    loads_[find(constraint.from)].push_back({constraint.to, constraint.offset});
    met_[find(constraint.from)].clear();
    break;
  case Constraint::Kind::Store:
    stores_[find(constraint.to)].push_back({constraint.from, constraint.offset});
    met_[find(constraint.to)].clear();
    break;
  case Constraint::Kind::Memory: {
    const auto id = static_cast<int>(copies_.size());
    const Var from = find(constraint.from), to = find(constraint.to);
    copies_.push_back({to, constraint.size, {}});
    sources_[from].push_back(id);
    targetsOf_[to].push_back(id);
    met_[from].clear();
    met_[to].clear();
    break;
  }
  }
}

// ---- cycles ----

/// Pointers that are copied in a cycle point to the same: the cycle becomes one node of the graph
/// (Nuutila's and Tarjan's components; Pereira, Berlin, CGO 2009). Also ranks all nodes, each after
/// those from which it is reached.
void PointsTo::joinCycles() {
  Graph graph(points_.size());
  for (Var var = 0; var < static_cast<Var>(points_.size()); ++var)
    if (find(var) == var)
      for (const Var to : nextOf(var))
        graph.add(var, to);
  const std::vector<std::vector<Var>> cycles = graph.components();
  budget_.spend(points_.size());
  int rank = 0;
  open_ = {};
  for (auto cycle = cycles.rbegin(); cycle != cycles.rend(); ++cycle) {
    const Var first = *std::min_element(cycle->begin(), cycle->end());
    if (find(first) != first) // it has been joined with another already
      continue;
    for (const Var each : *cycle)
      if (each != first)
        join(first, each);
    rank_[first] = ++rank;
    isOpen_[first] = false;
    if (points_[first] != passed_[first])
      open(first);
  }
  areRanksOld_ = false;
}

/// Where edges lead from the node. Updates these where they lead to what has been joined.
std::vector<Var> PointsTo::nextOf(Var var) {
  std::vector<Var> result;
  Vars now;
  for (const unsigned each : edges_[var])
    if (const Var to = find(static_cast<Var>(each));
        to != var && now.test_and_set(static_cast<unsigned>(to)))
      result.push_back(to);
  edges_[var] = std::move(now);
  return result;
}

void PointsTo::join(Var one, Var other) {
  const auto append = [&](auto &...all) {
    (llvm::append_range(all[one], std::exchange(all[other], {})), ...);
  };
  same_[other] = one;
  points_[one] |= points_[other];
  passed_[one] &= passed_[other];
  met_[one] &= met_[other];
  edges_[one] |= edges_[other];
  for (auto *each : {&points_, &passed_, &met_, &edges_})
    (*each)[other].clear();
  append(shifts_, loads_, stores_, sources_, targetsOf_, calls_);
}

// ---- the fixed point ----

/// Passes what is new on, along the edges, until nothing is.
void PointsTo::pass() {
  while (!open_.empty()) {
    if (budget_.isOver()) {
      isComplete_ = false;
      return;
    }
    const Var var = open_.top().second;
    open_.pop();
    isOpen_[var] = false;
    Locations fresh = points_[var];
    fresh.intersectWithComplement(passed_[var]);
    if (fresh.empty())
      continue;
    passed_[var] = points_[var];
    for (const unsigned each : edges_[var]) {
      budget_.spend();
      const Var to = find(static_cast<Var>(each));
      const bool isMore = points_[to] |= fresh;
      if (isMore)
        open(to);
    }
    const auto shifts = shifts_[var]; // a copy: offsets may be added
    budget_.spend(shifts.size() * fresh.count());
    for (const Shift &shift : shifts)
      for (const unsigned each : fresh)
        add(shift.to, shifted(static_cast<Location>(each), shift.offset, shift.anyOffset));
  }
}

/// New edges for what the node points to now.
void PointsTo::follow(Var var) {
  Locations fresh = points_[var];
  fresh.intersectWithComplement(met_[var]);
  if (fresh.empty())
    return;
  met_[var] = points_[var];
  const auto loads = once(loads_[var]), stores = once(stores_[var]);
  budget_.spend((loads.size() + stores.size()) * fresh.count());
  for (const auto &[to, offset] : loads)
    for (const unsigned each : fresh)
      addEdge(content(shifted(static_cast<Location>(each), offset, false)), to);
  for (const auto &[from, offset] : stores)
    for (const unsigned each : fresh)
      addEdge(from, content(shifted(static_cast<Location>(each), offset, false)));
  const auto sources = sources_[var], targets = targetsOf_[var];
  for (const int id : sources)
    for (const unsigned each : fresh)
      copyFrom(id, static_cast<Location>(each));
  for (const int id : targets) {
    const auto parts = copies_[id].parts;
    budget_.spend(parts.size() * fresh.count());
    for (const auto &[offset, part] : parts)
      for (const unsigned each : fresh)
        addEdge(part, content(shifted(static_cast<Location>(each), offset, false)));
  }
  const auto calls = calls_[var];
  for (const unsigned each : fresh)
    if (const FunctionId callee = program_.objects[locations_[each].object].function;
        callee != kNone)
      for (const CallId call : calls)
        if (auto &known = program_.calls[call].callees; !llvm::is_contained(known, callee)) {
          known.push_back(callee);
          bind(call, callee);
        }
}

/// Each access once, with what it accesses as it is joined now.
std::vector<PointsTo::Access> PointsTo::once(std::vector<Access> &accesses) const {
  for (Access &each : accesses)
    each.other = find(each.other);
  llvm::sort(accesses);
  accesses.erase(std::unique(accesses.begin(), accesses.end()), accesses.end());
  return accesses;
}

/// A copy of memory from here: all parts that there are after the location.
void PointsTo::copyFrom(int id, Location source) {
  const auto [object, base] = locations_[source];
  auto &users = copiedFrom_[object];
  if (llvm::is_contained(users, CopySource{id, base}))
    return;
  users.push_back({id, base});
  const auto offsets = offsets_[object];
  budget_.spend(offsets.size());
  for (const auto &[offset, part] : offsets)
    copyPart(id, base, part);
}

/// Copies the part of an object from which memory is copied, beginning at `base`. What is copied to
/// one offset of the targets is a node of the graph.
void PointsTo::copyPart(int id, std::int64_t base, Location part) {
  const std::int64_t offset = locations_[part].offset;
  const bool isAny = offset == kAnyOffset || base == kAnyOffset;
  if (!isAny && (offset < base || offset - base >= copies_[id].size))
    return;
  const std::int64_t at = isAny ? 0 : offset - base;
  const auto [place, isNew] = copies_[id].parts.try_emplace(at, kNone);
  if (isNew) {
    place->second = content(newLocation(kNone, 0));
    const Var node = place->second;
    for (const unsigned each : Locations(met_[find(copies_[id].to)]))
      addEdge(node, content(shifted(static_cast<Location>(each), at, false)));
  }
  addEdge(content(part), copies_[id].parts[at]);
}

void PointsTo::bind(CallId id, FunctionId callee) {
  const Call call = program_.calls[id];
  const Function &function = program_.functions[callee];
  const auto pass = [&](std::size_t i, ObjectId parameter) {
    if (call.values[i] == kNone)
      return;
    const Location to = location(parameter, 0);
    if (call.recordBits[i] == 0) {
      addEdge(call.values[i], content(to));
      return;
    }
    const Var address = content(newLocation(kNone, 0)); // of the parameter
    add(address, to);
    addConstraint(
        {Constraint::Kind::Memory, address, call.values[i], kNone, 0, call.recordBits[i]});
  };
  for (std::size_t i = 0; i < call.values.size(); ++i)
    if (i < function.parameters.size())
      pass(i, function.parameters[i]);
    else if (function.variadic != kNone)
      pass(i, function.variadic);
  const Location result = location(function.result, 0);
  if (call.resultObject == kNone) {
    addEdge(content(result), call.allocated == kNone ? call.result : call.allocatedInside);
    return;
  }
  // Collapsed, so that the offsets of the function's result are those of the call's.
  collapse(function.result);
  collapse(call.resultObject);
  addEdge(content(location(function.result, 0)), content(location(call.resultObject, 0)));
}

/// In waves: first all that follows from the edges that there are, then all edges that follow.
void PointsTo::solve() {
  for (bool isAny = true; isAny && isComplete_;) {
    if (areRanksOld_)
      joinCycles();
    pass();
    isAny = false;
    for (Var var = 0; var < static_cast<Var>(points_.size()) && isComplete_; ++var)
      if (find(var) == var && met_[var] != points_[var]) {
        isAny = true;
        follow(var);
        isComplete_ = !budget_.isOver();
      }
    while (!openParts_.empty()) {
      isAny = true;
      const Location part = openParts_.pop_back_val();
      const auto users = copiedFrom_[locations_[part].object];
      for (const auto &[id, base] : users)
        copyPart(id, base, part);
    }
  }
}

} // namespace forerun::slicer
