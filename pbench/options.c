/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const pb_usage =
    "usage: mpiexec -n RANKS pbench --file FILE --n N [option...]\n"
    "Reads rows of an n x n matrix of doubles in a shared file and computes on them.\n"
    "  --create              make the matrix first (not timed); --rows 0: and nothing else\n"
    "  --pattern P           random (default), sequential, strided, writes, dependent,\n"
    "                        shuffled (all rows, each rank in its own order),\n"
    "                        apart (as shuffled, each rank its share of them)\n"
    "  --rows R              rows that each rank reads (256)\n"
    "  --compute K           floating-point iterations over the data of each row (0)\n"
    "  --seed S              of the random row numbers (1)\n"
    "  --collective          read collectively\n"
    "  --no-io               compute on the same rows without reading them\n"
    "  --dump-trace PREFIX   write the requests of each rank to PREFIX.RANK (offset length)\n"
    "  --csv                 results as comma separated values\n"
    "  --version             print the version\n";

const char *const pb_version = "pbench (Forerun) " FORERUN_VERSION "\n";

static const char *const pattern_names[] = {"random",    "sequential", "strided", "writes",
                                            "dependent", "shuffled",   "apart"};

const char *pb_pattern_name(enum pb_pattern pattern) { return pattern_names[pattern]; }

static int parse_number(const char *text, long min, long max, long *value) {
  char *end;
  errno = 0;
  long number = strtol(text, &end, 10);
  if (errno || end == text || *end || number < min || number > max)
    return 0;
  *value = number;
  return 1;
}

static int parse_path(const char *text, char *path, size_t size) {
  if (!*text || strlen(text) >= size)
    return 0;
  strcpy(path, text);
  return 1;
}

static int parse_pattern(const char *text, enum pb_pattern *pattern) {
  for (int i = 0; i < (int)(sizeof pattern_names / sizeof *pattern_names); i++)
    if (!strcmp(text, pattern_names[i])) {
      *pattern = (enum pb_pattern)i;
      return 1;
    }
  return 0;
}

static int parse_seed(const char *text, unsigned *seed) {
  long number = 0;
  int fine = parse_number(text, 0, UINT_MAX, &number);
  *seed = (unsigned)number;
  return fine;
}

/* Short names serve inside only: getopt_long's usual way of telling long options apart. */
static const struct option long_options[] = {
    {"file", required_argument, NULL, 'f'},    {"dump-trace", required_argument, NULL, 't'},
    {"pattern", required_argument, NULL, 'p'}, {"n", required_argument, NULL, 'n'},
    {"rows", required_argument, NULL, 'r'},    {"compute", required_argument, NULL, 'k'},
    {"seed", required_argument, NULL, 's'},    {"create", no_argument, NULL, 'c'},
    {"collective", no_argument, NULL, 'a'},    {"no-io", no_argument, NULL, 'i'},
    {"csv", no_argument, NULL, 'v'},           {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},       {NULL, 0, NULL, 0},
};

/* 1 if the option and its value are valid. */
static int take(struct pb_options *o, int option) {
  switch (option) {
  case 'f':
    return parse_path(optarg, o->file, sizeof o->file);
  case 't':
    return parse_path(optarg, o->trace, sizeof o->trace);
  case 'p':
    return parse_pattern(optarg, &o->pattern);
  case 'n':
    return parse_number(optarg, 1, INT_MAX, &o->n);
  case 'r':
    return parse_number(optarg, 0, LONG_MAX, &o->rows);
  case 'k':
    return parse_number(optarg, 0, LONG_MAX, &o->compute);
  case 's':
    return parse_seed(optarg, &o->seed);
  case 'c':
    return o->create = 1;
  case 'a':
    return o->collective = 1;
  case 'i':
    return o->no_io = 1;
  case 'v':
    return o->csv = 1;
  default:
    return 0;
  }
}

enum pb_wish pb_options_parse(struct pb_options *o, int argc, char **argv, char *complaint,
                              int size) {
  memset(o, 0, sizeof *o);
  o->rows = 256;
  o->seed = 1;
  opterr = 0;
  int option, index = 0;
  while ((option = getopt_long(argc, argv, "", long_options, &index)) != -1) {
    if (option == 'h')
      return PB_HELP;
    if (option == 'V')
      return PB_VERSION;
    if (option == '?') {
      snprintf(complaint, (size_t)size, "%s: unknown, ambiguous or without its value",
               argv[optind - 1]);
      return PB_BAD;
    }
    if (!take(o, option)) {
      snprintf(complaint, (size_t)size, "--%s: bad value \"%s\"", long_options[index].name, optarg);
      return PB_BAD;
    }
  }
  const char *wrong = optind < argc                         ? "only options are expected"
                      : !o->n || (!o->file[0] && !o->no_io) ? "--n and --file are needed"
                                                            : NULL;
  if (wrong)
    snprintf(complaint, (size_t)size, "%s", wrong);
  return wrong ? PB_BAD : PB_RUN;
}
