// SPDX-License-Identifier: Apache-2.0
#include "calls/TheProcess.h"

#include "calls/Guarded.h"
#include "report/Report.h"

#include <atomic>
#include <exception>
#include <memory>
#include <string>

namespace forerun {
namespace {

void writeCheck(Process &process, const Check &check) {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::string whyNot = std::string("not started: ") + process.whyOff();
  if (*process.whyOff() == '\0')
    whyNot += "the program did not reach its start";
  check.write(rank, process.preThread(), process.progress(), process.handing().values,
              whyNot.c_str());
}

void report(Process &process, MPI_Comm world) {
  CacheHost &host = process.host();
  const PreThread *thread = process.preThread();
  reportAtFinalize({.courier = host.courier(),
                    .cache = host.cache(),
                    .enabled = process.enabled(),
                    .timed = process.timesReads(),
                    .launched = process.progress() != nullptr,
                    .predictions = thread != nullptr ? thread->predictions().made : 0,
                    .wrongPredictions = thread != nullptr ? thread->predictions().wrong : 0,
                    .preNs = thread != nullptr && thread->ended() ? thread->processorNs() : 0,
                    .restrained = thread != nullptr && thread->isThrottled(),
                    .whyOff = process.whyOff(),
                    .whyEnded = thread != nullptr && thread->endedEarly() ? thread->why() : ""},
                   process.options(), world);
}

/// The process, and the parts that it knows nothing about.
struct Whole {
  Whole() {
    const Options &options = process.options();
    if (!options.check.empty()) {
      check = std::make_unique<Check>(options.check);
      process.atStop([this] { writeCheck(process, *check); });
    }
    if (options.report != "0" || !options.trace.empty())
      process.atFinalize([this](MPI_Comm world) { report(process, world); });
  }

  Process &process = *new Process(Options::fromEnvironment());
  std::unique_ptr<Check> check;
};

std::atomic<Process *> theMade{nullptr};

Whole &whole() {
  static Whole &made = []() -> Whole & {
    auto *const fresh = new Whole;
    theMade.store(&fresh->process);
    return *fresh;
  }();
  return made;
}

} // namespace

Process &theProcess() { return whole().process; }
Check *theCheck() { return whole().check.get(); }

void goOnWithout(const std::exception &failure) {
  if (Process *process = theMade.load())
    process->goOnWithout(failure.what());
}

} // namespace forerun
