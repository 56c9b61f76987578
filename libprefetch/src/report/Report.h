// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_REPORT_H
#define FORERUN_REPORT_H

#include "report/Figures.h"

#include <mpi.h>
#include <string>

/// \file
/// The end-of-run report (FORERUN_REPORT) and the trace (FORERUN_TRACE).

namespace forerun {

/// What rank 0 prints on stderr: one screen.
std::string reportScreen(const JobFigures &job);
/// The same, and more, for machines.
std::string reportJson(const JobFigures &job);

/// Collective over \p world, while MPI still works, after the pre-execution thread and the courier
/// have ended. Does nothing unless the environment asks for a report or a trace; it has to ask so
/// on every rank.
void reportAtFinalize(MPI_Comm world);

} // namespace forerun

#endif
