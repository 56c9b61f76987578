# SPDX-License-Identifier: Apache-2.0
"""The command line of scripts/pbench."""

import argparse
import re
from pathlib import Path

from .failure import Failure, Misuse

ROOT = Path(__file__).resolve().parents[2]
PATTERNS = ("random", "sequential", "strided", "writes", "dependent", "shuffled", "apart")


class Parser(argparse.ArgumentParser):
    """Reports each error in one line, without the usage."""

    def error(self, message):
        raise Misuse(f"{message} (--help for help)")


def numbers(kind, minimum):
    def parse(text):
        values = [kind(word) for word in text.split(",")]
        if min(values) < minimum:
            raise ValueError
        return values

    parse.__name__ = "list of numbers"
    return parse


def words(text):
    return text.split(",")


def times(text):
    if not all(re.fullmatch(r"\d+(\.\d+)?(s|ms|us|ns)", word) for word in words(text)):
        raise ValueError
    return words(text)


def patterns(text):
    if not set(words(text)) <= set(PATTERNS):
        raise ValueError
    return words(text)


def parser():
    parser = Parser(
        prog="scripts/pbench",
        description="Runs PBench on slow storage: original, caching only and pre-execution, "
        "alternating, and writes results.csv, a table and plots.",
    )
    add = parser.add_argument
    add("--quick", action="store_true", help="a matrix that takes a few minutes")
    add("--output", type=Path, default=Path("results/pbench"), metavar="DIR",
        help="directory for results.csv, runs.csv and the plots (%(default)s)")
    add("--bed", type=Path, metavar="DIR",
        help="run in this directory, at its own speed, instead of the built-in test bed")
    add("--latency", type=times, default=["1ms"], metavar="T,...",
        help="latencies of the built-in test bed (1ms)")
    add("--sizes", type=numbers(int, 1), metavar="N,...",
        help="the matrix has N rows of N doubles (4096,8192,16384)")
    add("--ranks", type=numbers(int, 1), metavar="P,...", help="MPI processes (1,2,4,8,16)")
    add("--patterns", type=patterns, default=["random"], metavar="NAME,...",
        help=", ".join(PATTERNS) + " (random)")
    add("--compute-ratio", type=numbers(float, 0), metavar="X,...",
        help="compute time over the original's I/O time (0.5,1,2)")
    add("--repeats", type=int, default=3, metavar="R", help="runs of each kind (3)")
    add("--seconds", type=float, default=2.0, metavar="S",
        help="I/O time of an original run, which determines how many rows are read (2); where "
        "the system caches, at most as many rows as the matrix has")
    add("--by-hand", action="store_true",
        help="also run what users write by hand: iread, fadvise, hints (pattern random only), "
        "and a pre-execution thread")
    add("--build", type=Path, default=ROOT / "build/default", metavar="DIR",
        help="build directory (build/default)")
    return parser


def parse(arguments):
    settings = parser().parse_args(arguments)
    complete(settings)
    return settings


def complete(settings):
    """Defaults that depend on --quick, and what argparse cannot check."""
    settings.sizes = settings.sizes or ([4096] if settings.quick else [4096, 8192, 16384])
    settings.ranks = settings.ranks or ([1, 2, 4] if settings.quick else [1, 2, 4, 8, 16])
    settings.compute_ratio = settings.compute_ratio or ([1.0] if settings.quick else [0.5, 1, 2])
    if settings.repeats < 1 or not settings.seconds > 0:
        raise Misuse("--repeats and --seconds must be positive")
    if max(settings.ranks) > min(settings.sizes):
        raise Failure("--ranks: there must be no more ranks than rows of the matrix")
    check_directories(settings, "pbench")


def check_directories(settings, built):
    """--bed must be a directory, and --build one in which `built` exists."""
    if settings.bed is not None and not settings.bed.is_dir():
        raise Failure(f"--bed: no such directory: {settings.bed}")
    if not (settings.build / built).exists():
        raise Failure(f"{settings.build} is not a build directory: run scripts/setup, "
                      "or give --build")
