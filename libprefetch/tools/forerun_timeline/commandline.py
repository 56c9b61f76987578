# SPDX-License-Identifier: Apache-2.0
"""The command line."""
import argparse
import os

from forerun_tools import ending, whole
from forerun_tools.failure import Failure
from forerun_tools.parser import Parser
from forerun_tools.progress import Progress

from . import picture, trace

DESCRIPTION = """Draws TRACE.json, which a run writes with FORERUN_TRACE=TRACE.json, as a picture,
where there is no browser for it. For each rank: the reads of the main thread, the prefetches that
the pre-execution thread issues, and the fetches, one below the other where they were in flight
concurrently. The ending of the
picture's name says what it is: png, svg or pdf. Needs the package python3-matplotlib."""


def rank_set(text):
    """0,4-7: the numbers named, and those between two."""
    try:
        ends = [[int(word) for word in part.split("-")] for part in text.split(",")]
        if all(len(each) <= 2 and each[0] <= each[-1] for each in ends):
            return Ranks([(each[0], each[-1]) for each in ends])
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"{text!r} is not a list of ranks, as in 0,4-7")


class Ranks:
    """Ranges of ranks, which may be larger than a job can be."""

    def __init__(self, ranges):
        self.ranges = ranges

    def __contains__(self, rank):
        return any(first <= rank <= last for first, last in self.ranges)


def parsed(words, version):
    parser = Parser(prog="forerun-plot-timeline", description=DESCRIPTION, allow_abbrev=False)
    parser.add_argument("trace", metavar="TRACE.json")
    parser.add_argument("picture", metavar="PICTURE.png")
    parser.add_argument("--ranks", type=rank_set, metavar="LIST",
                        help="draw only these ranks, as in 0,4-7 (all)")
    parser.add_argument("--version", action="version",
                        version=f"forerun-plot-timeline (Forerun) {version}")
    return parser.parse_args(words)


def main(words, version):
    asked = parsed(words, version)
    if not os.path.exists(asked.trace):
        raise Failure(f"cannot read {asked.trace}: No such file or directory")
    matplotlib = picture.library()
    ending_of_name = picture.known_format(asked.picture, matplotlib)
    with Progress("forerun-plot-timeline") as progress:
        progress.doing(f"reads {asked.trace}")
        ranks = trace.load(asked.trace, asked.ranks, progress)
        progress.doing("draws")
        drawn = picture.drawn(ranks, matplotlib, ending_of_name)
        progress.doing(f"writes {asked.picture}")
        whole.write(asked.picture, drawn)
    if not whole.is_standard_output(asked.picture):
        ending.show(asked.picture)
    return 0
