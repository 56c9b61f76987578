# SPDX-License-Identifier: Apache-2.0
"""Charts as SVG inside the page; their colours are the page's."""
import math

from . import units

LEFT, RIGHT = 62, 14
LABEL = 56  # what a label below takes
KINDS = ("on-time", "late", "missed")
NAMES = ("on time", "late", "from the file system")


class Drawing:
    """As wide and high as it is on a screen of middling width, so that text has its own size."""

    def __init__(self, width, height):
        self.right, self.inner = width - RIGHT, width - LEFT - RIGHT
        self.width, self.height, self.parts = width, height, []

    def bar(self, kind, x, y, width, height, told):
        self.parts.append(f'<rect class="{kind}" x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" '
                          f'height="{height:.2f}"><title>{told}</title></rect>')

    def line(self, kind, x1, y1, x2, y2):
        self.parts.append(f'<line class="{kind}" x1="{x1:.2f}" y1="{y1:.2f}" x2="{x2:.2f}" '
                          f'y2="{y2:.2f}"/>')

    def text(self, anchor, x, y, text):
        self.parts.append(f'<text text-anchor="{anchor}" x="{x:.2f}" y="{y:.2f}">{text}</text>')

    def done(self, label):
        return (f'<svg viewBox="0 0 {self.width} {self.height}" role="img" aria-label="{label}">\n'
                + "\n".join(self.parts) + "\n</svg>\n")


def scale_below(drawing, bottom, values, place, name):
    drawing.line("axis", LEFT, bottom, drawing.right, bottom)
    free = LEFT
    for value in values:
        if place(value) < free:
            continue
        free = place(value) + LABEL
        drawing.line("axis", place(value), bottom, place(value), bottom + 4)
        drawing.text("middle" if place(value) < drawing.right - 16 else "end",
                     min(place(value), drawing.right), bottom + 20,
                     units.time(value) if value else "0")
    drawing.text("end", drawing.right, bottom + 37, name)


def scale_beside(drawing, top, bottom, largest, values, told):
    for value in values:
        y = bottom - (bottom - top) * value / largest
        drawing.line("grid", LEFT, y, drawing.right, y)
        drawing.text("end", LEFT - 6, y + 4, told(value))


def over_time(intervals, interval_ns):
    """Above: of the reads of each interval, how many came how. Below: how much was read."""
    drawing = Drawing(780, 332)
    end = len(intervals) * interval_ns
    width = drawing.inner / len(intervals)

    def place(ns):
        return LEFT + drawing.inner * ns / end

    drawing.text("start", LEFT, 14, "share of the reads")
    scale_beside(drawing, 24, 154, 1, (0, 0.25, 0.5, 0.75, 1), lambda value: f"{100 * value:.0f} %")
    most = max(sum(each.bytes) for each in intervals) or 1
    drawing.text("start", LEFT, 186, "bytes read")
    scale_beside(drawing, 204, 284, most, (0, most), units.size)
    for n, each in enumerate(intervals):
        reads, total = sum(each.reads), sum(each.bytes)
        if reads == 0:
            continue
        when = f"{units.time(n * interval_ns)} to {units.time((n + 1) * interval_ns)}"
        told = f"{when}: {reads} reads, coverage {units.share(each.coverage())}"
        y = 154
        for kind, name, count in zip(KINDS, NAMES, each.reads):
            height = 130 * count / reads
            y -= height
            if count:
                drawing.bar(kind, LEFT + n * width, y, max(width - 0.6, 0.6), height,
                            f"{told}; {count} {name}")
        y = 284
        for kind, count in zip(KINDS, each.bytes):
            height = 80 * count / most
            y -= height
            if count:
                drawing.bar(kind, LEFT + n * width, y, max(width - 0.6, 0.6), height,
                            f"{when}: {units.size(total)} read")
    scale_below(drawing, 284, units.steps(end, 8), place, "time since the start of the program")
    return drawing.done("coverage over time")


def histogram(buckets, kind, name):
    """Of durations, on a logarithmic scale."""
    drawing = Drawing(390, 214)
    bars = merged(buckets)
    low, high = min(bars) - 1, max(bars) + 2
    width = drawing.inner / (high - low)

    def place(ns):
        return LEFT + width * (2 * math.log2(max(ns, 1)) - low)

    most = max(bars.values())
    scale_beside(drawing, 14, 164, most, [each for each in units.steps(most, 4)
                                          if each == int(each)], lambda value: f"{value:.0f}")
    for step, count in bars.items():
        height = 150 * count / most
        drawing.bar(kind, LEFT + (step - low) * width, 164 - height, max(width - 1, 1), height,
                    f"up to {units.time(2 ** ((step + 1) / 2))}: {count}")
    scale_below(drawing, 164, decades(2 ** (low / 2), 2 ** (high / 2)), place, name)
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
