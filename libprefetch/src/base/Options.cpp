// SPDX-License-Identifier: Apache-2.0
#include "base/Options.h"

#include "base/Json.h"
#include "base/Message.h"
#include "base/UnknownOptions.h"
#include "forerun/Mutex.h"
#include "forerun/Size.h"
#include "mpi/Launcher.h"

#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <set>
#include <unistd.h>
#include <vector>

namespace forerun {
namespace {

template <typename T> struct Choice {
  std::string_view text;
  T value;
};

constexpr std::array kFlags{Choice<bool>{"0", false}, Choice<bool>{"1", true}};
constexpr std::array kModes{Choice<CacheMode>{"auto", CacheMode::Auto},
                            Choice<CacheMode>{"on", CacheMode::On},
                            Choice<CacheMode>{"off", CacheMode::Off}};
constexpr std::array kEngines{Choice<IoEngine>{"auto", IoEngine::Auto},
                              Choice<IoEngine>{"io_uring", IoEngine::IoUring},
                              Choice<IoEngine>{"threads", IoEngine::Threads}};

template <typename T, std::size_t N>
bool choose(const std::array<Choice<T>, N> &choices, std::string_view text, T &value) {
  for (const auto &choice : choices) {
    if (choice.text == text) {
      value = choice.value;
      return true;
    }
  }
  return false;
}

template <typename T, std::size_t N>
std::string nameOf(const std::array<Choice<T>, N> &choices, T value) {
  for (const auto &choice : choices)
    if (choice.value == value)
      return std::string(choice.text);
  return {};
}

bool parseCount(std::string_view text, unsigned low, unsigned high, unsigned &value) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < low || number > high)
    return false;
  value = number;
  return true;
}

/// "" -> "", "cache_size" -> "_CACHE_SIZE".
std::string variableName(std::string_view name) {
  std::string variable = "FORERUN";
  if (!name.empty())
    variable += '_';
  for (const char c : name)
    variable += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return variable;
}

std::string hintName(std::string_view name) {
  return name.empty() ? "forerun" : "forerun_" + std::string(name);
}

/// A value as messages show it: on one line, and shortened if it is long.
std::string shown(std::string_view value) {
  constexpr std::size_t kMaxBytes = 64;
  if (value.size() <= kMaxBytes)
    return jsonString(value);
  return jsonString(value.substr(0, kMaxBytes)) + "... (" + std::to_string(value.size()) +
         " bytes)";
}

/// The hint's value; false if it is not set.
bool hint(MPI_Info info, const std::string &key, std::string &value) {
  int length = 0;
  int set = 0;
  if (MPI_Info_get_valuelen(info, key.c_str(), &length, &set) != MPI_SUCCESS || !set)
    return false;
  value.resize(static_cast<std::size_t>(length) + 1);
  if (MPI_Info_get(info, key.c_str(), length, value.data(), &set) != MPI_SUCCESS || !set)
    return false;
  value.resize(static_cast<std::size_t>(length));
  return true;
}

/// Calls \p tell(variable, option) for each variable that is probably meant to be an option.
template <class Tell> void forEachMisspelt(const Tell &tell) {
  // Our tools' own: none of these is an option of a program.
  constexpr std::array kOfTools{"FORERUN_MPICC", "FORERUN_MPIEXEC", "FORERUN_SLICE",
                                "FORERUN_HDF5"};
  std::vector<std::string> names(kOfTools.begin(), kOfTools.end());
#define FORERUN_OPTION(member, name, kind, scope, standard, help)                                  \
  if (*(name) != '\0')                                                                             \
    names.push_back(variableName(name));
#include "base/Options.def"
#undef FORERUN_OPTION
  for (char **each = environ; each != nullptr && *each != nullptr; ++each) {
    const std::string_view entry(*each);
    const std::string variable(entry.substr(0, entry.find('=')));
    if (variable.starts_with("FORERUN_") && secure_getenv(variable.c_str()) != nullptr)
      if (const auto option = probablyMeant(variable, names))
        tell(variable, *option);
  }
}

} // namespace

struct Options::Warned {
  /// One warning for each variable and each hint.
  void warn(const std::string &name, std::string_view value, std::string_view allowed,
            std::string_view kept) {
    tell(name, "invalid value " + shown(value) + " (allowed: " + std::string(allowed) +
                   "); using " + shown(kept));
  }

