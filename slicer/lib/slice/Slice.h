// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_SLICE_H
#define FORERUN_SLICER_SLICE_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace clang {
class CallExpr;
class Expr;
class Decl;
class FunctionDecl;
class Stmt;
class VarDecl;
} // namespace clang

/// \file
/// The slice, as the analysis passes it to the emission: plain sets of AST nodes of all units. The
/// analysis fills them; the emission only reads them.
///
/// A *statement* here is a unit that is kept or left out as a whole:
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

/// What the main thread hands over at a call: an `argument` of the call, or its result (kResult).
struct Forwarded {
  static constexpr int kResult = -1;
  enum class Size {
    Pointee,      ///< sizeof *argument, from the type of the pointer
    Array,        ///< sizeof argument: the argument is an array with a known size
    Counted,      ///< argument `count` gives the number of elements
    Returned,     ///< the result of the call gives the number of elements; none if it is negative
    Typed,        ///< given by arguments `count` and `datatype` of the call
    Spread,       ///< from arguments `count`, `displacements` (arrays, by process) and `datatype`
    Text,         ///< a null-terminated string
    Datatype,     ///< an MPI_Datatype: the main thread hands over a duplicate that stays alive
    Communicator, ///< an MPI_Comm: the main thread tells the runtime about it as well
    Variable,     ///< a global that the call has changed
    Generators,   ///< where libc's streams of random numbers are: the call may have moved them
    Nothing,      ///< no data, only the fact that the call was made
  };
  int argument = kResult;
  Size size = Size::Pointee;
  // Indices of arguments; -1: not applicable.
  int count = -1, datatype = -1, displacements = -1;
  int communicator = -1; ///< `count` is the number for each process of this communicator
  int root = -1;         ///< only this process of `rootIn` has something to hand over
  int rootIn = -1;
  /// The function is unknown: it may have freed what the argument points to.
  bool isUnsure = false;
  int request = -1; ///< handed over when the request in this argument completes, not at the call
  const clang::VarDecl *variable = nullptr; ///< Size::Variable
  /// Counted, Returned: of the elements that the function declares (of void: 1), whatever the argument
  /// points to. 0: it declares none, so these are what the argument points to.
  std::int64_t elementBytes = 0;
};

