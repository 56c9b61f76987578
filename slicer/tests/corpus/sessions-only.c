/* SPDX-License-Identifier: Apache-2.0 */
/* A program that can do with a session of MPI, and then has no MPI_COMM_WORLD. MPI-IO of MPICH 4.0
 * opens no file for it. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  MPI_Session session;
  MPI_Group group, world;
  MPI_Comm comm = MPI_COMM_WORLD;
  MPI_File file;
  int value = 0, rank = 0;
  if (argc > 1) {
    MPI_Init(&argc, &argv);
  } else {
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Group_from_session_pset(session, "mpi://SELF", &group);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
    MPI_Group_rank(world, &rank);
    MPI_Group_free(&world);
    MPI_Comm_create_from_group(group, "forerun", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
  }
  if (MPI_File_open(comm, "sessions.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) !=
      MPI_SUCCESS) {
    if (rank == 0)
      printf("no file can be opened\n");
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
    MPI_Session_finalize(&session);
    return 0;
  }
  for (int i = 0; i < 50; i++) {
    MPI_File_read_at(file, (value & 1023) * 4, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_BXOR, comm);
  }
  if (rank == 0)
    printf("%d\n", value);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
