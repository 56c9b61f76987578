/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a signal handler that counts, raised between the reads.
 * The slicer must leave out the handler and the signals: they belong to the main thread. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>

enum { kLength = 33, kRecords = 24 };

static volatile sig_atomic_t alarms;

static void onAlarm(int number) {
  (void)number;
  alarms++;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    FILE *out = fopen("signal-handler.dat", "wb");
    for (int i = 0; i < kLength * kRecords; i++)
      fputc(i % 253, out);
    fclose(out);
  }
  MPI_Barrier(MPI_COMM_WORLD);

  struct sigaction action = {.sa_handler = onAlarm}, before;
  sigemptyset(&action.sa_mask);
  sigaction(SIGUSR1, &action, &before);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "signal-handler.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int r = 0; r < kRecords; r++) {
    unsigned char record[kLength];
    MPI_File_read_at(file, (r + rank) % kRecords * kLength, record, kLength, MPI_UNSIGNED_CHAR,
                     MPI_STATUS_IGNORE);
    int alarmsBefore = alarms;
    for (int i = 0; i < kLength; i++) {
      sum += record[i];
      if (record[i] == 7)
        raise(SIGUSR1);
    }
    sum += alarms - alarmsBefore;
  }
  MPI_File_close(&file);
  sigaction(SIGUSR1, &before, NULL);

  sum += 1000L * alarms;
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("signal-handler %ld\n", total);
  MPI_Finalize();
  return 0;
}
