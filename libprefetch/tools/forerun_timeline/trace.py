# SPDX-License-Identifier: Apache-2.0
"""Reads a trace event by event, since it may be much larger than what is kept of it."""
import array
import collections
import json
import math
import os
import re

from forerun_tools import kinds
from forerun_tools.failure import Failure

KINDS = ("hit", "late", "miss", "announcement", "prefetch", "demand fetch")
BLOCK = 1 << 22  # characters
BEGIN = re.compile(r'"traceEvents"\s*:\s*\[')
BETWEEN = re.compile(r"[\s,]*")


class Spans:
    """Of the events of one kind of a rank: beginning and duration in microseconds, and lane."""

    def __init__(self):
        self.begins, self.durations = array.array("d"), array.array("d")
        self.lanes = array.array("q")

    def add(self, event):
        begin, duration = event["ts"], event.get("dur", 0)
        if not math.isfinite(begin + duration):
            raise ValueError
        self.begins.append(begin)
        self.durations.append(duration)
        self.lanes.append(event["tid"])


def load(path, ranks, progress):
    """The Spans of each rank by kind, ranks in order. Of these ranks, if there is such a set."""
    found = collections.defaultdict(lambda: collections.defaultdict(Spans))
    try:
        with open(path, encoding="utf-8") as file:
            for event in events(file, progress):
                if event["name"] in KINDS and (ranks is None or event["pid"] in ranks):
                    found[int(event["pid"])][event["name"]].add(event)
    except OSError as problem:
        raise Failure(f"cannot read {path}: {problem.strerror}") from problem
    except (ValueError, KeyError, TypeError, OverflowError) as problem:
        raise Failure(f"{path} {what_else(path)}") from problem
    if not found:
        which = "by these ranks" if ranks is not None else "in it"
        raise Failure(f"{path}: nothing was read {which}")
    return dict(sorted(found.items()))


def events(file, progress):
    """Each event in the file; ValueError if it does not go on to its end as a timeline does."""
    size = max(os.fstat(file.fileno()).st_size, 1)
    text = file.read(BLOCK)
    begin = BEGIN.search(text)
    if not begin:
        raise ValueError
    at, decode = begin.end(), json.JSONDecoder().raw_decode
    while True:
        at = BETWEEN.match(text, at).end()
        if text.startswith("]", at):
            return
        try:
            event, at = decode(text, at)
        except ValueError:  # it goes on in the next block
            block = file.read(BLOCK)
            if not block:
                raise
            text, at = text[at:] + block, 0
            progress.share = file.buffer.tell() / size
        else:
            yield event


def what_else(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        begin = file.read(kinds.LOOKED_AT)
    if kinds.is_report(begin):
        return f"is a report: forerun-report {path} makes a page of it"
    if kinds.is_timeline(begin):
        return "is not a whole timeline: its end is missing, or it is damaged"
    return "is not a timeline of FORERUN_TRACE"
