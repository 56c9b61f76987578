/*
 * Copyright (C) by the Forerun authors
 *     SPDX-License-Identifier: Apache-2.0
 */

/* The stacked driver. Reads ask the registered library and fall through to the
 * file system's driver on a miss; writes and everything that changes the file go
 * to the driver and are then made known to the library.
 *
 * - Statuses, file pointers and error codes are those of the driver: what the
 *   library serves is served only in full, or (contiguous reads) short at the end
 *   of the file in the way all drivers are short.
 * - What the library is told of writes is exact for what this process wrote; an
 *   aggregator also tells what it wrote for others.
 * - The functions may run in poll functions of generalized requests, without
 *   ROMIO's critical section and on any thread: what the table does inside a call
 *   is therefore kept per thread and not in the file handle. */

#include "adio.h"
#include "adio_extern.h"
#include "mpiu_greq.h"
#include "forerun/door.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

struct ADIOI_Forerun {
    const forerun_door *door;
    forerun_handle *handle;     /* NULL: not attached */
    int serves;                 /* the library has a cache of the file */
    ADIOI_Fns *base;            /* the file system's own functions */
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

static const forerun_door *registered_door = NULL;

/* Inside a write the driver's reads are those of a read-modify-write: they must
 * see the file, not the cache. */
static __thread int reads_bypass = 0;
/* The write's exact ranges will be told by the outermost function. */
static __thread int writes_known = 0;

/* How many of the driver's reads this thread is inside of, and what is known of the
 * outermost. Only counted where somebody asks what reads cost. */
static __thread int reads_inside = 0;
static __thread int library_served = 0;
static __thread uint64_t waited_ns = 0;

/* After so many failed agreements in a row, only every RETRY_EVERY-th collective read
 * asks for one. The same on all processes, as the outcome is. */
enum { PATIENCE = 4, RETRY_EVERY = 16 };

/* Ranges closer than a sector are read as one: a cache keeps whole sectors, so the
 * gap is there when its neighbours are. */
enum { SECTOR = 4096, CHUNK = 256 * 1024 };

__attribute__ ((visibility("default")))
int forerun_mpiio_register(const forerun_door * door)
{
    if (door && door->version != FORERUN_DOOR_VERSION)
        return 1;
    registered_door = door;
    return 0;
}

int ADIOI_Forerun_door(int access_mode, MPI_Info users_info)
{
    if (!registered_door)
        return 0;
    return 1 + (registered_door->meets ? registered_door->meets(access_mode, users_info) : 0);
}

ADIOI_Fns *ADIOI_Forerun_base(ADIO_File fd)
{
    return fd->forerun ? fd->forerun->base : fd->fns;
}

/* ---- the bytes of a request ---- */

typedef struct {
    ADIO_Offset *offsets;       /* owns the memory */
    ADIO_Offset *lengths;
    int count;
    ADIO_Offset next_fp;        /* the individual file pointer behind the request */
} request_t;

static void request_get(ADIO_File fd, int count, MPI_Datatype datatype, int file_ptr_type,
                        ADIO_Offset offset, request_t * r)
{
    ADIO_Offset first, last, fp = fd->fp_ind;
    ADIOI_Calc_my_off_len(fd, count, datatype, file_ptr_type, offset, &r->offsets, &r->lengths,
                          &first, &last, &r->count);
    r->next_fp = fd->fp_ind;
    fd->fp_ind = fp;
}

static void request_free(request_t * r)
{
    ADIOI_Free(r->offsets);
}

/* The ranges in the form the library wants, without the empty ones; those with no
 * more than gap bytes between them are merged. */
static forerun_range *request_ranges(const request_t * r, ADIO_Offset gap, size_t * count)
{
    forerun_range *ranges;
    size_t n = 0;
    int i;

    ranges = (forerun_range *) ADIOI_Malloc((r->count + 1) * sizeof(forerun_range));
    for (i = 0; i < r->count; i++) {
        ADIO_Offset start = r->offsets[i], end = start + r->lengths[i];
        if (r->lengths[i] == 0)
            continue;
        if (n > 0) {
            ADIO_Offset last_end = ranges[n - 1].offset + ranges[n - 1].length;
            if (start >= (ADIO_Offset) ranges[n - 1].offset && start <= last_end + gap) {
                if (end > last_end)
                    ranges[n - 1].length = end - ranges[n - 1].offset;
                continue;
            }
        }
        ranges[n].offset = start;
        ranges[n].length = r->lengths[i];
        n++;
    }
    *count = n;
    return ranges;
}

static ADIO_Offset bytes_of(int count, MPI_Datatype datatype)
{
    MPI_Count size;
    MPI_Type_size_x(datatype, &size);
    return (ADIO_Offset) size *count;
}

/* ---- the user's memory ---- */

typedef struct {
    char *buf;
    ADIOI_Flatlist_node *flat;  /* NULL: contiguous */
    MPI_Aint extent;
    MPI_Count block;            /* index of the block, within the type */
    ADIO_Offset instance;       /* which of the count types */
    ADIO_Offset done;           /* in the block, or if contiguous in the whole */
} memory_t;

static void memory_start(memory_t * m, void *buf, MPI_Datatype datatype)
{
    int contiguous;
    MPI_Aint lb;

    memset(m, 0, sizeof(*m));
    m->buf = (char *) buf;
    ADIOI_Datatype_iscontig(datatype, &contiguous);
    if (!contiguous) {
        m->flat = ADIOI_Flatten_and_find(datatype);
        MPI_Type_get_extent(datatype, &lb, &m->extent);
    }
}

/* 0: the memory cannot be written to. */
static int memory_put(const struct ADIOI_Forerun *f, memory_t * m, const char *bytes,
                      ADIO_Offset length)
{
    if (!m->flat) {
        if (!f->door->copy(m->buf + m->done, bytes, length))
            return 0;
        m->done += length;
        return 1;
    }
    while (length > 0) {
        ADIO_Offset part = m->flat->blocklens[m->block] - m->done;
        if (part > length)
            part = length;
        if (!f->door->copy(m->buf + m->instance * m->extent + m->flat->indices[m->block] +
                           m->done, bytes, part))
            return 0;
        bytes += part;
        length -= part;
        m->done += part;
        if (m->done == m->flat->blocklens[m->block]) {
            m->done = 0;
            if (++m->block == m->flat->count) {
                m->block = 0;
                m->instance++;
            }
        }
    }
    return 1;
}

/* ---- reading ---- */

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

/* ---- what reads cost ---- */

/* When the program's read began; 0: it is part of another one, or nobody asks. */
static uint64_t read_begins(struct ADIOI_Forerun *f)
{
    if (!f->costs || reads_inside++ > 0)
        return 0;
    library_served = 0;
    waited_ns = 0;
    return now_ns();
}

static void read_ends(struct ADIOI_Forerun *f, forerun_form form, const forerun_range * ranges,
                      size_t count, uint64_t start)
{
    if (!f->costs)
        return;
    reads_inside--;
    if (start)
        f->costs->read(f->handle, form, ranges, count, library_served, now_ns() - start,
                       waited_ns);
}

/* The same, where the ranges are still to be found. */
static void request_ends(ADIO_File fd, forerun_form form, const request_t * r, uint64_t start)
{
    size_t count = 0;
    forerun_range *ranges;
    uint64_t ns;

    if (!start) {
        read_ends(fd->forerun, form, NULL, 0, 0);
        return;
    }
    ns = now_ns() - start;
    ranges = request_ranges(r, 0, &count);
    read_ends(fd->forerun, form, ranges, count, now_ns() - ns);
    ADIOI_Free(ranges);
}

/* 1 if the library put exactly these bytes into buf */
static int read_exactly(struct ADIOI_Forerun *f, void *buf, ADIO_Offset offset, ADIO_Offset length)
{
    size_t got = 0;
    uint64_t ticket = 0;
    return f->door->read(f->handle, buf, offset, length, &got, &ticket) &&
        got == (size_t) length;
}

/* How far a request has been served */
typedef struct {
    const request_t *request;
    int i;                      /* the range, and */
    ADIO_Offset done;           /* how much of it */
    memory_t memory;
} progress_t;

/* Copies what of the request lies in [start, end), which is in chunk. Returns 0 if
 * the request goes back to before start (overlapping ranges of a read-only view), or
 * if the user's memory cannot be written to. */
static int copy_pieces(const struct ADIOI_Forerun *f, progress_t * p, const char *chunk,
                       ADIO_Offset start, ADIO_Offset end)
{
    const request_t *r = p->request;

    while (p->i < r->count) {
        ADIO_Offset offset = r->offsets[p->i] + p->done, length = r->lengths[p->i] - p->done;
        if (length > 0) {
            if (offset >= end)
                return 1;
            if (offset < start)
                return 0;
            if (length > end - offset)
                length = end - offset;
            if (!memory_put(f, &p->memory, chunk + (offset - start), length))
                return 0;
            p->done += length;
            if (p->done < r->lengths[p->i])
                return 1;
        }
        p->i++;
        p->done = 0;
    }
    return 1;
}

/* Reads [start, end) straight into the user's memory if that is what the request
 * wants from there. */
static int serve_direct(struct ADIOI_Forerun *f, progress_t * p, ADIO_Offset start,
                        ADIO_Offset end)
{
    const request_t *r = p->request;
    ADIO_Offset at = start;
    int i = p->i;

    if (p->memory.flat)
        return 0;
    for (; i < r->count && at < end; i++) {
        if (r->lengths[i] > 0 && r->offsets[i] != at)
            return 0;
        at += r->lengths[i];
    }
    if (at != end || !read_exactly(f, p->memory.buf + p->memory.done, start, end - start))
        return 0;
    p->memory.done += end - start;
    p->i = i;
    return 1;
}

static int serve_by_chunks(struct ADIOI_Forerun *f, progress_t * p, ADIO_Offset start,
                           ADIO_Offset end)
{
    char *chunk = (char *) ADIOI_Malloc(CHUNK);
    int ok = 1;

    while (ok && start < end) {
        ADIO_Offset length = MPL_MIN(end - start, CHUNK);
        ok = read_exactly(f, chunk, start, length) &&
            copy_pieces(f, p, chunk, start, start + length);
        start += length;
    }
    ADIOI_Free(chunk);
    return ok;
}

/* Serves the whole request, or nothing that counts. */
static int serve(ADIO_File fd, void *buf, MPI_Datatype datatype, const request_t * r)
{
    struct ADIOI_Forerun *f = fd->forerun;
    forerun_range *ranges;
    size_t n, k;
    int ok;
    progress_t p;

    ranges = request_ranges(r, SECTOR - 1, &n);
    ok = n == 0 || f->door->covered(f->handle, ranges, n);
    if (ok && n > 0) {
        p.request = r;
        p.i = 0;
        p.done = 0;
        memory_start(&p.memory, buf, datatype);
        for (k = 0; ok && k < n; k++) {
            ADIO_Offset start = ranges[k].offset, end = start + ranges[k].length;
            ok = serve_direct(f, &p, start, end) || serve_by_chunks(f, &p, start, end);
        }
    }
    ADIOI_Free(ranges);
    return ok;
}

/* Status and file pointers after a request that has been served in full */
static void served(ADIO_File fd, int count, MPI_Datatype datatype, int file_ptr_type,
                   const request_t * r, ADIO_Status * status, int *error_code)
{
    if (file_ptr_type == ADIO_INDIVIDUAL)
        fd->fp_ind = r->next_fp;
    fd->fp_sys_posn = -1;
    MPIR_Status_set_bytes(status, datatype, bytes_of(count, datatype));
    *error_code = MPI_SUCCESS;
}

static int bypassed(ADIO_File fd)
{
    return reads_bypass || fd->atomicity;
}

static void read_contig(ADIO_File fd, void *buf, int count, MPI_Datatype datatype,
                        int file_ptr_type, ADIO_Offset offset, ADIO_Offset length,
                        ADIO_Status * status, int *error_code)
{
    struct ADIOI_Forerun *f = fd->forerun;
    size_t got = 0;
    uint64_t ticket = 0, start;
    ADIO_Status base_status;
    MPI_Count bytes = 0;

    if (f->door->read(f->handle, buf, offset, length, &got, &ticket)) {
        library_served = 1;
        fd->fp_sys_posn = offset + got;
        if (file_ptr_type == ADIO_INDIVIDUAL)
            fd->fp_ind += got;
        MPIR_Status_set_bytes(status, datatype, got);
        *error_code = MPI_SUCCESS;
        return;
    }

    if (ticket == FORERUN_UNTOLD) {
        (*f->base->ADIOI_xxx_ReadContig) (fd, buf, count, datatype, file_ptr_type, offset, status,
                                          error_code);
        return;
    }
    start = now_ns();
    (*f->base->ADIOI_xxx_ReadContig) (fd, buf, count, datatype, file_ptr_type, offset,
                                      &base_status, error_code);
    if (*error_code != MPI_SUCCESS)
        return;
    MPI_Get_elements_x(&base_status, MPI_BYTE, &bytes);
    MPIR_Status_set_bytes(status, datatype, bytes);
    f->door->missed(f->handle, buf, offset, length, bytes, ticket, now_ns() - start);
}

static void FORERUN_ReadContig(ADIO_File fd, void *buf, int count, MPI_Datatype datatype,
                               int file_ptr_type, ADIO_Offset offset, ADIO_Status * status,
                               int *error_code)
{
    struct ADIOI_Forerun *f = fd->forerun;
    forerun_range range;
    uint64_t start;

    range.length = bytes_of(count, datatype);
    if (bypassed(fd) || range.length == 0) {
        (*f->base->ADIOI_xxx_ReadContig) (fd, buf, count, datatype, file_ptr_type, offset, status,
                                          error_code);
        return;
    }
    if (file_ptr_type == ADIO_INDIVIDUAL)
        offset = fd->fp_ind;
    range.offset = offset;
    start = read_begins(f);
    read_contig(fd, buf, count, datatype, file_ptr_type, offset, range.length, status, error_code);
    read_ends(f, FORERUN_CONTIGUOUS, &range, 1, start);
}

static void FORERUN_ReadStrided(ADIO_File fd, void *buf, int count, MPI_Datatype datatype,
                                int file_ptr_type, ADIO_Offset offset, ADIO_Status * status,
                                int *error_code)
{
    struct ADIOI_Forerun *f = fd->forerun;
    request_t r;
    uint64_t start;

    if (bypassed(fd) || bytes_of(count, datatype) == 0) {
        (*f->base->ADIOI_xxx_ReadStrided) (fd, buf, count, datatype, file_ptr_type, offset, status,
                                           error_code);
        return;
    }
    start = read_begins(f);
    request_get(fd, count, datatype, file_ptr_type, offset, &r);
    if (r.count > 0 && serve(fd, buf, datatype, &r)) {
        library_served = 1;
        served(fd, count, datatype, file_ptr_type, &r, status, error_code);
    } else {
        (*f->base->ADIOI_xxx_ReadStrided) (fd, buf, count, datatype, file_ptr_type, offset, status,
                                           error_code);
    }
    request_ends(fd, FORERUN_STRIDED, &r, start);
    request_free(&r);
}

/* Whether it is worth asking the other processes. The same answer on all. */
static int agreement_is_due(ADIO_File fd)
{
    struct ADIOI_Forerun *f = fd->forerun;

    if (!f->everywhere || fd->atomicity || fd->hints->cb_read == ADIOI_HINT_DISABLE)
        return 0;
    return f->refusals < PATIENCE || ++f->calls_since >= RETRY_EVERY;
}

/* serving_ns: how long this process took to serve itself, or to find that it cannot. Where
 * somebody asks what reads cost, the longest such time is found, too: waiting for that is no
 * waiting for a process that comes late. */
static int agree(ADIO_File fd, int mine, uint64_t serving_ns)
{
    struct ADIOI_Forerun *f = fd->forerun;
    int own[2] = { mine, 0 }, all[2] = { 0, 0 };
    int serving_us = (int) MPL_MIN(serving_ns / 1000, INT_MAX);
    uint64_t start = f->costs_everywhere ? now_ns() : 0, waited, for_serving;

    own[1] = -serving_us;
    MPI_Allreduce(own, all, f->costs_everywhere ? 2 : 1, MPI_INT, MPI_MIN, fd->comm);
    f->refusals = all[0] ? 0 : f->refusals + 1;
    f->calls_since = 0;
    if (start) {
        waited = now_ns() - start;
        for_serving = (uint64_t) (-all[1] - serving_us) * 1000;
        waited_ns = waited > for_serving ? waited - for_serving : 0;
    }
    return all[0];
}

/* A process sees its own writes at once, also in a collective read; but a write of
 * one process takes its bytes out of that process's copies only, until the next
 * synchronisation. So where the file can be written, what is read for others comes
 * from the file system. */
static int writable(ADIO_File fd)
{
    return (fd->access_mode & (ADIO_RDWR | ADIO_WRONLY)) != 0;
}

void ADIOI_Forerun_aggregator_read(ADIO_File fd, void *buf, int count, ADIO_Offset offset,
                                   ADIO_Status * status, int *error_code)
{
    int bypass = writable(fd);

    reads_bypass += bypass;
    ADIO_ReadContig(fd, buf, count, MPI_BYTE, ADIO_EXPLICIT_OFFSET, offset, status, error_code);
    reads_bypass -= bypass;
}

/* Where every process has been served there is nothing to exchange. Each serves
 * itself first and votes then: so no process can fail after the vote, and a read
 * at the end of the file always is the driver's. */
static void FORERUN_ReadStridedColl(ADIO_File fd, void *buf, int count, MPI_Datatype datatype,
                                    int file_ptr_type, ADIO_Offset offset, ADIO_Status * status,
                                    int *error_code)
{
    struct ADIOI_Forerun *f = fd->forerun;
    int bypass = writable(fd) && fd->hints->cb_pfr != ADIOI_HINT_DISABLE;
    int asks = agreement_is_due(fd), ok = 0;
    uint64_t start = fd->atomicity ? 0 : read_begins(f), before;
    request_t r;

    f->together |= !fd->atomicity;
    if (asks || start)
        request_get(fd, count, datatype, file_ptr_type, offset, &r);
    if (asks) {
        before = f->costs_everywhere ? now_ns() : 0;
        ok = serve(fd, buf, datatype, &r);
        ok = agree(fd, ok, before ? now_ns() - before : 0);
        library_served = ok;
        if (ok)
            served(fd, count, datatype, file_ptr_type, &r, status, error_code);
    }
    if (!ok) {
        reads_bypass += bypass; /* persistent file realms: all of it is for others */
        (*f->base->ADIOI_xxx_ReadStridedColl) (fd, buf, count, datatype, file_ptr_type, offset,
                                               status, error_code);
        reads_bypass -= bypass;
    }
    if (!fd->atomicity)
        request_ends(fd, FORERUN_COLLECTIVE, &r, start);
    if (asks || start)
        request_free(&r);
}

static void FORERUN_IreadContig(ADIO_File fd, void *buf, int count, MPI_Datatype datatype,
                                int file_ptr_type, ADIO_Offset offset, ADIO_Request * request,
                                int *error_code)
{
    struct ADIOI_Forerun *f = fd->forerun;
    ADIO_Offset length = bytes_of(count, datatype);
    int served = 0;
    size_t got = 0;
    uint64_t ticket = FORERUN_UNTOLD;   /* does not wait here */

    if (file_ptr_type == ADIO_INDIVIDUAL)
        offset = fd->fp_ind;
    if (!bypassed(fd) && length > 0) {
        served = f->door->read(f->handle, buf, offset, length, &got, &ticket);
        if (!served)
            f->door->started(f->handle, offset, length);
    }
    if (served && got == (size_t) length) {
        if (file_ptr_type == ADIO_INDIVIDUAL)
            fd->fp_ind += length;
        fd->fp_sys_posn = -1;
        *error_code = MPI_SUCCESS;
        MPIO_Completed_request_create(&fd, length, error_code, request);
        return;
    }
    (*f->base->ADIOI_xxx_IreadContig) (fd, buf, count, datatype, file_ptr_type, offset, request,
                                       error_code);
}

/* ---- writing ---- */

typedef void (*tell_fn) (forerun_handle * h, const forerun_range * ranges, size_t count);

static void tell_contig(ADIO_File fd, tell_fn tell, int count, MPI_Datatype datatype,
                        ADIO_Offset offset)
{
    forerun_range range;

    range.offset = offset;
    range.length = bytes_of(count, datatype);
    if (range.length > 0)
        (*tell) (fd->forerun->handle, &range, 1);
}

static void tell_request(ADIO_File fd, tell_fn tell, const request_t * r)
{
    size_t count;
    forerun_range *ranges = request_ranges(r, 0, &count);

    if (count > 0)
        (*tell) (fd->forerun->handle, ranges, count);
    ADIOI_Free(ranges);
}

static void FORERUN_WriteContig(ADIO_File fd, const void *buf, int count, MPI_Datatype datatype,
                                int file_ptr_type, ADIO_Offset offset, ADIO_Status * status,
                                int *error_code)
{
    struct ADIOI_Forerun *f = fd->forerun;
    ADIO_Status base_status;
    MPI_Count bytes = 0;

    if (file_ptr_type == ADIO_INDIVIDUAL)
        offset = fd->fp_ind;
    (*f->base->ADIOI_xxx_WriteContig) (fd, buf, count, datatype, file_ptr_type, offset,
                                       &base_status, error_code);
    if (*error_code == MPI_SUCCESS) {
        MPI_Get_elements_x(&base_status, MPI_BYTE, &bytes);
        MPIR_Status_set_bytes(status, datatype, bytes);
    }
    if (writes_known)
        return;
    if (bytes > 0 && bytes == bytes_of(count, datatype))
        f->door->wrote(f->handle, buf, offset, bytes);
    else
        tell_contig(fd, f->door->written, count, datatype, offset);
}

static void FORERUN_WriteStrided(ADIO_File fd, const void *buf, int count, MPI_Datatype datatype,
                                 int file_ptr_type, ADIO_Offset offset, ADIO_Status * status,
                                 int *error_code)
{
    struct ADIOI_Forerun *f = fd->forerun;
    request_t r;

    request_get(fd, count, datatype, file_ptr_type, offset, &r);
    reads_bypass++;
    writes_known++;
    (*f->base->ADIOI_xxx_WriteStrided) (fd, buf, count, datatype, file_ptr_type, offset, status,
                                        error_code);
    writes_known--;
    reads_bypass--;
    if (!writes_known)
        tell_request(fd, f->door->written, &r);
    request_free(&r);
}

static void FORERUN_WriteStridedColl(ADIO_File fd, const void *buf, int count,
                                     MPI_Datatype datatype, int file_ptr_type, ADIO_Offset offset,
                                     ADIO_Status * status, int *error_code)
{
    struct ADIOI_Forerun *f = fd->forerun;
    request_t r;

    request_get(fd, count, datatype, file_ptr_type, offset, &r);
    reads_bypass++;
    (*f->base->ADIOI_xxx_WriteStridedColl) (fd, buf, count, datatype, file_ptr_type, offset,
                                            status, error_code);
    reads_bypass--;
    tell_request(fd, f->door->written, &r);
    request_free(&r);
}

/* Tells what the others wrote in a collective write: what lies between the first and the last
 * byte of each. mine: of this process, where the first is and where the next one would be. */
static void tell_others(ADIO_File fd, const ADIO_Offset mine[2])
{
    struct ADIOI_Forerun *f = fd->forerun;
    int nprocs, rank, i;
    ADIO_Offset *all;
    forerun_range *ranges;
    size_t count = 0;

    MPI_Comm_size(fd->comm, &nprocs);
    MPI_Comm_rank(fd->comm, &rank);
    all = (ADIO_Offset *) ADIOI_Malloc(nprocs * 2 * sizeof(ADIO_Offset));
    ranges = (forerun_range *) ADIOI_Malloc(nprocs * sizeof(forerun_range));
    MPI_Allgather((void *) mine, 2, ADIO_OFFSET, all, 2, ADIO_OFFSET, fd->comm);
    for (i = 0; i < nprocs; i++)
        if (i != rank && all[2 * i + 1] > all[2 * i]) {
            ranges[count].offset = all[2 * i];
            ranges[count].length = all[2 * i + 1] - all[2 * i];
            count++;
        }
    if (count > 0 && f->handle)
        (*f->door->written) (f->handle, ranges, count);
    ADIOI_Free(ranges);
    ADIOI_Free(all);
}

void ADIOI_Forerun_WriteStridedColl(ADIO_File fd, const void *buf, int count,
                                    MPI_Datatype datatype, int file_ptr_type, ADIO_Offset offset,
                                    ADIO_Status * status, int *error_code)
{
    const int exchanges = fd->forerun_doors > 0 &&
        fd->hints->cb_write != ADIOI_HINT_DISABLE;
    ADIO_Offset mine[2] = { 0, 0 };
    request_t r;
    int i;

    if (!fd->forerun || !fd->forerun->shared) {
        ADIO_WriteStridedColl(fd, buf, count, datatype, file_ptr_type, offset, status, error_code);
        return;
    }
    if (exchanges) {
        request_get(fd, count, datatype, file_ptr_type, offset, &r);
        for (i = 0; i < r.count; i++) {
            if (r.lengths[i] == 0)
                continue;
            if (mine[1] == 0 || r.offsets[i] < mine[0])
                mine[0] = r.offsets[i];
            if (r.offsets[i] + r.lengths[i] > mine[1])
                mine[1] = r.offsets[i] + r.lengths[i];
        }
        request_free(&r);
    }
    ADIO_WriteStridedColl(fd, buf, count, datatype, file_ptr_type, offset, status, error_code);
    if (exchanges)
        tell_others(fd, mine);
    else
        ADIOI_Forerun_epoch(fd, 0);
}

static void FORERUN_IwriteContig(ADIO_File fd, const void *buf, int count, MPI_Datatype datatype,
                                 int file_ptr_type, ADIO_Offset offset, ADIO_Request * request,
                                 int *error_code)
{
    struct ADIOI_Forerun *f = fd->forerun;

    if (file_ptr_type == ADIO_INDIVIDUAL)
        offset = fd->fp_ind;
    tell_contig(fd, f->door->writing, count, datatype, offset);
    (*f->base->ADIOI_xxx_IwriteContig) (fd, buf, count, datatype, file_ptr_type, offset, request,
                                        error_code);
}

static void FORERUN_IwriteStrided(ADIO_File fd, const void *buf, int count, MPI_Datatype datatype,
                                  int file_ptr_type, ADIO_Offset offset, ADIO_Request * request,
                                  int *error_code)
{
    struct ADIOI_Forerun *f = fd->forerun;
    request_t r;

    request_get(fd, count, datatype, file_ptr_type, offset, &r);
    tell_request(fd, f->door->writing, &r);
    request_free(&r);
    (*f->base->ADIOI_xxx_IwriteStrided) (fd, buf, count, datatype, file_ptr_type, offset, request,
                                         error_code);
}

static void FORERUN_IwriteStridedColl(ADIO_File fd, const void *buf, int count,
                                      MPI_Datatype datatype, int file_ptr_type, ADIO_Offset offset,
                                      ADIO_Request * request, int *error_code)
{
    struct ADIOI_Forerun *f = fd->forerun;
    request_t r;

    request_get(fd, count, datatype, file_ptr_type, offset, &r);
    tell_request(fd, f->door->writing, &r);
    request_free(&r);
    (*f->base->ADIOI_xxx_IwriteStridedColl) (fd, buf, count, datatype, file_ptr_type, offset,
                                             request, error_code);
}

void ADIOI_Forerun_rmw_iread(ADIO_File fd, void *buf, int count, ADIO_Offset offset,
                             ADIO_Request * request, int *error_code)
{
    reads_bypass++;
    ADIO_IreadContig(fd, buf, count, MPI_BYTE, ADIO_EXPLICIT_OFFSET, offset, request, error_code);
    reads_bypass--;
}

/* ---- the rest of the table ---- */

void ADIOI_Forerun_epoch(ADIO_File fd, int settled)
{
    if (fd->forerun && fd->forerun->handle)
        fd->forerun->door->epoch(fd->forerun->handle, settled);
}

void ADIOI_Forerun_sync(ADIO_File fd)
{
#ifdef ROMIO_NFS
    /* The library reads without locks: let the NFS client drop its stale pages, as
     * it does whenever a lock is acquired. */
    if (fd->forerun && fd->forerun->serves && fd->file_system == ADIO_NFS) {
        ADIOI_READ_LOCK(fd, 0, SEEK_SET, 1);
        ADIOI_UNLOCK(fd, 0, SEEK_SET, 1);
    }
#endif
    ADIOI_Forerun_epoch(fd, 1);
}

static void FORERUN_Fcntl(ADIO_File fd, int flag, ADIO_Fcntl_t * fcntl_struct, int *error_code)
{
    struct ADIOI_Forerun *f = fd->forerun;

    reads_bypass++;     /* preallocation reads and writes back */
    (*f->base->ADIOI_xxx_Fcntl) (fd, flag, fcntl_struct, error_code);
    reads_bypass--;
    if (flag == ADIO_FCNTL_SET_ATOMICITY)
        f->door->atomicity(f->handle, fd->atomicity);
}

static void FORERUN_Flush(ADIO_File fd, int *error_code)
{
    struct ADIOI_Forerun *f = fd->forerun;

    (*f->base->ADIOI_xxx_Flush) (fd, error_code);
    ADIOI_Forerun_sync(fd);
}

static void FORERUN_Resize(ADIO_File fd, ADIO_Offset size, int *error_code)
{
    (*fd->forerun->base->ADIOI_xxx_Resize) (fd, size, error_code);
    ADIOI_Forerun_epoch(fd, 1);
}

static void FORERUN_SetInfo(ADIO_File fd, MPI_Info users_info, int *error_code)
{
    struct ADIOI_Forerun *f = fd->forerun;

    (*f->base->ADIOI_xxx_SetInfo) (fd, users_info, error_code);
    if (users_info != MPI_INFO_NULL) {
        f->door->set_info(f->handle, users_info);
        f->door->get_info(f->handle, fd->info);
    }
}

/* ---- attaching ---- */

/* Functions that the base implements by calling others of the table are left to
 * do so: what they call is stacked already. */
static void stack_reads(ADIOI_Fns * s)
{
    s->ADIOI_xxx_ReadContig = FORERUN_ReadContig;
    s->ADIOI_xxx_ReadStrided = FORERUN_ReadStrided;
    s->ADIOI_xxx_ReadStridedColl = FORERUN_ReadStridedColl;
    if (s->ADIOI_xxx_IreadContig != ADIOI_FAKE_IreadContig)
        s->ADIOI_xxx_IreadContig = FORERUN_IreadContig;
    s->ADIOI_xxx_Fcntl = FORERUN_Fcntl;
    s->ADIOI_xxx_SetInfo = FORERUN_SetInfo;
}

/* Where the library has no cache of the file it is told all the same of what changes
 * it: another handle of this process may have one. */
static void stack(struct ADIOI_Forerun *f)
{
    ADIOI_Fns *s = &f->stacked;

    *s = *f->base;
    if (f->serves)
        stack_reads(s);
    s->ADIOI_xxx_WriteContig = FORERUN_WriteContig;
    s->ADIOI_xxx_WriteStrided = FORERUN_WriteStrided;
    s->ADIOI_xxx_WriteStridedColl = FORERUN_WriteStridedColl;
    if (s->ADIOI_xxx_IwriteContig != ADIOI_FAKE_IwriteContig)
        s->ADIOI_xxx_IwriteContig = FORERUN_IwriteContig;
    if (s->ADIOI_xxx_IwriteStrided != ADIOI_GEN_IwriteStrided &&
        s->ADIOI_xxx_IwriteStrided != ADIOI_FAKE_IwriteStrided)
        s->ADIOI_xxx_IwriteStrided = FORERUN_IwriteStrided;
    s->ADIOI_xxx_IwriteStridedColl = FORERUN_IwriteStridedColl;
    s->ADIOI_xxx_Flush = FORERUN_Flush;
    s->ADIOI_xxx_Resize = FORERUN_Resize;
}

static const char *file_system_name(int file_system, int *has_descriptor)
{
    *has_descriptor = 0;
    switch (file_system) {
        case ADIO_PVFS2:
            return "pvfs2";
        case ADIO_TESTFS:
            return "testfs";
        case ADIO_UFS:
            *has_descriptor = 1;
            return "ufs";
        case ADIO_NFS:
            *has_descriptor = 1;
            return "nfs";
        case ADIO_LUSTRE:
            *has_descriptor = 1;
            return "lustre";
        default:
            return NULL;
    }
}

static void attach(ADIO_File fd)
{
    struct ADIOI_Forerun *f = fd->forerun;
    forerun_open_file file;
    forerun_reader reader;
    int has_descriptor;

    file.fh = (MPI_File) fd;
    file.path = fd->filename;
    file.file_system = file_system_name(fd->file_system, &has_descriptor);
    file.fd = has_descriptor ? fd->fd_sys : -1;
    file.amode = f->access_mode;
    file.comm = fd->comm;
    file.info = f->users_info;
    file.position = fd->fp_ind;
    file.reader = NULL;
    file.name = f->name;
    if (!file.file_system)
        return;
#ifdef ROMIO_PVFS2
    if (fd->file_system == ADIO_PVFS2) {
        ADIOI_PVFS2_Forerun_reader(fd, &reader);
        file.reader = &reader;
    }
#endif
    f->handle = f->door->attach(&file, &f->serves);
    if (!f->handle)
        return;
    stack(f);
    fd->fns = &f->stacked;
    if (f->serves) {
        f->costs = f->door->costs;
        f->door->get_info(f->handle, fd->info);
    }
}

void ADIOI_Forerun_open(ADIO_File fd, int access_mode, MPI_Info users_info, int doors)
{
    struct ADIOI_Forerun *f;
    int attached, least, nprocs;

    if (!registered_door)
        return;
    f = (struct ADIOI_Forerun *) ADIOI_Calloc(1, sizeof(*f));
    f->door = registered_door;
    f->base = fd->fns;
    f->access_mode = access_mode;
    MPI_Comm_size(fd->comm, &nprocs);
    f->shared = nprocs > 1 && (access_mode & MPI_MODE_RDWR);
    ADIOI_incorporate_system_hints(users_info, ADIOI_syshints, &f->users_info);
    fd->forerun = f;
    if (doors > 1)
        f->name = f->door->meet(fd->comm, access_mode, users_info, doors - 1);
    if (fd->is_open)
        attach(fd);
    if (doors) {
        attached = f->serves + (f->costs != NULL);
        MPI_Allreduce(&attached, &least, 1, MPI_INT, MPI_MIN, fd->comm);
        f->everywhere = least > 0;
        f->costs_everywhere = least > 1;
    }
}

/* With deferred open not every process can be attached: no agreements then. */
void ADIOI_Forerun_opened_late(ADIO_File fd)
{
    struct ADIOI_Forerun *f = fd->forerun;

    if (!f || f->handle)
        return;
    f->name = 0;        /* it may have been written since the others opened it */
    attach(fd);
    if (!f->serves)
        return;
    f->door->view(f->handle, fd->disp, fd->etype, fd->filetype);
    if (fd->atomicity)
        f->door->atomicity(f->handle, 1);
}

/* ---- reading once more ---- */

/* Sets a view in which the ranges are all there is; the file is about to be closed. Returns the
 * number of their bytes and where the first of them is in the view; 0: they cannot be read so. */
static int view_of(ADIO_File fd, const forerun_range * ranges, size_t count, ADIO_Offset * offset)
{
    MPI_Datatype type = MPI_BYTE;
    ADIO_Offset bytes = 0;
    MPI_Aint *displacements;
    int *lengths, error_code = MPI_SUCCESS;
    size_t i;

    for (i = 0; i < count; i++)
        bytes += ranges[i].length;
    if (bytes > INT_MAX || count > INT_MAX)
        return 0;
    *offset = count == 1 ? ranges[0].offset : 0;
    if (count > 1) {
        displacements = (MPI_Aint *) ADIOI_Malloc(count * sizeof(MPI_Aint));
        lengths = (int *) ADIOI_Malloc(count * sizeof(int));
        for (i = 0; i < count; i++) {
            displacements[i] = ranges[i].offset;
            lengths[i] = (int) ranges[i].length;
        }
        MPI_Type_create_hindexed((int) count, lengths, displacements, MPI_BYTE, &type);
        MPI_Type_commit(&type);
        ADIOI_Free(lengths);
        ADIOI_Free(displacements);
    }
    ADIO_Set_view(fd, 0, MPI_BYTE, type, MPI_INFO_NULL, &error_code);
    if (type != MPI_BYTE)
        MPI_Type_free(&type);
    return error_code == MPI_SUCCESS ? (int) bytes : 0;
}

/* Makes a call once more, by the file system's own functions. Returns how long it took, or 0 if it
 * failed. */
static uint64_t make_again(ADIO_File fd, forerun_form form, const forerun_range * ranges,
                           size_t count, char *buf)
{
    ADIO_Offset offset = 0;
    ADIO_Status status;
    uint64_t start, ns;
    int bytes = view_of(fd, ranges, count, &offset), error_code = MPI_SUCCESS;

    memset(buf, 0, bytes);      /* a page fault is no cost of the read */
    start = now_ns();
    if (form == FORERUN_COLLECTIVE)
        ADIO_ReadStridedColl(fd, buf, bytes, MPI_BYTE, ADIO_EXPLICIT_OFFSET, offset, &status,
                             &error_code);
    else if (count > 1)
        ADIO_ReadStrided(fd, buf, bytes, MPI_BYTE, ADIO_EXPLICIT_OFFSET, offset, &status,
                         &error_code);
    else
        ADIO_ReadContig(fd, buf, bytes, MPI_BYTE, ADIO_EXPLICIT_OFFSET, offset, &status,
                        &error_code);
    ns = now_ns() - start;
    return error_code == MPI_SUCCESS ? MPL_MAX(ns, 1) : 0;
}

/* The next calls of that form that are to be made once more, and memory for the largest. */
struct calls {
    size_t number;              /* 0: there are none, or no memory for them */
    char *buf;
};

static struct calls next_calls(ADIO_File fd, forerun_samples * samples, forerun_form form)
{
    const forerun_costs *costs = fd->forerun->costs;
    struct calls calls = { costs->next(samples, form), NULL };
    const forerun_range *ranges;
    size_t count, n, i, most = 1, bytes;

