/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const pb_usage =
    "usage: mpiexec -n RANKS pbench --file FILE --n N [option...]\n"
    "Reads rows of an n x n matrix of doubles in a shared file and computes on them.\n"
    "  --create              make the matrix first (not timed); --rows 0: and nothing else\n"
    "  --pattern P           random (default), sequential, strided, writes, dependent\n"
    "  --rows R              rows that each rank reads (256)\n"
    "  --compute K           floating-point iterations over the data of each row (0)\n"
    "  --seed S              of the random row numbers (1)\n"
    "  --collective          read collectively\n"
    "  --no-io               compute on the same rows without reading them\n"
    "  --dump-trace PREFIX   write the requests of each rank to PREFIX.RANK (offset length)\n"
    "  --csv                 results as comma separated values\n";

static const char *const pattern_names[] = {"random", "sequential", "strided", "writes",
                                            "dependent"};

const char *pb_pattern_name(enum pb_pattern pattern) { return pattern_names[pattern]; }

static int parse_number(const char *text, long least, long most, long *value) {
  char *end;
  errno = 0;
  long number = strtol(text, &end, 10);
  if (errno || end == text || *end || number < least || number > most)
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

/* An option without a value: 1 if `name` is one. */
static int set_flag(struct pb_options *o, const char *name) {
  int *flag = !strcmp(name, "--create")       ? &o->create
              : !strcmp(name, "--collective") ? &o->collective
              : !strcmp(name, "--no-io")      ? &o->no_io
              : !strcmp(name, "--csv")        ? &o->csv
                                              : NULL;
  if (flag)
    *flag = 1;
  return flag != NULL;
}

/* An option with a value: 1 if fine, 0 if the value is not, -1 if there is no such option. */
static int set_value(struct pb_options *o, const char *name, const char *value) {
  if (!strcmp(name, "--file"))
    return parse_path(value, o->file, sizeof o->file);
  if (!strcmp(name, "--dump-trace"))
    return parse_path(value, o->trace, sizeof o->trace);
  if (!strcmp(name, "--pattern"))
    return parse_pattern(value, &o->pattern);
  if (!strcmp(name, "--n"))
    return parse_number(value, 1, INT_MAX, &o->n);
  if (!strcmp(name, "--rows"))
    return parse_number(value, 0, LONG_MAX, &o->rows);
  if (!strcmp(name, "--compute"))
    return parse_number(value, 0, LONG_MAX, &o->compute);
  if (!strcmp(name, "--seed")) {
    long seed = 0;
    int fine = parse_number(value, 0, UINT_MAX, &seed);
    o->seed = (unsigned)seed;
    return fine;
  }
  return -1;
}

enum pb_wish pb_options_parse(struct pb_options *o, int argc, char **argv, char *complaint,
                              int size) {
  memset(o, 0, sizeof *o);
  o->rows = 256;
  o->seed = 1;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--help"))
      return PB_HELP;
    if (set_flag(o, argv[i]))
      continue;
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    int fine = set_value(o, argv[i], value);
    if (fine < 0) {
      snprintf(complaint, (size_t)size, "unknown option %s", argv[i]);
      return PB_BAD;
    }
    if (!fine) {
      snprintf(complaint, (size_t)size, "%s: bad value \"%s\"", argv[i], value);
      return PB_BAD;
    }
    i++;
  }
  if (!o->n || (!o->file[0] && !o->no_io)) {
    snprintf(complaint, (size_t)size, "--n and --file are needed");
    return PB_BAD;
  }
  return PB_RUN;
}