  void tell(const std::string &name, const std::string &what) {
    const MutexLock lock(mutex);
    if (names.insert(name).second && !isSilent)
      (Message() << name << ": " << what).write();
  }

  Mutex mutex;
  std::set<std::string, std::less<>> names FORERUN_GUARDED_BY(mutex);
  bool isSilent = false; ///< another process reports it
};

Options::Options() : warned_(std::make_shared<Warned>()) {
#define FORERUN_OPTION(member, name, kind, scope, standard, help)                                  \
  kinds::kind::parse(standard, member);
#include "base/Options.def"
#undef FORERUN_OPTION
}

Options Options::fromEnvironment() {
  Options options;
  options.warned_->isSilent = forerun_is_first_process() == 0;
#define FORERUN_OPTION(member, name, kind, scope, standard, help)                                  \
  if (const char *text = secure_getenv(variableName(name).c_str()))                                \
    if (!kinds::kind::parse(text, options.member))                                                 \
      options.warned_->warn(variableName(name), text, kinds::kind::kAllowed,                       \
                            kinds::kind::print(options.member));
#include "base/Options.def"
#undef FORERUN_OPTION
  options.fitPagesAndCache(Options(), variableName);
  forEachMisspelt([&](const std::string &variable, const std::string &option) {
    options.warned_->tell(variable, "there is no such option; " + option + "?");
  });
  options.warned_->isSilent = false;
  return options;
}

/// A cache holds at least one page. A value that violates this is refused if it was requested on
/// top of \p below, which are such options.
void Options::fitPagesAndCache(const Options &below, std::string (*nameOf)(std::string_view)) {
  using kinds::Size;
  if (cacheBytes < pageBytes && cacheBytes != below.cacheBytes) {
    warned_->warn(nameOf("cache_size"), Size::print(cacheBytes),
                  "at least the page size, " + Size::print(pageBytes) + ", or set " +
                      nameOf("page_size") + " too",
                  Size::print(below.cacheBytes));
    cacheBytes = below.cacheBytes;
  }
  if (cacheBytes < pageBytes) {
    warned_->warn(nameOf("page_size"), Size::print(pageBytes),
                  "at most the cache size, " + Size::print(cacheBytes) + ", or set " +
                      nameOf("cache_size") + " too",
                  Size::print(below.pageBytes));
    pageBytes = below.pageBytes;
  }
}

/// The option called \p name, whose value is \p value: its hint takes effect, or is ignored if the
/// option \p isFixed and the hint asks for another value.
template <typename Kind>
void Options::take(std::string_view name, MPI_Info info, Scope scope, bool isFixed,
                   typename Kind::Type &value, std::vector<IgnoredHint> *ignored) const {
  std::string text;
  if (info == MPI_INFO_NULL || !hint(info, hintName(name), text))
    return;
  typename Kind::Type asked{};
  if (!Kind::parse(text, asked))
    warned_->warn(hintName(name), text, Kind::kAllowed, Kind::print(value));
  else if (!isFixed)
    value = asked;
  else if (asked != value && ignored != nullptr)
    ignored->push_back({hintName(name), text, variableName(name), Kind::print(value), scope});
}

Options Options::effective(MPI_Info info, const Options *first,
                           std::vector<IgnoredHint> *ignored) const {
  Options options = *this;
  const auto isFixed = [&](Scope scope) {
    return scope == Scope::Process || (scope == Scope::FirstFile && first != nullptr);
  };
#define FORERUN_OPTION(member, name, kind, scope, standard, help)                                  \
  if (first != nullptr && Scope::scope == Scope::FirstFile)                                        \
    options.member = first->member;                                                                \
  take<kinds::kind>(name, info, Scope::scope, isFixed(Scope::scope), options.member, ignored);
#include "base/Options.def"
#undef FORERUN_OPTION
  options.fitPagesAndCache(first != nullptr ? *first : *this, hintName);
  return options;
}

Options Options::changed(MPI_Info info, std::vector<IgnoredHint> &ignored) const {
  Options options = effective(info, this, &ignored);
  const auto keep = [&](std::string_view name, const std::string &asked, const std::string &kept) {
    if (asked != kept)
      ignored.push_back({hintName(name), asked, variableName(name), kept, Scope::File});
  };
  keep("", kinds::Flag::print(options.enabled), kinds::Flag::print(enabled));
  options.enabled = enabled;
  if (options.cache == CacheMode::Off) {
    keep("cache", kinds::Mode::print(options.cache), kinds::Mode::print(cache));
    options.cache = cache;
  }
  return options;
}

