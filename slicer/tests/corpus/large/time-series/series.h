/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SERIES_H
#define SERIES_H

#include <mpi.h>

/* A file of samples: a header line of text, padded; then for each time a record with one float for
 * each channel. */

enum { kHeadBytes = 128, kMostChannels = 12, kMostName = 24, kMostScans = 6 };

struct Options {
  const char *config;
  int window; /* records that are read at once */
  int verbose;
  double from, to; /* parts of the whole, 0 to 1 */
};

enum Method { MethodMean, MethodExtremes, MethodSpikes };

struct Scan {
  char name[kMostName];
  enum Method method;
  int channels[kMostChannels], channelCount;
  int stride; /* of records */
  double threshold;
};

struct Config {
  char data[64];
  struct Scan scans[kMostScans];
  int scanCount;
};

struct Series {
  MPI_File file;
  int channels;
  long records;
};

struct Summary {
  double sum, least, most;
  long samples, spikes;
};

/* options.c */
int parseOptions(struct Options *options, int argc, char **argv);

/* config.c */
int readConfig(const char *path, struct Config *config);

/* scan.c */
int openSeries(struct Series *series, const char *path);
void closeSeries(struct Series *series);
struct Summary runScan(struct Series *series, const struct Scan *scan,
                       const struct Options *options, int rank, int ranks);

#endif
