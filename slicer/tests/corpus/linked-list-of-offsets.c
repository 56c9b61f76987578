/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a linked list on the heap, built, reversed and walked.
 * The slicer must keep the list and its links; what is summed up in the nodes may go. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct Node {
  struct Node *next;
  MPI_Offset offset;
  long sum;
};

enum { kValues = 25 };

static struct Node *push(struct Node *head, MPI_Offset offset) {
  struct Node *node = malloc(sizeof *node);
  node->next = head;
  node->offset = offset;
  node->sum = 0;
  return node;
}

static struct Node *reversed(struct Node *head) {
  struct Node *done = NULL;
  while (head) {
    struct Node *next = head->next;
    head->next = done;
    done = head;
    head = next;
  }
  return done;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int values[kValues];
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "linked-list-of-offsets.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < 60; b++) {
    for (int i = 0; i < kValues; i++)
      values[i] = b * b % 101 + i;
    MPI_File_write(file, values, kValues, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  struct Node *list = NULL;
  for (int i = rank; i < 60; i += 2)
    list = push(list, i * 37 % 60 * (MPI_Offset)sizeof values);
  list = reversed(list);
  MPI_File_open(MPI_COMM_WORLD, "linked-list-of-offsets.dat", MPI_MODE_RDONLY, MPI_INFO_NULL,
                &file);
  for (struct Node *node = list; node; node = node->next) {
    MPI_File_read_at(file, node->offset, values, kValues, MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; i < kValues; i++)
      node->sum += values[i];
  }
  MPI_File_close(&file);

  long sum = 0, total = 0;
  while (list) {
    struct Node *node = list;
    sum = (sum * 5 + node->sum) % 1000003;
    list = node->next;
    free(node);
  }
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("linked-list-of-offsets %ld\n", total);
  MPI_Finalize();
  return 0;
}
