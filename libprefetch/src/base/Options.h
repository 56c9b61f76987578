// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/Cache.h"

#include <cstddef>
#include <memory>
#include <mpi.h>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// The options, all from Options.def: MPI_Info hint over environment over default. An option's
/// scope says which file's hint can take effect.
///
/// An invalid value is named once on stderr (from the environment: by the first process), with what
/// is valid; the next value in that order is kept. Plain values: copy and read them in any thread.

namespace forerun {

enum class CacheMode { Auto, On, Off };

/// Whose hint can take effect.
enum class Scope {
  Process,   ///< none: the option is needed before any file is open
  FirstFile, ///< that of the first file opened with a cache, which serves all files
  File       ///< that of each file
};

/// A hint that cannot take effect and asked for another value than the one in force.
struct IgnoredHint {
  std::string hint, asked;       ///< its name and value
  std::string variable, inForce; ///< the environment variable of the option, and its value
  Scope scope = Scope::File;     ///< File: the file is already open
};

/// What a value may look like. Each kind: the member's type, the allowed values in words, and
/// conversion between text and value (`parse` leaves \p value unchanged when it returns false).
namespace kinds {

struct Flag {
  using Type = bool;
  static constexpr const char *kAllowed = "0 or 1";
  static bool parse(std::string_view text, bool &value);
  static std::string print(bool value);
};

struct Mode {
  using Type = CacheMode;
  static constexpr const char *kAllowed = "auto, on or off";
  static bool parse(std::string_view text, CacheMode &value);
  static std::string print(CacheMode value);
};

struct Engine {
  using Type = IoEngine;
  static constexpr const char *kAllowed = "auto, io_uring or threads";
  static bool parse(std::string_view text, IoEngine &value);
  static std::string print(IoEngine value);
};

struct Size {
  using Type = std::size_t;
  static constexpr const char *kAllowed = "bytes, with an optional suffix K, M or G";
  static bool parse(std::string_view text, std::size_t &value);
  static std::string print(std::size_t value);
};

struct CacheSize : Size {
  static constexpr const char *kAllowed = "bytes with an optional suffix K, M or G, 4K to 4096G";
  static constexpr std::size_t kLeastBytes = std::size_t{4} << 10;
  static constexpr std::size_t kMaxBytes = std::size_t{4} << 40;
  static bool parse(std::string_view text, std::size_t &value);
};

struct PageSize : Size {
  static constexpr const char *kAllowed = "a power of two from 4K to 16M";
  static constexpr std::size_t kLeastBytes = std::size_t{4} << 10;
  static constexpr std::size_t kMaxBytes = std::size_t{16} << 20;
  static bool parse(std::string_view text, std::size_t &value);
};

struct InFlight {
  using Type = unsigned;
  static constexpr const char *kAllowed = "1 to 4096";
  static bool parse(std::string_view text, unsigned &value);
  static std::string print(unsigned value);
};

struct CallCount : InFlight {
  static constexpr const char *kAllowed = "1 to 1000000";
  static bool parse(std::string_view text, unsigned &value);
};

struct Seconds : InFlight {
  static constexpr const char *kAllowed = "0 to 1000000";
  static bool parse(std::string_view text, unsigned &value);
};

struct File {
  using Type = std::string;
  static constexpr const char *kAllowed = "empty, or a file name of at most 1023 bytes";
  static constexpr std::size_t kMaxBytes = 1023;
  static bool parse(std::string_view text, std::string &value);
  static std::string print(const std::string &value);
};

struct Report : File {
  static constexpr const char *kAllowed =
      "0, 1 or a file name of at most 1023 bytes ending in .json";
  static bool parse(std::string_view text, std::string &value);
};

} // namespace kinds

struct Options {
#define FORERUN_OPTION(member, name, kind, scope, standard, help) kinds::kind::Type member{};
#include "base/Options.def"
#undef FORERUN_OPTION

  Options(); ///< the defaults

  /// Ignores the environment in a program with more rights than its user (set-user-ID).
  static Options fromEnvironment();
  /// These options, which are the process's, overlaid with those forerun_* hints of a file's
  /// \p info (or MPI_INFO_NULL) that can take effect. \p first: the options of the first file;
  /// null: this is the first. The other hints are appended to \p ignored.
  Options effective(MPI_Info info, const Options *first = nullptr,
                    std::vector<IgnoredHint> *ignored = nullptr) const;
  /// For a file that is already open: these options, which are the file's, after MPI_File_set_info.
  /// Only `cache` may change, between auto and on.
  Options changed(MPI_Info info, std::vector<IgnoredHint> &ignored) const;
  /// Sets every option as its hint, for MPI_File_get_info.
  void writeTo(MPI_Info info) const;

  CacheConfig cacheConfig() const;
  /// The reference table of docs/options.md.
  static std::string referenceTable();

private:
  template <typename Kind>
  void take(std::string_view name, MPI_Info info, Scope scope, bool isFixed,
            typename Kind::Type &value, std::vector<IgnoredHint> *ignored) const;

  void fitPagesAndCache(const Options &below, std::string (*nameOf)(std::string_view));

  /// Options that have been warned about; shared by the copies, so that a bad hint is named once.
  struct Warned;
  std::shared_ptr<Warned> warned_;
};

} // namespace forerun
