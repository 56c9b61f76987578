// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace clang {
class VarDecl;
} // namespace clang

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

  /// By which call the pre-execution thread takes it: forerun_pre_ and this name.
  const char *receiver() const;
};

/// What a call of the program becomes in the pre-execution thread.
struct CallPlan {
  /// What a function writes, for the fence: `count` is the argument with the number of elements (of
  /// void: bytes); -1: one element.
  struct Written {
    int argument, count;
  };

  /// The call is left out.
  struct Gone {};

  /// The same call: it affects only memory that is private anyway.
  struct Direct {
    std::vector<Written> written;
  };

  /// A call of clones: function names become the names of their clones.
  struct Clone {
    bool isLean = false; ///< a call of the lean clone (Slice::lean)
  };

  /// `function` is called instead, with the same arguments. With a site, only after the main thread
  /// has made the call (fopen: the text may be new).
  struct StandIn {
    std::string function;
  };

  /// The function of the library's twin is called instead. It has a site if it opens, reads or writes.
  struct Twin {
    std::string function;
    bool opens = false;  ///< made only after the main thread has made it
    bool writes = false; ///< its range is dirty until the main thread has written it
    std::vector<Written> written = {};
  };

  /// A call of MPI-IO. It has a site.
  struct Io {
    enum class Form {
      Open,
      ReadAt,
      Read,         ///< at the file pointer
      ReadOrdered,  ///< of the same size on each process
      FetchAt,      ///< a read whose bytes are needed
      Fetch,        ///< the same at the file pointer
      FetchOrdered, ///< a ReadOrdered whose bytes are needed
      WriteAt,
      Write,
      Seek,
      View,
      Close, ///< whose handle is looked at after it
      Sync,  ///< close, sync, set_size, preallocate, set_atomicity
    };
    std::string function; ///< of MPI
    Form form = Form::Sync;
    bool countOnly = false; ///< FetchAt, Fetch: only the number of bytes is needed
    /// Seek: it may be relative to the end, so the main thread hands over where it led.
    bool isFromEnd = false;

    /// What the pre-execution thread calls: forerun_pre_ and this name. It is given the site, these
    /// arguments of the call, and for a fetch the status.
    struct Called {
      const char *name;
      std::vector<int> arguments;
    };
    Called called() const;
    bool isRead() const { return form == Form::ReadAt || form == Form::Read; }
    bool isWrite() const { return form == Form::WriteAt || form == Form::Write; }
    bool isFetch() const {
      return form == Form::FetchAt || form == Form::Fetch || form == Form::FetchOrdered;
    }
  };

  /// A call through a pointer to functions of MPI-IO: one of the plan's `choices`. If the pointer
  /// points to none of them, a clone is called (if `orClone`), or the pre-execution thread ends.
  struct Choose {
    bool orClone = false;
  };

  /// Not called: the pre-execution thread receives what the main thread forwards. It has a site.
  struct Receive {
    std::vector<Forwarded> forwarded; ///< in this order
    bool isClock =
        false; ///< tells the time: the runtime says where it is made (forerun_pre_asks_time)
    /// The arguments with the requests that the call completes and with their number (-1: one). The
    /// data of these requests is received here.
    struct Completion {
      int requests, count;
    };
    std::optional<Completion> completes = {};
    /// The runtime function that first tries to get the data from the other processes' pre-execution
    /// threads.
    struct Exchange {
      std::string function;
      int arguments = 0;    ///< how many of the call's it takes
      bool isLocal = false; ///< it asks no other process, but what is known of a communicator
    };
    std::optional<Exchange> exchange = {};
  };

  /// Not called: nothing needs what the main thread forwards (in lean clones). It has a site.
  struct Skip {
    std::size_t values;        ///< that are forwarded
    bool isCollective = false; ///< the full clone exchanges them
  };

  /// Ends the pre-execution thread (exit, abort, MPI_Abort).
  struct Exit {
    bool isUnable = false; ///< the program goes on, but the pre-execution thread cannot
  };

  using Action = std::variant<Gone, Direct, Clone, StandIn, Twin, Io, Choose, Receive, Skip, Exit>;
  Action action = {};
  int site = -1; ///< -1: none
  /// It opens a file by MPI-IO, which may move libc's streams of random numbers: the main thread hands
  /// over where they are.
  bool movesGenerators = false;
  /// `kept[i]`: whether the pre-execution thread evaluates argument i of the call. An argument that
  /// is not kept is passed as 0 (Clone, StandIn, Twin) or left out (Io, by form). Empty: all kept.
  std::vector<bool> kept = {};
  /// What a call through a pointer becomes if it points to `function`. It has the site and the kept
  /// arguments of this plan.
  struct Choice {
    std::string function;
    Action action;
  };
  std::vector<Choice> choices = {};

  bool keeps(unsigned index) const { return kept.empty() || (index < kept.size() && kept[index]); }
  template <class Kind> bool is() const { return std::holds_alternative<Kind>(action); }
  template <class Kind> const Kind *as() const { return std::get_if<Kind>(&action); }
  /// Whether it is a call of MPI-IO, by name or through a pointer.
  bool isIo() const { return is<Io>() || is<Choose>(); }
  /// Whether the call waits, or may wait, until no prediction is open (forerun/predictions.def). One
  /// that ends the thread is made once at most, and does not count.
  bool settles() const;
  /// The action if the call calls `function`.
  const Action &actionFor(const std::string &function) const;
};

} // namespace forerun::slicer
