# SPDX-License-Identifier: Apache-2.0
"""The two ways to check: from sources, or a program that is already built."""
import dataclasses
import os
import shlex
import tempfile

from . import build, launch, logs
from .failure import Failure

OFF = {"FORERUN": "0"}


@dataclasses.dataclass
class Run:
    """One run with checking: its figures (None: no log), and how it differed from the runs that it
    is compared with."""

    ranks: int
    figures: logs.Figures
    differences: list
    files: int


@dataclasses.dataclass
class Checked:
    runs: list
    slice: dict = None


def shown(line):
    return repr(line.decode(errors="replace"))[:100]


def different_text(what, expected, found, ordered):
    """A line that says where two outputs differ. The order of lines of different ranks is
    arbitrary, so it counts only if `ordered`."""
    if expected == found:
        return []
    old, new = expected.splitlines(), found.splitlines()
    if not ordered and sorted(old) == sorted(new):
        return []
    for number, (one, other) in enumerate(zip(old, new), 1):
        if one != other:
            return [f"{what} differs in line {number}: {shown(other)}, not {shown(one)}"]
    return [f"{what} has {len(new)} line{'s' if len(new) != 1 else ''}, not {len(old)}"]


def differences(expected, found, ordered):
    result = []
    if expected.status != found.status:
        result.append(f"exit status is {found.status}, not {expected.status}")
    result += different_text("stdout", expected.stdout, found.stdout, ordered)
    result += different_text("stderr", expected.stderr, found.stderr, ordered)
    for name in sorted(expected.files.keys() | found.files.keys()):
        if name not in found.files:
            result.append(f"{name} is missing")
        elif name not in expected.files:
            result.append(f"{name} is left behind")
        elif expected.files[name] != found.files[name]:
            result.append(f"{name} differs")
    return result


class FromSources:
    """Builds the program both ways and runs each in a directory of its own."""

    def __init__(self, settings, work):
        self.settings, self.work = settings, work
        flags, sources = settings.cc_flags, settings.sources
        build.compiled(build.find_mpicc(), sources, flags, self.program("original"))
        build.compiled(settings.forerun_cc, sources, flags, self.program("sliced"))

    def name(self):
        return os.path.splitext(os.path.basename(self.settings.sources[0]))[0]

    def program(self, kind):
        return os.path.join(self.work, kind, self.name())

    def run(self, kind, ranks, environment):
        """The program is called by the same name in each: it may print that."""
        directory = tempfile.mkdtemp(prefix="run-", dir=os.path.join(self.work, kind))
        command = [*self.settings.mpiexec, "-n", str(ranks), os.path.join("..", self.name()),
                   *self.settings.arguments]
        return launch.run(command, environment, directory, self.settings.stdin, self.settings.limit,
                          lambda: launch.files_below(directory))

    def check(self, ranks, off):
        expected = self.run("original", ranks, {})
        log = os.path.join(self.work, f"log-{ranks}")
        found = self.run("sliced", ranks, {"FORERUN_CHECK": log})
        differing = differences(expected, found, ordered=ranks == 1)
        if off:
            without = self.run("sliced", ranks, OFF)
            differing += [f"with FORERUN=0: {each}"
                          for each in differences(expected, without, ordered=ranks == 1)]
        return Run(ranks, logs.of_run(log), differing, len(expected.files))


def from_sources(settings):
    for path in [*settings.sources, *([settings.stdin] if settings.stdin else [])]:
        if not os.path.isfile(path):
            raise Failure(f"{path} is not there")
    # What a program does with Forerun off does not depend on the number of ranks: once is enough.
    off = 2 if 2 in settings.ranks else max(settings.ranks)
    with tempfile.TemporaryDirectory(prefix="forerun-check-") as work:
        programs = FromSources(settings, work)
        runs = [programs.check(ranks, ranks == off) for ranks in settings.ranks]
    return Checked(runs, build.slice_summary(settings.slicer, settings.sources, settings.cc_flags))


def ranks_of(command):
    """The number after -n or -np, for the report."""
    for option, value in zip(command, command[1:]):
        if option in ("-n", "-np") and value.isdigit():
            return int(value)
    return 1


def of_program(settings):
    """A command that runs a sliced program, here: once with Forerun off, once with checking."""
    command, here = settings.command, os.getcwd()
    ranks = ranks_of(command)

    def run(environment):
        before = launch.marks_in(here)
        return launch.run(command, environment, here, settings.stdin, settings.limit,
                          lambda: launch.files_changed(here, before))

    expected = run(OFF)
    with tempfile.TemporaryDirectory(prefix="forerun-check-") as work:
        log = os.path.join(work, "log")
        found = run({"FORERUN_CHECK": log})
        figures = logs.of_run(log)
    if figures is None:
        raise Failure(f"{shlex.join(command)} has no pre-execution thread: "
                      "was it made by forerun-cc?")
    differing = differences(expected, found, ordered=ranks == 1)
    return Checked([Run(ranks, figures, differing, len(expected.files))])
