# SPDX-License-Identifier: Apache-2.0
"""The page."""
import os
from html import escape

from . import charts, style, units
from .run import Reads


def of(run, version):
    reads = Reads.of(run.report["sum"])
    calls, files = calls_table(run), files_table(run)
    beside = sources(run)
    parts = [style.HEAD, header(run), '<main class="beside">' if beside else "<main>",
             '<div class="figures">\n', tiles(run, reads), remarks(run), pictures(run), calls,
             files, f'<p class="faint">Made by forerun-report {escape(version)}.</p>\n</div>\n',
             beside, "</main>\n</body>\n</html>\n"]
    return "".join(parts)


def header(run):
    ranks = run.report["ranks"]
    program, started = run.report["program"], run.report["started"]
    about = units.count(ranks, "rank")
    if run.report["engine"]:
        about += (f", cache of {units.size(run.report['cache_bytes'])} per rank "
                  f"({escape(run.report['engine'])})")
    when = (f"started {started.replace('T', ' ').replace('Z', ' UTC')}, "
            f"took {units.time(run.report['elapsed_seconds'] * 1e9)}")
    return (f"<header>\n<h1>Report of a run of {escape(os.path.basename(program))}</h1>\n"
            f"<p>{escape(when)}; {about}</p>\n<p>{escape(program)}</p>\n</header>\n")


def tiles(run, reads):
    total = run.report["sum"]
    without, hidden = run.report["seconds_in_reads_without"], run.report["hidden"]
    ahead = total["useful_bytes"] + total["useless_bytes"]
    shown = [
        ("coverage", units.share(reads.coverage()), f"of {units.count(sum(reads.reads), 'read')}"),
        ("late", units.share(reads.reads[1] / sum(reads.reads) if sum(reads.reads) else None),
         "waited for a fetch in flight"),
        ("time in reads", units.time(reads.read_ns),
         "without Forerun not known" if without is None
         else f"without Forerun about {units.time(without * 1e9)}"),
        ("hidden", units.share(hidden), "of the time in reads"),
        ("accuracy", units.share(total["useful_bytes"] / ahead if ahead else None),
         "of what was fetched ahead was read"),
        ("pre-execution", units.time(total["pre_execution_processor_ns"]),
         f"CPU time; the program {units.time(total['program_processor_ns'])}"),
    ]
    return '<div class="tiles">\n' + "".join(
        f'<div class="tile"><span class="name">{name}</span><span class="value">{value}</span>'
        f'<span class="faint">{about}</span></div>\n' for name, value, about in shown) + "</div>\n"


def remarks(run):
    """What did not go as it should."""
    total, ranks = run.report["sum"], run.report["ranks"]
    told = []
    for name, text in (
            ("ranks_off", "Forerun was off"), ("ranks_without_cache", "no file had a cache"),
            ("ranks_without_pre_execution", "there was no pre-execution thread"),
            ("ranks_suspended", "prefetching is suspended: the storage is as fast as memory"),
            ("ranks_stopped", "prefetching was stopped: what was prefetched was not read"),
            ("pre_execution_ended_early", "the pre-execution thread ended early")):
        if total[name]:
            told.append(f"On {total[name]} of {units.count(ranks, 'rank')} {text}.")
    for name in ("why_off", "why_ended_early"):
        if run.report[name]:
            told.append(f"The reason: {escape(run.report[name])}.")
    if total["wrong_predictions"]:
        told.append(f"{total['wrong_predictions']} of {total['predictions']} predicted values were "
                    f"wrong; {total['withdrawn_calls']} prefetches were withdrawn.")
    return "".join(f'<p class="remark">{each}</p>\n' for each in told)


def legend():
    return '<p class="legend">' + "".join(
        f'<span class="{kind}"></span>{name} '
        for kind, name in zip(charts.KINDS, charts.NAMES)) + "</p>\n"


def picture(title, about, drawing, kind="distribution"):
    return f'<figure class="{kind}">\n<figcaption>{title}</figcaption>\n{about}{drawing}</figure>\n'


def durations(percentiles):
    return "<p>" + ", ".join(f"{share} {units.time(percentiles[share])}"
                             for share in ("p50", "p90", "p99", "max")) + "</p>\n"


def pictures(run):
    shown = ""
    if run.over_time:
        shown += picture("Coverage over time", legend(),
                         charts.over_time(run.over_time, run.interval_ns), "over-time")
    for title, name, kind, what in (
            ("Lateness", "late_read", "late", "how long late reads took"),
            ("Fetch latency", "fetch_latency", "fetch", "how long the storage took for a fetch")):
        buckets = run.report[f"{name}_buckets"]
        percentiles = run.report[f"{name}_ns"]
        shown += picture(title, durations(percentiles), charts.histogram(
            buckets, kind, what)) if buckets else picture(
                title, "<p>No read was late.</p>\n" if name == "late_read"
                else "<p>Nothing was fetched.</p>\n", "")
    return f'<div class="pictures">\n{shown}</div>\n'


