# SPDX-License-Identifier: Apache-2.0
"""The command line."""
import argparse
import dataclasses
import os
import re
import shlex

from forerun_tools.parser import Parser
from forerun_tools.progress import Progress

from . import check, report, timing
from .failure import Failure

USAGE = """forerun-check [option...] PROGRAM.c... [-- ARGUMENT...]
       forerun-check [option...] -- mpiexec -n RANKS PROGRAM [ARGUMENT...]
       forerun-check --time [option...] -- mpiexec -n RANKS PROGRAM [ARGUMENT...]"""

DESCRIPTION = """First form: builds the sources with mpicc and with forerun-cc, runs both with each
number of ranks, each run in an empty directory of its own, and compares their output, exit status
and the files they leave behind. Second form: runs a program that forerun-cc made, here, once with
FORERUN=0 and once with its pre-execution thread, and compares the same; of the files here, those
are compared that the program wrote. Third form: times such a program without and with its
pre-execution thread, in turn, after what can be cleared of caches has been, and compares the same.
Nondeterministic output is ignored and listed: times (numbers with a unit of time), and what differs
between two runs of the original, which runs a second time if there is a difference."""

EPILOG = """coverage: the share of the bytes read for which a prefetch had been issued; accuracy:
the share of the bytes issued that were read; lead: the median of how long before its read a
prefetch was issued, in reads of its process and in time, nothing being fetched and each process
having one core; cost: the CPU time of the pre-execution threads as a share of the program's. Call
sites at which these threads wait or compute much are named. Exit status: 0 if all is identical and
no figure is below its minimum, 1 if not, 2 if it could not be checked. Environment: FORERUN_MPICC,
the mpicc to use; FORERUN_MPIEXEC, the mpiexec to use."""


MOST_RANKS = 100000
DEFAULT_RANKS = [1, 2, 4]
DEFAULT_REPEATS = 5
LONGEST_S = 1e9
LAUNCHER = re.compile(r"mpi(exec|run)(\.(mpich|hydra|openmpi))?|srun")


def checked(parse, holds, wanted):
    """A type for argparse: a value that `parse` accepts and for which `holds` is true; the message
    says what is expected."""
    def convert(text):
        try:
            value = parse(text)
        except ValueError:
            value = None
        if value is None or not holds(value):
            raise argparse.ArgumentTypeError(f"{text!r} is not {wanted}")
        return value
    return convert


rank_list = checked(lambda text: [int(word) for word in text.split(",")],
                    lambda ranks: 0 < min(ranks) and max(ranks) <= MOST_RANKS,
                    "a list of numbers of ranks, as in 1,2,4")
share = checked(float, lambda value: 0 <= value <= 1, "a share from 0 to 1")


def pattern(text):
    try:
        re.compile(text.encode())
    except re.error as problem:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a regular expression: {problem}") from problem
    return text


words_of = checked(shlex.split, lambda words: True,
                   "what a shell would take: a quote is open")
reads = checked(float, lambda value: value >= 0, "a number of reads")
repeats = checked(int, lambda value: value > 0, "a number of runs, 1 or more")
seconds = checked(float, lambda value: 0 < value <= LONGEST_S, "a time in seconds")


@dataclasses.dataclass
class Settings:
    forerun_cc: str
    slicer: str
    mpi: str  # that Forerun was built for
    sources: list
    arguments: list
    command: list
    mpiexec: list
    cc_flags: list
    ranks: list
    stdin: str
    limit: float
    ignored: list
    min_coverage: float
    min_accuracy: float
    min_lead: float
    json: bool
    time: bool
    repeats: int

    def check(self):
        """Does what was asked for. Returns the exit status."""
        with Progress("forerun-check") as progress:
            if self.time:
                found = timing.Measurement(self, progress).measure()
            else:
                way = check.of_program if self.command else check.from_sources
                found = way(self, progress)
        return (timing if self.time else report).show(found, self)


