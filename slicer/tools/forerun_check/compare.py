# SPDX-License-Identifier: Apache-2.0
"""Compares the results of runs of a program with those of a run of the original.

Some differences say nothing about the program. They are set aside, and named, in this order: lines
that the user wants ignored, numbers with a unit of time, and what differs between two runs of the
original. The original is run a second time only if a difference remains."""
import collections
import functools
import re

from . import lines as lists

UNITS = (r"ns|nsecs?|nanoseconds?|us|usecs?|\xc2\xb5s|\xce\xbcs|microseconds?|ms|msecs?|"
         r"milliseconds?|s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|"
         r"[A-Za-z]+/(?:s|sec|second)").encode("latin-1")
# The blanks before a number belong to it: they compensate for its length.
TIME = re.compile(rb"[ \t]*(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
                  rb"[ \t]*[\[(]?(?:" + UNITS + rb")(?!\w)[\])]?")
# Maximum number of lines, or runs of lines, of a text that are named, and of places set aside.
NAMED = 6
NAMED_PLACES = 20


class Line(collections.namedtuple("Line", "number text plain")):
    """A line, and the line without its times."""


def shown(text, other):
    """The line, with its line end shown if the other's differs."""
    if text.endswith(b"\n") and other.endswith(b"\n"):
        text = text[:-1]
    return repr(text.decode(errors="replace"))[:100]


def named_lines(numbers, what):
    """Lines 3, 5-7 of stdout."""
    spans = []
    for number in sorted(set(numbers)):
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    words = [str(one) if one == last else f"{one}-{last}" for one, last in spans[:NAMED]]
    words += ["..."] if len(spans) > NAMED else []
    return f"line{'s' if len(set(numbers)) > 1 else ''} {', '.join(words)} of {what}"


def some(places):
    """The first of them, and how many more there are."""
    more = len(places) - NAMED_PLACES
    return ", ".join(places[:NAMED_PLACES]) + (f" and {more} more" if more > 0 else "")


def difference(what, old, new, ordered, counts):
    """A line that tells where two texts differ. `counts` are their numbers of lines."""
    pairs = zip(old, new)
    if not ordered:
        missing = lists.without([line.plain for line in old], [line.plain for line in new])
        extra = lists.without([line.plain for line in new], [line.plain for line in old])
        pairs = zip((line for line in old if line.plain in missing),
                    (line for line in new if line.plain in extra))
    for one, other in pairs:
        if one.plain != other.plain:
            return f"{what} differs in line {one.number}: {shown(other.text, one.text)}, " \
                   f"not {shown(one.text, other.text)}"
    return f"{what} has {counts[1]} line{'s' if counts[1] != 1 else ''}, not {counts[0]}"


