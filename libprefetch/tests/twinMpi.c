/* SPDX-License-Identifier: Apache-2.0 */
/* Prints what MPI reports about random datatypes: twinMpi SEED ROUNDS. Linked with MPICH and with
 * the small MPI of twins (FORERUN_TWIN), it has to print the same. With the latter it also reads
 * through random views. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMemoryBytes = 1 << 18, kMaxReach = 1 << 15 };

static uint64_t state;

static int upTo(int most) {
  state = state * 6364136223846793005U + 1442695040888963407U;
  return (int)((state >> 33) % (unsigned)(most + 1));
}

static void fail(const char *what) {
  fprintf(stderr, "twinMpi: %s\n", what);
  exit(1);
}

/* ---- datatypes ---- */

static MPI_Datatype elementary(void) {
  const MPI_Datatype all[] = {MPI_CHAR,      MPI_BYTE,   MPI_SHORT,    MPI_INT,   MPI_FLOAT,
                              MPI_LONG_LONG, MPI_DOUBLE, MPI_UNSIGNED, MPI_OFFSET};
  return all[upTo(8)];
}

/* Displacements of a file view never decrease. The type is not empty, since MPICH's bounds of empty
 * types are arbitrary; and unless all blocks are alike, they differ clearly, since for types that
 * are nearly the same MPICH may or may not pad. */
static MPI_Datatype indexed(MPI_Datatype child, int forFile) {
  const int count = upTo(4) + 1, isMixed = !forFile && upTo(1);
  int lengths[5], places[5], next = 0;
  MPI_Aint addresses[5], lower, extent;
  MPI_Datatype made, children[5];
  MPI_Type_get_extent(child, &lower, &extent);
  for (int i = 0; i < count; i++) {
    lengths[i] = upTo(3) + (i == 0 ? 1 : 0);
    places[i] = forFile ? next + upTo(3) : upTo(20) - 5;
    next = places[i] + lengths[i];
    addresses[i] = places[i] * extent + (forFile ? 0 : upTo(8));
    children[i] = isMixed ? i == 0 ? MPI_CHAR : elementary() : child;
  }
  switch (upTo(4)) {
  case 0:
    MPI_Type_indexed(count, lengths, places, child, &made);
    break;
  case 1:
    MPI_Type_create_hindexed(count, lengths, addresses, child, &made);
    break;
  case 2:
    for (int i = 0; i < count; i++)
      places[i] += 3 * i;
    MPI_Type_create_indexed_block(count, upTo(3) + 1, places, child, &made);
    break;
  case 3:
    for (int i = 0; i < count; i++)
      addresses[i] += 3 * i * extent;
    MPI_Type_create_hindexed_block(count, upTo(3) + 1, addresses, child, &made);
    break;
  default:
    MPI_Type_create_struct(count, lengths, addresses, children, &made);
  }
  return made;
}

static MPI_Datatype subarray(MPI_Datatype child) {
  const int count = upTo(2) + 1;
  int sizes[3], parts[3], starts[3];
  MPI_Datatype made;
  for (int i = 0; i < count; i++) {
    sizes[i] = upTo(5) + 1;
    parts[i] = upTo(sizes[i] - 1) + 1;
    starts[i] = upTo(sizes[i] - parts[i]);
  }
  MPI_Type_create_subarray(count, sizes, parts, starts, upTo(1) ? MPI_ORDER_C : MPI_ORDER_FORTRAN,
                           child, &made);
  return made;
}

static MPI_Datatype constructed(MPI_Datatype child, int forFile) {
  MPI_Datatype made;
  MPI_Aint lower, extent;
  const int count = upTo(3) + 1, length = upTo(2) + 1;
  MPI_Type_get_extent(child, &lower, &extent);
  switch (upTo(6)) {
  case 0:
    MPI_Type_contiguous(length, child, &made);
    break;
  case 1:
    MPI_Type_vector(count, length, length + upTo(4), child, &made);
    break;
  case 2:
    MPI_Type_create_hvector(count, length, length * extent + (forFile ? 0 : upTo(9)), child, &made);
    break;
  case 3:
    MPI_Type_dup(child, &made);
    break;
  case 4:
    MPI_Type_create_resized(child, forFile ? 0 : upTo(8) - 4, extent + upTo(16), &made);
    break;
  case 5:
    return subarray(child);
  default:
    return indexed(child, forFile);
  }
  return made;
}

static MPI_Aint reachOf(MPI_Datatype type) {
  MPI_Aint lower, extent, trueLower, trueExtent;
  MPI_Type_get_extent(type, &lower, &extent);
  MPI_Type_get_true_extent(type, &trueLower, &trueExtent);
  return labs(lower) + labs(extent) + labs(trueLower) + labs(trueExtent);
}

