/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include "box.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMaxSteps = 1 << 20, kMaxTiles = 1 << 24, kMaxSweeps = 1 << 20, kMaxCache = 1 << 20 };

const char *const usage =
    "usage: mpiexec -n RANKS h5tiles MODE FILE [option...]\n"
    "A time series of a three-dimensional field of doubles in an HDF5 file.\n"
    "make: writes the file\n"
    "  --steps S        steps of time (4)\n"
    "  --size XxYxZ     elements of each (32x32x32)\n"
    "  --layout L       contiguous (default), chunked, or compressed (in chunks, too)\n"
    "  --chunk XxYxZ    elements of a chunk (16x16x16)\n"
    "tiles: reads random tiles, and prints statistics of each\n"
    "  --tiles T        of all ranks together (64)\n"
    "  --tile XxYxZ     elements of a tile (8x8x8)\n"
    "  --seed N         of their places (1)\n"
    "series: reads all steps, one after the other, and prints statistics of each\n"
    "tiles and series:\n"
    "  --chunk-cache M  MiB that HDF5 keeps of chunks (what HDF5 has by itself: 1)\n"
    "  --collective     the ranks read metadata together\n"
    "  --sweeps N       smooths what it has read so many times (0)\n"
    "  --picture FILE   a PNG: means of the tiles, or the middle of the last step\n"
    "  --times          also print the seconds that reads and compute took\n";

/* Short names serve inside only: getopt_long's usual way of telling long options apart. */
static const struct option kLongOptions[] = {
    {"steps", required_argument, NULL, 's'},   {"size", required_argument, NULL, 'n'},
    {"layout", required_argument, NULL, 'l'},  {"chunk", required_argument, NULL, 'c'},
    {"tiles", required_argument, NULL, 't'},   {"tile", required_argument, NULL, 'e'},
    {"seed", required_argument, NULL, 'r'},    {"sweeps", required_argument, NULL, 'w'},
    {"picture", required_argument, NULL, 'p'}, {"times", no_argument, NULL, 'm'},
    {"collective", no_argument, NULL, 'o'},    {"chunk-cache", required_argument, NULL, 'k'},
    {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0},
};

static const struct {
  const char *name, *options;
} kModes[] = {
    [ModeMake] = {"make", "snlc"},
    [ModeTiles] = {"tiles", "terwpmko"},
    [ModeSeries] = {"series", "wpmko"},
};

static const char *const kLayouts[] = {
    [LayoutContiguous] = "contiguous",
    [LayoutChunked] = "chunked",
    [LayoutCompressed] = "compressed",
};

const char *layoutName(enum Layout layout) { return kLayouts[layout]; }

/* The number at the start of the text; `end` points past it. */
static int parseNumber(const char *text, const char **end, unsigned long min, unsigned long max,
                       unsigned long *value) {
  char *past;
  errno = 0;
  *value = strtoul(text, &past, 10);
  *end = past;
  return isdigit((unsigned char)*text) && !errno && *value >= min && *value <= max;
}

static int parseWhole(const char *text, unsigned long min, unsigned long max,
                      unsigned long *value) {
  const char *end;
  return parseNumber(text, &end, min, max, value) && !*end;
}

static int parseCount(const char *text, unsigned long min, unsigned long max, long *value) {
  unsigned long number;
  const int good = parseWhole(text, min, max, &number);
  *value = (long)number;
  return good;
}

/* XxYxZ */
static int parseEdges(const char *text, unsigned long edges[3]) {
  for (int d = 0; d < 3; d++) {
    const char *end;
    if (!parseNumber(text, &end, 1, kMaxEdge, &edges[d]) || *end != (d < 2 ? 'x' : '\0'))
      return 0;
    text = end + 1;
  }
  return 1;
}

static int parseLayout(const char *text, enum Layout *layout) {
  for (int i = LayoutContiguous; i <= LayoutCompressed; i++)
    if (!strcmp(text, kLayouts[i])) {
      *layout = (enum Layout)i;
      return 1;
    }
  return 0;
}

static int parseMode(const char *text, enum Mode *mode) {
  for (int i = ModeMake; i <= ModeSeries; i++)
    if (!strcmp(text, kModes[i].name)) {
      *mode = (enum Mode)i;
      return 1;
    }
  return 0;
}

/* 1 if the option's value is valid. */
static int take(struct Options *options, int option) {
  switch (option) {
  case 's':
    return parseWhole(optarg, 1, kMaxSteps, &options->steps);
  case 'n':
    return parseEdges(optarg, options->size);
  case 'l':
    return parseLayout(optarg, &options->layout);
  case 'c':
    return parseEdges(optarg, options->chunk);
  case 't':
    return parseCount(optarg, 1, kMaxTiles, &options->tiles);
  case 'e':
    return parseEdges(optarg, options->tile);
  case 'r':
    return parseWhole(optarg, 0, ULONG_MAX, &options->seed);
  case 'w':
    return parseCount(optarg, 0, kMaxSweeps, &options->sweeps);
  case 'k':
    return parseWhole(optarg, 1, kMaxCache, &options->chunkCache);
  case 'o':
    return options->isCollective = 1;
  case 'p':
    options->picture = optarg;
    return *optarg != '\0';
  default:
    return options->times = 1;
  }
}

/* HDF5 requires chunks that are not larger than a field of fixed size. */
static int chunkFits(const struct Options *options) {
  for (int d = 0; d < 3; d++)
    if (options->chunk[d] > options->size[d])
      return 0;
  return 1;
}

enum Wish parseOptions(struct Options *options, int argc, char **argv, char *complaint,
                       size_t bytes) {
  *options = (struct Options){.steps = 4,
                              .size = {32, 32, 32},
                              .chunk = {16, 16, 16},
                              .tiles = 64,
                              .tile = {8, 8, 8},
                              .seed = 1};
  for (int i = 1; i < argc; i++)
    if (!strcmp(argv[i], "--help"))
      return WishHelp;
  if (argc < 3 || argv[2][0] == '-') {
    snprintf(complaint, bytes, "a mode and a file are needed");
    return WishBad;
  }
  if (!parseMode(argv[1], &options->mode)) {
    snprintf(complaint, bytes, "%s: no such mode", argv[1]);
    return WishBad;
  }
  options->file = argv[2];
  argc -= 2;
  argv += 2; /* the file is where getopt expects the program's name */
  opterr = 0;
  int option, index = 0;
  while ((option = getopt_long(argc, argv, "", kLongOptions, &index)) != -1) {
    if (option == '?')
      snprintf(complaint, bytes, "%s: unknown, ambiguous or without its value", argv[optind - 1]);
    else if (!strchr(kModes[options->mode].options, option))
      snprintf(complaint, bytes, "--%s: not an option of %s", kLongOptions[index].name,
               kModes[options->mode].name);
    else if (!take(options, option))
      snprintf(complaint, bytes, "--%s: bad value \"%s\"", kLongOptions[index].name, optarg);
    else
      continue;
    return WishBad;
  }
  if (optind < argc)
    snprintf(complaint, bytes, "%s: only options are expected", argv[optind]);
  else if (options->layout != LayoutContiguous && !chunkFits(options))
    snprintf(complaint, bytes, "--chunk: larger than the field");
  else
    return WishRun;
  return WishBad;
}