class Comparison:
    """Compares runs with one of the original, `expected`. `again()` runs the original once more;
    without it there is no second run. The order of lines of different ranks is arbitrary, so the
    order of lines in outputs counts only if `ordered`."""

    IGNORED, TIMED, UNSTEADY = "match --ignore", "differ in times only", \
        "differ between two runs of the original"
    MORE_RUNS = 3

    def __init__(self, expected, ordered, ignored=(), again=None):
        self.expected, self.ordered = expected, ordered
        self.ignored = [re.compile(each.encode()) for each in ignored]
        self.original = again
        self.again = functools.cache(again) if again else None
        self.aside = {reason: [] for reason in (self.IGNORED, self.TIMED, self.UNSTEADY)}

    def set_aside(self):
        """What was set aside in all comparisons, and why: one line, or none."""
        texts = [f"{some(places)}: {reason}" for reason, places in self.aside.items() if places]
        return ["ignored: " + "; ".join(texts)] if texts else []

    def put_aside(self, reason, place):
        if place not in self.aside[reason]:
            self.aside[reason].append(place)

    def differences(self, found):
        """A line for each remaining difference. The second run of the original may be from an
        earlier comparison, and a clock that shows seconds may have moved since, or two runs may
        have been alike by chance: then the original is run a few times more."""
        result = self.unexplained(found)
        for _ in range(self.MORE_RUNS if self.original else 0):
            if not result:
                break
            self.again = functools.cache(self.original)
            result = [each for each in self.unexplained(found) if each in result]
        return result

    def unexplained(self, found):
        expected, result = self.expected, []
        if expected.status != found.status and not self.unsteady("exit status", "status"):
            result.append(f"exit status is {found.status}, not {expected.status}")
        for what in ("stdout", "stderr"):
            result += self.of_texts(what, getattr(expected, what), getattr(found, what),
                                    lambda what=what: getattr(self.again(), what), self.ordered)
        return result + self.of_files(found.files)

    def unsteady(self, what, name):
        if self.again and getattr(self.again(), name) != getattr(self.expected, name):
            self.put_aside(self.UNSTEADY, what)
            return True
        return False

    # Texts.

    def lines(self, text, ordered):
        """The lines to compare, and those that are ignored. If their order counts, so do their line
        ends."""
        kept, ignored = [], []
        for number, line in enumerate(text.splitlines(keepends=ordered), 1):
            is_ignored = any(each.search(line) for each in self.ignored)
            (ignored if is_ignored else kept).append(Line(number, line, TIME.sub(b" <time>", line)))
        return kept, ignored

    def of_texts(self, what, expected, found, again, ordered):
        if expected == found:
            return []
        (old, old_ignored), (new, new_ignored) = (self.lines(text, ordered)
                                                  for text in (expected, found))
        self.name_lines(self.IGNORED, what, old_ignored, new_ignored)
        if self.alike(old, new, ordered, "text"):
            return []
        if self.alike(old, new, ordered, "plain"):
            self.name_timed(what, old, new)
            return []
        if self.again:
            other, _ = self.lines(again(), ordered)
            if lists.alike_but_for(*([line.plain for line in each] for each in (old, other, new)),
                                   ordered):
                self.name_timed(what, old, new)
                self.name_unsteady(what, old, other, ordered)
                return []
            counts = len(old), len(new)
            old, new = self.steady(old, other, new, ordered)
            return [difference(what, old, new, ordered, counts)]
        return [difference(what, old, new, ordered, (len(old), len(new)))]

    def alike(self, old, new, ordered, kind):
        old, new = [getattr(line, kind) for line in old], [getattr(line, kind) for line in new]
        return old == new or not ordered and lists.alike_in_any_order(old, new)

    def name_lines(self, reason, what, old, new):
        """Names the lines that differ, by their numbers in the original's text."""
        for one, other in ((old, new), (new, old)):
            left = lists.without([line.text for line in one], [line.text for line in other])
            if numbers := [line.number for line in one if line.text in left]:
                self.put_aside(reason, named_lines(numbers, what))
                return

    def name_timed(self, what, old, new):
        """Names the lines that both texts contain, but with other times."""
        both = {line.plain for line in old} & {line.plain for line in new}
        self.name_lines(self.TIMED, what, *([line for line in each if line.plain in both]
                                            for each in (old, new)))

    def name_unsteady(self, what, old, other, ordered):
        if ordered and len(old) == len(other):
            numbers = [one.number for one, two in zip(old, other) if one.plain != two.plain]
        else:
            left = lists.without([line.plain for line in old], [line.plain for line in other])
            numbers = [line.number for line in old if line.plain in left]
        self.put_aside(self.UNSTEADY, named_lines(numbers, what) if numbers else f"lines of {what}")

    def steady(self, old, other, new, ordered):
        """The lines without those that differ between the two runs of the original, as far as these
        are known: what remains to show the difference."""
        if ordered and len(old) == len(other) == len(new):
            kept = [k for k, line in enumerate(old) if line.plain == other[k].plain]
            return [old[k] for k in kept], [new[k] for k in kept]
        left = lists.without([line.plain for line in old], [line.plain for line in other])
        return [line for line in old if line.plain not in left], new

    # Files.

    def of_files(self, found):
        expected, result = self.expected.files, []
        is_unsteady = self.unsteady_files(found)
        names = [name for name in expected.keys() | found.keys()
                 if expected.get(name) != found.get(name)]
        for name in sorted(names):
            one, other = expected.get(name), found.get(name)
            if any(each.fullmatch(name.encode(errors="surrogateescape")) for each in self.ignored):
                self.put_aside(self.IGNORED, name)
            elif isinstance(one, bytes) and isinstance(other, bytes):
                result += self.of_texts(name, one, other, lambda name=name: self.text_again(name),
                                        ordered=True)
            elif self.again and is_unsteady(name):
                self.put_aside(self.UNSTEADY, name)
            else:
                result.append(f"{name} is missing" if other is None else
                              f"{name} is left behind" if one is None else f"{name} differs")
        return result

    def unsteady_files(self, found):
        """A function: does the file of that name differ between two runs of the original, or is its
        name one of those that are new in each run? Of these there have to be equally many."""
        old = self.expected.files

        @functools.cache
        def are_as_many_new():
            again = self.again().files
            return len(found.keys() - old.keys() - again.keys()) == len(old.keys() - again.keys())

        def is_unsteady(name):
            if old.get(name) != self.again().files.get(name):
                return True
            return name not in old and are_as_many_new()
        return is_unsteady

    def text_again(self, name):
        text = self.again().files.get(name)
        return text if isinstance(text, bytes) else b""
