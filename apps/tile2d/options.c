/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMaxSize = 4096, kMaxVerified = 64, kMaxTiles = 1 << 20 };

const char *const usage =
    "usage: mpiexec -n RANKS tile2d --file FILE --out FILE [option...]\n"
    "Convolves two images of doubles in a shared file tile by tile (FFT, product, inverse FFT).\n"
    "  --tiles T      pairs of tiles (64)\n"
    "  --size N       rows and columns of a tile (128)\n"
    "  --create       make the images first\n"
    "  --collective   read and write collectively\n"
    "  --verify       compare with direct convolution; tiles of at most 64 x 64\n"
    "  --times        also print the seconds that reads, compute and writes took\n";

/* Short names serve inside only: getopt_long's usual way of telling long options apart. */
static const struct option kLongOptions[] = {
    {"file", required_argument, NULL, 'f'},  {"out", required_argument, NULL, 'o'},
    {"tiles", required_argument, NULL, 't'}, {"size", required_argument, NULL, 'n'},
    {"create", no_argument, NULL, 'c'},      {"collective", no_argument, NULL, 'a'},
    {"verify", no_argument, NULL, 'v'},      {"times", no_argument, NULL, 's'},
    {"help", no_argument, NULL, 'h'},        {NULL, 0, NULL, 0},
};

static int parseNumber(const char *text, long max, long *value) {
  char *end;
  errno = 0;
  *value = strtol(text, &end, 10);
  return !errno && end != text && !*end && *value >= 1 && *value <= max;
}

/* 1 if the option and its value are valid. */
static int take(struct Options *options, int option) {
  switch (option) {
  case 'f':
    options->file = optarg;
    return *optarg != '\0';
  case 'o':
    options->out = optarg;
    return *optarg != '\0';
  case 't':
    return parseNumber(optarg, kMaxTiles, &options->tiles);
  case 'n':
    return parseNumber(optarg, kMaxSize, &options->size);
  case 'c':
    return options->create = 1;
  case 'a':
    return options->collective = 1;
  case 'v':
    return options->verify = 1;
  case 's':
    return options->times = 1;
  default:
    return 0;
  }
}

enum Wish parseOptions(struct Options *options, int argc, char **argv, char *complaint, int bytes) {
  *options = (struct Options){.tiles = 64, .size = 128};
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
  const char *wrong = optind < argc                     ? "only options are expected"
                      : !options->file || !options->out ? "--file and --out are needed"
                      : options->verify && options->size > kMaxVerified
                          ? "--verify: tiles are at most 64 x 64"
                          : NULL;
  if (wrong)
    snprintf(complaint, (size_t)bytes, "%s", wrong);
  return wrong ? WishBad : WishRun;
}