    for (n = 0; n < calls.number; n++) {
        costs->get(samples, n, &ranges, &count);
        for (bytes = 0, i = 0; i < count; i++)
            bytes += ranges[i].length;
        most = MPL_MAX(most, bytes);
    }
    if (calls.number > 0 && !(calls.buf = MPL_malloc(most, MPL_MEM_IO)))
        calls.number = 0;
    return calls;
}

/* Makes them one after the other. Returns 0 if one failed. */
static int make_calls(ADIO_File fd, forerun_samples * samples, forerun_form form,
                      const struct calls *calls)
{
    const forerun_costs *costs = fd->forerun->costs;
    const forerun_range *ranges;
    size_t count, n;
    uint64_t ns, sum = 0;
    int ok = 1;

    for (n = 0; n < calls->number; n++) {
        costs->get(samples, n, &ranges, &count);
        ns = make_again(fd, form, ranges, count, calls->buf);
        ok = ok && ns > 0;
        sum += ns;
    }
    if (ok)
        costs->took(samples, sum);
    return ok;
}

static void alone_again(ADIO_File fd, forerun_samples * samples, forerun_form form)
{
    struct calls calls;
    int ok;

    do {
        calls = next_calls(fd, samples, form);
        ok = calls.number > 0 && make_calls(fd, samples, form, &calls);
        MPL_free(calls.buf);
    } while (ok);
}

/* About how many bytes each collective read asks the file system for, on all processes: where what
 * they read is interleaved, all that lies between the first and the last byte, and else what each of
 * them reads, as in ADIOI_GEN_ReadStridedColl. Returns 0 if they do not agree on what was read. */
static int weigh_together(ADIO_File fd, forerun_samples * samples)
{
    enum { BEGIN, END, BYTES, INTERLEAVED, FIGURES };
    const forerun_costs *costs = fd->forerun->costs;
    int64_t mine[FORERUN_MOST_KEPT][FIGURES], all[FORERUN_MOST_KEPT][FIGURES];
    int64_t ends[FORERUN_MOST_KEPT], before[FORERUN_MOST_KEPT] = { 0 };
    int number[2] = { 0, 0 }, least[2], rank, procs, i;
    forerun_extent extent;

    while (number[0] < FORERUN_MOST_KEPT && costs->kept(samples, number[0], &extent)) {
        mine[number[0]][BEGIN] = -extent.begin;
        mine[number[0]][END] = ends[number[0]] = extent.end;
        mine[number[0]++][BYTES] = extent.bytes;
    }
    number[1] = -number[0];
    MPI_Allreduce(number, least, 2, MPI_INT, MPI_MIN, fd->comm);
    if (least[0] != -least[1])
        return 0;
    MPI_Comm_rank(fd->comm, &rank);
    MPI_Comm_size(fd->comm, &procs);
    MPI_Sendrecv(ends, number[0], MPI_INT64_T, rank + 1 < procs ? rank + 1 : MPI_PROC_NULL, 0,
                 before, number[0], MPI_INT64_T, rank > 0 ? rank - 1 : MPI_PROC_NULL, 0, fd->comm,
                 MPI_STATUS_IGNORE);
    for (i = 0; i < number[0]; i++)
        mine[i][INTERLEAVED] = -mine[i][BEGIN] < before[i] && mine[i][BYTES] > 0;
    MPI_Allreduce(mine, all, number[0] * FIGURES, MPI_INT64_T, MPI_MAX, fd->comm);
    for (i = 0; i < number[0]; i++)
        costs->weigh(samples, i, all[i][BYTES] != FORERUN_NOT_AGAIN &&
                     (fd->hints->cb_read == ADIOI_HINT_ENABLE ||
                      (fd->hints->cb_read == ADIOI_HINT_AUTO && all[i][INTERLEAVED])) ?
                     MPL_MAX(all[i][END] + all[i][BEGIN], 0) : all[i][BYTES]);
    return 1;
}

/* As long as every process has calls to make. They agree on some at a time: between two reads
 * of the program there is no agreement either, by which all would begin each at the same moment. */
static void together_again(ADIO_File fd, forerun_samples * samples)
{
    struct calls calls;
    int ok = weigh_together(fd, samples), all = ok;

    while (all) {
        calls = next_calls(fd, samples, FORERUN_COLLECTIVE);
        ok = ok && calls.number > 0;
        MPI_Allreduce(&ok, &all, 1, MPI_INT, MPI_MIN, fd->comm);
        if (all)
            ok = make_calls(fd, samples, FORERUN_COLLECTIVE, &calls);
        MPL_free(calls.buf);
    }
}

/* Some of the program's reads are made once more, as they are without a library, one after the
 * other. The library fetches nothing from the file any more, and the view is not needed any more.
 * Processes wait for each other only if they have read collectively. */
static void read_again(ADIO_File fd, forerun_samples * samples)
{
    struct ADIOI_Forerun *f = fd->forerun;

    alone_again(fd, samples, FORERUN_CONTIGUOUS);
    alone_again(fd, samples, FORERUN_STRIDED);
    if (f->costs_everywhere && f->together)
        together_again(fd, samples);
    f->costs->end(samples);
}

void ADIOI_Forerun_close(ADIO_File fd)
{
    struct ADIOI_Forerun *f = fd->forerun;
    forerun_samples *samples = NULL;

    if (!f)
        return;
    if (f->costs)
        samples = f->costs->take(f->handle);
    if (f->handle)
        f->door->detach(f->handle);
    fd->fns = f->base;
    if (f->costs)
        read_again(fd, samples);
    fd->forerun = NULL;
    if (f->users_info != MPI_INFO_NULL)
        MPI_Info_free(&f->users_info);
    ADIOI_Free(f);
}

void ADIOI_Forerun_view(ADIO_File fd)
{
    struct ADIOI_Forerun *f = fd->forerun;

    if (f && f->serves)
        f->door->view(f->handle, fd->disp, fd->etype, fd->filetype);
}
