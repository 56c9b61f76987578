// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slice/needs/Closure.h"
#include "slice/plan/Slice.h"

namespace forerun::slicer {

/// Something that the user should know about a place in the source.
struct Note {
  const clang::Stmt *where = nullptr;
  FunctionId function = kNone; ///< the function that contains it
  std::string text;
};

/// A step of the plan: it fills its part of the slice, and notes what is not announced, and why.
class Planner {
public:
  Planner(const Closure &closure, Slice &slice, std::vector<Note> &notes)
      : program_(closure.input().program), pointsTo_(closure.input().pointsTo), closure_(closure),
        slice_(slice), notes_(notes) {}

protected:
  void note(const clang::Stmt *where, FunctionId function, std::string text) const {
    notes_.push_back({where, function, std::move(text)});
  }
  void noteEnd(const clang::Stmt *where, FunctionId function, const std::string &why) const {
    note(where, function, "pre-execution ends here: " + why);
  }
  /// Pre-execution ends in place of the statement.
  void endAt(const clang::Stmt *where, FunctionId function, const std::string &why) const {
    if (slice_.ends.insert(where).second)
      noteEnd(where, function, why);
  }
  const std::vector<CallId> &callsOf(NodeId node) const { return closure_.input().callsOf[node]; }

  const Program &program_;
  const PointsTo &pointsTo_;
  const Closure &closure_;
  Slice &slice_;
  std::vector<Note> &notes_;
};

// The steps, in this order.

/// Notes the calls through pointers that may be reads and are not announced.
void noteUndecided(const Planner &shared);

/// Adds the globals and statics of which the pre-execution thread needs its own copy: those that anything
/// changes, and those that lead to something that has a clone or a copy. The others are shared and
/// only read.
void planPrivates(const Planner &shared);

/// Adds the statements of the slice, the variables that it declares, and what is handed over after
/// statements.
void planStatements(const Planner &shared);

/// Adds to the slice's locals what the types name that its clones contain, as in `char pad[sizeof n]`,
/// `typedef __typeof__(row) Row` or `__typeof__(f(row)) result`: variables that are declared only, of
/// which nothing is needed. The types that a function defines are all in its clone.
void declareWhatTypesName(Slice &slice);

/// Decides what each call of the slice becomes, and where pre-execution can start.
void planCalls(const Planner &shared);

/// Takes out of the slice what no text can be written for. An expression is left out, and a variable
/// is declared without its initial value: where that is missed, pre-execution ends (Unset.h). It also
/// ends in the place of a condition or a jump, and of an expression that cannot even be left out, since
/// its calls have to run.
void leaveOutUnwritten(const Planner &shared);

/// Decides where pre-execution ends because it could only go wrong or run for nothing: at the reads
/// of a variable that nothing kept gives a value (Unset), at a write through a pointer whose target
/// is unknown, and at a loop that no kept statement leaves and in which nothing is announced or
/// awaited.
void planEnds(const Planner &shared);

} // namespace forerun::slicer
