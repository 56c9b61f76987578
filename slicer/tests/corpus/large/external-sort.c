/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: sorting more numbers than fit into memory: runs are sorted and written, then merged
 * through small buffers that are filled as they run empty.
 *
 * Which run is read next in the merge depends on the data: the slicer has to choose between
 * fetching the data (and merging too) and announcing less. Making the runs it must announce fully.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kNumbers = 3000, kMemory = 250, kMostRuns = 24, kBuffer = 32 };

struct Run {
  MPI_Offset begin, end; /* numbers, not bytes */
};

struct Source {
  struct Run left; /* what is still in the file */
  long buffer[kBuffer];
  int next, filled;
};

struct Sorter {
  MPI_File in, runs, out;
  struct Run list[kMostRuns];
  int count;
  long compares;
};

static int rank, ranks;

static MPI_Offset bytesOf(MPI_Offset numbers) { return numbers * (MPI_Offset)sizeof(long); }

static MPI_File openOwn(const char *stem, int mode) {
  char path[64];
  snprintf(path, sizeof path, "external-sort.%s.%d", stem, rank);
  MPI_File file;
  if (MPI_File_open(MPI_COMM_SELF, path, mode, MPI_INFO_NULL, &file) != MPI_SUCCESS) {
    fprintf(stderr, "cannot open %s\n", path);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return file;
}

/* ---- the input: the same numbers whatever the number of ranks ---- */

static long numberAt(long i) { return (long)((unsigned long)(i + 1) * 2654435761u % 100003u); }

static void makeInput(const char *path) {
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  long first = (long)kNumbers * rank / ranks, last = (long)kNumbers * (rank + 1) / ranks;
  long *part = malloc((size_t)(last - first) * sizeof *part);
  for (long i = first; i < last; i++)
    part[i - first] = numberAt(i);
  MPI_File_write_at_all(file, bytesOf(first), part, (int)(last - first), MPI_LONG,
                        MPI_STATUS_IGNORE);
  free(part);
  MPI_File_close(&file);
}

/* ---- runs ---- */

static int byValue(const void *a, const void *b) {
  long first = *(const long *)a, second = *(const long *)b;
  return (first > second) - (first < second);
}

static void makeRuns(struct Sorter *sorter, MPI_Offset first, MPI_Offset last) {
  long *memory = malloc(kMemory * sizeof *memory);
  sorter->count = 0;
  for (MPI_Offset at = first; at < last && sorter->count < kMostRuns; at += kMemory) {
    int count = (int)(last - at < kMemory ? last - at : kMemory);
    MPI_File_read_at(sorter->in, bytesOf(at), memory, count, MPI_LONG, MPI_STATUS_IGNORE);
    qsort(memory, (size_t)count, sizeof *memory, byValue);
    struct Run *run = &sorter->list[sorter->count++];
    run->begin = at - first;
    run->end = run->begin + count;
    MPI_File_write_at(sorter->runs, bytesOf(run->begin), memory, count, MPI_LONG,
                      MPI_STATUS_IGNORE);
  }
  free(memory);
}

/* ---- the merge ---- */

static int refill(MPI_File file, struct Source *source) {
  MPI_Offset left = source->left.end - source->left.begin;
  source->filled = (int)(left < kBuffer ? left : kBuffer);
  source->next = 0;
  if (source->filled == 0)
    return 0;
  MPI_File_read_at(file, bytesOf(source->left.begin), source->buffer, source->filled, MPI_LONG,
                   MPI_STATUS_IGNORE);
  source->left.begin += source->filled;
  return 1;
}

/* A heap of sources, the one with the smallest number first. */
struct Heap {
  struct Source *sources[kMostRuns];
  int count;
};

static long head(const struct Source *source) { return source->buffer[source->next]; }

static void siftDown(struct Heap *heap, int at, long *compares) {
  for (;;) {
    int least = at;
    for (int child = 2 * at + 1; child <= 2 * at + 2 && child < heap->count; child++) {
      ++*compares;
      if (head(heap->sources[child]) < head(heap->sources[least]))
        least = child;
    }
    if (least == at)
      return;
    struct Source *source = heap->sources[at];
    heap->sources[at] = heap->sources[least];
    heap->sources[least] = source;
    at = least;
  }
}

struct Output {
  long buffer[kBuffer];
  int filled;
  MPI_Offset written;
};

static void flush(MPI_File file, struct Output *output) {
  MPI_File_write_at(file, bytesOf(output->written), output->buffer, output->filled, MPI_LONG,
                    MPI_STATUS_IGNORE);
  output->written += output->filled;
  output->filled = 0;
}

static void merge(struct Sorter *sorter) {
  struct Source *sources = calloc((size_t)sorter->count, sizeof *sources);
  struct Heap heap = {.count = 0};
  struct Output output = {.filled = 0};
  for (int r = 0; r < sorter->count; r++) {
    sources[r].left = sorter->list[r];
    if (refill(sorter->runs, &sources[r]))
      heap.sources[heap.count++] = &sources[r];
  }
  for (int i = heap.count / 2 - 1; i >= 0; i--)
    siftDown(&heap, i, &sorter->compares);
  while (heap.count > 0) {
    struct Source *least = heap.sources[0];
    output.buffer[output.filled++] = least->buffer[least->next++];
    if (output.filled == kBuffer)
      flush(sorter->out, &output);
    if (least->next == least->filled && !refill(sorter->runs, least))
      heap.sources[0] = heap.sources[--heap.count];
    siftDown(&heap, 0, &sorter->compares);
  }
  flush(sorter->out, &output);
  free(sources);
}

/* ---- the check ---- */

static long check(MPI_File file, MPI_Offset count) {
  long before = -1, sum = 0;
  for (MPI_Offset at = 0; at < count; at += kMemory / 2) {
    long values[kMemory / 2];
    int now = (int)(count - at < kMemory / 2 ? count - at : kMemory / 2);
    MPI_File_read_at(file, bytesOf(at), values, now, MPI_LONG, MPI_STATUS_IGNORE);
    for (int i = 0; i < now; i++) {
      if (values[i] < before) {
        fprintf(stderr, "not sorted at %ld\n", (long)at + i);
        MPI_Abort(MPI_COMM_WORLD, 2);
      }
      before = values[i];
      sum += values[i] * ((at + i) % 3 + 1);
    }
  }
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  makeInput("external-sort.in");

  struct Sorter sorter = {.count = 0};
  MPI_File_open(MPI_COMM_WORLD, "external-sort.in", MPI_MODE_RDONLY, MPI_INFO_NULL, &sorter.in);
  sorter.runs = openOwn("runs", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
  sorter.out = openOwn("out", MPI_MODE_CREATE | MPI_MODE_RDWR);
  MPI_Offset first = (MPI_Offset)kNumbers * rank / ranks;
  MPI_Offset last = (MPI_Offset)kNumbers * (rank + 1) / ranks;
  makeRuns(&sorter, first, last);
  merge(&sorter);
  long mine[3] = {check(sorter.out, last - first), sorter.count, sorter.compares}, all[3];
  MPI_File_close(&sorter.out);
  MPI_File_close(&sorter.runs);
  MPI_File_close(&sorter.in);

  MPI_Reduce(mine, all, 3, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("external-sort %ld: %ld runs, %ld compares\n", all[0], all[1], all[2]);
  MPI_Finalize();
  return 0;
}
