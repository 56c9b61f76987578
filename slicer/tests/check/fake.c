/* SPDX-License-Identifier: Apache-2.0 */
/* Linked in place of Forerun by the tests of forerun-check: logs what the program reads, claims to
 * have announced the same, and does the one thing wrong that FAULT names. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef FAULT
#define FAULT "none"
#endif

static FILE *logFile;
static int reads;

static int isOn(void) {
  const char *text = getenv("FORERUN");
  return !text || strcmp(text, "0") != 0;
}

static int fault(const char *name) { return strcmp(FAULT, name) == 0; }

/* FAKE_ORDER: a file in which each run leaves a word. */
static void tellOrder(void) {
  const char *path = getenv("FAKE_ORDER"), *report = getenv("FORERUN_REPORT");
  FILE *file = path ? fopen(path, "a") : NULL;
  if (!file)
    return;
  fprintf(file, "%s\n", !isOn() ? "without" : report && strcmp(report, "0") ? "report" : "with");
  fclose(file);
}

static void report(void) {
  const char *path = getenv("FORERUN_REPORT");
  int ranks;
  if (!path || !strcmp(path, "0") || fault("no report"))
    return;
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  FILE *file = fopen(path, "w");
  fprintf(file,
          "{\"ranks\": %d, \"coverage\": 0.75, \"why_off\": \"%s\", \"files\": [{\"path\": "
          "\"program.dat\"}, {\"path\": \"/no/such file\"}], \"sum\": {\"reads_on_time\": 6, "
          "\"reads_late\": 0, \"reads_missed\": 2}}\n",
          ranks, fault("off") ? "no thread could be created" : "");
  fclose(file);
}

int MPI_Init(int *argc, char ***argv) {
  int rc = PMPI_Init(argc, argv), rank;
  const char *prefix = getenv("FORERUN_CHECK");
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (prefix && *prefix && isOn() && !fault("no log")) {
    char path[4096];
    snprintf(path, sizeof path, "%s.%d.csv", prefix, rank);
    logFile = fopen(path, "w");
  }
  if (rank == 0)
    tellOrder();
  if (rank == 0 && fault(isOn() ? "stdout" : "stdout when off"))
    printf("surprise\n");
  if (rank == 0 && fault("stderr"))
    fprintf(stderr, "surprise\n");
  if (rank == 0 && fault("a file"))
    fclose(fopen("surprise", "w"));
  if (fault("a hang"))
    pause();
  return rc;
}

int MPI_File_read_at(MPI_File file, MPI_Offset offset, void *buffer, int count, MPI_Datatype type,
                     MPI_Status *status) {
  int size;
  MPI_Type_size(type, &size);
  long bytes = (long)count * size;
  if (logFile) {
    /* One read every 100 us, each announced 250 us earlier. */
    long long at = offset, time = 1000 + 100 * reads;
    fprintf(logFile, "read,%d,\"a, file\",%lld,%ld,%lld\n", reads, at, bytes, time);
    if (!fault("half announced"))
      fprintf(logFile, "prefetch,%d,\"a, file\",%lld,%ld,%lld\n", reads, at, bytes, time - 250);
    else if (reads % 2)
      fprintf(logFile, "prefetch,%d,\"a, file\",%lld,%ld,%lld\n", reads, at, bytes * 4, time);
    reads++;
  }
  return PMPI_File_read_at(file, offset, buffer, count, type, status);
}

int MPI_Finalize(void) {
  if (logFile) {
    fprintf(logFile, "site,0,%d,%d\n", reads, fault("half announced") ? reads / 2 : reads);
    int waits = fault("waits") || fault("waits somewhere");
    fprintf(logFile, "processor,4000,%d\ndelay,0,%d,1500,2500\n",
            fault("much computed") ? 3000 : 100, waits ? reads : 1);
    if (!fault("waits somewhere"))
      fprintf(logFile, "place,0,7,\"a, b.c\",MPI_File_read_at\n");
    fprintf(logFile, fault("a broken log") ? "read,1,x\n" : "end,returned\n");
    fclose(logFile);
  }
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    report();
  int rc = PMPI_Finalize();
  if (fault("status"))
    exit(4);
  return rc;
}
