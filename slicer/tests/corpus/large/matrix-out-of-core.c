/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: multiplication of matrices that do not fit into memory: panels of A and B are read block
 * by block, C is accumulated in the file over several passes.
 *
 * The slicer must keep the loops over blocks and the block sizes (also those at the edges), make
 * dirty ranges of the writes to C, and leave out the multiplication. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kRows = 70, kInner = 54, kColumns = 62 };

struct Matrix {
  MPI_File file;
  const char *path;
  long rows, columns;
  int isOpen;
};

struct Block {
  long row, column, rows, columns;
};

struct Buffer {
  double *values;
  long room;
};

static int rank, ranks;
static long flops, blockReads;

/* ---- memory ---- */

static void *allocated(size_t bytes) {
  void *memory = malloc(bytes ? bytes : 1);
  if (!memory)
    MPI_Abort(MPI_COMM_WORLD, 12);
  return memory;
}

static void reserve(struct Buffer *buffer, long elements) {
  if (elements <= buffer->room)
    return;
  free(buffer->values);
  buffer->values = allocated((size_t)elements * sizeof *buffer->values);
  buffer->room = elements;
}

/* ---- matrices in files ---- */

static MPI_Offset elementOffset(const struct Matrix *matrix, long row, long column) {
  return ((MPI_Offset)row * matrix->columns + column) * (MPI_Offset)sizeof(double);
}