/* Made by at most that many constructors; freed by the caller. */
static MPI_Datatype derived(int depth, int forFile) {
  MPI_Datatype type = constructed(elementary(), forFile);
  for (int i = 0; i < depth && reachOf(type) < kMaxReach / 64; i++) {
    MPI_Datatype outer = constructed(type, forFile);
    MPI_Type_free(&type);
    type = outer;
  }
  MPI_Type_commit(&type);
  return type;
}

/* ---- what MPI says ---- */

static void describe(MPI_Datatype type);

static void describeContents(MPI_Datatype type, int integers, int addresses, int types) {
  int *numbers = malloc(((size_t)integers + 1) * sizeof *numbers);
  MPI_Aint *places = malloc(((size_t)addresses + 1) * sizeof *places);
  MPI_Datatype *children = malloc(((size_t)types + 1) * sizeof *children);
  if (numbers == NULL || places == NULL || children == NULL)
    fail("there is no memory");
  MPI_Type_get_contents(type, integers, addresses, types, numbers, places, children);
  for (int i = 0; i < integers; i++)
    printf(" %d", numbers[i]);
  for (int i = 0; i < addresses; i++)
    printf(" @%ld", (long)places[i]);
  for (int i = 0; i < types; i++) {
    describe(children[i]);
    int some, more, others, combiner;
    MPI_Type_get_envelope(children[i], &some, &more, &others, &combiner);
    if (combiner != MPI_COMBINER_NAMED)
      MPI_Type_free(&children[i]);
  }
  free(numbers);
  free(places);
  free(children);
}

static void describe(MPI_Datatype type) {
  int integers, addresses, types, combiner, size;
  MPI_Aint lower, extent, trueLower, trueExtent;
  MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  MPI_Type_size(type, &size);
  MPI_Type_get_extent(type, &lower, &extent);
  MPI_Type_get_true_extent(type, &trueLower, &trueExtent);
  printf(" (%d: %d %ld %ld %ld %ld", combiner, size, (long)lower, (long)extent,
         size > 0 ? (long)trueLower : 0, (long)trueExtent);
  if (combiner != MPI_COMBINER_NAMED)
    describeContents(type, integers, addresses, types);
  printf(")");
}

static unsigned checksum(const unsigned char *bytes, size_t count) {
  unsigned sum = 1;
  for (size_t i = 0; i < count; i++)
    sum = sum * 31 + bytes[i];
  return sum;
}

static unsigned char memory[kMemoryBytes], row[kMemoryBytes];

/* From a row of bytes to memory, and back. */
static void pack(MPI_Datatype type) {
  int size, position = 0, count = upTo(3);
  MPI_Type_size(type, &size);
  if ((count + 1) * reachOf(type) > kMemoryBytes / 2)
    return;
  for (int i = 0; i < kMemoryBytes; i++)
    memory[i] = (unsigned char)(i * 7 % 251);
  MPI_Pack(memory + kMemoryBytes / 2, count, type, row, kMemoryBytes, &position, MPI_COMM_SELF);
  printf(" packed %d %u", position, checksum(row, (size_t)position));
  for (int i = 0; i < position; i++)
    row[i] = (unsigned char)(i * 13 % 241);
  position = 0;
  MPI_Unpack(row, count * size, &position, memory + kMemoryBytes / 2, count, type, MPI_COMM_SELF);
  printf(" unpacked %d %u\n", position, checksum(memory, kMemoryBytes));
}

/* ---- files, whose bytes are in memory; only with the small MPI ---- */

#ifdef FORERUN_TWIN
#include "twinMpi.h"

enum { kFileBytes = 1 << 21, kMaxRead = 3000, kMaxParts = 3000 };

static unsigned char content[kFileBytes];

typedef struct Parts {
  uint64_t offset[kMaxParts], length[kMaxParts];
  int count;
} Parts;

static Parts announced, fetched;
static int announcements;

/* Adjoining pieces are merged. */
static void note(Parts *in, uint64_t offset, uint64_t length) {
  const int last = in->count - 1;
  if (in->count > 0 && in->offset[last] + in->length[last] == offset) {
    in->length[last] += length;
    return;
  }
  in->offset[in->count] = offset;
  in->length[in->count++] = length;
}

static int areEqual(const Parts *a, const Parts *b) {
  int are = a->count == b->count;
  for (int i = 0; are && i < a->count; i++)
    are = a->offset[i] == b->offset[i] && a->length[i] == b->length[i];
  return are;
}

static int fetch(void *context, uint64_t file, uint64_t offset, void *buffer, size_t length,
                 size_t *got) {
  (void)context;
  const size_t left = offset < kFileBytes ? kFileBytes - offset : 0;
  *got = length < left ? length : left;
  memcpy(buffer, content + offset, *got);
  note(&fetched, offset, length);
  return file == 1;
}

