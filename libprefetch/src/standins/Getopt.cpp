// SPDX-License-Identifier: Apache-2.0
#include "standins/Getopt.h"

#include "forerun/runtime.h"
#include "standins/Own.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

namespace forerun {
namespace {

constexpr int kNoMore = -1, kUnknown = '?', kWord = 1;

bool isWord(const char *argument) { return argument[0] != '-' || argument[1] == '\0'; }

bool sameOption(const option &one, const option &other) {
  return one.has_arg == other.has_arg && one.flag == other.flag && one.val == other.val;
}

struct Found {
  const option *one = nullptr; ///< null: none, or several
  bool isAmbiguous = false;
};

/// The option whose name is \p name, or begins with it. Several count as one if they do not differ,
/// except after a single dash.
Found findLong(const Getopt::LongOptions &options, const char *name, std::size_t length) {
  Found found;
  for (const option *each = options.first; each->name != nullptr; ++each) {
    if (std::strncmp(each->name, name, length) != 0)
      continue;
    if (std::strlen(each->name) == length)
      return {each};
    if (found.one == nullptr)
      found.one = each;
    else if (options.oneDash || !sameOption(*found.one, *each))
      found.isAmbiguous = true;
  }
  return found.isAmbiguous ? Found{nullptr, true} : found;
}

} // namespace

/// Returns the option string without its leading marks.
const char *Getopt::begin(const char *options) {
  if (*at_.optind == 0 || !begun_) {
    if (*at_.optind == 0)
      *at_.optind = 1;
    firstWord_ = lastWord_ = *at_.optind;
    letter_ = nullptr;
    begun_ = true;
    if (options[0] == '-')
      order_ = Order::InPlace;
    else
      order_ = options[0] == '+' || std::getenv("POSIXLY_CORRECT") != nullptr ? Order::Stop
                                                                              : Order::Permute;
  }
  return options[0] == '-' || options[0] == '+' ? options + 1 : options;
}

/// Swaps the words passed over with the options that came after them.
void Getopt::moveWordsBehind(char **argv) {
  own(argv + firstWord_, static_cast<std::size_t>(*at_.optind - firstWord_));
  std::rotate(argv + firstWord_, argv + lastWord_, argv + *at_.optind);
  firstWord_ += *at_.optind - lastWord_;
  lastWord_ = *at_.optind;
}

/// Moves to the next argument that is an option; if there is none, returns what next returns.
int Getopt::nextArgument(int argc, char **argv, bool &isOption) {
  int &here = *at_.optind;
  lastWord_ = std::min(lastWord_, here); // the program may have moved back
  firstWord_ = std::min(firstWord_, here);
  const auto settleWords = [&] {
    if (firstWord_ != lastWord_ && lastWord_ != here)
      moveWordsBehind(argv);
  };
  if (order_ == Order::Permute) {
    settleWords();
    if (lastWord_ != here)
      firstWord_ = here;
    while (here < argc && isWord(argv[here]))
      ++here;
    lastWord_ = here;
  }
  if (here != argc && std::strcmp(argv[here], "--") == 0) {
    ++here;
    settleWords();
    if (firstWord_ == lastWord_)
      firstWord_ = here;
    lastWord_ = here = argc;
  }
  if (here == argc) {
    if (firstWord_ != lastWord_)
      here = firstWord_;
    return kNoMore;
  }
  isOption = !isWord(argv[here]);
  if (isOption)
    return 0;
  if (order_ == Order::Stop)
    return kNoMore;
  *at_.optarg = argv[here++];
  return kWord;
}

int Getopt::next(int argc, char **argv, const char *options, const LongOptions &longOptions) {
  if (argc < 1)
    return kNoMore;
  *at_.optarg = nullptr;
  options = begin(options);
  if (letter_ == nullptr || *letter_ == '\0') {
    bool isOption = false;
    if (const int other = nextArgument(argc, argv, isOption); !isOption)
      return other;
    char *const argument = argv[*at_.optind];
    const bool isLong = argument[1] == '-';
    // A single letter is an option of one letter if that exists.
    const bool mayBeLong = longOptions.oneDash &&
                           (argument[2] != '\0' || std::strchr(options, argument[1]) == nullptr);
    if (longOptions.first != nullptr && (isLong || mayBeLong)) {
      letter_ = argument + (isLong ? 2 : 1);
      if (const int found = longOption(argc, argv, options, longOptions); found != kNoMore)
        return found;
    }
    letter_ = argument + 1;
  }
  return shortOption(argc, argv, options);
}

int Getopt::shortOption(int argc, char **argv, const char *options) {
  int &here = *at_.optind;
  const char letter = *letter_++;
  const char *const known = std::strchr(options, letter);
  if (*letter_ == '\0')
    ++here;
  if (known == nullptr || letter == ':' || letter == ';') {
    *at_.optopt = static_cast<unsigned char>(letter);
    return kUnknown;
  }
  if (known[1] != ':')
    return letter;
  const bool optional = known[2] == ':';
  char *const attached = *letter_ != '\0' ? letter_ : nullptr;
  letter_ = nullptr;
  if (attached != nullptr) {
    *at_.optarg = attached;
    ++here;
  } else if (!optional && here == argc) {
    *at_.optopt = static_cast<unsigned char>(letter);
    return options[0] == ':' ? ':' : kUnknown;
  } else if (!optional) {
    *at_.optarg = argv[here++];
  }
  return letter;
}

/// kNoMore: it is to be taken as letters.
int Getopt::longOption(int argc, char **argv, const char *options, const LongOptions &longOptions) {
  char *const name = letter_;
  const std::size_t length = std::strcspn(name, "=");
  const auto [found, isAmbiguous] = findLong(longOptions, name, length);
  int &here = *at_.optind;
  if (found == nullptr && !isAmbiguous && longOptions.oneDash && argv[here][1] != '-' &&
      std::strchr(options, *name) != nullptr)
    return kNoMore;
  letter_ = nullptr;
  ++here;
  if (found == nullptr) {
    *at_.optopt = 0;
    return kUnknown;
  }
  if (name[length] == '=' && found->has_arg == no_argument) {
    *at_.optopt = found->val;
    return kUnknown;
  }
  if (name[length] == '=') {
    *at_.optarg = name + length + 1;
  } else if (found->has_arg == required_argument && here == argc) {
    *at_.optopt = found->val;
    return options[0] == ':' ? ':' : kUnknown;
  } else if (found->has_arg == required_argument) {
    *at_.optarg = argv[here++];
  }
  if (longOptions.index != nullptr)
    *own(longOptions.index) = static_cast<int>(found - longOptions.first);
  if (found->flag == nullptr)
    return found->val;
  *own(found->flag) = found->val;
  return 0;
}

} // namespace forerun