static void openMatrix(struct Matrix *matrix, const char *path, long rows, long columns, int mode) {
  matrix->path = path;
  matrix->rows = rows;
  matrix->columns = columns;
  matrix->isOpen =
      MPI_File_open(MPI_COMM_WORLD, path, mode, MPI_INFO_NULL, &matrix->file) == MPI_SUCCESS;
  if (!matrix->isOpen) {
    fprintf(stderr, "cannot open %s\n", path);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

static void closeMatrix(struct Matrix *matrix) {
  if (matrix->isOpen)
    MPI_File_close(&matrix->file);
  matrix->isOpen = 0;
}

static struct Block blockAt(const struct Matrix *matrix, long row, long column, long rows,
                            long columns) {
  struct Block block = {row, column, rows, columns};
  if (block.row + block.rows > matrix->rows)
    block.rows = matrix->rows - block.row;
  if (block.column + block.columns > matrix->columns)
    block.columns = matrix->columns - block.column;
  return block;
}

static void readBlock(struct Matrix *matrix, struct Block block, struct Buffer *buffer) {
  reserve(buffer, block.rows * block.columns);
  if (block.columns == matrix->columns) { /* whole rows: one read */
    MPI_File_read_at(matrix->file, elementOffset(matrix, block.row, 0), buffer->values,
                     (int)(block.rows * block.columns), MPI_DOUBLE, MPI_STATUS_IGNORE);
    blockReads++;
    return;
  }
  for (long r = 0; r < block.rows; r++, blockReads++)
    MPI_File_read_at(matrix->file, elementOffset(matrix, block.row + r, block.column),
                     buffer->values + r * block.columns, (int)block.columns, MPI_DOUBLE,
                     MPI_STATUS_IGNORE);
}

static void writeBlock(struct Matrix *matrix, struct Block block, const struct Buffer *buffer) {
  for (long r = 0; r < block.rows; r++)
    MPI_File_write_at(matrix->file, elementOffset(matrix, block.row + r, block.column),
                      buffer->values + r * block.columns, (int)block.columns, MPI_DOUBLE,
                      MPI_STATUS_IGNORE);
}

/* ---- making the operands ---- */

typedef double (*Element)(long row, long column);

static double elementOfA(long row, long column) { return (double)((row * 3 + column) % 7) - 3; }
static double elementOfB(long row, long column) { return (double)((row + column * 5) % 11) - 5; }
static double elementOfC(long row, long column) { return row == column ? 1 : 0; }

static void makeMatrix(const char *path, long rows, long columns, Element element) {
  struct Matrix matrix;
  struct Buffer buffer = {NULL, 0};
  openMatrix(&matrix, path, rows, columns, MPI_MODE_CREATE | MPI_MODE_WRONLY);
  reserve(&buffer, columns);
  for (long r = rank; r < rows; r += ranks) {
    for (long c = 0; c < columns; c++)
      buffer.values[c] = element(r, c);
    writeBlock(&matrix, blockAt(&matrix, r, 0, 1, columns), &buffer);
  }
  free(buffer.values);
  closeMatrix(&matrix);
}

/* ---- the multiplication ---- */

static void multiplyAdd(const struct Block *a, const double *left, const struct Block *b,
                        const double *right, double *sum) {
  for (long i = 0; i < a->rows; i++)
    for (long k = 0; k < a->columns; k++) {
      double factor = left[i * a->columns + k];
      for (long j = 0; j < b->columns; j++)
        sum[i * b->columns + j] += factor * right[k * b->columns + j];
    }
  flops += 2 * a->rows * a->columns * b->columns;
}

/* How large a block may be with so much memory: a third of it each, in multiples of four. */
static long edgeFor(long memoryElements) {
  long edge = 4;
  while (3 * (edge + 4) * (edge + 4) <= memoryElements)
    edge += 4;
  return edge;
}

static void multiplyPanel(struct Matrix *a, struct Matrix *b, struct Matrix *c, long row,
                          long edge) {
  static struct Buffer left, right, sum;
  for (long column = 0; column < c->columns; column += edge) {
    struct Block target = blockAt(c, row, column, edge, edge);
    readBlock(c, target, &sum);
    for (long inner = 0; inner < a->columns; inner += edge) {
      struct Block first = blockAt(a, row, inner, edge, edge);
      struct Block second = blockAt(b, inner, column, edge, edge);
      readBlock(a, first, &left);
      readBlock(b, second, &right);
      multiplyAdd(&first, left.values, &second, right.values, sum.values);
    }
    writeBlock(c, target, &sum);
  }
}

static void multiply(struct Matrix *a, struct Matrix *b, struct Matrix *c, long memoryElements) {
  long edge = edgeFor(memoryElements);
  for (long row = rank * edge; row < c->rows; row += ranks * edge)
    multiplyPanel(a, b, c, row, edge);
}

/* ---- the check: whole rows of C ---- */

static double weighted(struct Matrix *c) {
  struct Buffer buffer = {NULL, 0};
  double sum = 0;
  for (long row = rank * 5; row < c->rows; row += ranks * 5) {
    struct Block rows = blockAt(c, row, 0, 5, c->columns);
    readBlock(c, rows, &buffer);
    for (long i = 0; i < rows.rows * rows.columns; i++)
      sum += buffer.values[i] * (double)((row * c->columns + i) % 9 + 1);
  }
  free(buffer.values);
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  makeMatrix("matrix-out-of-core.a", kRows, kInner, elementOfA);
  makeMatrix("matrix-out-of-core.b", kInner, kColumns, elementOfB);
  makeMatrix("matrix-out-of-core.c", kRows, kColumns, elementOfC);

  struct Matrix a, b, c;
  openMatrix(&a, "matrix-out-of-core.a", kRows, kInner, MPI_MODE_RDONLY);
  openMatrix(&b, "matrix-out-of-core.b", kInner, kColumns, MPI_MODE_RDONLY);
  double total = 0;
  for (int pass = 0; pass < 2; pass++) { /* C += A B, with less memory the second time */
    openMatrix(&c, "matrix-out-of-core.c", kRows, kColumns, MPI_MODE_RDWR);
    multiply(&a, &b, &c, pass == 0 ? 1400 : 700);
    closeMatrix(&c);
  }
  openMatrix(&c, "matrix-out-of-core.c", kRows, kColumns, MPI_MODE_RDONLY);
  double sum = weighted(&c);
  closeMatrix(&c);
  closeMatrix(&b);
  closeMatrix(&a);

  long work[2] = {flops, blockReads}, allWork[2] = {0, 0};
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(work, allWork, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("matrix-out-of-core %.0f: %ld operations, %ld reads\n", total, allWork[0], allWork[1]);
  MPI_Finalize();
  return 0;
}
