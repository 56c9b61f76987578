/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: each rank knows where its own records lie. In each step every rank asks the others for
 * some of theirs, one for more of them than another, and reads these.
 * The slicer must have the pre-execution threads ask and answer among themselves.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { kMostRanks = 16, kOwned = 20, kLength = 16, kSteps = 25, kStepMs = 10 };

static int rank, ranks;

static void makeInput(void) {
  long records[kLength];
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "alltoallv-requests.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int i = 0; i < kOwned; i++) {
    for (int k = 0; k < kLength; k++)
      records[k] = (rank * kOwned + i) * k % 83;
    MPI_File_write_at(file, (rank * kOwned + i) * (MPI_Offset)sizeof records, records, kLength,
                      MPI_LONG, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
}

/* Where a record of this rank lies. */
static int placeOf(int record) { return rank * kOwned + (record * 7 + rank) % kOwned; }

/* So many does the one ask the other for. */
static int countOf(int asking, int owner, int step) { return 1 + (asking + owner + step) % 2; }

/* Asks each owner; returns how many places there are. */
static int ask(int step, int *places) {
  int asked[kMostRanks], answered[kMostRanks], from[kMostRanks], to[kMostRanks];
  int questions[kMostRanks * 2] = {0}, asking[kMostRanks * 2] = {0}, answers[kMostRanks * 2] = {0};
  int received = 0, sent = 0;
  for (int r = 0; r < ranks; r++) {
    asked[r] = countOf(rank, r, step);
    to[r] = sent;
    sent += asked[r];
    questions[to[r]] = (rank * 11 + step * (r + 3)) % kOwned;
    questions[sent - 1] = (rank + step * 5) % kOwned;
  }
  MPI_Alltoall(asked, 1, MPI_INT, answered, 1, MPI_INT, MPI_COMM_WORLD);
  for (int r = 0; r < ranks; r++) {
    from[r] = received;
    received += answered[r];
  }
  MPI_Alltoallv(questions, asked, to, MPI_INT, asking, answered, from, MPI_INT, MPI_COMM_WORLD);
  for (int r = 0; r < ranks; r++) {
    answers[from[r]] = placeOf(asking[from[r]]);
    answers[from[r] + answered[r] - 1] = placeOf(asking[from[r] + answered[r] - 1]);
  }
  MPI_Alltoallv(answers, answered, from, MPI_INT, places, asked, to, MPI_INT, MPI_COMM_WORLD);
  return sent;
}

/* What a record says: its sum, weighted, and how far its values are apart. */
static long weigh(const long *records, int weight) {
  long sum = 0, least = records[0], most = records[0];
  for (int k = 0; k < kLength; k++) {
    sum += records[k] * (k + weight);
    if (records[k] < least)
      least = records[k];
    if (records[k] > most)
      most = records[k];
  }
  for (int k = 1; k < kLength; k++)
    if (records[k] < records[k - 1])
      sum -= most - least;
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > kMostRanks)
    MPI_Abort(MPI_COMM_WORLD, 1);
  makeInput();

  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "alltoallv-requests.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0, records[kLength];
  for (int step = 0; step < kSteps; step++) {
    int places[kMostRanks * 2], count = ask(step, places);
    for (int i = 0; i < count; i++) {
      MPI_File_read_at(file, places[i] * (MPI_Offset)sizeof records, records, kLength, MPI_LONG,
                       MPI_STATUS_IGNORE);
      sum += weigh(records, step + rank);
    }
    usleep(kStepMs * 1000);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("alltoallv-requests %d ranks: %ld\n", ranks, total);
  MPI_Finalize();
  return 0;
}
