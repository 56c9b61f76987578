/* SPDX-License-Identifier: Apache-2.0 */
/* What MPI's functions do, for Frama-C, as the corpus uses them: included ahead of each program.
 * Written by hand from the MPI standard, and not derived from slicer/models: errors common to both
 * would go unnoticed.
 *
 * Contents of a file come from outside: a read does not depend on the program's own writes. Neither
 * does it in the slicer, where a write only makes a range dirty. */
#ifndef FORERUN_FRAMAC_MPI_CONTRACTS_H
#define FORERUN_FRAMAC_MPI_CONTRACTS_H

#include <mpi.h>
#include <stddef.h>

/* What other processes send, and the clock. */
extern int forerun_messages, forerun_clock;

/* What the library knows of an open file. */
struct ADIOI_FileD {
  int place; /* pointer and view */
  int size;
};

/* The program and its processes. */

/*@ assigns \result \from \nothing; */
int MPI_Init(int *argc, char ***argv);

/*@ assigns \result \from \nothing;
    assigns *provided \from required;
    ensures \initialized(provided); */
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);

/*@ assigns *flag, \result \from \nothing;
    ensures \initialized(flag); */
int MPI_Is_thread_main(int *flag);

/*@ assigns *provided, \result \from \nothing;
    ensures \initialized(provided); */
int MPI_Query_thread(int *provided);

/*@ assigns \result \from \nothing; */
int MPI_Finalize(void);

/*@ assigns \nothing;
    ensures \false; */
int MPI_Abort(MPI_Comm comm, int errorcode);

/*@ assigns \result, forerun_clock \from forerun_clock; */
double MPI_Wtime(void);

/* Communicators. */

/*@ assigns *rank, \result \from comm;
    ensures \initialized(rank) && 0 <= *rank <= 3; */
int MPI_Comm_rank(MPI_Comm comm, int *rank);

/*@ assigns *size, \result \from comm;
    ensures \initialized(size) && 1 <= *size <= 4; */
int MPI_Comm_size(MPI_Comm comm, int *size);

/*@ assigns *newcomm, \result \from comm, color, key, forerun_messages;
    ensures \initialized(newcomm); */
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm);

/*@ assigns *comm, \result \from *comm; */
int MPI_Comm_free(MPI_Comm *comm);

/*@ assigns dims[0 .. ndims - 1], \result \from nnodes, ndims, dims[0 .. ndims - 1];
    ensures \forall integer i; 0 <= i < ndims ==> 1 <= dims[i] <= 4; */
int MPI_Dims_create(int nnodes, int ndims, int dims[]);

/*@ assigns *comm_cart, \result \from comm_old, ndims, dims[0 .. ndims - 1], periods[0 .. ndims -
      1], reorder;
    ensures \initialized(comm_cart); */
int MPI_Cart_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[],
                    int reorder, MPI_Comm *comm_cart);

/*@ assigns coords[0 .. maxdims - 1], \result \from comm, rank, maxdims;
    ensures \forall integer i; 0 <= i < maxdims ==> 0 <= coords[i] <= 3;
    ensures \initialized(coords + (0 .. maxdims - 1)); */
int MPI_Cart_coords(MPI_Comm comm, int rank, int maxdims, int coords[]);

/*@ assigns *rank_source, *rank_dest, \result \from comm, direction, disp;
    ensures \initialized(rank_source) && \initialized(rank_dest);
    ensures -1 <= *rank_source <= 3 && -1 <= *rank_dest <= 3; */
int MPI_Cart_shift(MPI_Comm comm, int direction, int disp, int *rank_source, int *rank_dest);

/* Communication. What is received depends on all that is sent, and on what others send. */

/*@ assigns \result, forerun_messages \from comm, forerun_messages; */
int MPI_Barrier(MPI_Comm comm);

/*@ assigns ((char *)buffer)[0 ..], \result, forerun_messages
      \from ((char *)buffer)[0 ..], count, datatype, root, comm, forerun_messages; */
int MPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);

/*@ assigns ((char *)buffer)[0 ..], *request, \result, forerun_messages
      \from ((char *)buffer)[0 ..], count, datatype, root, comm, forerun_messages;
    ensures \initialized(request); */
int MPI_Ibcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
               MPI_Request *request);

/*@ assigns ((char *)recvbuf)[0 ..], \result, forerun_messages
      \from ((char *)sendbuf)[0 ..], ((char *)recvbuf)[0 ..], count, datatype, op, root, comm,
            forerun_messages; */
int MPI_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
               int root, MPI_Comm comm);

