# SPDX-License-Identifier: Apache-2.0
"""The two ways to check: from sources, or a program that is already built."""
import dataclasses
import os
import shlex
import tempfile

from forerun_tools import ending

from . import build, launch, logs
from .compare import Comparison
from .failure import Failure

OFF = {"FORERUN": "0"}


@dataclasses.dataclass
class Run:
    """One run with checking: its figures (None: no log), how it differed from the runs it is
    compared with, and what was set aside."""

    ranks: int
    figures: logs.Figures
    differences: list
    set_aside: list
    files: int


@dataclasses.dataclass
class Checked:
    runs: list
    slice: dict = None


class FromSources:
    """Builds the program both ways and runs each in a directory of its own."""

    def __init__(self, settings, work, progress):
        self.settings, self.work, self.progress = settings, work, progress
        flags, sources = settings.cc_flags, settings.sources
        mpicc = build.mpicc_of(settings.mpi)
        for kind, compiler in (("original", mpicc), ("sliced", settings.forerun_cc)):
            progress.doing(f"builds the {kind} program with {os.path.basename(compiler)}")
            build.compiled(compiler, sources, flags, self.program(kind))

    def name(self):
        return os.path.splitext(os.path.basename(self.settings.sources[0]))[0]

    def program(self, kind):
        return os.path.join(self.work, kind, self.name())

    def run(self, kind, ranks, environment, cores=None):
        """The program has the same name in each: it may print its name."""
        off = " and FORERUN=0" if environment == OFF else ""
        self.progress.doing(f"runs the {kind} program with {ranks} rank{'s' * (ranks != 1)}{off}")
        directory = tempfile.mkdtemp(prefix="run-", dir=os.path.join(self.work, kind))
        command = [*self.settings.mpiexec, "-n", str(ranks), os.path.join("..", self.name()),
                   *self.settings.arguments]
        return launch.run(command, environment, directory, self.settings.stdin, self.settings.limit,
                          lambda: launch.files_below(directory), cores)

    def check(self, ranks, off):
        def original():
            return self.run("original", ranks, {})

        comparison = Comparison(original(), ranks == 1, self.settings.ignored, again=original)
        log = os.path.join(self.work, f"log-{ranks}")
        found = self.run("sliced", ranks, {"FORERUN_CHECK": log}, cores=ranks)
        differing = comparison.differences(found)
        if off:
            differing += [f"with FORERUN=0: {each}"
                          for each in comparison.differences(self.run("sliced", ranks, OFF))]
        self.progress.doing(f"reads the logs of {ranks} rank{'s' * (ranks != 1)}")
        figures, status = logs.of_run(log), comparison.expected.status
        if figures is None and status != 0 and not differing:
            said = build.first_line(found.stderr.decode(errors="replace"))
            raise Failure("the program ends before MPI_Init or without MPI_Finalize, sliced or "
                          "not, with exit status "
                          f"{status}: {said} (it runs in an empty directory; "
                          "arguments go after --)")
        return Run(ranks, figures, differing, comparison.set_aside(),
                   len(comparison.expected.files))


def from_sources(settings, progress):
    # Whether Forerun, switched off, changes a program does not depend on the number of ranks: one
    # run is enough.
    off = 2 if 2 in settings.ranks else max(settings.ranks)
    with ending.temporary_directory(prefix="forerun-check-") as work:
        programs = FromSources(settings, work, progress)
        runs = [programs.check(ranks, ranks == off) for ranks in settings.ranks]
    progress.doing("slices the program once more, for the size of the slice")
    return Checked(runs, build.slice_summary(settings.slicer, settings.sources, settings.cc_flags))


def ranks_of(command):
    """The number after -n or -np, for the report."""
    for option, value in zip(command, command[1:]):
        if option in ("-n", "-np") and value.isdigit():
            return int(value)
    return 1


def of_program(settings, progress):
    """Runs the command of a sliced program in this directory: once with Forerun off, once with
    checking, and with Forerun off again if there is a difference."""
    command, here = settings.command, os.getcwd()
    ranks = ranks_of(command)

    def run(environment, cores=None):
        progress.doing(f"runs it with {'FORERUN=0' if environment == OFF else 'its thread'}")
        before = launch.marks_in(here)
        return launch.run(command, environment, here, settings.stdin, settings.limit,
                          lambda: launch.files_changed(here, before), cores)

    comparison = Comparison(run(OFF), ranks == 1, settings.ignored, again=lambda: run(OFF))
    with ending.temporary_directory(prefix="forerun-check-") as work:
        log = os.path.join(work, "log")
        found = run({"FORERUN_CHECK": log}, cores=ranks)
        progress.doing("reads the logs")
        figures = logs.of_run(log)
    status, expected = found.status, comparison.expected.status
    if figures is None and status != expected:
        raise Failure(f"{shlex.join(command)} ends with status {status}, and with FORERUN=0 with "
                      f"{expected}")
    if figures is None and status != 0:
        raise Failure(f"{shlex.join(command)} ends with status {status}: "
                      f"{build.first_line(found.stderr.decode(errors='replace'))}")
    if figures is None:
        raise Failure(f"{shlex.join(command)} has no pre-execution thread: "
                      "was it made by forerun-cc?")
    differing = comparison.differences(found)
    return Checked([Run(ranks, figures, differing, comparison.set_aside(),
                        len(comparison.expected.files))])
