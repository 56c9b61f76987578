# SPDX-License-Identifier: Apache-2.0
"""The programs of the build, and the figures that they print."""

import csv
import io
import json
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from . import commandline, processes
from .failure import Failure


@dataclass
class Run:
    """One run of PBench. Times are in seconds; the total is that of the slowest rank, from the
    opened file to its last row."""

    seconds: float
    read_s: float
    write_s: float
    compute_s: float
    bytes: float
    checksum: str
    coverage: float = 0.0
    accuracy: float = 0.0
    sums: dict = field(default_factory=dict)  # of the report, over the ranks


@dataclass
class Job:
    """What a run does."""

    file: Path
    pattern: str
    n: int
    ranks: int
    rows: int
    compute: int = 0


class Programs:
    def __init__(self, build, scratch, nodes=1):
        self._build = build
        self._nodes = nodes
        self._scratch = scratch
        self._mpiexec = shutil.which("mpiexec.mpich") or shutil.which("mpiexec")
        if self._mpiexec is None:
            raise Failure("no mpiexec here: run scripts/setup")
        self._pbench = self._needed("pbench/pbench")
        self._hand = self._needed("pbench/pbench-hand")
        self._replay = self._needed("pbench/pbench-replay")
        self._pre = self._needed("pbench/pbench-pre")
        self._pre_by_hand = self._needed("pbench/pbench-by-hand")
        self._libraries = [self._needed("romio-patch/libforerun_mpiio.so"),
                           self._needed("libprefetch/libforerun.so")]
        testbed = build / "scripts/testbed/forerun-testbed"
        self.testbed = testbed if testbed.exists() else None

    def _needed(self, name):
        path = self._build / name
        if not path.exists():
            raise Failure(f"{path} has not been built: run scripts/setup")
        return path

    def create(self, file, n):
        self._mpi(2, [], [self._pbench, "--file", file, "--n", n, "--rows", 0, "--create"])

    def original(self, job, trace=None):
        options = ["--dump-trace", trace] if trace else []
        return self._parsed(self._mpi(job.ranks, [], [self._pbench, *self._words(job), *options]))

    def compute_only(self, job):
        return self._parsed(self._mpi(job.ranks, [], [self._pbench, *self._words(job), "--no-io"]))

    def caching(self, job, direct):
        """The original program, preloaded with the patched MPI-IO and a cache, no pre-execution."""
        preload = ":".join(str(library) for library in self._libraries)
        return self._forerun(job, direct, [self._pbench],
                             ["-genv", "LD_PRELOAD", preload, "-genv", "FORERUN_CACHE", "on"])

    def pre_execution(self, job, direct, settings=None):
        words = [word for name, value in (settings or {}).items()
                 for word in ("-genv", name, value)]
        return self._forerun(job, direct, [self._pre], words)

    def pre_execution_by_hand(self, job, direct):
        """With the pre-execution thread that a programmer wrote."""
        return self._forerun(job, direct, [self._pre_by_hand], [])

    def by_hand(self, job, method):
        return self._parsed(self._mpi(job.ranks, [], [self._hand, method, *self._words(job)]))

    def replay(self, file, traces, direct):
        """Seconds that the storage needs for the same requests at its best concurrency, and the
        processor time that reading them once takes, the storage's own included."""
        options = ["--direct"] if direct else []
        before = processes.processor_seconds()
        _, *replays, best = processes.run([self._replay, *options, file, *traces]).splitlines()
        spent = processes.processor_seconds() - before
        return float(best.split(",")[2]), spent / len(replays)

    def _forerun(self, job, direct, program, environment):
        report = self._scratch / "report.json"
        report.unlink(missing_ok=True)
        environment = [*environment, "-genv", "FORERUN_REPORT", report]
        if direct:
            environment += ["-genv", "FORERUN_DIRECT", "1"]
        run = self._parsed(self._mpi(job.ranks, environment, [*program, *self._words(job)]))
        figures = json.loads(report.read_text())
        run.coverage, run.accuracy = figures["coverage"], figures["accuracy"]
        run.sums = figures["sum"]
        return run

    @staticmethod
    def _words(job):
        return ["--file", job.file, "--n", job.n, "--pattern", job.pattern, "--rows", job.rows,
                "--compute", job.compute, "--csv"]

    def _mpi(self, ranks, environment, command):
        run = [self._mpiexec, "-n", ranks, *environment, *command]
        if self._nodes > 1:
            per_node = -(-ranks // self._nodes)
            run[1:1] = ["-ppn", per_node]
            run[:0] = [commandline.ROOT / "scripts/testbed/nodes", self._nodes]
        return processes.run(run)

    @staticmethod
    def _parsed(output):
        lines = list(csv.DictReader(io.StringIO(output)))
        if len(lines) != 1:
            raise Failure(f"PBench printed something other than its results:\n{output}")
        line = lines[0]
        return Run(seconds=float(line["total_s"]), read_s=float(line["read_s"]),
                   write_s=float(line["write_s"]), compute_s=float(line["compute_s"]),
                   bytes=float(line["bytes"]), checksum=line["checksum"])
