/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/** \file
 * The MPI of this process, whichever that is.
 *
 * libforerun and the patched MPI-IO are compiled for one binary interface, that of their mpi.h, but a
 * program of any MPI may load them (LD_PRELOAD). So they are not linked against an MPI library, which
 * would be a second one there: each function of MPI that they call is a jump through a slot (generated
 * by generate-mpi-calls), which is filled when the process's MPI is found. That may be later than the
 * library is loaded: Python loads MPI late, and for one of its modules only.
 *
 * Invariants. Which interface the MPI has is known from what it defines and what it says of itself:
 * until then nothing is called that has a handle, or anything else that differs, in its arguments.
 * A call through a slot that is still empty looks for MPI first, and is an error if there is none.
 *
 * Any thread, except that a pre-execution thread exists only where MPI has been met.
 */

#ifdef __cplusplus
extern "C" {
#endif

enum forerun_mpi {
  kForerunNoMpi,    /**< not loaded so far */
  kForerunOtherMpi, /**< of another interface, or without a function of MPI 3.1 that is called here */
  kForerunOurMpi,   /**< its interface is the one that this library was compiled for */
};

/** What a function gives that this MPI lacks, as no MPI does: only those with counts of type MPI_Count
 * (MPI 4.0) may lack, whose names end in _c. */
enum { kForerunMissing = 0x7f4d4953 };

/** Looks for it until it is there; fills the slots. From then on it costs one load. */
enum forerun_mpi forerun_meet_mpi(void);

/** The function of a slot, for the generated code. */
void *forerun_mpi_function(int slot);

#ifdef __cplusplus
}
#endif
