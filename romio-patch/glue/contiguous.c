/* SPDX-License-Identifier: Apache-2.0 */

/** \file
 * Whether a datatype is contiguous: any number of instances, one after the other, are one run of
 * bytes in order. ROMIO asks MPICH's internals, which a stand-alone library cannot reach, and its
 * flattening relies on an exact answer, with errors in neither direction. So the answer is derived
 * from the type's constructor by the rules that MPICH's own datatype engines (dataloops, yaksa)
 * have in common, and remembered in an attribute of the type.
 */

#include "contiguous.h"

#include "adio.h"

#include <stdint.h>
#include <stdlib.h>

typedef struct type_extent {
  MPI_Count size;
  MPI_Count lb, extent;
  MPI_Count true_lb, true_extent;
} type_extent;

static type_extent extent_of(MPI_Datatype type) {
  type_extent e;
  PMPI_Type_size_x(type, &e.size);
  PMPI_Type_get_extent_x(type, &e.lb, &e.extent);
  PMPI_Type_get_true_extent_x(type, &e.true_lb, &e.true_extent);
  return e;
}

/** What MPI_Type_get_contents returns. Owns the derived types in it. */
typedef struct type_contents {
  int combiner;
  int integers_count, addresses_count, types_count;
  MPI_Count *integers;
  MPI_Aint *addresses;
  MPI_Datatype *types;
} type_contents;

static void contents_get(MPI_Datatype type, type_contents *c) {
  ADIOI_Type_get_envelope(type, &c->integers_count, &c->addresses_count, &c->types_count,
                          &c->combiner);
  c->integers = NULL;
  c->addresses = NULL;
  c->types = NULL;
  if (c->combiner == MPI_COMBINER_NAMED)
    return;
  c->integers = calloc((size_t)c->integers_count + 1, sizeof *c->integers);
  c->addresses = calloc((size_t)c->addresses_count + 1, sizeof *c->addresses);
  c->types = calloc((size_t)c->types_count + 1, sizeof *c->types);
  ADIOI_Type_get_contents(type, c->integers, c->addresses, c->types);
}

static void contents_free(type_contents *c) {
  for (int i = 0; c->types && i < c->types_count; i++) {
    int integers, addresses, types, combiner;
    ADIOI_Type_get_envelope(c->types[i], &integers, &addresses, &types, &combiner);
    if (combiner != MPI_COMBINER_NAMED)
      PMPI_Type_free(&c->types[i]);
  }
  free(c->integers);
  free(c->addresses);
  free(c->types);
}

/** Blocks of `base`, each at its displacement. */
typedef struct block_list {
  MPI_Count count;
  const MPI_Count *lengths; /**< null: all are `length` */
  MPI_Count length;
  const MPI_Count *displacements;     /**< in extents of the base, or */
  const MPI_Aint *byte_displacements; /**< in bytes */
} block_list;

static MPI_Count block_length(const block_list *b, MPI_Count i) {
  return b->lengths ? b->lengths[i] : b->length;
}

static MPI_Count block_offset(const block_list *b, MPI_Count i, MPI_Count extent) {
  return b->displacements ? b->displacements[i] * extent : b->byte_displacements[i];
}

static int one_run(const block_list *b, MPI_Count extent) {
  int runs = 0;
  MPI_Count end = 0;
  for (MPI_Count i = 0; i < b->count; i++) {
    const MPI_Count length = block_length(b, i), offset = block_offset(b, i, extent);
    if (length == 0)
      continue;
    if (runs == 0 || offset != end)
      runs++;
    end = offset + length * extent;
  }
  return runs <= 1;
}

static int vector_is_contiguous(MPI_Count count, MPI_Count stride, MPI_Datatype base,
                                const type_extent *whole) {
  return whole->size == whole->extent && (count <= 1 || stride > 0) && forerun_is_contiguous(base);
}

static int blocks_are_contiguous(const block_list *b, MPI_Datatype base, const type_extent *whole) {
  return whole->size == whole->extent && forerun_is_contiguous(base) &&
         one_run(b, extent_of(base).extent);
}

static int struct_is_contiguous(const type_contents *c, const type_extent *whole) {
  const MPI_Count count = c->integers[0];
  if (whole->size != whole->extent)
    return 0;
  int first = 1;
  MPI_Count end = 0;
  for (MPI_Count i = 0; i < count; i++) {
    const MPI_Count length = c->integers[1 + i];
    if (length == 0)
      continue;
    const type_extent e = extent_of(c->types[i]);
    if (!forerun_is_contiguous(c->types[i]))
      return 0;
    const MPI_Count block_end = c->addresses[i] + e.lb + length * e.extent;
    if (!first && (c->addresses[i] + e.lb < end || block_end <= end))
      return 0;
    first = 0;
    end = block_end;
  }
  return 1;
}

