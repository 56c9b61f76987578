# SPDX-License-Identifier: Apache-2.0
"""When two lists of lines are alike."""
import collections
import difflib
import sys

# Maximum number of attempts in the search for joined lines, before the lists count as different.
MAXIMUM_TRIALS = 20000
MAXIMUM_LINES = 300


def without(lines, others):
    """The lines that are not among the others, each as often as it occurs more often than there."""
    return collections.Counter(lines) - collections.Counter(others)


def put_together(wholes, pieces, strangers=0):
    """Is each of the wholes a concatenation of pieces, with no piece left over? As many of the
    wholes as `strangers` says may be something else."""
    if max(wholes.total(), pieces.total()) > MAXIMUM_LINES:
        return False
    wholes, trials = list(wholes.elements()), MAXIMUM_TRIALS

    def fits(number, rest, left):
        """Of whole `number`, `rest` has still to be made from the pieces that are not yet taken."""
        nonlocal trials
        trials -= 1
        if trials < 0:
            return False
        if not rest:
            number += 1
            if number >= len(wholes):
                return not pieces.total()
            if left and fits(number, b"", left - 1):
                return True
            rest = wholes[number]
        for piece in [each for each, count in pieces.items() if count and rest.startswith(each)]:
            pieces[piece] -= 1
            if fits(number, rest[len(piece):], left):
                return True
            pieces[piece] += 1
        return False

    return fits(-1, b"", min(strangers, len(wholes)))


def alike_in_any_order(old, new):
    """The launcher passes on what each rank writes, and joins lines of several ranks if these write
    a line and its end separately: "AA" and an empty line from two ranks that print "A"."""
    missing, extra = without(old, new), without(new, old)
    if not missing and not extra:
        return True
    del missing[b""], extra[b""]
    return len(old) == len(new) and (put_together(extra, +missing) or put_together(missing, +extra))


def alike_but_for(old, again, new, ordered):
    """Has `new` all that `old` and `again` have in common, and equally many other lines? Any number
    of these, if `old` and `again` do not have equally many."""
    if ordered:
        return as_many_alike(old, again, new) if len(old) == len(again) \
            else blocks_alike(old, again, new)
    if len(old) == len(again) != len(new):
        return False
    common = list((collections.Counter(old) & collections.Counter(again)).elements())
    missing, extra = without(common, new), without(new, common)
    if not missing:
        return True
    del missing[b""], extra[b""]
    strangers = len(old) - len(common) if len(old) == len(again) else sys.maxsize
    return put_together(extra, +missing, strangers)


def as_many_alike(old, again, new):
    return len(new) == len(old) and all(one in (other, None) for one, other in zip(
        (one if one == other else None for one, other in zip(old, again)), new))


def blocks_alike(old, again, new):
    """Do the blocks that `old` and `again` have in common follow each other in `new`, with
    something in between only where one of these has something?"""
    place, before = 0, (0, 0)
    matcher = difflib.SequenceMatcher(None, old, again, autojunk=False)
    for one, other, length in matcher.get_matching_blocks():
        has_gap, block = (one, other) != before, old[one:one + length]
        before = one + length, other + length
        if before == (len(old), len(again)) and has_gap:  # the last one: it ends the text
            last = len(new) - length
            return last >= place and new[last:] == block
        while new[place:place + length] != block:
            if not has_gap or place + length >= len(new):
                return False
            place += 1
        place += length
    return place == len(new)
