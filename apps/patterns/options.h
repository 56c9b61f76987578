/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PATTERNS_OPTIONS_H
#define PATTERNS_OPTIONS_H

#include "patterns.h"

/** \file
 * The command line.
 */

enum Wish { WishRun, WishHelp, WishBad };

struct Options {
  const char *file;
  enum Pattern pattern;
  long steps;
  long turns;
  int create; /**< make the file, and nothing else */
  int times;  /**< print how long it took */
};

extern const char *const usage;

/** Parses; on WishBad `complaint` (of `bytes` bytes) says what is wrong. */
enum Wish parseOptions(struct Options *options, int argc, char **argv, char *complaint, int bytes);

#endif
