# SPDX-License-Identifier: Apache-2.0
"""Prints what was found, for people or as JSON, and determines the exit status."""
import dataclasses
import json

from forerun_tools import ending

# A call site that waits once per this many reads, or more often, waits repeatedly.
WAITS_EACH = 4
# So many ranges issued and unread at a time, and reads overlap.
ABREAST = 1.5
# Of the program's CPU time.
MUCH = 0.5
# Of one kind that are printed; JSON has all.
MOST_LINES = 20
# Prefetching more than is read is worth a word below this accuracy.
ACCURATE = 0.9


def shortfalls(run, settings):
    """The figures of a run that are below the minimum asked for."""
    figures, result = run.figures, []
    if max(settings.min_coverage, settings.min_accuracy, settings.min_lead) <= 0:
        return []
    if figures is None:
        return ["there was no pre-execution thread"]
    if not figures.bytes_read:
        return ["there were no reads"]
    if figures.coverage < settings.min_coverage:
        result.append(f"coverage is {figures.coverage:.4f}, not {settings.min_coverage:g}")
    if figures.bytes_announced and figures.accuracy < settings.min_accuracy:
        result.append(f"accuracy is {figures.accuracy:.4f}, not {settings.min_accuracy:g}")
    if figures.lead[0] < settings.min_lead:
        result.append(f"lead is {figures.lead[0]:g} reads, not {settings.min_lead:g}")
    return result


def in_units(count):
    """Bytes in human-readable form."""
    for unit in ("B", "KiB", "MiB"):
        if count < 10240:
            return f"{count:.0f} {unit}"
        count /= 1024
    return f"{count:.0f} GiB"


def in_percent(figure, without="no reads"):
    return f"{figure:7.1%} " if figure is not None else without


def accuracy_of(figures):
    return in_percent(figures.accuracy, "      - " if figures.bytes_read else "no reads")


def lead_of(figures):
    reads, microseconds = figures.lead
    return f"{reads:g} read{'s' if reads != 1 else ''}, {in_time(microseconds)}"


def in_time(microseconds):
    """A time in human-readable form."""
    return f"{microseconds:.0f} us" if microseconds < 1000 else \
        f"{microseconds / 1000:.0f} ms" if microseconds < 1e6 else f"{microseconds / 1e6:.0f} s"


def table(runs):
    lines = ["ranks   reads  bytes read  coverage  accuracy  lead                cost  "
             "pre-execution thread"]
    for run in runs:
        figures = run.figures
        if figures is None:
            lines.append(f"{run.ranks:5}       -           -         -         -  -"
                         "                      -  none")
            continue
        ends = ", ".join(f"{how} ({count})" if count > 1 else how
                         for how, count in sorted(figures.ends.items()))
        if astray := figures.sites["out of step"]:
            ends += f"; {astray} of {figures.sites.total()} call sites out of step"
        lines.append(f"{run.ranks:5}  {figures.reads:6}  {in_units(figures.bytes_read):>10}  "
                     f"{in_percent(figures.coverage)}  {accuracy_of(figures)}  "
                     f"{lead_of(figures):18}  {cost_of(figures)}  {ends}")
    return "\n".join(lines)


def cost_of(figures):
    return f"{figures.cost:4.0%}" if figures.cost is not None else "   -"


def consequence(figures):
    """What a wait means: without a lead nothing is hidden, unless several reads are fetched at a
    time."""
    if figures.lead[0] >= 1:
        return ""
    if figures.side_by_side < ABREAST:
        return "; it has no head start, and reads do not overlap: nothing is hidden but what the " \
               "program computes between the reads"
    return f"; it has no head start, but {figures.side_by_side:.1f} ranges are prefetched at a " \
           "time and can be fetched concurrently: forerun-check --time measures what that gains"


def held_back(figures):
    """What holds the pre-execution threads back: repeated waits at a call site, and compute of half
    of the program's or more."""
    def place(site):
        return figures.places.get(site, f"call site {site}")

    but = consequence(figures)
    for site, delay in sorted(figures.delays.items()):
        if delay.waits * WAITS_EACH >= figures.reads:
            yield (f"the pre-execution thread waits at {place(site)}: {delay.waits} times, "
                   f"{in_time(delay.waited)}{but}")
    if (figures.cost or 0) >= MUCH and figures.delays:
        site, delay = max(figures.delays.items(), key=lambda each: each[1].computed)
        yield (f"the pre-execution thread computes as much as {figures.cost:.0%} of the program: "
               f"{in_time(delay.computed)} after {place(site)}; where all cores compute, it may "
               "be slower than the original")


