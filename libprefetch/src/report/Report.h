// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/Options.h"
#include "report/Figures.h"

#include <cstdint>
#include <mpi.h>
#include <string>

/// \file
/// The end-of-run report (FORERUN_REPORT) and the trace (FORERUN_TRACE).

namespace forerun {

/// What rank 0 prints on stderr: one screen.
std::string reportScreen(const JobFigures &job);
/// Of what reportJson returns: one more whenever a member goes or means something else, and the same
/// if one is added. forerun_report/run.py of the same version reads it.
constexpr std::uint64_t kReportFormat = 1;
/// The same and more, machine-readable.
std::string reportJson(const JobFigures &job);

/// Writes what \p options ask for: report, trace or both. Collective over \p world (the options
/// must ask for the same on every rank), while MPI still works, after the pre-execution thread and
/// the courier have ended.
void reportAtFinalize(const RankSource &rank, const Options &options, MPI_Comm world);

} // namespace forerun
