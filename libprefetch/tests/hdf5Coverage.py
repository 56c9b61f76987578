#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""hdf5Coverage.py LAYOUT READS TRANSFER ACCURACY mpiexec program: tests/hdf5Reads.cpp, on one rank
and on two, reads what it would read without Forerun; once the data set is open, every read of the
file, raw data or metadata, comes from the cache; and at least the share ACCURACY of the fetched
bytes is read."""

import json
import os
import subprocess
import sys
import tempfile


def run(command, ranks, folder, reads, **environment):
    """The report; nothing without Forerun."""
    layout, _, transfer = sys.argv[1:4]
    done = subprocess.run(
        [command[0], "-n", str(ranks), command[1], os.path.join(folder, "data.h5"), layout, reads,
         transfer],
        env=os.environ | {"FORERUN_CACHE_SIZE": "64M", "FORERUN_DEBUG": "1",
                          "FORERUN_REPORT": os.path.join(folder, "report.json")} | environment,
        cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and done.stdout == "", done
    if environment:
        return None
    assert reads == "none" or "has been loaded" in done.stderr, done.stderr
    assert "not prefetched" not in done.stderr and "cannot be told" not in done.stderr, done.stderr
    with open(os.path.join(folder, "report.json"), encoding="utf-8") as file:
        return json.load(file)


def main():
    reads, least, command = sys.argv[2], float(sys.argv[4]), sys.argv[5:]
    with tempfile.TemporaryDirectory() as folder:
        for ranks in (1, 2):
            run(command, ranks, folder, reads, FORERUN="0")
            opened = run(command, ranks, folder, "none")["sum"]
            report = run(command, ranks, folder, reads)
            total = report["sum"]
            assert total["reads_missed"] <= opened["reads_missed"], (ranks, opened, report)
            assert total["reads_on_time"] + total["reads_late"] > 0, (ranks, report)
            assert report["accuracy"] >= least, (ranks, report)


main()