def in_vain(run, exits):
    """Where prefetches go on that nothing reads."""
    figures = run.figures
    if exits and figures and figures.bytes_announced and figures.accuracy < ACCURATE:
        yield ("prefetched and not read: what comes after an early exit that the slice leaves out, "
               f"at {', '.join(exits)}")


def predictions_of(figures):
    return f"{figures.predictions} values predicted, {figures.wrong_predictions} of them wrong; " \
           f"{in_units(figures.bytes_withdrawn)} issued and withdrawn"


def as_json(checked, settings):
    def of(run):
        found = {"ranks": run.ranks, "identical": not run.differences,
                 "differences": run.differences, "setAside": run.set_aside,
                 "belowMinimum": shortfalls(run, settings)}
        if figures := run.figures:
            found |= {"reads": figures.reads, "bytesRead": figures.bytes_read,
                      "bytesAnnounced": figures.bytes_announced, "bytesInBoth": figures.bytes_both,
                      "coverage": figures.coverage, "accuracy": figures.accuracy,
                      "predictions": figures.predictions,
                      "wrongPredictions": figures.wrong_predictions,
                      "bytesWithdrawn": figures.bytes_withdrawn,
                      "sideBySide": figures.side_by_side,
                      "leadReads": figures.lead[0], "leadMicroseconds": figures.lead[1],
                      "cost": figures.cost,
                      "delays": {site: dataclasses.asdict(delay)
                                 for site, delay in figures.delays.items()},
                      "heldBack": list(held_back(figures)),
                      "ends": figures.ends, "sitesInStep": figures.sites["in step"],
                      "sitesOutOfStep": figures.sites["out of step"]}
        return found

    whole = {"identical": not any(run.differences for run in checked.runs),
             "runs": [of(run) for run in checked.runs]}
    if checked.slice:
        whole["slice"] = checked.slice
    return json.dumps(whole, indent=2)


def folded(lines, what):
    """The first lines, and how many more there are."""
    more = len(lines) - MOST_LINES
    return lines if more <= 0 else [*lines[:MOST_LINES], f"and {more} more {what}"]


def named(run):
    return f"{run.ranks} rank{'s' if run.ranks != 1 else ''}"


def as_text(checked, settings):
    lines = [table(checked.runs)]
    if checked.slice:
        form = "{kept} of {statements} statements, {sites} call sites" \
            if "kept" in checked.slice else "not known: {problem}"
        lines.append("slice: " + form.format(**checked.slice))
    lines += [f"{named(run)}: {predictions_of(run.figures)}"
              for run in checked.runs if run.figures and run.figures.predictions]
    for run in checked.runs:
        lines += [f"{named(run)}: {each}"
                  for each in [*folded(run.differences, "differences"), *run.set_aside,
                               *shortfalls(run, settings)]]
        if run.figures:
            exits = checked.slice.get("exitsLeftOut") if checked.slice else None
            lines += [f"{named(run)}: {each}"
                      for each in [*folded([*held_back(run.figures)], "call sites"),
                                   *in_vain(run, exits)]]
    if not any(run.figures for run in checked.runs):
        lines.append("its reads are not known: it ends before MPI_Init or without MPI_Finalize")
    elif checked.slice and not any(run.figures and run.figures.bytes_read for run in checked.runs):
        lines.append("no reads by MPI-IO, HDF5, netCDF or PnetCDF, and only these count. It ran in "
                     "an empty directory: if it did not find its files, name them by absolute "
                     "paths, or check it where it is: forerun-check -- mpiexec -n RANKS PROGRAM")
    if not any(run.differences for run in checked.runs):
        files = max(run.files for run in checked.runs)
        noun = "files" if files != 1 else "file"
        but = " but for what is ignored" if any(run.set_aside for run in checked.runs) else ""
        lines.append(f"identical{but}: stdout, stderr, exit status and {files} {noun} left behind")
    return "\n".join(lines)


def show(checked, settings):
    """Prints the result. 0 if all is identical and no figure is below its minimum, else 1."""
    ending.show(as_json(checked, settings) if settings.json else as_text(checked, settings))
    bad = any(run.differences or shortfalls(run, settings) for run in checked.runs)
    return 1 if bad else 0
