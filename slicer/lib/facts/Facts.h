// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/Models.h"

#include <cstdint>
#include <map>
#include <ranges>
#include <set>
#include <string>
#include <vector>

namespace clang {
class CallExpr;
class Expr;
class FunctionDecl;
class Stmt;
class VarDecl;
} // namespace clang

/// \file
/// What every analysis after the lowering sees of the program: small typed facts, no AST.
///
///     units --Lowering--> Program (objects, functions with nodes, groups, accesses, calls)
///                         + constraints --PointsTo--> what each pointer may point to
///     Program + PointsTo --Effects--> what each function may modify
///     Program + all of these --Closure--> needed groups and calls --Plan--> Slice --> emission
///
/// All ids are indices into the Program's vectors.

namespace forerun::slicer {

using ObjectId = int;
using NodeId = int;
using GroupId = int;
using CallId = int;
using FunctionId = int;
using Var = int; ///< something that can hold pointers: a location's content, or a temporary

constexpr int kNone = -1;
constexpr std::int64_t kEnd = INT64_MAX / 4; ///< a range up to its object's end

/// A piece of memory that the analysis distinguishes from others.
struct Object {
  enum class Kind { Variable, Heap, Text, Function, State, File };
  Kind kind = Kind::Variable;
  std::string name;
  const clang::VarDecl *variable = nullptr; ///< canonical declaration
  FunctionId owner = kNone;                 ///< automatic variables, parameters: their function
  FunctionId function = kNone;              ///< Kind::Function
  int parameter = kNone; ///< index, if it is a parameter of `owner` (variadic: the next index)
  bool isStatic = false; ///< lives as long as the program (global, static local)
  bool isInManyFrames =
      false;               ///< automatic, but pointers may lead to that of another call (Frames.h)
  bool isExternal = false; ///< declared, not defined in the program
  bool isStream = false;   ///< a FILE, which only the library accesses

