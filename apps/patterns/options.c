/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMaxSteps = 100 * 1000, kMaxTurns = 1 << 30 };

const char *const usage =
    "usage: mpiexec -n RANKS patterns --file FILE [option...]\n"
    "Reads blocks of a shared file and computes with them; what decides which block is next "
    "depends\n"
    "on the pattern.\n"
    "  --pattern P   datatypes (default), topology, statuses, residual, stride, search, branch, "
    "clock\n"
    "  --steps N     blocks of each rank, about (400)\n"
    "  --turns K     how much is computed with each block (1)\n"
    "  --create      make the file for N steps on this many ranks, and nothing else\n"
    "  --times       also print how many seconds it took\n";

/* Short names serve inside only: getopt_long's usual way of telling long options apart. */
static const struct option kLongOptions[] = {
    {"file", required_argument, NULL, 'f'},  {"pattern", required_argument, NULL, 'p'},
    {"steps", required_argument, NULL, 'n'}, {"turns", required_argument, NULL, 'k'},
    {"create", no_argument, NULL, 'c'},      {"times", no_argument, NULL, 's'},
    {"help", no_argument, NULL, 'h'},        {NULL, 0, NULL, 0},
};

static int parseNumber(const char *text, long max, long *value) {
  char *end;
  errno = 0;
  *value = strtol(text, &end, 10);
  return !errno && end != text && !*end && *value >= 1 && *value <= max;
}

static int parsePattern(const char *text, enum Pattern *pattern) {
  for (int each = 0; each < kPatterns; each++)
    if (strcmp(text, patternNames[each]) == 0) {
      *pattern = (enum Pattern)each;
      return 1;
    }
  return 0;
}

/* 1 if the option and its value are valid. */
static int take(struct Options *options, int option) {
  switch (option) {
  case 'f':
    options->file = optarg;
    return *optarg != '\0';
  case 'p':
    return parsePattern(optarg, &options->pattern);
  case 'n':
    return parseNumber(optarg, kMaxSteps, &options->steps);
  case 'k':
    return parseNumber(optarg, kMaxTurns, &options->turns);
  case 'c':
    return options->create = 1;
  case 's':
    return options->times = 1;
  default:
    return 0;
  }
}

enum Wish parseOptions(struct Options *options, int argc, char **argv, char *complaint, int bytes) {
  *options = (struct Options){.steps = 400, .turns = 1};
  opterr = 0;
  int option, index = 0;
  while ((option = getopt_long(argc, argv, "", kLongOptions, &index)) != -1) {
    if (option == 'h')
      return WishHelp;
    if (option == '?') {
      snprintf(complaint, (size_t)bytes, "%s: unknown, ambiguous or without its value",
               argv[optind - 1]);
      return WishBad;
    }
    if (!take(options, option)) {
      snprintf(complaint, (size_t)bytes, "--%s: bad value \"%s\"", kLongOptions[index].name,
               optarg);
      return WishBad;
    }
  }
  const char *wrong = optind < argc    ? "only options are expected"
                      : !options->file ? "--file is needed"
                                       : NULL;
  if (wrong)
    snprintf(complaint, (size_t)bytes, "%s", wrong);
  return wrong ? WishBad : WishRun;
}
