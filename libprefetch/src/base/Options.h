// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_OPTIONS_H
#define FORERUN_OPTIONS_H

#include "forerun/Cache.h"

#include <cstddef>
#include <memory>
#include <mpi.h>
#include <string>
#include <string_view>

/// \file
/// The options, all of them in Options.def: MPI_Info hint over environment over default.
///
/// A value that cannot be used is named once on stderr, and the value below it in that order is
/// kept. Options are plain values: copy them, read them from any thread.

namespace forerun {

enum class CacheMode { Auto, On, Off };

/// What a value may look like. Each kind: the member's type, the allowed values in words, and the
/// way between text and value (`parse` leaves \p value alone when it returns false).
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
  static constexpr const char *kAllowed = "bytes with an optional suffix K, M or G, at least 4K";
  static bool parse(std::string_view text, std::size_t &value);
};

struct PageSize : Size {
  static constexpr const char *kAllowed = "a power of two from 4K to 1G";
  static bool parse(std::string_view text, std::size_t &value);
};

struct InFlight {
  using Type = unsigned;
  static constexpr const char *kAllowed = "1 to 4096";
  static bool parse(std::string_view text, unsigned &value);
  static std::string print(unsigned value);
};

struct Calls : InFlight {
  static constexpr const char *kAllowed = "1 to 1000000";
  static bool parse(std::string_view text, unsigned &value);
};

struct Seconds : InFlight {
  static constexpr const char *kAllowed = "0 to 1000000";
  static bool parse(std::string_view text, unsigned &value);
};

struct File {
  using Type = std::string;
  static constexpr const char *kAllowed = "empty, or a file name";
  static bool parse(std::string_view text, std::string &value);
  static std::string print(const std::string &value);
};

struct Report : File {
  static constexpr const char *kAllowed = "0, 1 or a file name ending in .json";
  static bool parse(std::string_view text, std::string &value);
};

} // namespace kinds

struct Options {
#define FORERUN_OPTION(member, name, kind, standard, help) kinds::kind::Type member{};
#include "base/Options.def"
#undef FORERUN_OPTION

  Options(); ///< the defaults

  static Options fromEnvironment();
  /// These options overlaid with the forerun_* hints of \p info (or MPI_INFO_NULL).
  Options effective(MPI_Info info) const;
  /// Sets every option as its hint, for MPI_File_get_info.
  void writeTo(MPI_Info info) const;

  CacheConfig cacheConfig() const;
  /// The reference table of docs/options.md.
  static std::string referenceTable();

private:
  /// Which options have been warned about; shared by the copies, so that a bad hint is named once.
  struct Warned;
  std::shared_ptr<Warned> warned_;
};

} // namespace forerun

#endif
