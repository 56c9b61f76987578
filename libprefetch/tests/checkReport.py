#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs tests/doorProgram under mpiexec and checks the report or the trace that it leaves.

Usage: checkReport.py CHECK mpiexec -n 2 program"""

import json
import os
import subprocess
import sys
import tempfile

READS = 64  # of the one rank that reads; every other one was announced


def run(command, directory, **environment):
    done = subprocess.run(command, cwd=directory, env=os.environ | environment, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    assert done.returncode == 0, done
    assert done.stdout == "", done.stdout
    return done.stderr


def report_json(command, directory):
    assert run(command, directory, FORERUN_REPORT="report.json") == ""
    with open(os.path.join(directory, "report.json")) as file:
        report = json.load(file)
    assert report["ranks"] == 2
    total = report["sum"]
    assert total["reads_on_time"] + total["reads_late"] + total["reads_missed"] == READS, total
    assert total["reads_missed"] <= READS // 2, total
    assert report["coverage"] >= 0.5
    assert report["min"]["reads_missed"] == 0, "the last rank reads nothing"
    assert report["fetch_latency_ns"]["p50"] <= report["fetch_latency_ns"]["max"]
    assert total["announced_calls"] == READS // 2, total
    assert total["ranks_without_pre_execution"] == total["ranks_without_cache"] == 1, total
    assert 0 < report["max"]["peak_cache_bytes"] <= report["cache_bytes"]
    (entry,) = report["files"]
    assert entry["path"].startswith('door "program" 0 ')
    assert entry["bytes_on_time"] + entry["bytes_late"] + entry["bytes_missed"] == READS * 4096


def report_screen(command, directory):
    screen = run(command, directory, FORERUN_REPORT="1")
    assert "forerun: 2 ranks" in screen, screen
    assert "coverage" in screen and 'door "program" 0' in screen, screen
    assert len(screen.splitlines()) <= 24, screen


def report_unwritable(command, directory):
    said = run(command, directory, FORERUN_REPORT="no/such/directory/report.json")
    assert len(said.splitlines()) == 1, said
    assert "cannot be written to no/such/directory/report.json" in said, said


def trace(command, directory):
    assert run(command, directory, FORERUN_TRACE="trace.json") == ""
    with open(os.path.join(directory, "trace.json")) as file:
        events = json.load(file)["traceEvents"]
    processes = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
    assert processes == {0: "rank 0", 1: "rank 1"}, processes
    lanes = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    reads = [e for e in events if e["name"] in ("hit", "late", "miss")]
    assert len(reads) == READS
    assert all(lanes[0, e["tid"]].startswith("main: reads") for e in reads)
    assert sum(e["name"] == "announcement" for e in events) == READS // 2
    fetches = [e for e in events if "fetch" in e["name"] and e["ph"] == "X"]
    assert fetches and all(lanes[0, e["tid"]].startswith("fetches") for e in fetches)
    for lane in lanes:
        spans = sorted((e["ts"], e["ts"] + e["dur"]) for e in events
                       if e["ph"] == "X" and (e["pid"], e["tid"]) == lane)
        assert all(end <= start + 0.0011 for (_, end), (start, _) in zip(spans, spans[1:])), lane


def trace_unwritable(command, directory):
    said = run(command, directory, FORERUN_TRACE="no/such/directory/trace.json")
    assert len(said.splitlines()) == 1 and "cannot be written" in said, said


def main():
    check, *command = sys.argv[1:]
    with tempfile.TemporaryDirectory() as directory:
        globals()[check](command, directory)


if __name__ == "__main__":
    main()