/*@ assigns ((char *)recvbuf)[0 ..], \result, forerun_messages
      \from ((char *)sendbuf)[0 ..], ((char *)recvbuf)[0 ..], count, datatype, op, comm,
            forerun_messages; */
int MPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm);

/*@ assigns ((char *)recvbuf)[0 ..], *request, \result, forerun_messages
      \from ((char *)sendbuf)[0 ..], ((char *)recvbuf)[0 ..], count, datatype, op, comm,
            forerun_messages;
    ensures \initialized(request); */
int MPI_Iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm, MPI_Request *request);

/*@ assigns ((char *)recvbuf)[0 ..], \result, forerun_messages
      \from ((char *)sendbuf)[0 ..], ((char *)recvbuf)[0 ..], count, datatype, op, comm,
            forerun_messages; */
int MPI_Exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
               MPI_Comm comm);

/*@ assigns ((char *)recvbuf)[0 ..], \result, forerun_messages
      \from ((char *)sendbuf)[0 ..], ((char *)recvbuf)[0 ..], sendcount, sendtype, recvcount,
            recvtype, root, comm,
            forerun_messages; */
int MPI_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
               int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);

/*@ assigns ((char *)recvbuf)[0 ..], \result, forerun_messages
      \from ((char *)sendbuf)[0 ..], ((char *)recvbuf)[0 ..], sendcount, sendtype, recvcounts[0 ..],
            displs[0 ..],
            recvtype, root, comm, forerun_messages; */
int MPI_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                MPI_Comm comm);

/*@ assigns ((char *)recvbuf)[0 ..], \result, forerun_messages
      \from ((char *)sendbuf)[0 ..], ((char *)recvbuf)[0 ..], sendcount, sendtype, recvcount,
            recvtype, root, comm,
            forerun_messages; */
int MPI_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);

/*@ assigns ((char *)recvbuf)[0 ..], \result, forerun_messages
      \from ((char *)sendbuf)[0 ..], ((char *)recvbuf)[0 ..], sendcounts[0 ..], displs[0 ..],
   sendtype, recvcount, recvtype, root, comm, forerun_messages; */
int MPI_Scatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                 MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                 int root, MPI_Comm comm);

/*@ assigns ((char *)recvbuf)[0 ..], \result, forerun_messages
      \from ((char *)sendbuf)[0 ..], ((char *)recvbuf)[0 ..], sendcount, sendtype, recvcount,
            recvtype, comm,
            forerun_messages; */
int MPI_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, MPI_Comm comm);

/*@ assigns ((char *)recvbuf)[0 ..], \result, forerun_messages
      \from ((char *)sendbuf)[0 ..], ((char *)recvbuf)[0 ..], sendcount, sendtype, recvcounts[0 ..],
            displs[0 ..],
            recvtype, comm, forerun_messages; */
int MPI_Allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                   const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                   MPI_Comm comm);

/*@ assigns ((char *)recvbuf)[0 ..], \result, forerun_messages
      \from ((char *)sendbuf)[0 ..], ((char *)recvbuf)[0 ..], sendcount, sendtype, recvcount,
            recvtype, comm, forerun_messages; */
int MPI_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                 int recvcount, MPI_Datatype recvtype, MPI_Comm comm);

/*@ assigns ((char *)recvbuf)[0 ..], \result, forerun_messages
      \from ((char *)sendbuf)[0 ..], ((char *)recvbuf)[0 ..], sendcounts[0 ..], sdispls[0 ..],
            sendtype,
            recvcounts[0 ..], rdispls[0 ..], recvtype, comm, forerun_messages; */
int MPI_Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                  MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[],
                  MPI_Datatype recvtype, MPI_Comm comm);

/*@ assigns *request, \result, forerun_messages
      \from ((char *)buf)[0 ..], count, datatype, dest, tag, comm, forerun_messages;
    ensures \initialized(request); */
int MPI_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
              MPI_Request *request);

/*@ assigns ((char *)buf)[0 ..], *request, \result, forerun_messages
      \from count, datatype, source, tag, comm, forerun_messages;
    ensures \initialized(request); */
int MPI_Irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
              MPI_Request *request);

/*@ assigns ((char *)buf)[0 ..], *status, \result, forerun_messages
      \from count, datatype, source, tag, comm, forerun_messages; */
int MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
             MPI_Status *status);

/*@ assigns ((char *)recvbuf)[0 ..], *status, \result, forerun_messages
      \from ((char *)sendbuf)[0 ..], sendcount, sendtype, dest, sendtag, recvcount, recvtype,
            source, recvtag, comm,
            forerun_messages; */
int MPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                 void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
                 MPI_Comm comm, MPI_Status *status);

