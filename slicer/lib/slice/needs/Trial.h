// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/FunctionExtras.h>
#include <vector>

namespace forerun::slicer {

/// Tentative additions to the slice, made to see what they cost, and taken back if it is too much.
///
/// Invariants:
///  - While a trial is open, everything that changes the slice does so through it, and each change
///    adds something that was not there. So takeBack() restores the slice as it was at begin().
///  - While no trial is open, changes are final.
///  - The sets, flags, vectors and counters that it is given stay in place until it is closed.
class Trial {
public:
  void begin() { isOpen_ = true; }
  /// Closes the trial; its changes become final.
  void keep();
  /// Closes the trial and undoes its changes.
  void takeBack();
  /// A trial of what \p add changes. \p isWorth says afterwards whether that stays.
  template <class Add, class IsWorth> bool attempt(const Add &add, const IsWorth &isWorth) {
    begin();
    add();
    const bool stays = isWorth();
    stays ? keep() : takeBack();
    return stays;
  }

  /// True if the value is new.
  template <class Set, class Value> bool insert(Set &set, const Value &value) {
    const bool isNew = set.insert(value).second;
    if (isNew && isOpen_)
      undo_.emplace_back([&set, value] { set.erase(value); });
    return isNew;
  }
  /// True if the flag was not set.
  bool set(llvm::BitVector &flags, int index);
  /// Sets all of these flags, none of which may be set yet.
  void setAll(llvm::BitVector &flags, const llvm::BitVector &more);
  template <class Element> void append(std::vector<Element> &list, Element element) {
    list.push_back(element);
    if (isOpen_)
      undo_.emplace_back([&list] { list.pop_back(); });
  }
  void increment(std::size_t &counter);

private:
  struct Flag { // by far the most frequent changes
    llvm::BitVector *flags;
    unsigned index;
  };

  bool isOpen_ = false;
  std::vector<Flag> flags_;
  std::vector<llvm::unique_function<void()>> undo_;
};

} // namespace forerun::slicer
