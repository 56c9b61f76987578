/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a scan of a time series with options of the command line, a text configuration with
 * sections, a header in text within the data, and methods behind function pointers; four units.
 *
 * The slicer must get the configuration without touching the main thread's stream, fetch the
 * header, keep windows and channels, and leave out the methods. */
#include "series.h"

#include <stdio.h>
#include <string.h>

enum { kChannels = 8, kRecords = 400 };

static void makeConfig(const char *path) {
  FILE *out = fopen(path, "w");
  fputs("# three scans\n"
        "data = time-series.dat\n"
        "[levels]\nmethod = mean\nchannels = 0 2-6\n"
        "[range]\n  method = extremes   # of a few channels\nchannels = 1 7\nstride = 5\n"
        "[spikes]\nmethod = spikes\nchannels = 3-5\nthreshold = 2.5\nstride = 2\n",
        out);
  fclose(out);
}

static void makeData(const char *path) {
  char head[kHeadBytes];
  memset(head, ' ', sizeof head);
  snprintf(head, sizeof head, "SERIES channels=%d records=%d", kChannels, kRecords);
  FILE *out = fopen(path, "wb");
  fwrite(head, sizeof head, 1, out);
  for (int r = 0; r < kRecords; r++)
    for (int c = 0; c < kChannels; c++) {
      float sample = (float)((r * (c + 1)) % 16) / 4 + (r % 37 == c ? 8.0f : 0.0f);
      fwrite(&sample, sizeof sample, 1, out);
    }
  fclose(out);
}

static void printSummary(const struct Scan *scan, struct Summary mine, int rank) {
  struct Summary all;
  MPI_Reduce(&mine.sum, &all.sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&mine.least, &all.least, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
  MPI_Reduce(&mine.most, &all.most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Reduce(&mine.samples, &all.samples, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank != 0)
    return;
  switch (scan->method) {
  case MethodMean:
    printf("%s: mean %.6f of %ld\n", scan->name, all.sum / (double)all.samples, all.samples);
    break;
  case MethodExtremes:
    printf("%s: %.2f to %.2f\n", scan->name, all.least, all.most);
    break;
  case MethodSpikes:
    printf("%s: %ld spikes in %ld\n", scan->name, all.spikes, all.samples);
    break;
  }
}

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct Options options;
  if (!parseOptions(&options, argc, argv)) {
    if (rank == 0)
      fprintf(stderr, "usage: time-series [-w RECORDS] [-s FROM:TO] [-v] [CONFIG]\n");
    MPI_Finalize();
    return 2;
  }
  if (rank == 0) {
    makeConfig(options.config);
    makeData("time-series.dat");
  }
  MPI_Barrier(MPI_COMM_WORLD);

  struct Config config;
  struct Series series;
  if (!readConfig(options.config, &config) || !openSeries(&series, config.data)) {
    fprintf(stderr, "time-series: cannot read configuration or data\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  for (int s = 0; s < config.scanCount; s++) {
    struct Summary summary = runScan(&series, &config.scans[s], &options, rank, ranks);
    printSummary(&config.scans[s], summary, rank);
  }
  closeSeries(&series);
  MPI_Finalize();
  return 0;
}
