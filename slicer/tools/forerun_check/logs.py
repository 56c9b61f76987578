# SPDX-License-Identifier: Apache-2.0
"""The logs that FORERUN_CHECK=PREFIX makes each rank write to PREFIX.RANK.csv, and what they say
about the slice.

    read,NUMBER,PATH,OFFSET,LENGTH,TIME       a range that the main thread read, in its NUMBERth
                                              read, and when (us)
    prefetch,NUMBER,PATH,OFFSET,LENGTH,TIME   a range that the pre-execution thread announced
    withdrawn,NUMBER,PATH,OFFSET,LENGTH,TIME  the same, but it hung on a prediction that was wrong
    predictions,MADE,WRONG                    values that it went on with before they had come
    site,SITE,MAIN,PRE                        how often each thread came to a call site
    processor,MAIN,PRE                        processor time of each thread (us)
    delay,SITE,WAITS,WAITED,COMPUTED          how often and how long the pre-execution thread waited
                                              at a call site, and computed between it and the next
    place,SITE,LINE,FILE,CALL                 where such a call site is, if the program tells
    end,HOW                                   how the pre-execution thread ended
"""
import bisect
import collections
import csv
import dataclasses
import glob
import heapq
import os
import re
import statistics

from .failure import Failure

# Some million ranges; only a slice that does not end writes far more than that.
MAXIMUM_BYTES = 256 << 20


@dataclasses.dataclass
class Delay:
    """How long the pre-execution thread was held back at a call site, in microseconds."""

    waits: int = 0
    waited: int = 0
    computed: int = 0

    def add(self, other):
        self.waits += other.waits
        self.waited += other.waited
        self.computed += other.computed


@dataclasses.dataclass
class Figures:
    """The figures of one rank or of several together. A byte that is read twice has to be announced
    twice."""

    reads: int = 0
    bytes_read: int = 0
    bytes_announced: int = 0
    bytes_both: int = 0
    # What depended on wrong predictions counts as neither.
    bytes_withdrawn: int = 0
    predictions: int = 0
    wrong_predictions: int = 0
    sites: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    ends: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    processor: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    delays: dict = dataclasses.field(default_factory=dict)  # by call site
    places: dict = dataclasses.field(default_factory=dict)  # likewise: FILE:LINE: CALL
    # For each range read: how long before the read it was announced, as (reads, microseconds).
    leads: list = dataclasses.field(default_factory=list)
    # For each of these: how many ranges were announced by then and not yet read, with itself.
    abreast: list = dataclasses.field(default_factory=list)

    def add(self, other):
        self.reads += other.reads
        self.bytes_read += other.bytes_read
        self.bytes_announced += other.bytes_announced
        self.bytes_both += other.bytes_both
        self.bytes_withdrawn += other.bytes_withdrawn
        self.predictions += other.predictions
        self.wrong_predictions += other.wrong_predictions
        self.sites += other.sites
        self.ends += other.ends
        self.processor += other.processor
        for site, delay in other.delays.items():
            self.delays.setdefault(site, Delay()).add(delay)
        self.places |= other.places
        self.leads += other.leads
        self.abreast += other.abreast

    @property
    def coverage(self):
        """None if nothing was read."""
        return self.bytes_both / self.bytes_read if self.bytes_read else None

    @property
    def accuracy(self):
        """None if nothing was announced."""
        return self.bytes_both / self.bytes_announced if self.bytes_announced else None

    @property
    def cost(self):
        """Processor time of the pre-execution threads, as a share of the program's; None if there
        was none."""
        main = self.processor["main"]
        return self.processor["pre"] / main if main else None

    @property
    def lead(self):
        """The median time from announcement to read of a range: in reads, in microseconds."""
        return tuple(statistics.median(each) for each in zip(*self.leads)) if self.leads else (0, 0)

    @property
    def side_by_side(self):
        """How many ranges are announced and unread, on average, when one of them is read: so many
        can be fetched at a time, whatever the lead is."""
        return statistics.mean(self.abreast) if self.abreast else 0


def covering(wanted, announced):
    """For each of the offsets in `wanted`, the times of the announcements of which it is a part, in
    order: the first ones, as many as `wanted` says. `announced` are (offset, length, time)."""
    begins = sorted(((offset, number) for number, (offset, _, _) in enumerate(announced)),
                    reverse=True)
    active, ends, result = [], [], {}  # numbers, in order; (end, number), a heap
    for offset in sorted(wanted):
        while begins and begins[-1][0] <= offset:
            begin, number = begins.pop()
            bisect.insort(active, number)
            heapq.heappush(ends, (begin + announced[number][1], number))
        while ends and ends[0][0] <= offset:
            del active[bisect.bisect_left(active, heapq.heappop(ends)[1])]
        result[offset] = collections.deque(announced[number][2]
                                           for number in active[:wanted[offset]])
    return result


def matches_of(reads, announced):
    """For each range read that was announced: when that was, and when it was read. The k-th read of
    a range belongs to the k-th announcement in which it begins. Both arguments are lists of
    (number, path, offset, length, time)."""
    offsets, announcements = (collections.defaultdict(kind) for kind in (collections.Counter, list))
    for _, path, offset, _, _ in reads:
        offsets[path][offset] += 1
    for _, path, *what in announced:
        announcements[path].append(what)
    times = {path: covering(found, announcements[path]) for path, found in offsets.items()}
    for _, path, offset, _, time in reads:
        if times[path][offset]:
            yield times[path][offset].popleft(), time