static void announce(void *context, uint64_t file, uint64_t offset, uint64_t length) {
  (void)context, (void)file;
  announcements++;
  note(&announced, offset, length);
}

static MPI_File openFile(void) {
  static const forerun_twin_host kHost = {.fetch = fetch, .announce = announce};
  MPI_File file;
  for (int i = 0; i < kFileBytes; i++)
    content[i] = (unsigned char)(i * 11 % 253);
  forerun_twin_mpi_begin(&kHost);
  forerun_twin_mpi_opens(1);
  if (MPI_File_open(MPI_COMM_SELF, "any", MPI_MODE_RDONLY, MPI_INFO_NULL, &file) != MPI_SUCCESS)
    fail("the file cannot be opened");
  return file;
}

static void read(MPI_File file, forerun_twin_mpi_read as, MPI_Offset offset, int count) {
  MPI_Status status;
  int got = -1;
  forerun_twin_mpi_reads(as);
  MPI_File_read_at(file, offset, memory, count, MPI_BYTE, &status);
  MPI_Get_count(&status, MPI_BYTE, &got);
  if (got != count)
    fail("another number of bytes is read");
}

/* What a view shows of a file is what MPI_Pack packs of its bytes. */
static void readView(MPI_File file, MPI_Datatype tile) {
  int size, position = 0;
  MPI_Aint lower, extent;
  MPI_Type_size(tile, &size);
  MPI_Type_get_extent(tile, &lower, &extent);
  const int start = upTo(1000), offset = upTo(500), count = upTo(kMaxRead);
  const int tiles = size == 0 ? 0 : (offset + count) / size + 1;
  if (size == 0 || start + tiles * extent + reachOf(tile) > kFileBytes ||
      tiles * size > kMemoryBytes)
    return;
  MPI_File_set_view(file, start, MPI_BYTE, tile, "native", MPI_INFO_NULL);
  MPI_Pack(content + start, tiles, tile, row, kMemoryBytes, &position, MPI_COMM_SELF);
  announced.count = fetched.count = 0;
  read(file, FORERUN_TWIN_ANNOUNCE, offset, count);
  read(file, FORERUN_TWIN_FETCH, offset, count);
  if (memcmp(memory, row + offset, (size_t)count) != 0)
    fail("a view shows other bytes");
  if (!areEqual(&announced, &fetched))
    fail("other bytes are announced than fetched");
}

/* What is past the end of the file is not read. */
static void readAtTheEnd(MPI_File file) {
  MPI_Status status;
  int got = -1;
  forerun_twin_mpi_reads(FORERUN_TWIN_FETCH);
  MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  MPI_File_read_at(file, kFileBytes / 4 - 2, memory, 5, MPI_INT, &status);
  MPI_Get_count(&status, MPI_INT, &got);
  if (got != 2)
    fail("the end of the file is not where it is");
}

/* Made of itself twice, and that again: 2^12 blocks are one piece, and looked at as one. */
static void readDoubled(MPI_File file) {
  const int lengths[] = {1, 1};
  MPI_Datatype type = MPI_INT;
  for (int i = 0; i < 12; i++) {
    MPI_Aint lower, places[2] = {0, 0};
    MPI_Datatype twice, both[] = {type, type};
    MPI_Type_get_extent(type, &lower, &places[1]);
    MPI_Type_create_struct(2, lengths, places, both, &twice);
    if (type != MPI_INT)
      MPI_Type_free(&type);
    type = twice;
  }
  MPI_File_set_view(file, 8, MPI_BYTE, type, "native", MPI_INFO_NULL);
  announcements = 0;
  read(file, FORERUN_TWIN_ANNOUNCE, 100, kMaxRead);
  if (announcements != 1)
    fail("one piece is looked at as many");
  MPI_Type_free(&type);
}

static void readViews(int rounds) {
  MPI_File file = openFile();
  for (int i = 0; i < rounds; i++) {
    MPI_Datatype tile = derived(upTo(2), 1);
    readView(file, tile);
    MPI_Type_free(&tile);
  }
  readAtTheEnd(file);
  readDoubled(file);
  MPI_File_close(&file);
}
#else
static void readViews(int rounds) { (void)rounds; }
#endif

int main(int argc, char **argv) {
  if (argc < 3)
    fail("SEED ROUNDS");
  MPI_Init(&argc, &argv);
  state = strtoull(argv[1], NULL, 10);
  for (int i = 0; i < atoi(argv[2]); i++) {
    MPI_Datatype type = derived(upTo(3), 0);
    describe(type);
    pack(type);
    MPI_Type_free(&type);
  }
  readViews(atoi(argv[2]));
  MPI_Finalize();
  return 0;
}
