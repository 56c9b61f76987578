# SPDX-License-Identifier: Apache-2.0
"""The report of a run, as the program has written it."""
import dataclasses
import json
import os

from forerun_tools import kinds
from forerun_tools.failure import Failure

from . import shape
from .source import Source

FORMAT = 1  # of the report: kReportFormat in libprefetch/src/report/Report.h
OUTCOMES = ("on_time", "late", "missed")


@dataclasses.dataclass
class Reads:
    """Reads of a file, of a call or of an interval: by outcome, and what they took."""
    reads: list
    bytes: list
    read_ns: int
    hidden_ns: int = None  # not known

    @classmethod
    def of(cls, figures, pick=lambda value: value, hidden_ns=None):
        return cls([pick(figures[f"reads_{each}"]) for each in OUTCOMES],
                   [pick(figures[f"bytes_{each}"]) for each in OUTCOMES],
                   pick(figures["read_ns"]), hidden_ns)

    def coverage(self):
        """The share of the reads that the cache served; None if there were none."""
        total = sum(self.reads)
        return 1 - self.reads[2] / total if total else None


@dataclasses.dataclass
class Call:
    """A call in the program's text. Without a line: the program does not say where it is."""
    name: str
    file: str
    line: int
    site: int
    figures: Reads


@dataclasses.dataclass
class Run:
    report: dict
    interval_ns: int
    over_time: list  # Reads by interval
    calls: list
    files: list  # path and Reads
    sources: dict  # by name, those that were found

    @classmethod
    def read(cls, path):
        try:
            with open(path, encoding="utf-8") as file:
                begin = file.read(kinds.LOOKED_AT)
                if kinds.is_timeline(begin):
                    raise Failure(f"{path} is a timeline of FORERUN_TRACE: forerun-plot-timeline "
                                  f"{path} PICTURE.png draws it")
                report = json.loads(begin + file.read())
        except OSError as problem:
            raise Failure(f"cannot read {path}: {problem.strerror}") from problem
        except (ValueError, RecursionError) as problem:
            raise Failure(f"{path} is not valid JSON: {problem}") from problem
        if wrong := shape.mistake(report, FORMAT):
            raise Failure(f"{path} is not a report of this version of Forerun ({wrong}): run the "
                          f"program with FORERUN_REPORT={path} to make one")
        if report["format"] != FORMAT:
            raise Failure(f"{path} is a report of Forerun {report['forerun']}, in another "
                          f"format ({report['format']}, not {FORMAT}): use its forerun-report")
        return cls.of(report, os.path.dirname(path))

    @classmethod
    def of(cls, report, directory):
        series = report["over_time"]
        over_time = [Reads.of(series, lambda values, n=n: values[n])
                     for n in range(len(series["read_ns"]))]
        calls = [Call(each["call"], each["file"], each["line"], each["site"], Reads.of(each))
                 for each in report["sites"]]
        files = [(each["path"], Reads.of(each, hidden_ns=each["hidden_ns"]))
                 for each in report["files"]]
        names = {each.file for each in calls if each.line}
        sources = {name: found for name in sorted(names)
                   if (found := Source.find(name, directory))}
        return cls(report, series["interval_ns"], over_time, calls, files, sources)
