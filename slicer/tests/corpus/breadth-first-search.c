/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a breadth-first search with a queue, through a graph in a file: for each vertex where its
 * neighbours are, and then the neighbours.
 * The slicer must fetch both, since they say what is read next; the thread is never ahead of the
 * program, and must not slow it down. */
#include <mpi.h>
#include <stdio.h>

enum { kVertices = 150, kApart = 4096, kNeighbours = 4 };

struct Row {
  long at, length;
};

static void makeInput(const char *path) {
  FILE *out = fopen(path, "wb");
  for (long vertex = 0; vertex < kVertices; vertex++) {
    const struct Row row = {(kVertices + vertex * 77 % kVertices) * kApart, kNeighbours};
    fseek(out, vertex * kApart, SEEK_SET);
    fwrite(&row, sizeof row, 1, out);
    fseek(out, row.at, SEEK_SET);
    for (int i = 0; i < kNeighbours; i++) {
      const int neighbour = (int)((vertex * 31 + i * 17 + 5) % kVertices);
      fwrite(&neighbour, sizeof neighbour, 1, out);
    }
  }
  fclose(out);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    makeInput("breadth-first-search.dat");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "breadth-first-search.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  int queue[kVertices], distance[kVertices], neighbours[kNeighbours];
  for (int i = 0; i < kVertices; i++)
    distance[i] = -1;
  int head = 0, tail = 0;
  queue[tail++] = rank;
  distance[rank] = 0;
  while (head < tail) {
    const int vertex = queue[head++];
    struct Row row;
    MPI_File_read_at(file, (MPI_Offset)vertex * kApart, &row, sizeof row, MPI_BYTE,
                     MPI_STATUS_IGNORE);
    MPI_File_read_at(file, row.at, neighbours, (int)row.length, MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; i < row.length; i++)
      if (distance[neighbours[i]] < 0) {
        distance[neighbours[i]] = distance[vertex] + 1;
        queue[tail++] = neighbours[i];
      }
  }
  MPI_File_close(&file);
  long sum = 0, total = 0;
  for (int i = 0; i < kVertices; i++)
    sum += (long)distance[i] * i;
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("breadth-first-search %ld\n", total);
  MPI_Finalize();
  return 0;
}
