# SPDX-License-Identifier: Apache-2.0
"""Reports as FORERUN_REPORT writes them, of runs that no test can wait for."""

MS = 10 ** 6


def figures(on_time, late, missed, ms):
    counts = {"on_time": on_time, "late": late, "missed": missed}
    return ({f"reads_{name}": count for name, count in counts.items()}
            | {f"bytes_{name}": 32768 * count for name, count in counts.items()}
            | {"read_ns": ms * MS, "bytes_from_others": 0})


def series(intervals):
    each = [figures(n % 7, n % 3, n % 5, n) for n in range(intervals)]
    return {"interval_ns": 250 * MS} | {name: [one[name] for one in each] for name in each[0]}


def report(program="/home/me/bin/program", ranks=2, files=("/scratch/data/matrix.dat",),
           sites=(("program.c", 5, "MPI_File_read_at", (40, 3, 2)),), intervals=40):
    """`sites`: source, line, call, and how its reads came."""
    total = figures(40, 3, 2, 90) | dict.fromkeys((
        "ranks_off", "ranks_without_cache", "ranks_without_pre_execution", "ranks_suspended",
        "ranks_stopped", "pre_execution_ended_early", "wrong_predictions", "predictions",
        "withdrawn_calls"), 0) | {
            "useful_bytes": 40 * 32768, "useless_bytes": 32768,
            "pre_execution_processor_ns": 12 * MS, "program_processor_ns": 900 * MS}
    buckets = [[1023 << n, 1 + n % 11] for n in range(18)]
    latencies = {"p50": 40000, "p90": 2 * MS, "p99": 30 * MS, "max": 134 * MS}
    return {
        "format": 1, "forerun": "0.1.0", "program": program, "started": "2026-11-28T06:40:08Z",
        "elapsed_seconds": 9.75, "ranks": ranks, "cache_bytes": 128 << 20, "engine": "io_uring",
        "why_off": "", "why_ended_early": "", "fetch_latency_ns": latencies,
        "fetch_latency_buckets": buckets, "late_read_ns": latencies, "late_read_buckets": buckets,
        "seconds_in_reads_without": 0.36, "hidden": 0.75,
        "sum": total, "min": total, "max": total, "over_time": series(intervals),
        "files": [{"path": path, "hidden_ns": 3 * MS}
                  | figures(n % 90, n % 3, n % 5, 5000 - n % 5000)
                  for n, path in enumerate(files)],
        "sites": [{"site": n, "file": file, "line": line, "call": call} | figures(*reads, 7)
                  for n, (file, line, call, reads) in enumerate(sites)]}


def many_files(count):
    return [f"/scratch/project/run-2026-11-28/output/rank-{n % 512:05}/part-{n:06}.dat"
            for n in range(count)]


LONG = "/home/me/" + "a_program_with_a_name_that_never_ends_" * 5 + "x"

