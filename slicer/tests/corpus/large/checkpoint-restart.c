/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a checkpoint reader as simulations have it: a header with a version, a table of named
 * variables with shapes and offsets, blocks distributed over ranks, tags that are checked, and a
 * solver that goes on from what was read and writes checkpoints of its own.
 *
 * The slicer must fetch the header and the table (they hold the offsets), prefetch the blocks, make
 * dirty ranges of the new checkpoint, and leave out the solver and the checks. */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kNameBytes = 24, kVariables = 5, kMagic = 0x434b5031, kSteps = 3, kTagBytes = 16 };

struct Header {
  uint32_t magic, version;
  int32_t variables, step;
  double time;
  int64_t tableAt;
};

struct Variable {
  char name[kNameBytes];
  int64_t offset;
  int32_t blocks, blockLength; /* doubles in a block, after a tag */
  uint32_t elementBytes, flags;
};

struct Field {
  struct Variable about;
  int firstBlock, myBlocks;
  double *values;
};

struct State {
  struct Header header;
  struct Field fields[kVariables];
  int fieldCount;
  double residual;
};

static int rank, ranks;

/* ---- errors, as codes that are passed up ---- */

enum Error { ErrorNone, ErrorOpen, ErrorRead, ErrorFormat, ErrorMemory, ErrorTag };

static const char *const errorTexts[] = {"no error",       "cannot open",   "cannot read",
                                         "unknown format", "out of memory", "wrong block"};

#define TRY(expression)                                                                            \
  do {                                                                                             \
    enum Error error_ = (expression);                                                              \
    if (error_ != ErrorNone)                                                                       \
      return error_;                                                                               \
  } while (0)

static void complain(enum Error error, const char *path) {
  fprintf(stderr, "checkpoint-restart: %s: %s\n", path, errorTexts[error]);
  MPI_Abort(MPI_COMM_WORLD, (int)error);
}

/* ---- layout ---- */

static int64_t blockBytes(const struct Variable *variable) {
  return kTagBytes + (int64_t)variable->blockLength * variable->elementBytes;
}

static MPI_Offset blockOffset(const struct Variable *variable, int block) {
  return variable->offset + block * blockBytes(variable);
}

static void share(struct Field *field) {
  int each = field->about.blocks / ranks, rest = field->about.blocks % ranks;
  field->firstBlock = rank * each + (rank < rest ? rank : rest);
  field->myBlocks = each + (rank < rest);
}

static void makeTag(char *tag, const char *name, int block) {
  memset(tag, 0, kTagBytes);
  snprintf(tag, kTagBytes, "%.8s/%d", name, block);
}

/* ---- writing ---- */

static void describe(struct Variable *variables, int64_t start) {
  static const struct {
    const char *name;
    int blocks, length;
  } shapes[kVariables] = {{"density", 12, 40},
                          {"pressure", 12, 40},
                          {"velocity", 9, 96},
                          {"mesh", 4, 64},
                          {"log", 2, 8}};
  for (int v = 0; v < kVariables; v++) {
    memset(&variables[v], 0, sizeof variables[v]);
    strncpy(variables[v].name, shapes[v].name, kNameBytes - 1);
    variables[v].blocks = shapes[v].blocks;
    variables[v].blockLength = shapes[v].length;
    variables[v].elementBytes = sizeof(double);
    variables[v].flags = v == kVariables - 1 ? 1u : 0u; /* 1: not for restart */
    variables[v].offset = start;
    start += shapes[v].blocks * blockBytes(&variables[v]) + 32 * v;
  }
}

