// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

/// \file
/// The model of one function without source: what a call of it reads, writes and returns, and
/// what it becomes in the pre-execution thread. `slicer/models/README.md` says what every word of a
/// model file means.
///
/// Invariant: every index in a model is that of one of its parameters (or kResult).

namespace forerun::slicer {

/// Used in place of the index of a parameter: the result of the call.
inline constexpr int kResult = -1;

/// What the call does with the pointee of one parameter.
struct ParameterModel {
  std::string name;
  bool reads = false;
  bool writes = false;
  bool must =
      false; ///< always writes, and all that it is told to: nothing of the old value remains
  bool deep = false; ///< the same holds for what the pointers in the pointee point to
  bool callback = false;
};

/// Where a pointer that the call passes on comes from, or goes to.
struct PointerPlace {
  int parameter = kResult;
  bool pointee = false; ///< not the argument, but the pointer that lies in its pointee
  std::string global;   ///< not empty: this variable of the library instead
};

struct FunctionModel {
  enum class Kind {
    Pure,     ///< may be called by the pre-execution thread: no lock, no hidden state
    StandIn,  ///< `standIn` is called instead
    Twin,     ///< the function of the library's twin is called instead; `state` names the library
    Forward,  ///< the main thread hands over its results where they are needed
    Visible,  ///< as Forward, and called for an effect outside the program's memory
    NoReturn, ///< ends the program
    Io,       ///< MPI-IO, see `form`
  };
  /// The forms of MPI-IO calls. "Shared" is the shared file pointer, also that of ordered calls.
  enum class Form {
    None,
    Open,
    ReadAt,
    Read,
    ReadShared,
    WriteAt,
    Write,
    WriteShared,
    Seek,
    SeekShared,
    View,
    Sync,
  };

  /// How the pre-execution threads make the call among themselves.
  enum class Exchange {
    None,
    Collective,
    Send,    ///< buffer, count, datatype, receiver, tag, ...
    Receive, ///< ..., sender, tag, communicator, status or request
    Both,    ///< begins as a send, ends as a receive
    Local,   ///< about a communicator or a file: no other process is asked
  };

  struct Move { ///< of a pointer, or of the contents of memory
    PointerPlace to, from;
  };
  struct Typed { ///< the buffer has `count` times `datatype` (for each process of `communicator`)
    int buffer = 0, count = 0, datatype = 0;
    std::optional<int> communicator = std::nullopt;
  };
  struct Spread { ///< it has `counts[i]` times `datatype` at `displacements[i]`, for each process i
    int buffer = 0, counts = 0, displacements = 0, datatype = 0, communicator = 0;
  };
  struct AtRoot { ///< the call writes to the buffer in the process `root` of `communicator` only
    int buffer = 0, root = 0, communicator = 0;
  };
  struct InPlace { ///< `into` is read as well where `from` is MPI_IN_PLACE
    int from = 0, into = 0;
  };
  struct Length { ///< the array has as many elements as the argument `count` says
    int array = 0, count = 0;
    bool isResult = false; ///< the call returns how many of them it has written
  };
  struct Callback { ///< `function` is called with these; nullopt: with an unknown value
    int function = 0;
    std::vector<std::optional<int>> arguments;
  };

  std::string name;
  Kind kind = Kind::Forward;
  Form form = Form::None;
  std::string standIn;
  std::vector<ParameterModel> parameters;
  std::optional<ParameterModel> variadic; ///< holds for each argument that `...` stands for

  std::optional<int> returns;         ///< the result is this argument
  std::vector<PointerPlace> within;   ///< the result points into the object that this points to
  std::vector<int> allocates;         ///< result or pointee points to a new object
  std::vector<Move> stores;           ///< pointer `from` is stored in the pointee of `to`
  std::vector<Move> copies;           ///< contents of the pointee of `from` to that of `to`
  bool isStatic = false;              ///< the result points to memory of the library
  std::string state;                  ///< hidden state that the call reads and changes
  bool seeds = false;                 ///< ... or sets, whatever it was
  bool asks = false;                  ///< ... or only reads
  std::vector<std::string> disturbed; ///< states that it may change on the quiet
  std::optional<int> keeps;           ///< pointer that the state, or the library, holds on to
  std::vector<std::string> globals;   ///< variables of the library that it reads and writes
  std::vector<Typed> typed;
  std::vector<Spread> spreads;
  std::vector<AtRoot> atRoots;
  std::optional<InPlace> inPlace;
  std::vector<Length> lengths;
  std::vector<int> texts;         ///< what is written here is a null-terminated string
  std::vector<int> datatypes;     ///< outputs that are an MPI_Datatype
  std::vector<int> communicators; ///< ... an MPI_Comm
  std::vector<Callback> callbacks;
  Exchange exchange = Exchange::None;
  /// The runtime function that makes the exchange. While a model is being read: the name in the
  /// attribute; empty if that is the name of the modelled function.
  std::string exchangedBy;
  bool nonblocking = false;     ///< buffers are filled when the request completes
  std::optional<int> completes; ///< the request, or array of them, that it completes
  /// Twin: the call reads a file into this buffer; it is announced unless the buffer is needed.
  std::optional<int> announces;
  std::vector<int> skipped; ///< Twin: null is passed in place of these
  bool awaits = false;      ///< Twin: called only after the main thread has called it
  bool dirties = false;     ///< Twin: writes to a file
  bool isClock = false;     ///< Forward: it tells the time, takes no lock and changes nothing

  /// Whether the pre-execution thread calls the function, in some way.
  bool isMadeAhead() const {
    return kind == Kind::Pure || kind == Kind::StandIn || kind == Kind::Twin;
  }

  /// What the call does with an argument; null if the model does not say.
  const ParameterModel *parameter(std::size_t argument) const {
    if (argument < parameters.size())
      return &parameters[argument];
    return variadic ? &*variadic : nullptr;
  }
  /// Whether a later call of the library may give the argument back.
  bool mayKeep(std::size_t argument) const {
    const ParameterModel *known = parameter(argument);
    return !known || !(known->reads || known->writes) || keeps == static_cast<int>(argument);
  }
  /// Whether the call may change what the argument points to.
  bool mayChange(std::size_t argument) const {
    const ParameterModel *known = parameter(argument);
    return !known || known->writes;
  }
  /// Whether the model says what a result that is a pointer points to.
  bool tellsResult() const {
    return returns || !within.empty() || isStatic ||
           std::find(allocates.begin(), allocates.end(), kResult) != allocates.end();
  }

  /// The parameter that is a stream, if there is one.
  std::optional<int> stream() const {
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (parameters[i].name == "stream")
        return static_cast<int>(i);
    return std::nullopt;
  }
};

} // namespace forerun::slicer