def parser(version):
    made = Parser(prog="forerun-check", usage=USAGE, description=DESCRIPTION, epilog=EPILOG,
                  allow_abbrev=False)
    made.add_argument("sources", nargs="*", metavar="PROGRAM.c", help="the program's sources")
    made.add_argument("--cc-flags", type=words_of, metavar="FLAGS",
                      help="flags for both compilers, libraries too: --cc-flags='-O2 -lm'")
    made.add_argument("--ranks", type=rank_list, metavar="LIST",
                      help="numbers of ranks (1,2,4)")
    made.add_argument("--stdin", metavar="FILE", help="the program's standard input (nothing)")
    made.add_argument("--limit", type=seconds, default=60.0, metavar="SECONDS",
                      help="maximum time of a run (60)")
    made.add_argument("--ignore", type=pattern, default=[], metavar="REGEX", action="append",
                      help="ignore, and list, lines of outputs and files in which this is found, "
                      "and files whose whole name it is; several times, if need be")
    made.add_argument("--min-coverage", type=share, default=0.0, metavar="SHARE",
                      help="minimum coverage, 0 to 1 (0)")
    made.add_argument("--min-accuracy", type=share, default=0.0, metavar="SHARE",
                      help="minimum accuracy, 0 to 1 (0)")
    made.add_argument("--min-lead", type=reads, default=0.0, metavar="READS",
                      help="minimum lead, in reads (0)")
    made.add_argument("--time", action="store_true",
                      help="measure how much faster the program is, on the storage of its files")
    made.add_argument("--repeats", type=repeats, metavar="N",
                      help="with --time: timed runs of each kind (5)")
    made.add_argument("--json", action="store_true", help="the result as JSON")
    made.add_argument("--version", action="version", version=f"forerun-check (Forerun) {version}")
    return made


def parse(words, home, slicer, mpi, version):
    """Settings, or Failure. Everything after the first -- belongs to the program."""
    end = words.index("--") if "--" in words else len(words)
    if words and end > 0 and LAUNCHER.fullmatch(os.path.basename(words[0])):
        raise Failure(f"{words[0]} is not a source file; for a program that is built: "
                      f"forerun-check -- {shlex.join(words)}")
    found, rest = parser(version).parse_args(words[:end]), words[end + 1:]
    if found.time and (found.sources or not rest):
        raise Failure("--time measures a program that is built: "
                      "forerun-check --time -- mpiexec -n RANKS PROGRAM")
    if found.repeats is not None and not found.time:
        raise Failure("--repeats is for --time")
    if found.time and max(found.min_coverage, found.min_accuracy, found.min_lead) > 0:
        raise Failure("--time measures no coverage, accuracy or lead that could have a minimum")
    if not found.sources and not rest:
        raise Failure("neither a source nor a command to check; see --help")
    if not found.sources and found.ranks:
        raise Failure("--ranks is for sources: here the command says on how many ranks it runs")
    if not found.sources and found.cc_flags:
        raise Failure("--cc-flags is for sources: here nothing is compiled")
    for path in [*found.sources, *([found.stdin] if found.stdin else [])]:
        if not os.path.exists(path):
            raise Failure(f"{path} is not there")
        if not os.path.isfile(path):
            raise Failure(f"{path} is not a regular file")
    return Settings(
        forerun_cc=os.path.join(home, "forerun-cc"), slicer=os.path.join(home, slicer),
        mpi=mpi,
        sources=[os.path.abspath(path) for path in found.sources],
        arguments=rest if found.sources else [], command=[] if found.sources else rest,
        mpiexec=shlex.split(os.environ.get("FORERUN_MPIEXEC", "")) or ["mpiexec"],
        cc_flags=found.cc_flags or [], ranks=found.ranks or DEFAULT_RANKS,
        stdin=os.path.abspath(found.stdin) if found.stdin else None, limit=found.limit,
        ignored=found.ignore, min_coverage=found.min_coverage, min_accuracy=found.min_accuracy,
        min_lead=found.min_lead, json=found.json, time=found.time,
        repeats=found.repeats or DEFAULT_REPEATS)
