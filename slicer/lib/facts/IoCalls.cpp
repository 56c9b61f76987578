// SPDX-License-Identifier: Apache-2.0
#include "facts/IoCalls.h"
#include <algorithm>
#include <iterator>

namespace forerun::slicer {

namespace {

// Layouts that several calls share: the handle first, then as the name says.
constexpr IoArguments kBlocking{.file = 0, .buffer = 1, .count = 2, .type = 3, .status = 4};
constexpr IoArguments kBlockingAt{
    .file = 0, .offset = 1, .buffer = 2, .count = 3, .type = 4, .status = 5};
constexpr IoArguments kStarting{.file = 0, .buffer = 1, .count = 2, .type = 3};
constexpr IoArguments kStartingAt{.file = 0, .offset = 1, .buffer = 2, .count = 3, .type = 4};
constexpr IoArguments kEnding{.file = 0, .buffer = 1, .status = 2};
constexpr IoArguments kSeeking{.file = 0, .offset = 1, .whence = 2};
constexpr IoArguments kHandle{.file = 0};

struct Row {
  llvm::StringLiteral name; ///< without MPI_File_
  IoArguments arguments;
};

constexpr Row kCalls[] = {
    {"open", {.file = 4}},
    {"delete", {}},
    {"close", kHandle},
    {"sync", kHandle},
    {"set_size", kHandle},
    {"preallocate", kHandle},
    {"set_atomicity", kHandle},
    {"seek", kSeeking},
    {"seek_shared", kSeeking},
    {"set_view", {.file = 0, .offset = 1, .etype = 2, .filetype = 3, .datarep = 4}},

    {"read", kBlocking},
    {"read_all", kBlocking},
    {"read_shared", kBlocking},
    {"read_ordered", kBlocking},
    {"read_at", kBlockingAt},
    {"read_at_all", kBlockingAt},
    {"iread", kStarting},
    {"iread_all", kStarting},
    {"iread_shared", kStarting},
    {"iread_at", kStartingAt},
    {"iread_at_all", kStartingAt},
    {"read_all_begin", kStarting},
    {"read_ordered_begin", kStarting},
    {"read_at_all_begin", kStartingAt},
    {"read_all_end", kEnding},
    {"read_ordered_end", kEnding},
    {"read_at_all_end", kEnding},

    {"write", kBlocking},
    {"write_all", kBlocking},
    {"write_shared", kBlocking},
    {"write_ordered", kBlocking},
    {"write_at", kBlockingAt},
    {"write_at_all", kBlockingAt},
    {"iwrite", kStarting},
    {"iwrite_all", kStarting},
    {"iwrite_shared", kStarting},
    {"iwrite_at", kStartingAt},
    {"iwrite_at_all", kStartingAt},
    {"write_all_begin", kStarting},
    {"write_ordered_begin", kStarting},
    {"write_at_all_begin", kStartingAt},
    {"write_all_end", kEnding},
    {"write_ordered_end", kEnding},
    {"write_at_all_end", kEnding},
};

} // namespace

const IoArguments *ioArguments(llvm::StringRef function) {
  function.consume_front("P");
  if (!function.consume_front("MPI_File_"))
    return nullptr;
  function.consume_back("_c");
  const auto *row = std::find_if(std::begin(kCalls), std::end(kCalls),
                                 [&](const Row &one) { return one.name == function; });
  return row == std::end(kCalls) ? nullptr : &row->arguments;
}

bool startsMpi(llvm::StringRef function) {
  function.consume_front("P");
  return function == "MPI_Init" || function == "MPI_Init_thread";
}

bool isTwinRead(const Call &call) {
  return call.model && call.model->announces && !call.isCallback && call.caller != 0;
}

bool isRead(const Call &call) {
  using Form = FunctionModel::Form;
  return call.model && !call.isCallback &&
         (call.model->form == Form::ReadAt || call.model->form == Form::Read ||
          call.model->form == Form::ReadShared);
}

bool asksOfFile(const FunctionModel &model, llvm::StringRef function) {
  function.consume_front("P");
  return model.exchange == FunctionModel::Exchange::Local && function.starts_with("MPI_File_");
}

} // namespace forerun::slicer
