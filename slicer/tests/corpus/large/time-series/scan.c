/* SPDX-License-Identifier: Apache-2.0 */
#include "series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int openSeries(struct Series *series, const char *path) {
  char head[kHeadBytes + 1] = "";
  if (MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &series->file))
    return 0;
  MPI_File_read_all(series->file, head, kHeadBytes, MPI_CHAR, MPI_STATUS_IGNORE);
  head[kHeadBytes] = '\0';
  return sscanf(head, "SERIES channels=%d records=%ld", &series->channels, &series->records) == 2;
}

void closeSeries(struct Series *series) { MPI_File_close(&series->file); }

static MPI_Offset recordOffset(const struct Series *series, long record) {
  return kHeadBytes + (MPI_Offset)record * series->channels * (MPI_Offset)sizeof(float);
}

/* ---- methods ---- */

typedef void (*Consume)(struct Summary *summary, const float *samples, int n, double threshold);

static void mean(struct Summary *summary, const float *samples, int n, double threshold) {
  (void)threshold;
  for (int i = 0; i < n; i++)
    summary->sum += samples[i];
  summary->samples += n;
}

static void extremes(struct Summary *summary, const float *samples, int n, double threshold) {
  mean(summary, samples, n, threshold);
  for (int i = 0; i < n; i++) {
    summary->least = fmin(summary->least, samples[i]);
    summary->most = fmax(summary->most, samples[i]);
  }
}

static void spikes(struct Summary *summary, const float *samples, int n, double threshold) {
  double level = n ? samples[0] : 0;
  for (int i = 0; i < n; i++) {
    if (fabs(samples[i] - level) > threshold)
      summary->spikes++;
    level += (samples[i] - level) / 4;
  }
  summary->samples += n;
}

static const Consume methods[] = {
    [MethodMean] = mean, [MethodExtremes] = extremes, [MethodSpikes] = spikes};

/* ---- windows ---- */

struct Window {
  long first, count; /* records */
};

/* The next window of this rank, or none: windows are dealt out in turn. */
static int nextWindow(struct Window *window, long end, long step) {
  window->first += step;
  return window->first < end;
}

static int sameRun(const struct Scan *scan) { /* channels that lie side by side are read at once */
  for (int c = 1; c < scan->channelCount; c++)
    if (scan->channels[c] != scan->channels[c - 1] + 1)
      return 0;
  return 1;
}

static int readWhole(struct Series *series, const struct Window *window, float *records) {
  return MPI_File_read_at(series->file, recordOffset(series, window->first), records,
                          (int)window->count * series->channels, MPI_FLOAT, MPI_STATUS_IGNORE);
}

static int readChannels(struct Series *series, long record, int channel, int count, float *into) {
  return MPI_File_read_at(series->file,
                          recordOffset(series, record) + channel * (MPI_Offset)sizeof(float), into,
                          count, MPI_FLOAT, MPI_STATUS_IGNORE);
}

static void scanDense(struct Series *series, const struct Scan *scan, struct Window window,
                      struct Summary *summary, float *buffer) {
  float chosen[kMostChannels];
  if (readWhole(series, &window, buffer))
    return;
  for (long r = 0; r < window.count; r++) {
    for (int c = 0; c < scan->channelCount; c++)
      chosen[c] = buffer[r * series->channels + scan->channels[c]];
    methods[scan->method](summary, chosen, scan->channelCount, scan->threshold);
  }
}

static void scanSparse(struct Series *series, const struct Scan *scan, struct Window window,
                       struct Summary *summary) {
  float chosen[kMostChannels];
  for (long r = window.first; r < window.first + window.count; r += scan->stride) {
    if (sameRun(scan)) {
      readChannels(series, r, scan->channels[0], scan->channelCount, chosen);
    } else {
      for (int c = 0; c < scan->channelCount; c++)
        readChannels(series, r, scan->channels[c], 1, chosen + c);
    }
    methods[scan->method](summary, chosen, scan->channelCount, scan->threshold);
  }
}

struct Summary runScan(struct Series *series, const struct Scan *scan,
                       const struct Options *options, int rank, int ranks) {
  struct Summary summary = {0, INFINITY, -INFINITY, 0, 0};
  long begin = (long)(options->from * (double)series->records);
  long end = (long)(options->to * (double)series->records);
  long step = options->window;
  float *buffer = malloc((size_t)(step * series->channels) * sizeof *buffer);
  struct Window window = {begin + (rank - ranks) * step, 0};
  while (nextWindow(&window, end, ranks * step)) {
    window.count = end - window.first < step ? end - window.first : step;
    if (scan->stride == 1 && scan->channelCount * 2 > series->channels)
      scanDense(series, scan, window, &summary, buffer);
    else
      scanSparse(series, scan, window, &summary);
    if (options->verbose && rank == 0 && window.first % (step * 8) == 0)
      printf("%s: record %ld, %ld samples\n", scan->name, window.first, summary.samples);
  }
  free(buffer);
  return summary;
}
