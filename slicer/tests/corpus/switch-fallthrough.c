/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: cases that fall through, a default in the middle and a break in a nested block.
 * The slicer must keep every case that moves the offset, and the breaks between them. */
#include <mpi.h>
#include <stdio.h>

enum { kBytes = 8192 };

static void makeInput(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    FILE *out = fopen("switch-fallthrough.dat", "wb");
    for (int i = 0; i < kBytes; i++)
      putc(i * 7 % 251, out);
    fclose(out);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static long weigh(const unsigned char *bytes, int n) {
  long weight = 0;
  for (int i = 0; i < n; i++)
    weight = (weight * 31 + bytes[i]) % 1000003;
  return weight;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  makeInput();

  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "switch-fallthrough.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0;
  for (int step = 0; step < 30; step++) {
    MPI_Offset offset = rank * 64;
    int length = 16;
    switch ((step + rank) % 5) {
    case 0:
      offset += 1024;
      /* fall through */
    case 1:
      offset += 512;
      length *= 2;
      break;
    default:
      offset = 4096;
      if (step > 20) {
        length = 100;
        break;
      }
      /* fall through */
    case 3:
      offset += step * 16;
      sum += 1;
      break;
    case 4:
      sum += 4;
    }
    unsigned char bytes[128];
    MPI_File_read_at(file, offset, bytes, length, MPI_BYTE, MPI_STATUS_IGNORE);
    sum += weigh(bytes, length);
  }
  MPI_File_close(&file);

  long total = 0;
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("switch-fallthrough %ld\n", total);
  MPI_Finalize();
  return 0;
}
