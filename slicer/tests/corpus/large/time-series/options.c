/* SPDX-License-Identifier: Apache-2.0 */
#include "series.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int parsePart(const char *text, double *part) {
  char *end;
  errno = 0;
  *part = strtod(text, &end);
  if (*end == '%')
    *part /= 100;
  return !errno && end != text && *part >= 0 && *part <= 1;
}

static int parseSpan(const char *text, struct Options *options) {
  char copy[32], *colon;
  if (strlen(text) >= sizeof copy)
    return 0;
  strcpy(copy, text);
  colon = strchr(copy, ':');
  if (!colon)
    return 0;
  *colon = '\0';
  return parsePart(copy, &options->from) && parsePart(colon + 1, &options->to) &&
         options->from < options->to;
}

int parseOptions(struct Options *options, int argc, char **argv) {
  static const struct option longOptions[] = {{"window", required_argument, NULL, 'w'},
                                              {"span", required_argument, NULL, 's'},
                                              {"verbose", no_argument, NULL, 'v'},
                                              {NULL, 0, NULL, 0}};
  options->config = "time-series.conf";
  options->window = 16;
  options->verbose = 0;
  options->from = 0;
  options->to = 1;
  int option;
  while ((option = getopt_long(argc, argv, "w:s:v", longOptions, NULL)) != -1) {
    switch (option) {
    case 'w':
      options->window = atoi(optarg);
      if (options->window < 1)
        return 0;
      break;
    case 's':
      if (!parseSpan(optarg, options))
        return 0;
      break;
    case 'v':
      options->verbose = 1;
      break;
    default:
      return 0;
    }
  }
  if (optind < argc)
    options->config = argv[optind++];
  return optind == argc;
}
