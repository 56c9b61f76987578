# SPDX-License-Identifier: Apache-2.0
"""Plots shaped like the figures 8, 9 and 10 of the paper: execution time by size and ranks, where
the time goes, and sustained bandwidth."""

import csv
import statistics
from collections import defaultdict

from .failure import Failure

COLOURS = {"original": "#888888", "caching": "#e0a030", "pre-execution": "#2060a0",
           "written by hand": "#60a0d0",
           "by hand: iread": "#80b070", "by hand: fadvise": "#a070b0", "by hand: hints": "#b07070"}


def draw(directory):
    """Draws the plots of runs.csv in `directory`; returns the files written."""
    try:
        import matplotlib
    except ImportError as missing:
        raise Failure("no plots without python3-matplotlib") from missing
    matplotlib.use("Agg")
    runs = load(directory / "runs.csv")
    files = []
    groups = defaultdict(list)
    for run in runs:
        groups[run["bed"], run["pattern"], run["compute_ratio"]].append(run)
    for (bed, pattern, ratio), group in groups.items():
        title = f"PBench, {pattern}, {bed}, compute {ratio:g} x I/O"
        stem = f"{bed}-{pattern}-{ratio:g}".replace("/", "_").replace(":", "_")
        for name, draw_one in (("time", draw_times), ("breakdown", draw_breakdown),
                               ("bandwidth", draw_bandwidth)):
            path = directory / f"{name}-{stem}.png"
            draw_one(group, title, path)
            files.append(path)
    return files


def load(path):
    try:
        with open(path, newline="", encoding="utf-8") as file:
            runs = list(csv.DictReader(file))
    except OSError as error:
        raise Failure(str(error)) from error
    if not runs:
        raise Failure(f"{path}: no runs")
    for run in runs:
        for column in ("n", "ranks"):
            run[column] = int(run[column])
        for column in ("compute_ratio", "seconds", "read_s", "write_s", "compute_s",
                       "bandwidth_mib_s"):
            run[column] = float(run[column])
    return [run for run in runs if run["mode"] != "compute only"]


def median_of(runs, column, **wanted):
    values = [run[column] for run in runs
              if all(run[key] == value for key, value in wanted.items())]
    return statistics.median(values) if values else 0.0


def values_of(runs, column):
    """The distinct values, in order of first appearance."""
    return list(dict.fromkeys(run[column] for run in runs))


def panels(runs, title, ylabel):
    """A figure with a panel for each matrix size; returns (figure, [(axes, n)])."""
    from matplotlib import pyplot

    sizes = values_of(runs, "n")
    figure, axes = pyplot.subplots(1, len(sizes), figsize=(1.5 + 3.6 * len(sizes), 3.6),
                                   squeeze=False, layout="constrained")
    figure.suptitle(title, fontsize=10)
    for panel, n in zip(axes[0], sizes):
        panel.set_title(f"{n} x {n}", fontsize=9)
        panel.set_xlabel("MPI processes")
        panel.set_ylabel(ylabel)
    return figure, list(zip(axes[0], sizes))


def finish(figure, axes, path):
    from matplotlib import pyplot

    axes.set_ylim(0, axes.get_ylim()[1] * 1.4)  # room for the legend
    axes.legend(fontsize=7, ncols=2, loc="upper right")
    figure.savefig(path, dpi=130)
    pyplot.close(figure)


def bars(axes, ranks, modes):
    """Positions of grouped bars: yields (mode, its x positions, width)."""
    width = 0.8 / len(modes)
    for number, mode in enumerate(modes):
        yield mode, [x - 0.4 + width * (number + 0.5) for x in range(len(ranks))], width
    axes.set_xticks(range(len(ranks)), [str(count) for count in ranks])


def draw_times(runs, title, path):
    figure, axes = panels(runs, title, "execution time (s)")
    ranks, modes = values_of(runs, "ranks"), values_of(runs, "mode")
    for panel, n in axes:
        for mode, places, width in bars(panel, ranks, modes):
            heights = [median_of(runs, "seconds", n=n, ranks=count, mode=mode) for count in ranks]
            panel.bar(places, heights, width, label=mode, color=COLOURS[mode])
    finish(figure, axes[0][0], path)


def draw_breakdown(runs, title, path):
    """Compute time below, read and write time above, as the mean over the ranks."""
    figure, axes = panels(runs, title, "time of a process (s)")
    ranks, modes = values_of(runs, "ranks"), values_of(runs, "mode")
    for panel, n in axes:
        for mode, places, width in bars(panel, ranks, modes):
            here = {"n": n, "mode": mode}
            compute = [median_of(runs, "compute_s", ranks=count, **here) for count in ranks]
            io = [median_of(runs, "read_s", ranks=count, **here)
                  + median_of(runs, "write_s", ranks=count, **here) for count in ranks]
            panel.bar(places, compute, width, color=COLOURS[mode], label=f"{mode}: compute")
            panel.bar(places, io, width, bottom=compute, color=COLOURS[mode], alpha=0.4,
                      hatch="///", label=f"{mode}: I/O")
    finish(figure, axes[0][0], path)


def draw_bandwidth(runs, title, path):
    figure, axes = panels(runs, title, "sustained bandwidth (MiB/s)")
    ranks, modes = values_of(runs, "ranks"), values_of(runs, "mode")
    for panel, n in axes:
        for mode in modes:
            heights = [median_of(runs, "bandwidth_mib_s", n=n, ranks=count, mode=mode)
                       for count in ranks]
            panel.plot(range(len(ranks)), heights, marker="o", label=mode, color=COLOURS[mode])
        panel.set_xticks(range(len(ranks)), [str(count) for count in ranks])
    finish(figure, axes[0][0], path)