/// What a call of the program becomes in the pre-execution thread.
struct CallPlan {
  enum class Action {
    Direct,  ///< the same call: it affects only memory that is private anyway
    Clone,   ///< a call of clones: function names become the names of their clones
    StandIn, ///< `name` is called instead, with the same arguments
    Twin,    ///< the function of the library's twin is called instead
    Io,      ///< a call of MPI-IO (see `io`), or one of `choices`
    Receive, ///< not called: the pre-execution thread receives what the main thread forwards
    Skip,    ///< not called: nothing needs what the main thread forwards (in lean clones)
    Exit,    ///< ends the pre-execution thread (exit, abort, MPI_Abort)
    Gone,    ///< the call is left out
  };
  /// The forms of MPI-IO calls, with what the pre-execution thread calls instead in brackets.
  enum class Io {
    Open,        ///< [forerun_pre_open_file(site, fh)]
    ReadAt,      ///< [forerun_pre_read_at(site, fh, offset, count, type)]
    Read,        ///< [forerun_pre_read(site, fh, count, type)]
    ReadOrdered, ///< same size on each process [forerun_pre_read_ordered(site, fh, count, type)]
    FetchAt,     ///< the bytes are needed [forerun_pre_fetch_at(site, fh, offset, buf, count, type,
                 ///< status)]
    Fetch, ///< the same at the file pointer [forerun_pre_fetch(site, fh, buf, count, type, status)]
    FetchOrdered, ///< ReadOrdered whose bytes are needed [forerun_pre_fetch_ordered(as Fetch)]
    WriteAt,      ///< [forerun_pre_write_at(site, fh, offset, count, type)]
    Write,        ///< [forerun_pre_write(site, fh, count, type)]
    Seek,         ///< [forerun_pre_seek(site, fh, offset, whence), or forerun_pre_seek_end]
    View,         ///< [forerun_pre_set_view(site, fh, disp, etype, filetype, datarep)]
    Close,        ///< whose handle is looked at after it [forerun_pre_close_file(site, fh)]
    Sync, ///< close, sync, set_size, preallocate, set_atomicity [forerun_pre_sync_file(site)]
  };
  Action action = Action::Gone;
  Io io = Io::Sync;
  bool callsLean = false; ///< Clone: a call of the lean clone (Slice::lean)
  bool countOnly = false; ///< Io::FetchAt, Io::Fetch: only the number of bytes is needed
  /// Io::Seek: it may be relative to the end, so the main thread hands over where it led.
  bool isFromEnd = false;
  /// Io, Receive: number of the call site. StandIn: the site if the pre-execution thread makes the
  /// call only after the main thread has (fopen: the text may be new), else -1. Twin: the site if
  /// the call opens, reads or writes, else -1.
  int site = -1;
  bool opensByTwin = false;  ///< Twin: made only after the main thread has made it
  bool writesByTwin = false; ///< Twin: its range is dirty until the main thread has written it
  std::string name;          ///< StandIn, Twin: the function. Io through a pointer: MPI's function
  /// Io through a pointer: a plan for each function `name` that the pointer may point to. All have
  /// the site and the kept arguments of this plan. If the pointer points to no such function, a
  /// clone is called (if `choosesClone`), or the pre-execution thread ends.
  std::vector<CallPlan> choices;
  bool choosesClone = false;
  /// Receive, Skip: in this order. Io: after the call, if it opens a file.
  std::vector<Forwarded> forwarded;
  /// Receive: the call tells the time; the runtime says where it is made (forerun_pre_asks_time).
  bool isClock = false;
  /// Exit: the program goes on, but the pre-execution thread cannot.
  bool isUnable = false;
  /// Receive: the argument with the requests that the call completes, and the one with their number
  /// (-1: one request). The data of these requests is received here.
  int completes = -1, requests = -1;
  /// Receive: the runtime function that first tries to get the data from the other processes'
  /// pre-execution threads. Empty if there is none.
  std::string exchange;
  int exchanged = 0;    ///< how many of the call's arguments `exchange` takes
  bool isLocal = false; ///< ... which asks no other process, but what is known of a communicator
  /// Direct, Twin: what the function writes, for the fence. `count` is the argument with the number
  /// of elements (of void: bytes); -1: one element.
  struct Written {
    int argument, count;
  };
  std::vector<Written> written;
  /// `kept[i]`: whether the pre-execution thread evaluates argument i of the call. An argument that
  /// is not kept is passed as 0 (Clone, StandIn, Twin) or left out (Io, by form). Empty: all kept.
  std::vector<bool> kept;
  bool keeps(unsigned index) const { return kept.empty() || (index < kept.size() && kept[index]); }
  bool isFetch() const { return io == Io::FetchAt || io == Io::Fetch || io == Io::FetchOrdered; }
};

/// The plan of the call if it calls the function `name`.
inline CallPlan chosen(const CallPlan &plan, const std::string &name) {
  for (const CallPlan &each : plan.choices)
    if (each.name == name)
      return each;
  return plan;
}

/// A variable that the main thread hands over after a statement.
struct HandedOver {
  const clang::VarDecl *variable = nullptr;
  int site = -1;
  const clang::FunctionDecl *function = nullptr; ///< the function that contains the statement
  bool isBranch = false; ///< the statement is an assignment, and all of a branch, without braces
};

/// A condition that the main thread evaluates in place of the pre-execution thread.
struct HandedCondition {
  int site = -1;
  const clang::FunctionDecl *function = nullptr; ///< the function that contains it
  /// How it comes out where the loop goes on, if it decides on an early exit.
  std::optional<bool> stays;
};

/// A call that runs although the statement around it does not.
struct ExtractedCall {
  const clang::CallExpr *call = nullptr;
  /// Conditions (of &&, ||, ?:) and how they must come out for the call to be made, from the
  /// outermost.
  std::vector<std::pair<const clang::Expr *, bool>> guards;
};
using ExtractedCalls = std::vector<ExtractedCall>; ///< in the order of evaluation

/// An operand of a condition's && or || that is left out.
struct LeftOutOperand {
  bool value = false;   ///< what stands in its place
  ExtractedCalls calls; ///< run before that
};