def leads_of(reads, announced):
    """The leads of ranges that are read: how many reads were made between announcement and read,
    and how much time passed."""
    begins = {}
    for number, *_, time in reads:
        begins.setdefault(number, time)
    begins = sorted(begins.values())
    for before, time in matches_of(reads, announced):
        before = min(before, time)
        between = bisect.bisect_left(begins, time) - bisect.bisect_left(begins, before)
        yield between, time - before


def abreast_of(reads, announced):
    """For each range read that was announced: how many were announced by then and not yet read,
    with itself. 0 if it was announced too late."""
    matches = list(matches_of(reads, announced))
    announced_at = sorted(before for before, time in matches if before <= time)
    read_at = sorted(time for before, time in matches if before <= time)
    for before, time in matches:
        yield bisect.bisect_right(announced_at, time) - bisect.bisect_left(read_at, time) \
            if before <= time else 0


class Withdrawn:
    """Announcements that were withdrawn, since a prediction was wrong. What is announced anew then
    counts from the first time: its bytes were being fetched, or were there."""

    # Rows of the log after which it is no longer the same announcement.
    FRESH = 1024

    def __init__(self):
        self._times = {}  # by path, offset and length: the time, and the row in which it was last

    def note(self, row, what, time):
        """`what` was withdrawn."""
        self._times[what] = (self.first_time(row, what, time), row)

    def first_time(self, row, what, time):
        """When `what`, announced (again) at this time, was announced first."""
        first, last_row = self._times.pop(what, (time, row))
        return first if row - last_row <= self.FRESH else time


def in_both(read, announced):
    """Number of bytes that two lists of (offset, length) have in common, each as often as both have
    it."""
    steps = collections.defaultdict(lambda: [0, 0])
    for which, ranges in enumerate((read, announced)):
        for offset, length in ranges:
            steps[offset][which] += 1
            steps[offset + length][which] -= 1
    common, depth, last = 0, [0, 0], 0
    for place in sorted(steps):
        common += (place - last) * min(depth)
        depth = [depth[0] + steps[place][0], depth[1] + steps[place][1]]
        last = place
    return common


def of_rank(path):
    """One rank's log."""
    if os.path.getsize(path) > MAXIMUM_BYTES:
        raise Failure(f"{path} has more than {MAXIMUM_BYTES >> 20} MiB: "
                      "the slice seems to issue prefetches without end")
    numbers = set()
    rows = {"read": [], "prefetch": []}
    ranges = {"read": collections.defaultdict(list), "prefetch": collections.defaultdict(list)}
    withdrawn = Withdrawn()
    figures = Figures()
    try:
        with open(path, newline="", encoding="utf-8", errors="surrogateescape") as file:
            for line_number, row in enumerate(csv.reader(file)):
                if row[0] == "end":
                    figures.ends[row[1]] += 1
                elif row[0] == "site":
                    figures.sites["in step" if int(row[2]) == int(row[3]) else "out of step"] += 1
                elif row[0] == "processor":
                    figures.processor.update(main=int(row[1]), pre=int(row[2]))
                elif row[0] == "delay":
                    figures.delays[int(row[1])] = Delay(*(int(word) for word in row[2:5]))
                elif row[0] == "place":
                    site, line, file_name, call = row[1:5]
                    figures.places[int(site)] = f"{file_name}:{int(line)}: {call}"
                elif row[0] == "predictions":
                    figures.predictions, figures.wrong_predictions = int(row[1]), int(row[2])
                elif row[0] == "withdrawn":
                    figures.bytes_withdrawn += int(row[4])
                    withdrawn.note(line_number, tuple(row[2:5]), int(row[5]))
                else:
                    kind, number, name = row[:3]
                    offset, length, time = (int(word) for word in row[3:6])
                    ranges[kind][name].append((offset, length))
                    if kind == "prefetch":
                        time = withdrawn.first_time(line_number, tuple(row[2:5]), time)
                    rows[kind].append((int(number), name, offset, length, time))
                    numbers.add((kind, number))
    except (OSError, IndexError, KeyError, TypeError, ValueError, csv.Error) as problem:
        raise Failure(f"{path} is not what FORERUN_CHECK writes: {problem}") from problem
    figures.reads = sum(kind == "read" for kind, _ in numbers)
    announced = ranges["prefetch"]
    figures.bytes_read = sum(length for each in ranges["read"].values() for _, length in each)
    figures.bytes_announced = sum(length for each in announced.values() for _, length in each)
    figures.bytes_both = sum(in_both(each, announced[name])
                             for name, each in ranges["read"].items())
    figures.leads = list(leads_of(rows["read"], rows["prefetch"]))
    figures.abreast = list(abreast_of(rows["read"], rows["prefetch"]))
    return figures


def of_run(prefix):
    """All ranks together; None if nothing was written: there was no pre-execution thread."""
    paths = [path for path in glob.glob(glob.escape(prefix) + ".*.csv")
             if re.fullmatch(r"\.\d+\.csv", path.removeprefix(prefix))]
    if not paths:
        return None
    total = Figures()
    for path in paths:
        total.add(of_rank(path))
    return total
