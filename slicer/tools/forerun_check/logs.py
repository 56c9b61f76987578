# SPDX-License-Identifier: Apache-2.0
"""What FORERUN_CHECK=PREFIX made each rank write to PREFIX.RANK.csv, and what it says about the slice.

    read,NUMBER,PATH,OFFSET,LENGTH       a range that the main thread read, in its NUMBERth read
    prefetch,NUMBER,PATH,OFFSET,LENGTH   a range that the pre-execution thread announced
    site,SITE,MAIN,PRE                   how often each thread came to a call site
    end,HOW                              how the pre-execution thread ended
"""
import collections
import csv
import dataclasses
import glob
import os
import re

from .failure import Failure

# Some million ranges; far more than that is a slice that does not end.
MOST_BYTES = 256 << 20


@dataclasses.dataclass
class Figures:
    """Of one rank or of several together. A byte that is read twice has to be announced twice."""

    reads: int = 0
    bytes_read: int = 0
    bytes_announced: int = 0
    bytes_both: int = 0
    sites: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    ends: collections.Counter = dataclasses.field(default_factory=collections.Counter)

    def add(self, other):
        self.reads += other.reads
        self.bytes_read += other.bytes_read
        self.bytes_announced += other.bytes_announced
        self.bytes_both += other.bytes_both
        self.sites += other.sites
        self.ends += other.ends

    @property
    def coverage(self):
        return self.bytes_both / self.bytes_read if self.bytes_read else 1.0

    @property
    def accuracy(self):
        return self.bytes_both / self.bytes_announced if self.bytes_announced else 1.0


def in_both(read, announced):
    """Bytes that two lists of (offset, length) have in common, each as often as both have it."""
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
    if os.path.getsize(path) > MOST_BYTES:
        raise Failure(f"{path} has more than {MOST_BYTES >> 20} MiB: the slice seems to announce for ever")
    numbers = set()
    ranges = {"read": collections.defaultdict(list), "prefetch": collections.defaultdict(list)}
    figures = Figures()
    try:
        with open(path, newline="", encoding="utf-8", errors="surrogateescape") as file:
            for row in csv.reader(file):
                if row[0] == "end":
                    figures.ends[row[1]] += 1
                elif row[0] == "site":
                    figures.sites["in step" if int(row[2]) == int(row[3]) else "out of step"] += 1
                elif row[0] != "site":  # how often each call site was executed
                    ranges[row[0]][row[2]].append((int(row[3]), int(row[4])))
                    numbers.add((row[0], row[1]))
    except (OSError, IndexError, KeyError, ValueError, csv.Error) as problem:
        raise Failure(f"{path} is not what FORERUN_CHECK writes: {problem}") from problem
    figures.reads = sum(kind == "read" for kind, _ in numbers)
    figures.bytes_read = sum(length for each in ranges["read"].values() for _, length in each)
    figures.bytes_announced = sum(length for each in ranges["prefetch"].values() for _, length in each)
    figures.bytes_both = sum(in_both(each, ranges["prefetch"][name]) for name, each in ranges["read"].items())
    return figures


def of_run(prefix):
    """All ranks together; None if nothing was written: then the program has no pre-execution thread."""
    paths = [path for path in glob.glob(glob.escape(prefix) + ".*.csv")
             if re.fullmatch(r"\.\d+\.csv", path.removeprefix(prefix))]
    if not paths:
        return None
    total = Figures()
    for path in paths:
        total.add(of_rank(path))
    return total