  /// Whether nobody but the call of the function that has it can tell that it exists.
  [[nodiscard]] bool endsWith(FunctionId call) const {
    return owner == call && !isStatic && !isInManyFrames;
  }
};

/// Bits [low, high) of something; by default, all of it.
struct Bits {
  std::int64_t low = 0, high = kEnd;
  auto operator<=>(const Bits &) const = default;
};

/// Bits [low, high) of an object (bit-fields are distinguished). Elements of an array coincide: all
/// have the offset of the first.
struct Range {
  ObjectId object = kNone;
  std::int64_t low = 0, high = kEnd;
  auto operator<=>(const Range &) const = default;
  [[nodiscard]] bool overlaps(const Range &other) const {
    return object == other.object && low < other.high && other.low < high;
  }
  [[nodiscard]] bool covers(const Range &other) const {
    return object == other.object && low <= other.low && other.high <= high;
  }
};

/// Memory as the source names it: bits of a known object, or of what a pointer points to.
struct Place {
  ObjectId object = kNone; ///< direct access
  Var pointer = kNone;     ///< access through a pointer
  std::int64_t offset = 0, size = kEnd;
  bool inArray = false;  ///< one element of several: a write there replaces nothing
  bool isStream = false; ///< a FILE: it is no other object, whatever the pointer may point to
};

/// A read or a write of memory.
struct Access {
  Place place;
  GroupId group = kNone;
  CallId call = kNone; ///< a library function's access, through argument `argument`
  int argument = kNone;
  bool fillsArray = false; ///< a read into an array that is named as a whole
};

/// The smallest part of a statement that is kept or not: the statement itself, one argument of a
/// call in it, what gives the function that is called, a guard, or the value of a return.
struct Group {
  NodeId node = kNone;
  CallId call = kNone; ///< an argument of this call, or what gives its function; else kNone
  int argument = kNone;
  bool isReturnValue = false;
  std::vector<Access> uses;
  /// Structures that it copies, and calls that return them: only those of their bits are needed
  /// that are needed of the copy.
  std::vector<Place> copied;
  std::vector<CallId> copiedResults;
  std::vector<GroupId> guards;               ///< conditions in it that are groups of their own
  std::vector<CallId> calls;                 ///< whose result or effect belongs to this group
  std::vector<const clang::VarDecl *> names; ///< variables, canonical declarations
  std::vector<const clang::Stmt *> blocks;   ///< ({ ... }): all of each belongs to the group
};

/// Used in place of the index of an argument.
inline constexpr int kCopied = -2;

/// What decides within an expression (&&, ||, ?:) whether a call is made. Evaluating it changes
/// nothing.
struct Guard {
  const clang::Expr *condition = nullptr;
  bool holds = true; ///< the call is made if it does, else if it does not
  GroupId group = kNone;
};

struct Call {
  const clang::CallExpr *expr = nullptr;
  GroupId group = kNone; ///< in which it is evaluated
  FunctionId caller = kNone;
  std::string name;            ///< of the function, if it is called by name
  Var pointer = kNone;         ///< called through a pointer
  GroupId calleeGroup = kNone; ///< what gives the function, unless that is only its name
  bool mayBeLibrary = false;   ///< ... which may be a function of a library
  bool mayBeMainOnly = false;  ///< ... that the pre-execution thread cannot call
  /// If the pointer that is called may point to functions of MPI-IO, or of a library with a twin:
  /// one call for each of these, with the same expression, arguments and group. `choiceOf`, in each of them: the call itself.
  std::vector<CallId> choices;
  CallId choiceOf = kNone;
  std::vector<FunctionId> callees; ///< with a body; filled by PointsTo for calls through pointers
  const FunctionModel *model = nullptr; ///< no body but a model
  std::vector<GroupId> arguments;
  std::vector<Var> values; ///< by argument: its pointers, or the address of a structure
  std::vector<std::int64_t> recordBits; ///< by argument: size of a structure, else 0
  Var result = kNone;                   ///< pointers in the result
  ObjectId resultObject = kNone;        ///< a result that is a structure
  /// For a call of one of the program's own allocators (Allocators.h): the memory that it returns,
  /// and pointers to what this memory is inside the allocator.
  ObjectId allocated = kNone;
  Var allocatedInside = kNone;
  std::vector<Access> uses; ///< what a library function reads through its arguments
  /// What it copies into memory that it allocates (realloc): needed only where the contents of that
  /// memory are. They are written through the argument kCopied.
  std::vector<Place> copied;
  /// If the function is left out of the analysis: globals that it may change. They count as
  /// arguments that it writes, numbered after the real ones.
  std::vector<const clang::VarDecl *> changes;
  Var file = kNone;        ///< MPI-IO: the handle
  ObjectId opened = kNone; ///< MPI_File_open: the file
  bool resultUsed = false;
  bool isConditional = false; ///< not made each time its statement is executed (&&, ||, ?:)
  bool isBound = false;       ///< runs only as a part of its whole statement
  std::vector<Guard> guards;  ///< from the outermost; all of them decide
  bool isIgnored = false;     ///< a pragma says not to announce it
  bool isCallback = false;    ///< represents calls that a library function makes (qsort's compare)

