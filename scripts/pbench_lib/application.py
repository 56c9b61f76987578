# SPDX-License-Identifier: Apache-2.0
"""An application of `apps/`, unsliced and sliced, in runs that are compared."""

import csv
import re
import shutil

from . import processes


class Application:
    """`name`: that of its folder and its program; the sliced program is called NAME-pre."""

    def __init__(self, name, build, scratch):
        self.programs = build / "apps" / name
        self._replay = build / "pbench/pbench-replay"
        self._scratch = scratch
        self._mpiexec = shutil.which("mpiexec.mpich") or "mpiexec"

    def run(self, program, ranks, words, *environment):
        """The output of a run."""
        return processes.run([self._mpiexec, "-n", ranks, *environment, self.programs / program,
                              *words])

    def best_io(self, program, ranks, words, bed, file):
        """Seconds that the storage needs for the reads of a run at its best concurrency. `words`:
        the command line of a run that finds the file without the bed's delay."""
        log = self._scratch / "log"
        self.run(program, ranks, words, "-genv", "FORERUN_CHECK", log)
        traces = []
        for rank in range(ranks):
            traces.append(self._scratch / f"trace.{rank}")
            with open(f"{log}.{rank}.csv", newline="", encoding="utf-8") as rows, \
                    open(traces[-1], "w", encoding="utf-8") as trace:
                reads = (row for row in csv.reader(rows) if row[0] == "read")
                trace.writelines(f"{row[3]} {row[4]}\n" for row in reads)
        direct = ["--direct"] if bed.direct else []
        bed.forget()
        output = processes.run([self._replay, *direct, file, *traces])
        return float(output.splitlines()[-1].split(",")[2])


def seconds(line):
    """The numbers of a line of times."""
    return [float(word) for word in re.findall(r"[0-9.]+", line)]
