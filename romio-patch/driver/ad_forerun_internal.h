/* SPDX-License-Identifier: Apache-2.0 */
#ifndef AD_FORERUN_INTERNAL_H_INCLUDED
#define AD_FORERUN_INTERNAL_H_INCLUDED

/** \file
 * What the files of the driver share.
 */

#include "adio.h"
#include "adio_extern.h"
#include "forerun/door.h"
#include "mpiu_greq.h"

#include <stdint.h>

struct ADIOI_Forerun {
  const forerun_door *door;
  forerun_handle *handle; /* NULL: not attached */
  int serves;             /* the library has a cache of the file */
  ADIOI_Fns *base;        /* the file system's own functions */
  ADIOI_Fns stacked;
  MPI_Info users_info;        /* for a deferred open */
  int access_mode;            /* as the user gave it */
  int shared;                 /* several processes have it open, to read and to write */
  uint64_t name;              /* among the caches of several nodes; 0: none */
  int everywhere;             /* it has one on every process of the communicator */
  const forerun_costs *costs; /* who asks what reads cost; NULL: nobody */
  int costs_everywhere;       /* somebody does on every process */
  int together;               /* collective reads may have been noted there */
  int refusals;               /* agreements in a row that failed */
  int calls_since;            /* collective reads since the last agreement */
};

/* What is known inside a call, by thread. */
struct ad_forerun_here {
  /* Inside a write the driver's reads are those of a read-modify-write: they must
     * see the file, not the cache. */
  int reads_bypass;
  /* The write's exact ranges will be told by the outermost function. */
  int writes_known;
  /* How many of the driver's reads this thread is inside of, and what is known of the
     * outermost. Only counted where somebody asks what reads cost. */
  int reads_inside;
  int library_served;
  uint64_t waited_ns;
};

extern __thread struct ad_forerun_here ad_forerun_here __attribute__((visibility("hidden")));

/* ---- ad_forerun_request.c ---- */

/* The bytes of the file that a request names. */
typedef struct {
  ADIO_Offset *offsets; /* owns the memory */
  ADIO_Offset *lengths;
  int count;
  ADIO_Offset next_fp; /* the individual file pointer behind the request */
} ad_forerun_request;

void ad_forerun_request_get(ADIO_File fd, int count, MPI_Datatype datatype, int file_ptr_type,
                            ADIO_Offset offset, ad_forerun_request *r);
void ad_forerun_request_free(ad_forerun_request *r);
/* The ranges in the form the library wants, without the empty ones; those with no
 * more than gap bytes between them are merged. To be freed by ADIOI_Free. */
forerun_range *ad_forerun_request_ranges(const ad_forerun_request *r, ADIO_Offset gap,
                                         size_t *count);
ADIO_Offset ad_forerun_bytes_of(int count, MPI_Datatype datatype);

/* The user's memory, which is filled from its beginning. */
typedef struct {
  char *buf;
  ADIOI_Flatlist_node *flat; /* NULL: contiguous */
  MPI_Aint extent;
  MPI_Count block;      /* index of the block, within the type */
  ADIO_Offset instance; /* which of the count types */
  ADIO_Offset done;     /* in the block, or if contiguous in the whole */
} ad_forerun_memory;

void ad_forerun_memory_start(ad_forerun_memory *m, void *buf, MPI_Datatype datatype);
/* 0: the memory cannot be written to. */
int ad_forerun_memory_put(const struct ADIOI_Forerun *f, ad_forerun_memory *m, const char *bytes,
                          ADIO_Offset length);

/* ---- ad_forerun_serve.c ---- */

/* Serves the whole request, or nothing that counts. */
int ad_forerun_serve(ADIO_File fd, void *buf, MPI_Datatype datatype, const ad_forerun_request *r);
/* Status and file pointers after a request that has been served in full. */
void ad_forerun_served(ADIO_File fd, int count, MPI_Datatype datatype, int file_ptr_type,
                       const ad_forerun_request *r, ADIO_Status *status, int *error_code);

/* ---- ad_forerun_cost.c ---- */

uint64_t ad_forerun_now_ns(void);
/* When the program's read began; 0: it is part of another one, or nobody asks. */
uint64_t ad_forerun_read_begins(struct ADIOI_Forerun *f);
void ad_forerun_read_ends(struct ADIOI_Forerun *f, forerun_form form, const forerun_range *ranges,
                          size_t count, uint64_t start);
/* The same, where the ranges are still to be found. */
void ad_forerun_request_ends(ADIO_File fd, forerun_form form, const ad_forerun_request *r,
                             uint64_t start);

/* ---- ad_forerun_again.c ---- */

/* Makes some of the program's reads once more. The library fetches nothing from the file any
 * more, and the view is not needed any more. Collective if collective reads were noted. */
void ad_forerun_read_again(ADIO_File fd, forerun_samples *samples);

/* ---- the table: ad_forerun_read.c, ad_forerun_agreement.c, ad_forerun_write.c ---- */

void ad_forerun_ReadContig(ADIO_File fd, void *buf, int count, MPI_Datatype datatype,
                           int file_ptr_type, ADIO_Offset offset, ADIO_Status *status,
                           int *error_code);
void ad_forerun_ReadStrided(ADIO_File fd, void *buf, int count, MPI_Datatype datatype,
                            int file_ptr_type, ADIO_Offset offset, ADIO_Status *status,
                            int *error_code);
void ad_forerun_ReadStridedColl(ADIO_File fd, void *buf, int count, MPI_Datatype datatype,
                                int file_ptr_type, ADIO_Offset offset, ADIO_Status *status,
                                int *error_code);
void ad_forerun_IreadContig(ADIO_File fd, void *buf, int count, MPI_Datatype datatype,
                            int file_ptr_type, ADIO_Offset offset, ADIO_Request *request,
                            int *error_code);
void ad_forerun_WriteContig(ADIO_File fd, const void *buf, int count, MPI_Datatype datatype,
                            int file_ptr_type, ADIO_Offset offset, ADIO_Status *status,
                            int *error_code);
void ad_forerun_WriteStrided(ADIO_File fd, const void *buf, int count, MPI_Datatype datatype,
                             int file_ptr_type, ADIO_Offset offset, ADIO_Status *status,
                             int *error_code);
void ad_forerun_WriteStridedColl(ADIO_File fd, const void *buf, int count, MPI_Datatype datatype,
                                 int file_ptr_type, ADIO_Offset offset, ADIO_Status *status,
                                 int *error_code);
void ad_forerun_IwriteContig(ADIO_File fd, const void *buf, int count, MPI_Datatype datatype,
                             int file_ptr_type, ADIO_Offset offset, ADIO_Request *request,
                             int *error_code);
void ad_forerun_IwriteStrided(ADIO_File fd, const void *buf, int count, MPI_Datatype datatype,
                              int file_ptr_type, ADIO_Offset offset, ADIO_Request *request,
                              int *error_code);
void ad_forerun_IwriteStridedColl(ADIO_File fd, const void *buf, int count, MPI_Datatype datatype,
                                  int file_ptr_type, ADIO_Offset offset, ADIO_Request *request,
                                  int *error_code);

#endif
