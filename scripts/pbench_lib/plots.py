# SPDX-License-Identifier: Apache-2.0
"""Plots shaped like the figures 8, 9 and 10 of the paper: execution time by size and ranks, where
the time goes, and sustained bandwidth. Where several ratios of compute to I/O were run, one more
plot shows the execution times of all of them side by side."""

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
    bounds, runs = load(directory / "runs.csv")
    files = []
    groups = defaultdict(list)
    ranges = defaultdict(list)
    for run in runs:
        groups[run["bed"], run["pattern"], run["compute_ratio"]].append(run)
        ranges[run["bed"], run["pattern"], run["n"]].append(run)
    for (bed, pattern, n), group in ranges.items():
        if len(values_of(group, "compute_ratio")) > 1:
            stem = f"range-{bed}-{pattern}-{n}".replace("/", "_").replace(":", "_")
            files.append(directory / f"{stem}.png")
            title = f"PBench, {pattern}, {bed}, {n} x {n}"
            here = [run for run in bounds if (run["bed"], run["pattern"], run["n"])
                    == (bed, pattern, n)]
            draw_range(group, here, title, files[-1])
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
    """The runs that only compute, and all others."""
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
    return ([run for run in runs if run["mode"] == "compute only"],
            [run for run in runs if run["mode"] != "compute only"])


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


def draw_range(runs, bounds, title, path):
    """A panel for each ratio of compute to I/O: execution times by ranks, the reduction over each
    bar of pre-execution, and a line for compute alone, which no program can be faster than."""
    from matplotlib import pyplot

    ratios, ranks = values_of(runs, "compute_ratio"), values_of(runs, "ranks")
    modes = values_of(runs, "mode")
    figure, axes = pyplot.subplots(1, len(ratios), figsize=(1 + 2.7 * len(ratios), 3.8),
                                   sharey=True, squeeze=False, layout="constrained")
    figure.suptitle(title, fontsize=10)
    for panel, ratio in zip(axes[0], ratios):
        panel.set_title("no compute" if ratio == 0 else f"compute {ratio:g} x I/O", fontsize=9)
        panel.set_xlabel("MPI processes")
        for mode, places, width in bars(panel, ranks, modes):
            times = [median_of(runs, "seconds", compute_ratio=ratio, ranks=count, mode=mode)
                     for count in ranks]
            panel.bar(places, times, width, label=mode, color=COLOURS[mode])
            for count, place, time in zip(ranks, places, times):
                original = median_of(runs, "seconds", compute_ratio=ratio, ranks=count,
                                     mode="original")
                if mode == "pre-execution" and original > 0:
                    panel.annotate(f"{time / original - 1:+.0%}", (place, time), (0, 2),
                                   textcoords="offset points", ha="center", fontsize=8)
        computes = [median_of(bounds, "seconds", compute_ratio=ratio, ranks=count)
                    for count in ranks]
        panel.hlines(computes, [x - 0.45 for x in range(len(ranks))],
                     [x + 0.45 for x in range(len(ranks))], color="black", linestyle="dotted",
                     label="compute alone")
    axes[0][0].set_ylabel("execution time (s)")
    figure.get_layout_engine().set(rect=(0, 0.07, 1, 0.93))  # the legend is below
    figure.legend(*axes[0][0].get_legend_handles_labels(), fontsize=8, ncols=4, frameon=False,
                  loc="lower center")
    figure.savefig(path, dpi=130)
    pyplot.close(figure)


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
