# SPDX-License-Identifier: Apache-2.0
"""Writes and prints the results of the runs."""

import csv
import statistics

from .experiment import PRE_BY_HAND
from .failure import Failure

CACHED_MODES = ("caching", "pre-execution", PRE_BY_HAND)  # those that have a coverage
RESULT_COLUMNS = ("bed", "pattern", "n", "ranks", "compute_ratio", "mode", "compute_s",
                  "io_bound_s", "seconds", "reduction", "hiding_efficiency", "coverage", "accuracy",
                  "bandwidth_mib_s")
RUN_COLUMNS = ("bed", "pattern", "n", "ranks", "rows", "iterations", "compute_ratio", "mode", "run",
               "seconds", "read_s", "write_s", "compute_s", "coverage", "accuracy",
               "bandwidth_mib_s", "checksum")


class Writer:
    """results.csv (medians, rewritten with every case) and runs.csv (a line for each run)."""

    def __init__(self, output):
        self._output = output

    def __enter__(self):
        try:
            self._output.mkdir(parents=True, exist_ok=True)
            self._file = open(self._output / "runs.csv", "w", newline="", encoding="utf-8")
        except OSError as error:
            raise Failure(f"--output: {error}") from error
        self._runs = csv.writer(self._file)
        self._runs.writerow(RUN_COLUMNS)
        return self

    def __exit__(self, *_):
        self._file.close()

    def add_run(self, case, mode, number, run):
        job = case.job
        self._runs.writerow([
            case.bed, job.pattern, job.n, job.ranks, job.rows, job.compute, case.ratio, mode,
            number, f"{run.seconds:.4f}", f"{run.read_s:.4f}", f"{run.write_s:.4f}",
            f"{run.compute_s:.4f}", f"{run.coverage:.4f}", f"{run.accuracy:.4f}",
            f"{run.bytes / run.seconds / 2**20:.1f}", run.checksum])
        self._file.flush()

    def write_results(self, summaries):
        with open(self._output / "results.csv", "w", newline="", encoding="utf-8") as file:
            lines = csv.writer(file)
            lines.writerow(RESULT_COLUMNS)
            for summary in summaries:
                for mode in compared_modes(summary):
                    lines.writerow(result_line(summary, mode))


def compared_modes(summary):
    return [mode for mode in summary.seconds if mode != "compute only"]


def result_line(summary, mode):
    case = summary.case
    return [case.bed, case.job.pattern, case.job.n, case.job.ranks, f"{case.ratio:g}", mode,
            f"{summary.compute_s:.4f}", f"{case.io_bound_s:.4f}", f"{summary.seconds[mode]:.4f}",
            f"{summary.reduction(mode):.4f}", f"{summary.efficiency(mode):.4f}",
            f"{summary.coverage[mode]:.4f}", f"{summary.accuracy[mode]:.4f}",
            f"{summary.bandwidth_mib_s[mode]:.1f}"]


def table(summaries):
    """Median times of every mode of every case."""
    lines = [f"{'bed':10} {'pattern':10} {'n':>5} {'ranks':>5} {'comp/IO':>7}  {'mode':16} "
             f"{'time s':>8} {'reduction':>9} {'hiding eff.':>11} {'of cores':>8} {'coverage':>8} "
             f"{'MiB/s':>7}"]
    for summary in summaries:
        case = summary.case
        for mode in compared_modes(summary):
            has_coverage = mode in CACHED_MODES
            coverage = f"{summary.coverage[mode]:8.1%}" if has_coverage else f"{'-':>8}"
            reduction = f"{'-':>9}" if mode == "original" else f"{summary.reduction(mode):9.1%}"
            lines.append(
                f"{case.bed:10.10} {case.job.pattern:10} {case.job.n:5} {case.job.ranks:5} "
                f"{case.ratio:7g}  {mode:16} {summary.seconds[mode]:8.2f} {reduction} "
                f"{summary.efficiency(mode):11.2f} {summary.efficiency_with_processors(mode):8.2f} "
                f"{coverage} {summary.bandwidth_mib_s[mode]:7.0f}")
    return "\n".join(lines)


def span(values, form):
    low, high = form.format(min(values)), form.format(max(values))
    return low if low == high else f"{low} to {high}"


def gain(reductions):
    """How the execution time changed, in words."""
    if min(reductions) >= 0:
        return f"reduced the execution time by {span(reductions, '{:.0%}')}"
    return f"changed the execution time by {span([-r for r in reductions], '{:+.0%}')}"


def meaning(summaries):
    """The table in words."""
    mode = "pre-execution"
    reductions = [summary.reduction(mode) for summary in summaries]
    efficiencies = [summary.efficiency(mode) for summary in summaries]
    of_cores = [summary.efficiency_with_processors(mode) for summary in summaries]
    faster = [summary.bandwidth_mib_s[mode] / summary.bandwidth_mib_s["original"]
              for summary in summaries]
    coverage = [summary.coverage[mode] for summary in summaries]
    lines = [
        "",
        "What it means (medians):",
        f"  Pre-execution {gain(reductions)}, with the same results.",
        f"  Its hiding efficiency is {span(efficiencies, '{:.2f}')}: 1 is the bound, where the "
        "program takes no longer",
        "  than its compute alone or the same requests at the storage's best concurrency, "
        "whichever is longer." + (" Above 1 the machine was not quiet." if max(efficiencies) > 1.05
                                  else ""),
        f"  It is {span(of_cores, '{:.2f}')} \"of cores\", where the bound is at least the "
        "CPU time of compute and",
        "  reads, shared by all cores: storage that runs on this machine takes its share.",
        f"  {span(coverage, '{:.1%}')} of the reads came from the "
        f"cache; data flowed {statistics.median(faster):.1f} times as fast as in the original.",
        f"  Caching alone {gain([summary.reduction('caching') for summary in summaries])}.",
    ]
    beds = {summary.case.bed for summary in summaries}
    if any(bed.startswith("model") for bed in beds):
        lines.append("  Storage: a timing model served by FUSE (scripts/testbed), not a real "
                     "parallel file system.")
    lines += [f"  {note}" for note in sorted({s.case.note for s in summaries if s.case.note})]
    return "\n".join(lines)