ROWS = 25  # of a table that are not folded
COLUMNS = ('<th class="n">reads</th><th>how they came</th><th class="n">coverage</th>'
           '<th class="n">bytes</th><th class="n">time in reads</th><th class="n">hidden</th>'
           "</tr>\n")


def cells(figures):
    told = [str(sum(figures.reads)), units.share(figures.coverage()),
            units.size(sum(figures.bytes)), units.time(figures.read_ns),
            "" if figures.hidden_ns is None else units.time(figures.hidden_ns)]
    reads, *rest = [f'<td class="n">{each}</td>' for each in told]
    return f"{reads}<td>{charts.share_bar(figures.reads)}</td>{''.join(rest)}</tr>\n"


def anchor(run, call):
    return f"s{sorted(run.sources).index(call.file)}-{call.line}"


def place(run, call):
    """Where the call is, with a link if the source is on the page."""
    if not call.line:
        return f"call site {call.site}"
    text = f"{escape(call.file)}:{call.line}"
    return f'<a href="#{anchor(run, call)}">{text}</a>' if call.file in run.sources else text


def calls_table(run):
    rows = [f'<tr><td><code>{escape(call.name) or "a read"}</code>'
            f'<span class="where">{place(run, call)}</span></td>{cells(call.figures)}'
            for call in run.calls]
    if not rows:
        return ""
    total = Reads.of(run.report["sum"])
    other = sum(total.reads) - sum(sum(call.figures.reads) for call in run.calls)
    missing = sorted({call.file for call in run.calls if call.line} - set(run.sources))
    notes = []
    if missing:
        notes.append(f"Not shown, since not found from here or from the report's directory: "
                     f"{escape(', '.join(missing[:ROWS]))}"
                     + (f" and {len(missing) - ROWS} more" if len(missing) > ROWS else ""))
    if other:
        notes.append(f"{other} more {'reads are' if other != 1 else 'read is'} of calls that are "
                     "not in the slice.")
    return table("Calls", "call", rows) + "".join(f'<p class="faint">{each}</p>\n'
                                                  for each in notes)


def files_table(run):
    return table("Files", "file", [f"<tr><td><code>{escape(path)}</code></td>{cells(figures)}"
                                   for path, figures in run.files])


def table(title, what, rows):
    """The first rows, which took the most time, and the others folded."""
    if not rows:
        return ""

    def of(some):
        return f"<table>\n<tr><th>{what}</th>{COLUMNS}{''.join(some)}</table>\n"

    order = f", by time in reads and time hidden: the first {ROWS}" if len(rows) > ROWS else ""
    rest = len(rows) - ROWS
    folded = (f"<details><summary>{units.count(rest, f'more {what}')}</summary>\n{of(rows[ROWS:])}"
              "</details>\n") if rest > 0 else ""
    return (f"<h2>{title}<span class=\"faint\">{order}</span></h2>\n{of(rows[:ROWS])}{folded}")


def sources(run):
    """The sources of the calls; empty if none was found."""
    text = ""
    for number, name in enumerate(sorted(run.sources)):
        source = run.sources[name]
        calls = {}
        for call in run.calls:
            if call.file == name:
                calls.setdefault(call.line, []).append(call)
        text += f'<h2>{escape(name)}</h2>\n<div class="source">\n'
        for first, last, is_near in source.stretches(list(calls)):
            rows = "".join(source_line(number, line, source.lines[line - 1], calls.get(line, []))
                           for line in range(first, last + 1))
            text += rows if is_near else (
                f"<details><summary>lines {first} to {last}</summary>\n{rows}</details>\n")
        text += "</div>\n"
    return f"<section>\n{text}</section>\n" if text else ""


def source_line(number, line, text, calls):
    notes = "".join(
        f'<span class="mark {prevailing(call.figures.reads)}">'
        f"{units.count(sum(call.figures.reads), 'read')}, coverage "
        f"{units.share(call.figures.coverage())}</span>" for call in calls)
    return (f'<div class="line{" call" if calls else ""}" id="s{number}-{line}">'
            f'<span class="number">{line}</span><span class="text">{escape(text)}{notes}</span>'
            "</div>\n")


def prevailing(reads):
    """How most of the reads came."""
    return charts.KINDS[max(range(len(reads)), key=lambda each: reads[each])] if any(reads) \
        else "missed"
