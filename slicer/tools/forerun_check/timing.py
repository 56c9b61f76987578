# SPDX-License-Identifier: Apache-2.0
"""Measures a program that is built, with and without pre-execution, in turn.

What is timed is the whole command, start-up included. The timed runs make no report, which would
take a little of their time; one run before them makes one, and tells which files are read."""
import dataclasses
import json
import os
import shlex
import statistics

from forerun_tools import ending

from . import build, caches, launch
from .compare import Comparison
from .failure import Failure

QUIET = {"FORERUN_REPORT": "0", "FORERUN_TRACE": "", "FORERUN_CHECK": ""}
WITHOUT = QUIET | {"FORERUN": "0"}
WITH = QUIET | {"FORERUN": "1"}
FORMAT = 1  # of the JSON
# That the slowest of some runs is faster than the fastest of as many others is chance once in 35
# times if there are four of each, once in 10 if there are three.
ENOUGH = 4


@dataclasses.dataclass
class Timed:
    """Seconds of each run, in the order in which they were made, and what else was found."""

    command: list
    without: list
    with_it: list
    coverage: float  # of the run before them; None: nothing was read
    why_off: str     # why nothing ran ahead in it; empty: something did
    differences: list
    set_aside: list
    cleared: str
    not_cleared: list

    @property
    def ratio(self):
        """How many times as fast the program is with pre-execution."""
        return statistics.median(self.without) / statistics.median(self.with_it)

    @property
    def ratios(self):
        """Run by run."""
        return [one / other for one, other in zip(self.without, self.with_it)]

    @property
    def judgement(self):
        """What the times say."""
        if len(self.without) < ENOUGH:
            return f"{ENOUGH} runs of each kind or more would say whether it is chance"
        if max(self.with_it) < min(self.without):
            return "faster with pre-execution"
        if min(self.with_it) > max(self.without):
            return "slower with pre-execution"
        return "no difference beyond the spread"


class Measurement:
    def __init__(self, settings, progress):
        self.settings, self.progress, self.here = settings, progress, os.getcwd()

    def run(self, environment):
        """Fails if the program does: its time would say nothing."""
        before, settings = launch.marks_in(self.here), self.settings
        found = launch.run(settings.command, environment, self.here, settings.stdin, settings.limit,
                           lambda: launch.files_changed(self.here, before))
        if found.status != 0:
            said = build.first_line(found.stderr.decode(errors="replace"))
            shown = launch.described(settings.command, {"FORERUN": environment["FORERUN"]})
            raise Failure(f"{shown} ends with status {found.status}: {said}")
        return found

    def report(self):
        """The report of a run with pre-execution."""
        with ending.temporary_directory(prefix="forerun-check-") as work:
            path = os.path.join(work, "report.json")
            self.run(WITH | {"FORERUN_REPORT": path})
            try:
                with open(path, encoding="utf-8") as file:
                    return json.load(file)
            except (OSError, ValueError) as problem:
                raise Failure(f"{shlex.join(self.settings.command)} makes no report: was it made "
                              "by forerun-cc, and does it end with MPI_Finalize?") from problem

    def measure(self):
        self.progress.doing("makes a run that tells which files are read")
        report = self.report()
        clearing = caches.Clearing([each["path"] for each in report["files"]])
        without, with_it = [], []
        for number in range(1, self.settings.repeats + 1):
            for environment, runs in ((WITHOUT, without), (WITH, with_it)):
                kind = "without" if environment == WITHOUT else "with"
                self.progress.doing(f"run {number} of {self.settings.repeats} {kind} pre-execution")
                clearing.clear()
                runs.append(self.run(environment))
        several = report["ranks"] > 1
        comparison = Comparison(without[0], not several, self.settings.ignored,
                                again=lambda: self.run(WITHOUT))
        differences = []
        for run in with_it:
            differences += [each for each in comparison.differences(run) if each not in differences]
        reads = sum(report["sum"][f"reads_{each}"] for each in ("on_time", "late", "missed"))
        return Timed(self.settings.command, [run.seconds for run in without],
                     [run.seconds for run in with_it], report["coverage"] if reads else None,
                     report["why_off"], differences, comparison.set_aside(), clearing.cleared(),
                     clearing.not_cleared())


def line(name, seconds):
    return (f"{name:23}  {len(seconds):4}  {statistics.median(seconds):8.3f}  {min(seconds):8.3f}  "
            f"{max(seconds):8.3f}")


def as_text(timed):
    lines = ["                         runs  median s  lowest s  highest s",
             line("without pre-execution", timed.without),
             line("with pre-execution", timed.with_it)]
    lines.append(f"ratio: {timed.ratio:.2f}, pair by pair {min(timed.ratios):.2f} to "
                 f"{max(timed.ratios):.2f}: {timed.judgement}")
    if timed.why_off:
        lines.append(f"nothing ran ahead: {timed.why_off}")
    elif timed.coverage is not None:
        lines.append(f"coverage: {timed.coverage:.1%} of the reads")
    lines.append("a run with pre-execution came first, and is not counted: it told which files are "
                 "read")
    lines.append(f"cleared before each run: {timed.cleared}; not cleared: "
                 f"{', '.join(timed.not_cleared)}")
    lines += timed.differences + timed.set_aside
    if not timed.differences:
        but = " but for what is ignored" if timed.set_aside else ""
        lines.append(f"identical{but}: stdout, stderr, exit status and files written")
    return "\n".join(lines)


def as_json(timed):
    def of(seconds):
        return {"seconds": seconds, "median": statistics.median(seconds), "lowest": min(seconds),
                "highest": max(seconds)}

    return json.dumps({
        "format": FORMAT, "command": timed.command, "repeats": len(timed.without),
        "without": of(timed.without), "with": of(timed.with_it), "ratio": timed.ratio,
        "ratioLowest": min(timed.ratios), "ratioHighest": max(timed.ratios),
        "judgement": timed.judgement,
        "coverage": timed.coverage, "whyOff": timed.why_off, "identical": not timed.differences,
        "differences": timed.differences, "setAside": timed.set_aside, "cleared": timed.cleared,
        "notCleared": timed.not_cleared}, indent=2)


def show(timed, settings):
    """Prints the result. 0 if the runs were alike but for their times, else 1."""
    ending.show(as_json(timed) if settings.json else as_text(timed))
    return 1 if timed.differences else 0