/*@ assigns *request, *status, \result \from *request, forerun_messages; */
int MPI_Wait(MPI_Request *request, MPI_Status *status);

/*@ assigns *request, *flag, *status, \result \from *request, forerun_messages;
    ensures \initialized(flag); */
int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status);

/*@ assigns array_of_requests[0 .. count - 1], array_of_statuses[0 .. count - 1], \result
      \from array_of_requests[0 .. count - 1], count, forerun_messages; */
int MPI_Waitall(int count, MPI_Request array_of_requests[], MPI_Status array_of_statuses[]);

/* Datatypes, memory, hints. */

/*@ assigns *count, \result \from *status, datatype;
    ensures \initialized(count); */
int MPI_Get_count(const MPI_Status *status, MPI_Datatype datatype, int *count);

/*@ assigns *newtype, \result \from count, blocklength, stride, oldtype;
    ensures \initialized(newtype); */
int MPI_Type_vector(int count, int blocklength, int stride, MPI_Datatype oldtype,
                    MPI_Datatype *newtype);

/*@ assigns *newtype, \result
      \from ndims, array_of_sizes[0 .. ndims - 1], array_of_subsizes[0 .. ndims - 1],
            array_of_starts[0 .. ndims - 1],
            order, oldtype;
    ensures \initialized(newtype); */
int MPI_Type_create_subarray(int ndims, const int array_of_sizes[], const int array_of_subsizes[],
                             const int array_of_starts[], int order, MPI_Datatype oldtype,
                             MPI_Datatype *newtype);

/*@ assigns *newtype, \result
      \from count, array_of_blocklengths[0 .. count - 1], array_of_displacements[0 .. count - 1],
            array_of_types[0 .. count - 1];
    ensures \initialized(newtype); */
int MPI_Type_create_struct(int count, const int array_of_blocklengths[],
                           const MPI_Aint array_of_displacements[],
                           const MPI_Datatype array_of_types[], MPI_Datatype *newtype);

/*@ assigns *newtype, \result \from oldtype, lb, extent;
    ensures \initialized(newtype); */
int MPI_Type_create_resized(MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent,
                            MPI_Datatype *newtype);

/*@ assigns *datatype, \result \from *datatype;
    ensures \initialized(datatype); */
int MPI_Type_commit(MPI_Datatype *datatype);

/*@ assigns *datatype, \result \from *datatype; */
int MPI_Type_free(MPI_Datatype *datatype);

/*@ assigns *info, \result \from \nothing;
    ensures \initialized(info); */
int MPI_Info_create(MPI_Info *info);

/*@ assigns \result \from info, key[0 ..], value[0 ..]; */
int MPI_Info_set(MPI_Info info, const char *key, const char *value);

/*@ assigns value[0 .. valuelen - 1], *flag, \result \from info, key[0 ..], valuelen;
    ensures \initialized(flag); */
int MPI_Info_get(MPI_Info info, const char *key, int valuelen, char *value, int *flag);

/*@ assigns *info, \result \from *info; */
int MPI_Info_free(MPI_Info *info);

/* Files. */

/*@ assigns file->place, file->size, \result \from comm, filename[0 ..], amode, info;
    ensures \initialized(&file->place) && \initialized(&file->size); */
int forerun_open(MPI_Comm comm, const char *filename, int amode, MPI_Info info,
                 struct ADIOI_FileD *file);

/* Frama-C treats it like malloc, but does not know that both share the heap. */
/*@ assigns \result \from indirect: size; */
void *forerun_new(size_t size);

/* A macro, so that files opened by different calls are told apart. */
#define MPI_File_open(comm, filename, amode, info, fh)                                             \
  (*(fh) = forerun_new(sizeof(struct ADIOI_FileD)),                                                \
   forerun_open(comm, filename, amode, info, *(fh)))

/*@ assigns *fh, \result \from *fh; */
int MPI_File_close(MPI_File *fh);

/*@ assigns \result \from filename[0 ..], info; */
int MPI_File_delete(const char *filename, MPI_Info info);

/*@ assigns *info_used, \result \from fh;
    ensures \initialized(info_used); */
int MPI_File_get_info(MPI_File fh, MPI_Info *info_used);

/*@ assigns *offset, \result \from fh, fh->place;
    ensures \initialized(offset); */
int MPI_File_get_position(MPI_File fh, MPI_Offset *offset);

/*@ assigns *size, \result \from fh, fh->size;
    ensures \initialized(size); */
int MPI_File_get_size(MPI_File fh, MPI_Offset *size);

/*@ assigns fh->size, \result \from fh, size, fh->size; */
int MPI_File_set_size(MPI_File fh, MPI_Offset size);