static void writeHead(MPI_File file, const struct Header *header,
                      const struct Variable *variables) {
  if (rank != 0)
    return;
  MPI_File_write_at(file, 0, header, (int)sizeof *header, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_write_at(file, header->tableAt, variables,
                    (int)((size_t)header->variables * sizeof *variables), MPI_BYTE,
                    MPI_STATUS_IGNORE);
}

static void writeBlock(MPI_File file, const struct Variable *variable, int block,
                       const double *values) {
  char tag[kTagBytes];
  MPI_Offset at = blockOffset(variable, block);
  makeTag(tag, variable->name, block);
  MPI_File_write_at(file, at, tag, kTagBytes, MPI_CHAR, MPI_STATUS_IGNORE);
  MPI_File_write_at(file, at + kTagBytes, values, variable->blockLength, MPI_DOUBLE,
                    MPI_STATUS_IGNORE);
}

static void makeFirstCheckpoint(const char *path) {
  struct Header header = {kMagic, 2, kVariables, 100, 1.5, 256};
  struct Variable variables[kVariables];
  describe(variables, 1024);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  writeHead(file, &header, variables);
  for (int v = 0; v < kVariables; v++)
    for (int b = rank; b < variables[v].blocks; b += ranks) {
      double values[96];
      for (int i = 0; i < variables[v].blockLength; i++)
        values[i] = (v + 1) * 10 + (b * 7 + i) % 13;
      writeBlock(file, &variables[v], b, values);
    }
  MPI_File_close(&file);
}

/* ---- reading ---- */

static enum Error readHeader(MPI_File file, struct State *state) {
  if (MPI_File_read_at_all(file, 0, &state->header, (int)sizeof state->header, MPI_BYTE,
                           MPI_STATUS_IGNORE) != MPI_SUCCESS)
    return ErrorRead;
  if (state->header.magic != kMagic || state->header.version > 2)
    return ErrorFormat;
  return ErrorNone;
}

static enum Error readTable(MPI_File file, struct State *state) {
  struct Variable table[kVariables];
  int count = state->header.variables;
  if (count < 1 || count > kVariables)
    return ErrorFormat;
  if (MPI_File_read_at_all(file, state->header.tableAt, table, count * (int)sizeof *table, MPI_BYTE,
                           MPI_STATUS_IGNORE) != MPI_SUCCESS)
    return ErrorRead;
  state->fieldCount = 0;
  for (int v = 0; v < count; v++) {
    if (table[v].flags & 1u)
      continue;
    struct Field *field = &state->fields[state->fieldCount++];
    field->about = table[v];
    share(field);
    field->values = malloc((size_t)(field->myBlocks + 1) * (size_t)table[v].blockLength *
                           sizeof *field->values);
    if (!field->values)
      return ErrorMemory;
  }
  return ErrorNone;
}

static enum Error checkTag(const char *found, const struct Field *field, int block) {
  char expected[kTagBytes];
  makeTag(expected, field->about.name, block);
  return memcmp(found, expected, kTagBytes) == 0 ? ErrorNone : ErrorTag;
}

static enum Error readField(MPI_File file, struct Field *field) {
  char tag[kTagBytes];
  for (int b = 0; b < field->myBlocks; b++) {
    int block = field->firstBlock + b;
    MPI_Offset at = blockOffset(&field->about, block);
    double *target = field->values + (size_t)b * (size_t)field->about.blockLength;
    if (MPI_File_read_at(file, at, tag, kTagBytes, MPI_CHAR, MPI_STATUS_IGNORE) != MPI_SUCCESS)
      return ErrorRead;
    TRY(checkTag(tag, field, block));
    if (MPI_File_read_at(file, at + kTagBytes, target, field->about.blockLength, MPI_DOUBLE,
                         MPI_STATUS_IGNORE) != MPI_SUCCESS)
      return ErrorRead;
  }
  return ErrorNone;
}

static enum Error readCheckpoint(const char *path, struct State *state) {
  MPI_File file;
  if (MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file) != MPI_SUCCESS)
    return ErrorOpen;
  TRY(readHeader(file, state));
  TRY(readTable(file, state));
  for (int f = 0; f < state->fieldCount; f++)
    TRY(readField(file, &state->fields[f]));
  MPI_File_close(&file);
  return ErrorNone;
}

/* ---- the simulation ---- */

static double relax(double *values, int n, double weight) {
  double change = 0, before = values[n - 1];
  for (int i = 0; i < n; i++) {
    double next = values[(i + 1) % n];
    double now = values[i] + weight * (before - 2 * values[i] + next) / 4;
    change += fabs(now - values[i]);
    before = values[i];
    values[i] = floor(now * 64) / 64;
  }
  return change;
}

static void advance(struct State *state) {
  state->residual = 0;
  for (int f = 0; f < state->fieldCount; f++) {
    struct Field *field = &state->fields[f];
    for (int b = 0; b < field->myBlocks; b++)
      state->residual += relax(field->values + (size_t)b * (size_t)field->about.blockLength,
                               field->about.blockLength, 1.0 / (f + 1));
  }
  double all = 0;
  MPI_Allreduce(&state->residual, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  state->header.step++;
  state->header.time += 0.5;
}

static void writeCheckpoint(const char *path, const struct State *state) {
  struct Variable variables[kVariables];
  describe(variables, 1024);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  struct Header header = state->header;
  header.variables = state->fieldCount;
  writeHead(file, &header, variables);
  for (int f = 0; f < state->fieldCount; f++) {
    const struct Field *field = &state->fields[f];
    for (int b = 0; b < field->myBlocks; b++)
      writeBlock(file, &variables[f], field->firstBlock + b,
                 field->values + (size_t)b * (size_t)field->about.blockLength);
  }
  MPI_File_close(&file);
}

static void release(struct State *state) {
  for (int f = 0; f < state->fieldCount; f++)
    free(state->fields[f].values);
  state->fieldCount = 0;
}

static double checksum(const struct State *state) {
  double sum = 0, total = 0;
  for (int f = 0; f < state->fieldCount; f++) {
    const struct Field *field = &state->fields[f];
    for (int i = 0; i < field->myBlocks * field->about.blockLength; i++)
      sum += field->values[i] * (i % 5 + 1);
  }
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  return total;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char path[64] = "checkpoint-restart.0";
  makeFirstCheckpoint(path);

  for (int step = 1; step <= kSteps;
       step++) { /* each goes on from the checkpoint of the one before */
    struct State state = {0};
    enum Error error = readCheckpoint(path, &state);
    if (error != ErrorNone)
      complain(error, path);
    advance(&state);
    snprintf(path, sizeof path, "checkpoint-restart.%d", step);
    writeCheckpoint(path, &state);
    double sum = checksum(&state);
    if (rank == 0)
      printf("step %d time %.1f sum %.6f\n", state.header.step, state.header.time, sum);
    release(&state);
  }
  MPI_Finalize();
  return 0;
}
