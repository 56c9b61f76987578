// SPDX-License-Identifier: Apache-2.0
#include "analysis/PointsTo.h"

#include "models/Ids.h"

#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/RecordLayout.h>
#include <llvm/ADT/BitVector.h>

namespace forerun::slicer {

namespace {

constexpr std::int64_t kAnyOffset = -1;
constexpr std::size_t kMaximumOffsets = 512; ///< of an object, before it is collapsed

bool hasParts(const Object &object) {
  return object.kind == Object::Kind::Heap ||
         (object.variable && (object.variable->getType()->isArrayType() ||
                              object.variable->getType()->isRecordType()));
}

/// Whether the offset, past the start of a structure, is that of a member and not of an array's
/// element: then an index leads from there to other members.
bool isSingleMember(const Object &object, std::int64_t offset) {
  if (!object.variable || offset <= 0)
    return false;
  const clang::ASTContext &ast = object.variable->getASTContext();
  clang::QualType type = object.variable->getType();
  for (bool inArray = true;;) {
    if (const auto *array = ast.getAsArrayType(type)) {
      type = array->getElementType();
      inArray = true;
      continue;
    }
    const auto *record = type->getAsRecordDecl();
    if (!record || !record->isCompleteDefinition() || (inArray && offset == 0))
      return !inArray;
    const auto &layout = ast.getASTRecordLayout(record);
    const clang::FieldDecl *around = nullptr;
    for (const auto *field : record->fields())
      if (static_cast<std::int64_t>(layout.getFieldOffset(field->getFieldIndex())) <= offset)
        around = field;
    if (!around)
      return false;
    offset -= static_cast<std::int64_t>(layout.getFieldOffset(around->getFieldIndex()));
    type = around->getType();
    inArray = false;
  }
}

} // namespace

PointsTo::PointsTo(Program &program, Fields fields, Deadline deadline)
    : program_(program), deadline_(deadline), offsets_(program.objects.size()),
      collapsed_(program.objects.size()), memoryOf_(program.objects.size()) {
  grow(program.temporaries);
  if (fields == Fields::AsOne)
    for (std::size_t i = 0; i < program.objects.size(); ++i)
      collapsed_[i] = hasParts(program.objects[i]);
  for (const CallId id : ids(program.calls))
    if (program.calls[id].pointer != kNone)
      pointerCalls_[program.calls[id].pointer].push_back(id);
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
  if (points_.size() >= size)
    return;
  points_.resize(size);
  done_.resize(size);
  edges_.resize(size);
  plainEdges_.resize(size);
  loads_.resize(size);
  stores_.resize(size);
  memory_.resize(size);
  isOpen_.resize(size);
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
  if (isNew) {
    place->second = static_cast<Location>(locations_.size());
    locations_.push_back({object, offset});
    grow(content(place->second));
    openMemory_.insert(memoryOf_[object].begin(), memoryOf_[object].end());
  }
  return place->second;
}

void PointsTo::collapse(ObjectId object) {
  if (collapsed_[object])
    return;
  const auto before = offsets_[object];
  collapsed_[object] = true;
  const Var whole = content(location(object, kAnyOffset));
  for (const auto &[offset, part] : before) {
    addEdge(content(part), {whole, 0, false});
    addEdge(whole, {content(part), 0, false});
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

void PointsTo::add(Var to, Location location) {
  if (points_[to].test_and_set(location) && !isOpen_[to]) {
    isOpen_[to] = true;
    open_.push_back(to);
  }
}

void PointsTo::addEdge(Var from, Edge edge) {
  if (from == edge.to && edge.offset == 0 && !edge.anyOffset)
    return;
  if (edge.offset == 0 && !edge.anyOffset && !plainEdges_[from].insert(edge.to).second)
    return;
  edges_[from].push_back(edge);
  std::vector<Location> now;
  for (const unsigned each : points_[from])
    now.push_back(static_cast<Location>(each));
  for (const Location each : now)
    add(edge.to, shifted(each, edge.offset, edge.anyOffset));
}

void PointsTo::addConstraint(const Constraint &constraint) {
  switch (constraint.kind) {
  case Constraint::Kind::Address:
    add(constraint.to, location(constraint.object, constraint.offset));
    break;
  case Constraint::Kind::Copy:
    addEdge(constraint.from, {constraint.to, constraint.offset, constraint.anyOffset});
    break;
  case Constraint::Kind::Load:
    loads_[constraint.from].push_back({constraint.to, constraint.offset});
    done_[constraint.from].clear();
    break;
  case Constraint::Kind::Store:
    stores_[constraint.to].push_back({constraint.from, constraint.offset});
    done_[constraint.to].clear();
    break;
  case Constraint::Kind::Memory: {
    const auto id = static_cast<int>(memoryConstraints_.size());
    memoryConstraints_.push_back(constraint);
    memory_[constraint.to].push_back(id);
    memory_[constraint.from].push_back(id);
    openMemory_.insert(id);
    break;
  }
  }
}

void PointsTo::process(Var var) {
  std::vector<Location> fresh;
  for (const unsigned each : points_[var])
    if (!done_[var].test(each))
      fresh.push_back(static_cast<Location>(each));
  if (fresh.empty())
    return;
  done_[var] = points_[var];
  // Copies, since more are added meanwhile; the new ones see all points.
  const auto edges = edges_[var];
  for (const Edge &edge : edges)
    for (const Location each : fresh)
      add(edge.to, shifted(each, edge.offset, edge.anyOffset));
  const auto loads = loads_[var], stores = stores_[var];
  for (const auto &[to, offset] : loads)
    for (const Location each : fresh)
      addEdge(content(shifted(each, offset, false)), {to, 0, false});
  for (const auto &[from, offset] : stores)
    for (const Location each : fresh)
      addEdge(from, {content(shifted(each, offset, false)), 0, false});
  openMemory_.insert(memory_[var].begin(), memory_[var].end());
  if (const auto calls = pointerCalls_.find(var); calls != pointerCalls_.end())
    for (const Location each : fresh)
      if (const FunctionId callee = program_.objects[locations_[each].object].function;
          callee != kNone)
        for (const CallId call : calls->second)
          if (auto &known = program_.calls[call].callees;
              std::find(known.begin(), known.end(), callee) == known.end()) {
            known.push_back(callee);
            bind(call, callee);
          }
}

/// Copies the memory at one pointer to the memory at the other, at the same offsets.
void PointsTo::copyMemory(const Constraint &constraint) {
  const auto all = [&](Var var) {
    std::vector<Location> result;
    for (const unsigned each : points_[var])
      result.push_back(static_cast<Location>(each));
    return result;
  };
  const auto id = static_cast<int>(&constraint - memoryConstraints_.data());
  for (const Location source : all(constraint.from)) {
    const auto [object, base] = locations_[source];
    auto &users = memoryOf_[object];
    if (std::find(users.begin(), users.end(), id) == users.end())
      users.push_back(id);
    const auto offsets = offsets_[object];
    for (const Location target : all(constraint.to))
      for (const auto &[offset, from] : offsets) {
        const bool isAny = offset == kAnyOffset || base == kAnyOffset;
        if (!isAny && (offset < base || offset - base >= constraint.size))
          continue;
        const Location to = shifted(target, isAny ? 0 : offset - base, false);
        addEdge(content(from), {content(to), 0, false});
      }
  }
}

void PointsTo::bind(CallId id, FunctionId callee) {
  const Call call = program_.calls[id];
  const Function &function = program_.functions[callee];
  const auto pass = [&](std::size_t i, ObjectId parameter) {
    if (call.values[i] == kNone)
      return;
    const Location to = location(parameter, 0);
    if (call.recordBits[i] == 0) {
      addEdge(call.values[i], {content(to), 0, false});
      return;
    }
    // A separate address for the parameter: locations are Vars too, beyond all temporaries.
    Object pointer;
    pointer.name = "address";
    program_.objects.push_back(pointer);
    offsets_.emplace_back();
    collapsed_.push_back(false);
    memoryOf_.emplace_back();
    const Var address = content(location(static_cast<ObjectId>(program_.objects.size()) - 1, 0));
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
    addEdge(content(result),
            {call.allocated == kNone ? call.result : call.allocatedInside, 0, false});
    return;
  }
  // Collapsed, so that the offsets of the function's result are those of the call's.
  collapse(function.result);
  collapse(call.resultObject);
  addEdge(content(location(function.result, 0)),
          {content(location(call.resultObject, 0)), 0, false});
}

void PointsTo::solve() {
  while (!open_.empty() || !openMemory_.empty()) {
    while (!open_.empty()) {
      if (deadline_.isOver()) {
        isComplete_ = false;
        return;
      }
      const Var each = open_.back();
      open_.pop_back();
      isOpen_[each] = false;
      process(each);
    }
    const auto memory = std::exchange(openMemory_, {});
    for (const int each : memory)
      if (!deadline_.isOver())
        copyMemory(memoryConstraints_[each]);
      else
        isComplete_ = false;
  }
}

PointsTo::Ranges PointsTo::ranges(const Place &place) const {
  const auto range = [&](ObjectId object, std::int64_t offset) {
    if (collapsed_[object] || offset == kAnyOffset)
      return Range{object, 0, kEnd};
    return Range{object, offset, std::min(offset + place.size, kEnd)};
  };
  if (place.object != kNone)
    return {range(place.object, place.offset)};
  Ranges result;
  if (place.pointer == kNone)
    return result;
  for (const unsigned each : points_[place.pointer]) {
    const auto &[object, offset] = locations_[each];
    const Object &target = program_.objects[object];
    if (target.kind == Object::Kind::Function || place.isStream != target.isStream)
      continue;
    const bool isAnywhere =
        offset == kAnyOffset || (place.inArray && isSingleMember(target, offset));
    result.push_back(range(object, isAnywhere ? kAnyOffset : offset + place.offset));
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

bool PointsTo::isExact(const Place &place) const {
  if (place.inArray)
    return false;
  if (place.object != kNone)
    return !program_.objects[place.object].isInManyFrames &&
           (!collapsed_[place.object] || place.size == kEnd);
  if (place.pointer == kNone || points_[place.pointer].count() != 1)
    return false;
  const auto &[id, offset] = locations_[points_[place.pointer].find_first()];
  const Object &object = program_.objects[id];
  return offset == 0 && !collapsed_[id] && !object.isInManyFrames &&
         object.kind == Object::Kind::Variable && object.variable &&
         !object.variable->getType()->isArrayType();
}

std::vector<bool> PointsTo::pointedTo() const {
  std::vector<bool> result(program_.objects.size());
  for (std::size_t var = static_cast<std::size_t>(program_.temporaries); var < points_.size();
       ++var)
    for (const unsigned location : points_[var])
      result[locations_[location].object] = true;
  return result;
}

std::vector<ObjectId> PointsTo::targets(Var var) const {
  std::vector<ObjectId> result;
  if (var != kNone)
    for (const unsigned each : points_[var])
      result.push_back(locations_[each].object);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

void PointsTo::findTargets() {
  targets_.resize(offsets_.size());
  for (const ObjectId id : ids(targets_)) {
    std::vector<unsigned> &all = targets_[id];
    for (const auto &[offset, location] : offsets_[id])
      for (const unsigned each : points_[program_.temporaries + location])
        all.push_back(static_cast<unsigned>(locations_[each].object));
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
  }
}

void PointsTo::addReachable(llvm::SparseBitVector<> &objects) const {
  llvm::BitVector reached(static_cast<unsigned>(targets_.size()));
  std::vector<unsigned> open;
  for (const unsigned each : objects) {
    reached.set(each);
    open.push_back(each);
  }
  while (!open.empty()) {
    const unsigned object = open.back();
    open.pop_back();
    for (const unsigned target : targets_[object])
      if (!reached.test(target)) {
        reached.set(target);
        open.push_back(target);
      }
  }
  for (const unsigned each : reached.set_bits())
    objects.set(each);
}

} // namespace forerun::slicer
