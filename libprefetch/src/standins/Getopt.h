// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <getopt.h>

/// \file
/// getopt, getopt_long and getopt_long_only as in glibc, on state of our own, without messages.
/// Words that are not options are moved after the options during the scan, unless the option string
/// begins with '+' (stop at the first one) or '-' (each is the argument of an option 1).
///
/// The words passed over lie in [firstWord_, lastWord_) of argv; the next option's letter, within a
/// cluster like -abc, is at letter_.

namespace forerun {

class Getopt {
public:
  /// getopt's variables.
  struct Variables {
    char **optarg;
    int *optind, *optopt;
  };
  explicit constexpr Getopt(const Variables &variables) : at_(variables) {}

  /// Options that are not letters. `oneDash`: also after a single dash.
  struct LongOptions {
    const option *first = nullptr; ///< or null
    int *index = nullptr;
    bool oneDash = false;
  };
  int next(int argc, char **argv, const char *options, const LongOptions &longOptions);

private:
  enum class Order { Permute, Stop, InPlace };

  const char *begin(const char *options);
  int nextArgument(int argc, char **argv, bool &isOption);
  void moveWordsBehind(char **argv);
  int shortOption(int argc, char **argv, const char *options);
  int longOption(int argc, char **argv, const char *options, const LongOptions &longOptions);

  Variables at_;
  bool begun_ = false;
  Order order_ = Order::Permute;
  int firstWord_ = 0, lastWord_ = 0;
  char *letter_ = nullptr;
};

} // namespace forerun