  [[nodiscard]] bool is(FunctionModel::Kind kind) const { return model && model->kind == kind; }
  /// Whether the main thread hands over its results where they are needed.
  [[nodiscard]] bool isForwarded() const {
    return !model || is(FunctionModel::Kind::Forward) || is(FunctionModel::Kind::Visible);
  }
  /// Whether it is made only after the main thread has made it: the text, or the library's file, that
  /// it opens may be new.
  [[nodiscard]] bool awaitsOpen() const {
    return (is(FunctionModel::Kind::StandIn) && model->standIn == "forerun_pre_fopen") ||
           (is(FunctionModel::Kind::Twin) && model->awaits);
  }
  /// Whether it may move libc's streams of random numbers.
  [[nodiscard]] bool movesGenerators() const { return model && !model->disturbed.empty(); }
  /// Whether it is a call of a library's twin that has a site: it opens, reads or writes.
  [[nodiscard]] bool isTwinSite() const {
    return is(FunctionModel::Kind::Twin) && (model->awaits || model->announces || model->dirties);
  }
};

/// A statement, an operand of its condition, the initialiser of one variable, or (after `stmt`) the value that a variable gets
/// from the main thread because a pragma, or Handovers, says so.
struct Node {
  enum class Kind { Entry, Exit, Expression, Initialiser, Predicate, Return, Jump, HandedOver };
  Kind kind = Kind::Expression;
  FunctionId function = kNone;
  const clang::Stmt *stmt = nullptr;
  const clang::VarDecl *variable = nullptr; ///< Kind::Initialiser, Kind::HandedOver
  NodeId enclosing = kNone;                 ///< the predicate of the innermost statement around it
  GroupId group = kNone;                    ///< of the statement itself
  std::vector<Access> defs;                 ///< all, of all its groups
  std::vector<NodeId> successors, predecessors;
  NodeId fallThrough = kNone; ///< Jump, Return: the successor if it were left out
  bool leavesLoop = false;    ///< ends a loop early, or the program: may be cut
  NodeId loop = kNone;        ///< ... the condition of the innermost loop around it
  bool isEndless = false;     ///< a loop's condition that is always true
  bool isOrdered = false;     ///< its reads may see its own writes (comma, &&, several calls)
  bool isConditional = false; ///< not all of it need be evaluated (&&, ||, ?:)
  /// An operand of the && or || of the condition `enclosing` (Operands.h): `stmt` is the expression.
  bool isOperand = false;
  bool valueLeftOut = false; ///< ... and it has this value where it is left out
};

struct Function {
  std::string name;
  const clang::FunctionDecl *definition = nullptr;
  NodeId entry = kNone, exit = kNone;
  std::vector<NodeId> nodes;
  std::vector<ObjectId> parameters;
  ObjectId result = kNone;     ///< object of returned values
  ObjectId variadic = kNone;   ///< object of the arguments after the named ones
  std::vector<CallId> callers; ///< filled by PointsTo
  std::set<ObjectId> meets;    ///< objects that it names or allocates
  bool neverReturns = false;
  /// Of a function that is lowered once for each call (Copies.h): the first of them, and in that one
  /// the others. What the n-th node, group or call is in one, it is in all.
  FunctionId copyOf = kNone;
  std::vector<FunctionId> copies;
  [[nodiscard]] bool isCopied() const { return copyOf != kNone || !copies.empty(); }
  NodeId firstNode = 0;
  GroupId firstGroup = 0, endGroup = 0;
  CallId firstCall = 0, endCall = 0;
  [[nodiscard]] auto groups() const { return std::views::iota(firstGroup, endGroup); }
  [[nodiscard]] auto calls() const { return std::views::iota(firstCall, endCall); }
};

/// Inclusion constraints for PointsTo: `to` includes the right side.
struct Constraint {
  enum class Kind {
    Address, ///< to >= { (object, offset) }
    Copy,    ///< to >= from, shifted by offset
    Load,    ///< to >= *(from + offset)
    Store,   ///< *(to + offset) >= from
    Memory,  ///< content of *to >= content of *from, `size` bytes
  };
  Kind kind = Kind::Copy;
  Var to = kNone, from = kNone;
  ObjectId object = kNone;
  std::int64_t offset = 0, size = kEnd;
  bool anyOffset = false; ///< Copy: the offset is unknown
};

/// A statement of a kind that the lowering does not know: only its parts are lowered.
struct UnknownStatement {
  const clang::Stmt *stmt = nullptr;
  FunctionId function = kNone;
};

struct Program {
  std::vector<Object> objects;
  std::vector<Function> functions;
  std::vector<Node> nodes;
  std::vector<Group> groups;
  std::vector<Call> calls;
  std::vector<Constraint> constraints;
  int temporaries = 0; ///< Vars 0..temporaries-1
  FunctionId main = kNone;
  /// Library functions that pointers point to: by name, what pre-execution calls instead.
  std::map<std::string, std::string> standIns;
  /// Functions and variables of libraries with twins: by name, the library.
  std::map<std::string, std::string> twins;
  /// Of functions that pointers point to, the ones that only the main thread can call.
  std::set<std::string> mainOnly;
  std::map<const clang::VarDecl *, GroupId> sizes; ///< variable-length arrays: their sizes
  std::map<ObjectId, std::vector<ObjectId>> initialisedWith; ///< globals: objects that the
                                                             ///< initialiser names
  std::vector<UnknownStatement> unknownStatements;
  std::set<const clang::FunctionDecl *> allocators; ///< of the program's own (Allocators.h)

  /// Whether it is a function of a library that has a stand-in.
  [[nodiscard]] bool hasStandIn(const Object &object) const {
    return object.kind == Object::Kind::Function && object.function == kNone &&
           standIns.contains(object.name);
  }
  /// The statement that makes the call.
  [[nodiscard]] NodeId nodeOf(CallId call) const { return groups[calls[call].group].node; }
};

} // namespace forerun::slicer
