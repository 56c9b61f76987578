#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs tests/doorProgram under mpiexec and checks the report or the trace that it leaves.

Usage: checkReport.py CHECK mpiexec -n 2 program"""

import datetime
import json
import os
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
READS = 64  # of the one rank that reads; every other read was announced


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
    assert report["program"] == os.path.realpath(command[-1]), report["program"]
    since = datetime.datetime.now(datetime.timezone.utc) - datetime.datetime.fromisoformat(
        report["started"])
    assert 0 <= since.total_seconds() < 120, report["started"]
    assert 0 < report["elapsed_seconds"] <= since.total_seconds(), report["elapsed_seconds"]
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


def report_sums(command, directory):
    """Both reports contain the sums over all ranks that are known before the run."""
    for ranks in (1, 2, 4):
        readers = ranks - 1
        command[command.index("-n") + 1] = str(ranks)
        assert run(command, directory, FORERUN_REPORT="report.json") == ""
        with open(os.path.join(directory, "report.json"), encoding="utf-8") as file:
            report = json.load(file)
        total = report["sum"]
        outcomes = ("on_time", "late", "missed")
        assert sum(total[f"reads_{each}"] for each in outcomes) == readers * READS, total
        assert sum(total[f"bytes_{each}"] for each in outcomes) == readers * READS * 4096, total
        assert total["announced_calls"] == readers * READS // 2, total
        in_files = sum(entry[f"reads_{each}"] for entry in report["files"] for each in outcomes)
        assert in_files == readers * READS
        screen = run(command, directory, FORERUN_REPORT="1")
        said = [re.search(pattern, screen)[1] for pattern in (
            r"forerun: (\d+) rank", r"\n  reads +(\d+):", r"\n  bytes read +(\S+ \S+):",
            r"\n  issued +(\d+) prefetches,")]
        size = f"{readers * READS * 4} KiB" if readers else "0 B"
        counts = [ranks, readers * READS, readers * READS // 2]
        assert said[:2] + said[3:] == [str(each) for each in counts], screen
        assert said[2].replace(".0 ", " ") == size, screen


def report_unwritable(command, directory):
    said = run(command, directory, FORERUN_REPORT="no/such/directory/report.json")
    assert len(said.splitlines()) == 1, said
    assert said.endswith("the report cannot be written to no/such/directory/report.json: "
                         "No such file or directory\n"), said


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
    assert len(said.splitlines()) == 1, said
    assert said.endswith("the trace cannot be written to no/such/directory/trace.json: "
                         "No such file or directory\n"), said


def full(command, _):
    """A disk that is full: in a mount namespace of its own, which takes root or a system that gives
    namespaces to all."""
    own = ["unshare", "--mount"] + ([] if os.geteuid() == 0 else ["--map-root-user"])
    if subprocess.run([*own, "true"], check=False).returncode != 0:
        print("NOT TESTED: no mount namespace, for a disk that is full")
        sys.exit(SKIPPED)
    subprocess.run([*own, __file__, "full_disk", *command], check=True)


def full_disk(command, directory):
    """Report, trace and log do not fit: the program runs on, what was there stays, nothing else is
    left, and each message says why."""
    names = ["log.0.csv", "report.json", "trace.json"]
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={4 * len(names) + 4}k", "none", directory],
                   check=True)
    for name in names:
        with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
            file.write("old")
    said = run(command, directory, FORERUN_REPORT="report.json", FORERUN_TRACE="trace.json")
    said += run(command, directory, FORERUN_CHECK="log")
    contents = []
    for name in names:
        with open(os.path.join(directory, name), encoding="utf-8") as file:
            contents.append(file.read())
    left = sorted(os.listdir(directory))
    subprocess.run(["umount", directory], check=True)
    for told in ("the report cannot be written to report.json", "cannot write log.0.csv",
                 "the trace cannot be written to trace.json"):
        assert f"{told}: No space left on device\n" in said, said
    assert contents == ["old"] * len(names), contents
    assert [name for name in left if name != "log.1.csv"] == names, left  # that one is short


# A surrogate, overlong forms, values beyond the last character, control characters.
HOSTILE = (b"\xed\xa0\x80", b"\xc0\xaf.\xe0\x80\xaf", b"\xf4\x90\x80\x80", b"\x80\xbf\xff",
           b"a\nb\x1b[2J\x7f", b"\xc3\xa9")


def names(command, directory):
    """Whatever a file is called, report and trace are text in UTF-8, and each line remains one
    line."""
    for name in HOSTILE:
        outputs = {"FORERUN_REPORT": "report.json", "FORERUN_TRACE": "trace.json"}
        assert run(command + [name], directory, **outputs) == ""
        for output in outputs.values():
            with open(os.path.join(directory, output), encoding="utf-8", errors="strict") as file:
                content = json.load(file)
        assert any(" 0 " in each["args"].get("file", "") for each in content["traceEvents"]), name
        lines = run(command + [name], directory, FORERUN_REPORT="1").rstrip("\n").split("\n")
        assert " 0 " in lines[-1] and all(line.isprintable() for line in lines), lines
        assert lines[-2].endswith("path"), lines


def main():
    check, *command = sys.argv[1:]
    with tempfile.TemporaryDirectory() as directory:
        globals()[check](command, directory)


if __name__ == "__main__":
    main()
