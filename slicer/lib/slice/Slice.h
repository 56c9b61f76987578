// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_SLICE_H
#define FORERUN_SLICER_SLICE_H

#include <map>
#include <set>
#include <string>
#include <vector>

namespace clang {
class CallExpr;
class Decl;
class FunctionDecl;
class Stmt;
class VarDecl;
} // namespace clang

/// \file
/// The slice: what the analysis hands to the emission. Plain sets of AST nodes of all units; the
/// analysis fills them, the emission only reads them.
///
/// A *statement* here is what is kept or left out whole:
///  - an expression statement, a `for`'s increment or initialising expression (the Expr itself);
///  - an if, while, do, for, switch (the statement stands for its condition);
///  - a return, break, continue, goto;
///  - the initialiser of a local variable (the VarDecl, in `initialisers`).
///
/// Invariants:
///  - Every statement that encloses a kept one is kept; so are the function's declarations that
///    kept text names (`locals`).
///  - A kept call of a function with a body is a call of its clone.
///  - `plans` has an entry for each call in kept text, and for each call that has a site. A call
///    in kept text has Action::Gone only if its value is not used.

namespace forerun::slicer {

/// What the main thread hands over at a call: `argument` of the call (or its value, kResult).
struct Forwarded {
  static constexpr int kResult = -1;
  enum class Size {
    Pointee,      ///< sizeof *argument (the type of the pointer tells)
    Array,        ///< sizeof argument: the argument is an array with a known size
    Counted,      ///< as many elements as argument `count` says
    Returned,     ///< as many elements as the result of the call says; none if it is negative
    Typed,        ///< arguments `count` and `datatype` of the call tell
    Spread,       ///< arguments `count`, `displacements` (arrays, by process) and `datatype` tell
    Text,         ///< a null-terminated string
    Datatype,     ///< an MPI_Datatype: the main thread hands over a duplicate that stays alive
    Communicator, ///< an MPI_Comm: the main thread tells the runtime about it as well
    Variable,     ///< a global that the call has changed
    Nothing,      ///< only that the call has been made
  };
  int argument = kResult;
  Size size = Size::Pointee;
  // Indices of arguments, as far as they say something.
  int count = -1, datatype = -1, displacements = -1;
  int communicator = -1; ///< the count is that for each of its processes
  int root = -1;         ///< only this process of `rootIn` has something to hand over
  int rootIn = -1;
  /// Of a function that nothing is known of: it may have freed what the argument points to.
  bool isUnsure = false;
  int request = -1; ///< not at the call, but when the request in this argument has completed
  const clang::VarDecl *variable = nullptr; ///< Size::Variable
};

/// What a call in the program is in the pre-execution thread.
struct CallPlan {
  enum class Action {
    Direct,  ///< the same call: it has no effect but on memory that is private anyway
    Clone,   ///< a call of clones: names of functions become those of their clones
    StandIn, ///< `name` is called in its place, with the same arguments
    Twin,    ///< the function of the library's twin is
    Io,      ///< a call of MPI-IO (see `io`), or one of `choices`
    Receive, ///< not called: the pre-execution thread receives what the main thread forwards
    Exit,    ///< ends the pre-execution thread (exit, abort, MPI_Abort)
    Gone,    ///< nothing
  };
  /// The forms of MPI-IO calls; what the pre-execution thread calls instead is in brackets.
  enum class Io {
    Open,        ///< [forerun_pre_open_file(site, fh)]
    ReadAt,      ///< [forerun_pre_read_at(site, fh, offset, count, type)]
    Read,        ///< [forerun_pre_read(site, fh, count, type)]
    ReadOrdered, ///< as much on each process [forerun_pre_read_ordered(site, fh, count, type)]
    FetchAt,     ///< the bytes are needed [forerun_pre_fetch_at(site, fh, offset, buf, count, type,
                 ///< status)]
    Fetch, ///< the same at the file pointer [forerun_pre_fetch(site, fh, buf, count, type, status)]
    WriteAt, ///< [forerun_pre_write_at(site, fh, offset, count, type)]
    Write,   ///< [forerun_pre_write(site, fh, count, type)]
    Seek,    ///< [forerun_pre_seek(site, fh, offset, whence)]
    View,    ///< [forerun_pre_set_view(site, fh, disp, etype, filetype, datarep)]
    Sync,    ///< close, sync, set_size, preallocate, set_atomicity [forerun_pre_sync_file(site)]
  };
  /// Whether the bytes of a read are needed: for Io::FetchAt and Io::Fetch, and what a clone of
  /// Slice::asked is told.
  enum class Bytes {
    Needed,
    NotNeeded,
    AsAsked, ///< if the caller of this function needs them
  };
  Action action = Action::Gone;
  Io io = Io::Sync;
  Bytes bytes = Bytes::Needed;
  bool countOnly = false; ///< Io::FetchAt, Io::Fetch: of the bytes only the number
  /// Io and Receive: number of the call site. StandIn: -1, or the site of a call that the
  /// pre-execution thread makes only after the main thread has (fopen: the text may be new). Twin:
  /// -1, or that of a call that reads, or opens.
  int site = -1;
  bool opensByTwin = false;  ///< Twin: made only after the main thread has
  bool writesByTwin = false; ///< Twin: what it would write is dirty until the main thread has
  std::string name;          ///< StandIn, Twin: the function. Io: through a pointer, that of MPI
  /// Io, through a pointer: what the call is if this points to the function `name`. All have the
  /// site of this plan, and what it keeps. If it is none of them, a clone is called if
  /// `choosesClone`, or the pre-execution thread ends.
  std::vector<CallPlan> choices;
  bool choosesClone = false;
  std::vector<Forwarded> forwarded; ///< Receive: in this order
  /// Receive: or, where the runtime says so, the call is made: it tells the time (forerun_pre_asks_time).
  bool isClock = false;
  /// Receive: the argument with the requests that the call completes, and the one that says how
  /// many they are (-1: one). Their data is received here.
  int completes = -1, requests = -1;
  /// Receive: the function of the runtime that first tries to get it from the other processes'
  /// pre-execution threads. Empty: there is none.
  std::string exchange;
  int exchanged = 0; ///< the number of the call's arguments that it takes
  /// Direct, Twin: where the function writes to, for the fence. `count` is the argument that says how many
  /// elements (of void: bytes) these are; -1: one.
  struct Written {
    int argument, count;
  };
  std::vector<Written> written;
  /// Indices of the call's arguments that the pre-execution thread evaluates: `kept[i]`. What is
  /// not kept is given as 0 (Clone, StandIn, Twin) or left out (Io, by its form). Empty: all.
  std::vector<bool> kept;
  bool keeps(unsigned index) const { return kept.empty() || (index < kept.size() && kept[index]); }
};

/// What the call is if it is one of the function `name`.
inline CallPlan chosen(const CallPlan &plan, const std::string &name) {
  for (const CallPlan &each : plan.choices)
    if (each.name == name)
      return each;
  return plan;
}

/// A variable that the main thread hands over after a statement, since a pragma says so.
struct HandedOver {
  const clang::VarDecl *variable = nullptr;
  int site = -1;
  const clang::FunctionDecl *function = nullptr; ///< in which the statement stands
};

/// A condition that the main thread evaluates in place of the pre-execution thread.
struct HandedCondition {
  int site = -1;
  const clang::FunctionDecl *function = nullptr; ///< in which it stands
};

struct Slice {
  std::set<const clang::Stmt *> statements;
  std::set<const clang::VarDecl *> initialisers;
  /// Statements of `statements` (or initialisers, not in `initialisers`) of which only these calls
  /// run, in this order, each as a statement of its own: nothing needs what the statement does with
  /// their results. If it is an if, while or switch, nothing inside it is kept.
  std::map<const clang::Stmt *, std::vector<const clang::CallExpr *>> extracts;
  std::map<const clang::VarDecl *, std::vector<const clang::CallExpr *>> extractedInits;
  /// Statements in whose place pre-execution ends.
  std::set<const clang::Stmt *> ends;
  /// Returns of which the value is not needed (a subset of `statements`).
  std::set<const clang::Stmt *> bareReturns;
  /// Local variables that kept text names: declared in the clone, with the initialiser only if it
  /// is in `initialisers`.
  std::set<const clang::VarDecl *> locals;
  /// Functions that have a clone: definitions (in each unit that defines them).
  std::set<const clang::FunctionDecl *> clones;
  /// Clones that read what only some of their callers need: their first argument says whether the
  /// caller does. They are called by name only. A subset of `clones`.
  std::set<const clang::FunctionDecl *> asked;
  /// Globals and statics (canonical declarations) of which the slice has a private copy.
  std::set<const clang::VarDecl *> privates;
  std::map<const clang::CallExpr *, CallPlan> plans;
  std::map<const clang::Stmt *, std::vector<HandedOver>> handedOver; ///< children of blocks
  /// By statement: its condition is handed over each time.
  std::map<const clang::Stmt *, HandedCondition> conditions;
  /// Functions of libraries that pointers point to: what they point to in the pre-execution thread.
  std::map<std::string, std::string> standIns;
  /// Variables of libraries that stand-ins have twins of: optarg is forerun_pre_optarg.
  std::set<std::string> libraryVariables;
  /// Functions and variables of libraries that have a twin, by name: the library.
  std::map<std::string, std::string> twins;
  /// The definition of main, and the calls of MPI_Init and MPI_Init_thread: after the first that is
  /// executed the pre-execution thread starts.
  const clang::FunctionDecl *main = nullptr;
  std::set<const clang::CallExpr *> inits;
  /// Or, if a pragma says so: before this statement, a child of a block of this function.
  const clang::Stmt *launch = nullptr;
  const clang::FunctionDecl *launchIn = nullptr;
  bool exchanges = false;      ///< some calls have `CallPlan::exchange`
  bool takesDatatypes = false; ///< the main thread hands over some: what they are MPI is asked
  int sites = 0;               ///< sites are 0..sites-1
};

} // namespace forerun::slicer

#endif