extern "C" {

char *forerun_pre_optarg = nullptr;
int forerun_pre_optind = 1;
int forerun_pre_opterr = 1;
int forerun_pre_optopt = '?';

/// Programs set them, also through pointers.
__attribute__((constructor)) static void knowVariables() {
  static const std::array<forerun_pre_range, 4> kVariables{{
      {static_cast<void *>(&forerun_pre_optarg), sizeof forerun_pre_optarg},
      {&forerun_pre_optind, sizeof forerun_pre_optind},
      {&forerun_pre_opterr, sizeof forerun_pre_opterr},
      {&forerun_pre_optopt, sizeof forerun_pre_optopt},
  }};
  static forerun_pre_globals globals{kVariables.data(), kVariables.size(), nullptr};
  forerun_pre_know_globals(&globals);
}

static int nextOption(int argc, char *const argv[], const char *options,
                      const forerun::Getopt::LongOptions &longOptions) {
  // Belongs to the one pre-execution thread that a process has.
  static constinit forerun::Getopt scan(
      {&forerun_pre_optarg, &forerun_pre_optind, &forerun_pre_optopt});
  if (forerun::PreThread::self() == nullptr)
    return -1;
  return scan.next(argc, const_cast<char **>(argv), options, longOptions);
}

int forerun_pre_getopt_long(int argc, char *const argv[], const char *options,
                            const struct option *longOptions, int *index) {
  return nextOption(argc, argv, options, {longOptions, index});
}

int forerun_pre_getopt_long_only(int argc, char *const argv[], const char *options,
                                 const struct option *longOptions, int *index) {
  return nextOption(argc, argv, options, {longOptions, index, true});
}

int forerun_pre_getopt(int argc, char *const argv[], const char *options) {
  return nextOption(argc, argv, options, {});
}
}