void Options::writeTo(MPI_Info info) const {
  const auto tell = [&](const std::string &hint, const std::string &value) {
    if (value.size() < MPI_MAX_INFO_VAL) // Open MPI keeps 255 bytes of a file's name
      MPI_Info_set(info, hint.c_str(), value.c_str());
  };
#define FORERUN_OPTION(member, name, kind, scope, standard, help)                                  \
  tell(hintName(name), kinds::kind::print(member));
#include "base/Options.def"
#undef FORERUN_OPTION
}

CacheConfig Options::cacheConfig() const {
  return {cacheBytes, pageBytes, inFlight, ioEngine, direct};
}

std::string Options::referenceTable() {
  std::string table =
      "| hint | environment | default | scope | allowed | meaning |\n|---|---|---|---|---|---|\n";
  const auto row = [&table](std::string_view name, Scope scope, std::string_view standard,
                            std::string_view allowed, std::string_view help) {
    static constexpr std::array<const char *, 3> kScopes{"process", "first file", "file"};
    table += "| `" + hintName(name) + "` | `" + variableName(name) + "` | ";
    table += standard.empty() ? "(empty)" : "`" + std::string(standard) + "`";
    table.append(" | ").append(kScopes[static_cast<std::size_t>(scope)]);
    table.append(" | ").append(allowed).append(" | ").append(help).append(" |\n");
  };
#define FORERUN_OPTION(member, name, kind, scope, standard, help)                                  \
  row(name, Scope::scope, standard, kinds::kind::kAllowed, help);
#include "base/Options.def"
#undef FORERUN_OPTION
  return table;
}

namespace kinds {

bool Flag::parse(std::string_view text, bool &value) { return choose(kFlags, text, value); }
std::string Flag::print(bool value) { return nameOf(kFlags, value); }

bool Mode::parse(std::string_view text, CacheMode &value) { return choose(kModes, text, value); }
std::string Mode::print(CacheMode value) { return nameOf(kModes, value); }

bool Engine::parse(std::string_view text, IoEngine &value) { return choose(kEngines, text, value); }
std::string Engine::print(IoEngine value) { return nameOf(kEngines, value); }

bool Size::parse(std::string_view text, std::size_t &value) {
  const auto bytes = parseSize(text);
  value = bytes.value_or(value);
  return bytes.has_value();
}

std::string Size::print(std::size_t value) {
  std::size_t suffix = 0;
  while (suffix < 3 && value != 0 && value % 1024 == 0) {
    value /= 1024;
    ++suffix;
  }
  static constexpr std::array<const char *, 4> kSuffixes{"", "K", "M", "G"};
  return std::to_string(value) + kSuffixes[suffix];
}

bool CacheSize::parse(std::string_view text, std::size_t &value) {
  std::size_t bytes = 0;
  if (!Size::parse(text, bytes) || bytes < kLeastBytes || bytes > kMaxBytes)
    return false;
  value = bytes;
  return true;
}

bool PageSize::parse(std::string_view text, std::size_t &value) {
  std::size_t bytes = 0;
  if (!Size::parse(text, bytes) || bytes < kLeastBytes || bytes > kMaxBytes ||
      !std::has_single_bit(bytes))
    return false;
  value = bytes;
  return true;
}

bool InFlight::parse(std::string_view text, unsigned &value) {
  return parseCount(text, 1, 4096, value);
}
std::string InFlight::print(unsigned value) { return std::to_string(value); }

bool CallCount::parse(std::string_view text, unsigned &value) {
  return parseCount(text, 1, 1000000, value);
}

bool Seconds::parse(std::string_view text, unsigned &value) {
  return parseCount(text, 0, 1000000, value);
}

bool File::parse(std::string_view text, std::string &value) {
  if (text.size() > kMaxBytes)
    return false;
  value = text;
  return true;
}
std::string File::print(const std::string &value) { return value; }

bool Report::parse(std::string_view text, std::string &value) {
  return (text == "0" || text == "1" || text.ends_with(".json")) && File::parse(text, value);
}

} // namespace kinds
} // namespace forerun