static int derived_is_contiguous(const type_contents *c, const type_extent *whole) {
  const MPI_Datatype base = c->types[0];
  const MPI_Count *n = c->integers;
  block_list blocks = {.count = n[0]};
  switch (c->combiner) {
  case MPI_COMBINER_DUP:
  case MPI_COMBINER_CONTIGUOUS:
    return forerun_is_contiguous(base);
  case MPI_COMBINER_VECTOR:
    return vector_is_contiguous(n[0], n[2], base, whole);
  case MPI_COMBINER_HVECTOR:
    return vector_is_contiguous(n[0], c->addresses[0], base, whole);
  case MPI_COMBINER_INDEXED:
    blocks.lengths = n + 1;
    blocks.displacements = n + 1 + n[0];
    return blocks_are_contiguous(&blocks, base, whole);
  case MPI_COMBINER_HINDEXED:
    blocks.lengths = n + 1;
    blocks.byte_displacements = c->addresses;
    return blocks_are_contiguous(&blocks, base, whole);
  case MPI_COMBINER_INDEXED_BLOCK:
    blocks.length = n[1];
    blocks.displacements = n + 2;
    return blocks_are_contiguous(&blocks, base, whole);
  case MPI_COMBINER_HINDEXED_BLOCK:
    blocks.length = n[1];
    blocks.byte_displacements = c->addresses;
    return blocks_are_contiguous(&blocks, base, whole);
  case MPI_COMBINER_STRUCT:
    return struct_is_contiguous(c, whole);
  case MPI_COMBINER_RESIZED:
  case MPI_COMBINER_SUBARRAY:
  case MPI_COMBINER_DARRAY:
    /* The parts of an array are resized to the extent of the whole array. */
    return whole->size == whole->extent && forerun_is_contiguous(base);
  default:
    return 0;
  }
}

static int work_out(MPI_Datatype type) {
  const type_extent whole = extent_of(type);
  type_contents contents;
  contents_get(type, &contents);
  int flag;
  if (contents.combiner == MPI_COMBINER_NAMED)
    flag = whole.size == whole.extent;
  else if (whole.size == 0 && contents.combiner != MPI_COMBINER_RESIZED)
    flag = whole.extent == 0; /* MPICH's empty type */
  else
    /* MPICH counts the place of an empty part: the true bounds are then not those of the bytes, and
     * a caller that takes the type for contiguous would look for the bytes before their place. */
    flag = whole.true_extent == whole.size && derived_is_contiguous(&contents, &whole);
  contents_free(&contents);
  return flag;
}

/** A named type never changes and is never freed, so it is remembered by its handle: asking MPI
 * takes five calls, or a tenth of the time of a read from the system's page cache. */
typedef struct named_type {
  MPI_Datatype type; /**< 0 (not a handle): none yet */
  int is_contiguous;
} named_type;

#define NAMED_PLACES 64
static named_type named_types[NAMED_PLACES]; /* guarded by the MPI-IO's critical section */

static named_type *place_of(MPI_Datatype type) {
  return &named_types[(unsigned)type % NAMED_PLACES];
}

static int worked_out_for_named(MPI_Datatype type) {
  named_type *place = place_of(type);
  place->type = type;
  place->is_contiguous = work_out(type);
  return place->is_contiguous;
}

/* Called with the MPI-IO's critical section held, as everything in ROMIO. */
int forerun_is_contiguous(MPI_Datatype type) {
  static int keyval = MPI_KEYVAL_INVALID;
  if (forerun_is_known_named(type))
    return place_of(type)->is_contiguous;
  int integers, addresses, types, combiner;
  ADIOI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  if (combiner == MPI_COMBINER_NAMED)
    return worked_out_for_named(type);
  if (keyval == MPI_KEYVAL_INVALID)
    PMPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &keyval, NULL);
  void *value = NULL;
  int found = 0;
  PMPI_Type_get_attr(type, keyval, &value, &found);
  if (found)
    return (int)(intptr_t)value;
  const int flag = work_out(type);
  PMPI_Type_set_attr(type, keyval, (void *)(intptr_t)flag);
  return flag;
}

int forerun_is_known_named(MPI_Datatype type) { return place_of(type)->type == type; }