/*@ assigns fh->size, \result \from fh, size, fh->size; */
int MPI_File_preallocate(MPI_File fh, MPI_Offset size);

/*@ assigns \result \from fh, flag; */
int MPI_File_set_atomicity(MPI_File fh, int flag);

/*@ assigns \result \from fh; */
int MPI_File_sync(MPI_File fh);

/*@ assigns fh->place, \result \from fh, offset, whence, fh->place; */
int MPI_File_seek(MPI_File fh, MPI_Offset offset, int whence);

/*@ assigns fh->place, \result
      \from fh, disp, etype, filetype, datarep[0 ..], info, fh->place; */
int MPI_File_set_view(MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype,
                      const char *datarep, MPI_Info info);

/* Reads: each without, and with, a file pointer that it moves. */

/*@ assigns ((char *)buf)[0 ..], *status, \result
      \from fh, offset, count, datatype, fh->place; */
int MPI_File_read_at(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype,
                     MPI_Status *status);

/*@ assigns ((char *)buf)[0 ..], *status, \result
      \from fh, offset, count, datatype, fh->place; */
int MPI_File_read_at_all(MPI_File fh, MPI_Offset offset, void *buf, int count,
                         MPI_Datatype datatype, MPI_Status *status);

/*@ assigns ((char *)buf)[0 ..], *status, fh->place, \result
      \from fh, count, datatype, fh->place; */
int MPI_File_read(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status);

/*@ assigns ((char *)buf)[0 ..], *status, fh->place, \result
      \from fh, count, datatype, fh->place; */
int MPI_File_read_all(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status);

/*@ assigns ((char *)buf)[0 ..], *status, fh->place, \result
      \from fh, count, datatype, fh->place; */
int MPI_File_read_shared(MPI_File fh, void *buf, int count, MPI_Datatype datatype,
                         MPI_Status *status);

/*@ assigns ((char *)buf)[0 ..], *status, fh->place, \result
      \from fh, count, datatype, fh->place; */
int MPI_File_read_ordered(MPI_File fh, void *buf, int count, MPI_Datatype datatype,
                          MPI_Status *status);

/*@ assigns ((char *)buf)[0 ..], *request, \result
      \from fh, offset, count, datatype, fh->place;
    ensures \initialized(request); */
int MPI_File_iread_at(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype,
                      MPI_Request *request);

/*@ assigns ((char *)buf)[0 ..], *request, fh->place, \result
      \from fh, count, datatype, fh->place;
    ensures \initialized(request); */
int MPI_File_iread(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Request *request);

/*@ assigns ((char *)buf)[0 ..], \result
      \from fh, offset, count, datatype, fh->place; */
int MPI_File_read_at_all_begin(MPI_File fh, MPI_Offset offset, void *buf, int count,
                               MPI_Datatype datatype);

/*@ assigns ((char *)buf)[0 ..], fh->place, \result
      \from fh, count, datatype, fh->place; */
int MPI_File_read_all_begin(MPI_File fh, void *buf, int count, MPI_Datatype datatype);

/*@ assigns ((char *)buf)[0 ..], fh->place, \result
      \from fh, count, datatype, fh->place; */
int MPI_File_read_ordered_begin(MPI_File fh, void *buf, int count, MPI_Datatype datatype);

/*@ assigns *status, \result \from fh; */
int MPI_File_read_at_all_end(MPI_File fh, void *buf, MPI_Status *status);

/*@ assigns *status, \result \from fh; */
int MPI_File_read_all_end(MPI_File fh, void *buf, MPI_Status *status);

/*@ assigns *status, \result \from fh; */
int MPI_File_read_ordered_end(MPI_File fh, void *buf, MPI_Status *status);

/* Writes. */

/*@ assigns *status, \result \from fh, offset, count, datatype, fh->place; */
int MPI_File_write_at(MPI_File fh, MPI_Offset offset, const void *buf, int count,
                      MPI_Datatype datatype, MPI_Status *status);

/*@ assigns *status, \result \from fh, offset, count, datatype, fh->place; */
int MPI_File_write_at_all(MPI_File fh, MPI_Offset offset, const void *buf, int count,
                          MPI_Datatype datatype, MPI_Status *status);

/*@ assigns fh->place, *status, \result \from fh, count, datatype, fh->place; */
int MPI_File_write(MPI_File fh, const void *buf, int count, MPI_Datatype datatype,
                   MPI_Status *status);

/*@ assigns fh->place, *status, \result \from fh, count, datatype, fh->place; */
int MPI_File_write_all(MPI_File fh, const void *buf, int count, MPI_Datatype datatype,
                       MPI_Status *status);

#endif