struct Slice {
  std::set<const clang::Stmt *> statements;
  std::set<const clang::VarDecl *> initialisers;
  /// Members of `statements` (or initialisers that are not in `initialisers`) of which only these
  /// calls run, in this order, each as its own statement: nothing needs what the statement does
  /// with their results. If it is an if, while or switch, nothing inside it is kept. If it is one of
  /// `bareReturns`, the function returns after them.
  std::map<const clang::Stmt *, ExtractedCalls> extracts;
  std::map<const clang::VarDecl *, ExtractedCalls> extractedInits;
  std::map<const clang::Stmt *, LeftOutOperand> operands; ///< that are left out
  /// Statements in whose place pre-execution ends.
  std::set<const clang::Stmt *> ends;
  /// Declarations that are not written: no text can be.
  std::set<const clang::Stmt *> unwritten;
  /// Returns of which only the jump is needed, not the value (a subset of `statements`).
  std::set<const clang::Stmt *> bareReturns;
  /// Local variables that kept text names: declared in the clone, with the initialiser only if it
  /// is in `initialisers`.
  std::set<const clang::VarDecl *> locals;
  /// Functions that have a clone: definitions (in each unit that defines them).
  std::set<const clang::FunctionDecl *> clones;
  /// Functions that have a second clone, the *lean* one, for calls of which nothing is needed but
  /// what they announce. They are called by name only. A subset of `clones`.
  std::set<const clang::FunctionDecl *> lean;
  /// The slice from which the lean clones are written, if there are any. It has the same sites.
  /// There, every call of a function in `lean` is one of its lean clone.
  std::shared_ptr<const Slice> leanSlice;
  /// Globals and statics (canonical declarations) of which the slice has a private copy.
  std::set<const clang::VarDecl *> privates;
  std::map<const clang::CallExpr *, CallPlan> plans;
  std::map<const clang::Stmt *, std::vector<HandedOver>> handedOver; ///< by statement
  /// By statement: the condition that is handed over at each execution.
  std::map<const clang::Stmt *, HandedCondition> conditions;
  /// Both in the order of their sites: that of addresses differs from run to run.
  [[nodiscard]] std::vector<std::pair<const clang::Stmt *, HandedOver>> handedOverInOrder() const {
    std::vector<std::pair<const clang::Stmt *, HandedOver>> result;
    for (const auto &[stmt, all] : handedOver)
      for (const HandedOver &each : all)
        result.emplace_back(stmt, each);
    return inOrder(std::move(result));
  }
  [[nodiscard]] std::vector<std::pair<const clang::Stmt *, HandedCondition>>
  conditionsInOrder() const {
    return inOrder(std::vector<std::pair<const clang::Stmt *, HandedCondition>>(conditions.begin(),
                                                                                conditions.end()));
  }
  /// Library functions that pointers point to: by name, what replaces them in pre-execution.
  std::map<std::string, std::string> standIns;
  /// Library variables of which stand-ins have their own copy: forerun_pre_optarg for optarg.
  std::set<std::string> libraryVariables;
  /// Functions and variables of libraries with a twin: by name, the library.
  std::map<std::string, std::string> twins;
  /// The definition of main, and all calls of MPI_Init and MPI_Init_thread: pre-execution starts
  /// after the first of them that is executed.
  const clang::FunctionDecl *main = nullptr;
  std::set<const clang::CallExpr *> inits;
  /// Set by a pragma: the thread starts before this statement, a child of a block of `launchIn`.
  const clang::Stmt *launch = nullptr;
  const clang::FunctionDecl *launchIn = nullptr;
  bool exchanges = false;      ///< some calls have `CallPlan::exchange`
  bool takesDatatypes = false; ///< the main thread hands some over: MPI is asked what they are
  int sites = 0;               ///< sites are 0..sites-1

private:
  template <class Pairs> static Pairs inOrder(Pairs pairs) {
    std::sort(pairs.begin(), pairs.end(), [](const auto &one, const auto &other) {
      return one.second.site < other.second.site;
    });
    return pairs;
  }
};

} // namespace forerun::slicer

#endif
