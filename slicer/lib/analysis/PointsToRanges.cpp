// SPDX-License-Identifier: Apache-2.0
// The part of PointsTo that tells what it has found.
#include "analysis/PointsTo.h"

#include "models/Ids.h"

#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/RecordLayout.h>
#include <llvm/ADT/BitVector.h>

namespace forerun::slicer {

namespace {

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

const PointsTo::Ranges &PointsTo::ranges(const Place &place) const {
  const Var node = place.pointer == kNone ? kNone : find(place.pointer);
  const unsigned flags = (place.inArray ? 1U : 0U) + (place.isStream ? 2U : 0U);
  const auto [known, isNew] =
      rangesOf_.try_emplace({{place.object, node, flags}, {place.offset, place.size}}, 0U);
  if (isNew) {
    known->second = static_cast<unsigned>(allRanges_.size());
    allRanges_.push_back(findRanges(place));
  }
  return allRanges_[known->second];
}

PointsTo::Ranges PointsTo::findRanges(const Place &place) const {
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
  for (const unsigned each : pointsOf(place.pointer)) {
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

llvm::ArrayRef<Range> PointsTo::rangesIn(ObjectId object, const Place &place) const {
  const Ranges &all = ranges(place);
  const auto first = std::partition_point(all.begin(), all.end(),
                                          [&](const Range &each) { return each.object < object; });
  const auto last = std::partition_point(first, all.end(),
                                         [&](const Range &each) { return each.object == object; });
  return {first, last};
}

bool PointsTo::isExact(const Place &place) const {
  if (place.inArray)
    return false;
  if (place.object != kNone)
    return !program_.objects[place.object].isInManyFrames &&
           (!collapsed_[place.object] || place.size == kEnd);
  if (place.pointer == kNone || pointsOf(place.pointer).count() != 1)
    return false;
  const auto &[id, offset] = locations_[pointsOf(place.pointer).find_first()];
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
    for (const unsigned each : pointsOf(var))
      result.push_back(locations_[each].object);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

void PointsTo::findTargets() {
  std::vector<int> known(points_.size(), kNone); // by node
  nodesOf_.resize(offsets_.size());
  for (const ObjectId id : ids(nodesOf_)) {
    std::vector<unsigned> &all = nodesOf_[id];
    for (const auto &[offset, location] : offsets_[id]) {
      const Var node = find(content(location));
      if (known[node] == kNone) {
        known[node] = static_cast<int>(targets_.size());
        targets_.push_back(targets(node));
      }
      all.push_back(static_cast<unsigned>(known[node]));
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
  }
}

void PointsTo::addReachable(llvm::SparseBitVector<> &objects) const {
  llvm::BitVector reached(static_cast<unsigned>(nodesOf_.size()));
  llvm::BitVector met(static_cast<unsigned>(targets_.size()));
  std::vector<unsigned> open;
  for (const unsigned each : objects) {
    reached.set(each);
    open.push_back(each);
  }
  while (!open.empty()) {
    const unsigned object = open.back();
    open.pop_back();
    for (const unsigned node : nodesOf_[object]) {
      if (met.test(node))
        continue;
      met.set(node);
      for (const ObjectId each : targets_[node])
        if (const auto target = static_cast<unsigned>(each); !reached.test(target)) {
          reached.set(target);
          open.push_back(target);
        }
    }
  }
  for (const unsigned each : reached.set_bits())
    objects.set(each);
}

} // namespace forerun::slicer
