# SPDX-License-Identifier: Apache-2.0
"""The command line."""
import argparse
import os

from forerun_tools import ending, whole
from forerun_tools.failure import Failure
from forerun_tools.parser import Parser

from . import page
from .run import Run

DESCRIPTION = """Makes a page of REPORT.json, which a run writes with FORERUN_REPORT=REPORT.json:
coverage over time, how late reads were, how long fetches took, and the figures of each call and
file. The page is one file that loads nothing. It shows the sources of the calls, if they are found:
by the names that the compiler was given, from here or from the directory of the report."""


def name_of_file(text):
    if not text:
        raise argparse.ArgumentTypeError("'' is not the name of a file")
    return text


def parsed(words, version):
    parser = Parser(prog="forerun-report", description=DESCRIPTION, allow_abbrev=False)
    parser.add_argument("report", metavar="REPORT.json")
    parser.add_argument("-o", dest="page", metavar="PAGE.html", type=name_of_file,
                        help="the page (REPORT.html beside the report)")
    parser.add_argument("--version", action="version",
                        version=f"forerun-report (Forerun) {version}")
    return parser.parse_args(words)


def main(words, version):
    asked = parsed(words, version)
    target = asked.page or os.path.splitext(asked.report)[0] + ".html"
    if os.path.realpath(target) == os.path.realpath(asked.report):
        raise Failure(f"{target} is the report itself: name another page with -o")
    run = Run.read(asked.report)
    whole.write(target, page.of(run, version).encode("utf-8", errors="replace"))
    if not whole.is_standard_output(target):
        ending.show(target)
    return 0
