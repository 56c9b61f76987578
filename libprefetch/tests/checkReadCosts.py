#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs tests/readCosts.c under mpiexec and checks what its report says of the time in reads.

Usage: checkReadCosts.py with|off|unpatched mpiexec -n RANKS program"""

import json
import os
import subprocess
import sys
import tempfile

CALLS = 40  # of a rank


def run(command, directory, **environment):
    done = subprocess.run([*command, os.path.join(directory, "data")], cwd=directory,
                          env=os.environ | environment, text=True, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=120)
    assert done.returncode == 0, done
    return done.stdout, done.stderr


def reported(command, directory, **environment):
    """What the program prints, and its report."""
    path = os.path.join(directory, "report.json")
    printed, said = run(command, directory, FORERUN_REPORT=path, **environment)
    assert said == "", said
    with open(path, encoding="utf-8") as file:
        return printed, json.load(file)


def with_a_cache(command, directory, ranks):
    """Some reads are made once more, and an estimate is made of them; the program's own reads are
    what they were."""
    expected, _ = run(command, directory, FORERUN="0")
    printed, report = reported(command, directory, FORERUN_CACHE="on")
    total = report["sum"]
    assert printed == expected, (printed, expected)
    assert total["reads_on_time"] > 0, total
    assert total["read_calls"] == ranks * CALLS, total
    assert total["reads_made_again"] >= ranks * 3, total
    assert 0 < report["seconds_in_reads"] < report["elapsed_seconds"] * ranks, report
    assert report["seconds_in_reads_without"] > 0, report
    assert 0 <= report["hidden"] <= 1, report
    _, screen = run(command, directory, FORERUN_CACHE="on", FORERUN_REPORT="1")
    assert "; without Forerun about " in screen, screen


def off(command, directory, ranks):
    """The program runs as without Forerun, and the report says that, and how long reads took."""
    expected, _ = run(command, directory, FORERUN="0")
    printed, report = reported(command, directory, FORERUN="0")
    total = report["sum"]
    assert printed == expected, (printed, expected)
    assert report["why_off"] == "FORERUN is 0" and total["ranks_off"] == ranks, report
    assert total["read_calls"] == ranks * CALLS, total
    assert total["reads_made_again"] == total["fetches"] == total["announced_calls"] == 0, total
    assert report["seconds_in_reads"] > 0, report
    assert report["seconds_in_reads"] == report["seconds_in_reads_without"], report
    _, screen = run(command, directory, FORERUN="0", FORERUN_REPORT="1")
    head, time = screen.splitlines()
    assert head == f"forerun: {ranks} rank{'s' * (ranks > 1)}, off, as without Forerun: " \
                   "FORERUN is 0", screen
    assert time.endswith(f" in {ranks * CALLS} calls"), screen


def unpatched(command, directory, ranks):
    """Without the patched MPI-IO nobody knows how long reads take."""
    for switch in ("1", "0"):
        _, report = reported(command, directory, FORERUN=switch)
        assert report["sum"]["ranks_untimed"] == ranks, report
        assert report["seconds_in_reads"] is None is report["seconds_in_reads_without"], report
        _, screen = run(command, directory, FORERUN=switch, FORERUN_REPORT="1")
        assert "time in reads   not known: " in screen, screen


def main():
    check, *command = sys.argv[1:]
    ranks = int(command[command.index("-n") + 1])
    with tempfile.TemporaryDirectory() as directory:
        {"with": with_a_cache, "off": off, "unpatched": unpatched}[check](command, directory, ranks)


if __name__ == "__main__":
    main()
