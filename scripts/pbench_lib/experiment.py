# SPDX-License-Identifier: Apache-2.0
"""The matrix of runs. For each case this measures how long the original's I/O takes, how many
iterations give the requested ratio of compute to I/O, and what the bounds are; then it runs the
modes that are compared, alternating."""

import itertools
import os
import random
import statistics
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from . import beds
from .failure import Failure
from .programs import Job, Programs

BY_HAND = ("iread", "fadvise", "hints")
PRE_BY_HAND = "written by hand"  # the pre-execution thread
PILOT_ROWS = 64
PILOT_ITERATIONS = 64


@dataclass
class Case:
    """What the runs of a comparable group have in common."""

    bed: str
    note: str
    ratio: float
    io_bound_s: float
    io_processor_s: float
    job: Job


@dataclass
class Summary:
    """A case, and the medians of each mode."""

    case: Case
    compute_s: float
    seconds: dict
    read_s: dict
    coverage: dict
    accuracy: dict
    bandwidth_mib_s: dict

    def reduction(self, mode):
        return 1 - self.seconds[mode] / self.seconds["original"]

    def efficiency(self, mode):
        return max(self.compute_s, self.case.io_bound_s) / self.seconds[mode]

    def efficiency_with_processors(self, mode):
        """The same, with a bound that is no less than the time for which compute and reads keep all
        cores busy, including the storage's own work if it runs on this machine."""
        cores = os.cpu_count()
        compute = self.compute_s * min(1, self.case.job.ranks / cores)
        busy = compute + self.case.io_processor_s / cores
        return max(self.compute_s, self.case.io_bound_s, busy) / self.seconds[mode]


def run(settings, add_run):
    """Yields a Summary for each case; calls add_run(case, mode, number, run) for each run."""
    with beds.scratch_directory(settings.bed, max(settings.sizes) ** 2 * 8 * 3 // 2) as name:
        scratch = Path(name)
        programs = Programs(settings.build.resolve(), scratch)
        for bed in beds.beds(settings, programs.testbed, scratch):
            with bed:
                for n in settings.sizes:
                    say(f"{bed.name}: making the {n} x {n} matrix ({n * n * 8 >> 20} MiB)")
                    programs.create(bed.file_to_make(f"matrix-{n}"), n)
                    for pattern, ranks in itertools.product(settings.patterns, settings.ranks):
                        job = Job(bed.file(f"matrix-{n}"), pattern, n, ranks, PILOT_ROWS)
                        yield from run_cases(settings, programs, bed, job, scratch, add_run)
                    bed.file_to_make(f"matrix-{n}").unlink(missing_ok=True)


def run_cases(settings, programs, bed, job, scratch, add_run):
    """All ratios of compute to I/O of one job."""
    bed.forget()
    pilot = programs.original(job)
    rows = max(PILOT_ROWS, round(job.rows * settings.seconds / pilot.seconds))
    if bed.direct:  # the original still uses the system's cache, so it reads a row about once
        rows = min(rows, job.n // job.ranks)
    job = replace(job, rows=rows)
    bed.forget()
    original_io = programs.original(job, scratch / "trace")
    bed.forget()
    traces = [scratch / f"trace.{rank}" for rank in range(job.ranks)]
    io_bound, io_processor = programs.replay(job.file, traces, bed.direct)
    say(f"{bed.name}: {job.pattern}, n {job.n}, {job.ranks} ranks, {rows} rows each: "
        f"I/O of the original {original_io.seconds:.2f} s, at best {io_bound:.2f} s with "
        f"{io_processor:.2f} s of CPU time")
    for ratio in settings.compute_ratio:
        compute = calibrate(programs, job, ratio * original_io.seconds)
        case = Case(bed.name, bed.note, ratio, io_bound, io_processor,
                    replace(job, compute=compute))
        yield summarise(case, compare(settings, programs, bed, case, add_run))


def calibrate(programs, job, target):
    """How many iterations take `target` seconds when nothing is read."""
    if target <= 0:
        return 0
    compute = PILOT_ITERATIONS
    for _ in range(3):
        seconds = programs.compute_only(replace(job, compute=compute)).seconds
        if abs(seconds - target) < 0.02 * target:
            break
        compute = max(1, round(compute * target / seconds))
    return compute


def compare(settings, programs, bed, case, add_run):
    """Runs every mode once per repetition; returns {mode: [runs]}. The order changes with each
    repetition, because a run affects the next one."""
    modes = {
        "compute only": programs.compute_only,
        "original": programs.original,
        "caching": lambda job: programs.caching(job, bed.direct),
        "pre-execution": lambda job: programs.pre_execution(job, bed.direct),
    }
    if settings.by_hand:
        modes[PRE_BY_HAND] = lambda job: programs.pre_execution_by_hand(job, bed.direct)
    if settings.by_hand and case.job.pattern == "random":
        for method in BY_HAND:
            modes[f"by hand: {method}"] = lambda job, method=method: programs.by_hand(job, method)
    runs = {mode: [] for mode in modes}
    for number in range(1, settings.repeats + 1):
        for mode in random.Random(number).sample(list(modes), len(modes)):
            bed.forget(kernel_cache=mode == "by hand: fadvise")
            result = modes[mode](case.job)
            runs[mode].append(result)
            add_run(case, mode, number, result)
            say(f"  compute {case.ratio:g} x I/O, run {number}: {mode} {result.seconds:.2f} s")
    checksums = {result.checksum for results in runs.values() for result in results}
    if len(checksums) != 1:
        raise Failure(f"the checksums differ: {sorted(checksums)}")
    return runs


def summarise(case, runs):
    def medians(figure):
        return {mode: statistics.median(figure(result) for result in results)
                for mode, results in runs.items()}

    return Summary(
        case=case,
        compute_s=medians(lambda result: result.seconds)["compute only"],
        seconds=medians(lambda result: result.seconds),
        read_s=medians(lambda result: result.read_s),
        coverage=medians(lambda result: result.coverage),
        accuracy=medians(lambda result: result.accuracy),
        bandwidth_mib_s=medians(lambda result: result.bytes / result.seconds / 2**20),
    )


def say(text):
    print(text, file=sys.stderr, flush=True)
