/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/** \file
 * What the launcher says of the job, in the environment: known before MPI_Init, and without a call of
 * MPI. Any thread.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Whether this is the first of the job's processes. Without a launcher there is only one. */
int forerun_is_first_process(void);

/** How many processes of the job are on this node; 0 if the launcher does not say. */
int forerun_processes_on_node(void);

#ifdef __cplusplus
}
#endif
