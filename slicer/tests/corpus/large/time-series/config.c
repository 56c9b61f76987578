/* SPDX-License-Identifier: Apache-2.0 */
#include "series.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *trimmed(char *text) {
  while (isspace((unsigned char)*text))
    text++;
  char *end = text + strlen(text);
  while (end > text && isspace((unsigned char)end[-1]))
    *--end = '\0';
  return text;
}

static int parseMethod(const char *word, enum Method *method) {
  static const char *const names[] = {
      [MethodMean] = "mean", [MethodExtremes] = "extremes", [MethodSpikes] = "spikes"};
  for (int m = 0; m < 3; m++)
    if (!strcmp(word, names[m])) {
      *method = (enum Method)m;
      return 1;
    }
  return 0;
}

/* "0 3-5 7" */
static int parseChannels(char *text, struct Scan *scan) {
  char *state = NULL;
  for (char *word = strtok_r(text, " ", &state); word; word = strtok_r(NULL, " ", &state)) {
    int first, last;
    int got = sscanf(word, "%d-%d", &first, &last);
    if (got < 1)
      return 0;
    if (got == 1)
      last = first;
    for (int c = first; c <= last; c++) {
      if (scan->channelCount == kMostChannels)
        return 0;
      scan->channels[scan->channelCount++] = c;
    }
  }
  return 1;
}

static int setValue(struct Config *config, struct Scan *scan, const char *key, char *value) {
  if (!strcmp(key, "data")) {
    snprintf(config->data, sizeof config->data, "%s", value);
    return 1;
  }
  if (!scan)
    return 0;
  if (!strcmp(key, "method"))
    return parseMethod(value, &scan->method);
  if (!strcmp(key, "channels"))
    return parseChannels(value, scan);
  if (!strcmp(key, "stride"))
    return (scan->stride = atoi(value)) > 0;
  if (!strcmp(key, "threshold"))
    return sscanf(value, "%lf", &scan->threshold) == 1;
  return 0;
}

int readConfig(const char *path, struct Config *config) {
  FILE *in = fopen(path, "r");
  if (!in)
    return 0;
  memset(config, 0, sizeof *config);
  struct Scan *scan = NULL;
  char line[160];
  int good = 1;
  for (int number = 1; good && fgets(line, sizeof line, in); number++) {
    char *comment = strchr(line, '#');
    if (comment)
      *comment = '\0';
    char *text = trimmed(line);
    if (!*text)
      continue;
    if (*text == '[' && config->scanCount < kMostScans) {
      scan = &config->scans[config->scanCount++];
      scan->stride = 1;
      good = sscanf(text, "[%23[^]]]", scan->name) == 1;
      continue;
    }
    char *equals = strchr(text, '=');
    if (equals) {
      *equals = '\0';
      good = setValue(config, scan, trimmed(text), trimmed(equals + 1));
    }
    if (!equals || !good)
      fprintf(stderr, "%s:%d: not understood\n", path, number);
  }
  fclose(in);
  return good && config->data[0];
}
