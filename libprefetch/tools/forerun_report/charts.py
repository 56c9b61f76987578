# SPDX-License-Identifier: Apache-2.0
"""Charts as SVG inside the page; their colours are the page's. Across, everything is a share of the
chart's width, so that a chart fills its column and texts have their own size on every screen."""
import math

from . import units

LABEL = 56  # pixels that a label below takes
# Pixels across that there are at least for a chart, by the name of a width. The page's style shows
# of each label below only what is for the width that it has.
WIDTHS = {"small": 210, "middle": 300, "large": 560}
KINDS = ("on-time", "late", "missed")
NAMES = ("on time", "late", "from the file system")


class Drawing:
    """Across in shares of the width, down in pixels."""

    def __init__(self, height):
        self.height, self.parts = height, []

    def bar(self, kind, x, y, width, height, told):
        self.parts.append(f'<rect class="{kind}" x="{100 * x:.3f}%" y="{y:.2f}" '
                          f'width="{100 * width:.3f}%" height="{height:.2f}"><title>{told}</title>'
                          "</rect>")

    def line(self, kind, x1, y1, x2, y2):
        self.parts.append(f'<line class="{kind}" x1="{100 * x1:.3f}%" y1="{y1:.2f}" '
                          f'x2="{100 * x2:.3f}%" y2="{y2:.2f}"/>')

    def text(self, anchor, x, y, text, kind=""):
        named = f' class="{kind}"' if kind else ""
        self.parts.append(f'<text{named} text-anchor="{anchor}" x="{100 * x:.3f}%" y="{y:.2f}">'
                          f"{text}</text>")

    def beside(self, y, text):
        """To the left of the chart."""
        self.parts.append(f'<text text-anchor="end" x="-6" y="{y:.2f}">{text}</text>')

    def above(self, y, text):
        """From the left edge of the labels beside the chart."""
        self.parts.append(f'<text x="-56" y="{y:.2f}">{text}</text>')

    def done(self, label):
        return (f'<div class="chart"><svg height="{self.height}" role="img" aria-label="{label}">\n'
                + "\n".join(self.parts) + "\n</svg></div>\n")


def without_overlap(places, width):
    """Those of the places, in order, that have room for a label on a chart of this width."""
    free = 0.0
    for place in places:
        if place * width >= free:
            free = place * width + LABEL
            yield place


def scale_below(drawing, bottom, values, place, name):
    drawing.line("axis", 0, bottom, 1, bottom)
    places = [place(value) for value in values]
    shown = {width: set(without_overlap(places, pixels)) for width, pixels in WIDTHS.items()}
    for value, at in zip(values, places):
        drawing.line("axis", at, bottom, at, bottom + 4)
        kind = " ".join(["tick", *(width for width in WIDTHS if at in shown[width])])
        drawing.text("middle" if at < 0.92 else "end", min(at, 1), bottom + 20,
                     units.time(value) if value else "0", kind)
    drawing.text("end", 1, bottom + 37, name)


def scale_beside(drawing, top, bottom, largest, values, told):
    for value in values:
        y = bottom - (bottom - top) * value / largest
        drawing.line("grid", 0, y, 1, y)
        drawing.beside(y + 4, told(value))


def over_time(intervals, interval_ns):
    """Above: of the reads of each interval, how many came how. Below: how much was read."""
    drawing = Drawing(332)
    end = len(intervals) * interval_ns
    width = 1 / len(intervals)
    drawing.above(14, "share of the reads")
    scale_beside(drawing, 24, 154, 1, (0, 0.25, 0.5, 0.75, 1), lambda value: f"{100 * value:.0f} %")
    most = max(sum(each.bytes) for each in intervals) or 1
    drawing.above(186, "bytes read")
    scale_beside(drawing, 204, 284, most, (0, most), units.size)
    for n, each in enumerate(intervals):
        reads, total = sum(each.reads), sum(each.bytes)
        if reads == 0:
            continue
        when = f"{units.time(n * interval_ns)} to {units.time((n + 1) * interval_ns)}"
        told = f"{when}: {units.count(reads, 'read')}, coverage {units.share(each.coverage())}"
        y = 154
        for kind, name, count in zip(KINDS, NAMES, each.reads):
            height = 130 * count / reads
            y -= height
            if count:
                drawing.bar(kind, n * width, y, 0.92 * width, height, f"{told}; {count} {name}")
        y = 284
        for kind, count in zip(KINDS, each.bytes):
            height = 80 * count / most
            y -= height
            if count:
                drawing.bar(kind, n * width, y, 0.92 * width, height,
                            f"{when}: {units.size(total)} read")
    scale_below(drawing, 284, units.steps(end, 8), lambda ns: ns / end,
                "time since the start of the program")
    return drawing.done("coverage over time")


def histogram(buckets, kind, name):
    """Of durations, on a logarithmic scale."""
    drawing = Drawing(214)
    bars = merged(buckets)
    low, high = min(bars) - 1, max(bars) + 2
    width = 1 / (high - low)
    most = max(bars.values())
    scale_beside(drawing, 14, 164, most, [each for each in units.steps(most, 4)
                                          if each == int(each)], lambda value: f"{value:.0f}")
    for step, count in bars.items():
        height = 150 * count / most
        drawing.bar(kind, (step - low) * width, 164 - height, 0.94 * width, height,
                    f"up to {units.time(2 ** ((step + 1) / 2))}: {count}")
    scale_below(drawing, 164, decades(2 ** (low / 2), 2 ** (high / 2)),
                lambda ns: width * (2 * math.log2(max(ns, 1)) - low), name)
    return drawing.done(name)


def merged(buckets):
    """Counts by the half of a doubling in which a duration lies."""
    bars = {}
    for largest, count in buckets:
        step = math.floor(2 * math.log2(max(largest, 1)))
        bars[step] = bars.get(step, 0) + count
    return dict(sorted(bars.items()))


def decades(low, high):
    """1, 2, 5, 10, ... between the two; only powers of ten where that is enough."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for digits in ((1,), (1, 3), (1, 2, 5), (1, 1.5, 2, 3, 4, 5, 6, 8)):
        values = [digit * 10 ** power for power in powers for digit in digits
                  if low <= digit * 10 ** power <= high]
        if len(values) >= 3:
            break
    return values[:7]


def share_bar(reads):
    """A small bar for tables."""
    total = sum(reads)
    if total == 0:
        return ""
    parts, left = [], 0
    for kind, name, count in zip(KINDS, NAMES, reads):
        width = 100 * count / total
        if count:
            parts.append(f'<rect class="{kind}" x="{left:.2f}" y="0" width="{width:.2f}" '
                         f'height="10"><title>{count} {name}</title></rect>')
        left += width
    return ('<svg class="share" viewBox="0 0 100 10" preserveAspectRatio="none">'
            + "".join(parts) + "</svg>")
