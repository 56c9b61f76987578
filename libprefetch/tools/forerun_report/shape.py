# SPDX-License-Identifier: Apache-2.0
"""What a report has, as far as the page needs it, and which values its members may have. Others may
be beside them."""
import dataclasses
import typing

LIMIT = 1 << 64  # of whatever a program has counted


@dataclasses.dataclass(frozen=True)
class Kind:
    """`name` is what a value is said not to be."""
    name: str
    admits: typing.Callable


def is_amount(value, kinds):
    return isinstance(value, kinds) and not isinstance(value, bool) and 0 <= value < LIMIT


def is_bucket(value):
    return isinstance(value, list) and len(value) == 2 and all(
        COUNT.admits(each) for each in value) and value[1] > 0


def or_null(kind):
    return Kind(kind.name, lambda value: value is None or kind.admits(value))


TEXT = Kind("a text", lambda value: isinstance(value, str))
COUNT = Kind("a count", lambda value: is_amount(value, int))
DURATION = Kind("a duration in ns", lambda value: is_amount(value, int) and value > 0)
SECONDS = Kind("a time in seconds", lambda value: is_amount(value, (int, float)))
SHARE = Kind("a share", lambda value: is_amount(value, (int, float)) and value <= 1)
BUCKET = Kind("a duration and how many there were", is_bucket)

READS = {f"{what}_{outcome}": COUNT for what in ("reads", "bytes")
         for outcome in ("on_time", "late", "missed")} | {"read_ns": COUNT}
LATENCIES = dict.fromkeys(("p50", "p90", "p99", "max"), COUNT)
SUM = READS | dict.fromkeys(
    ("useful_bytes", "useless_bytes", "pre_execution_processor_ns", "program_processor_ns",
     "ranks_off", "ranks_without_cache", "ranks_without_pre_execution", "ranks_suspended",
     "ranks_stopped", "pre_execution_ended_early", "predictions", "wrong_predictions",
     "withdrawn_calls"), COUNT)

# An object with these members, a list of such elements, or a Kind.
HEAD = {"format": COUNT, "forerun": TEXT}  # of a report in any format
REPORT = {
    "program": TEXT, "started": TEXT, "elapsed_seconds": SECONDS, "ranks": COUNT,
    "cache_bytes": COUNT, "engine": TEXT, "why_off": TEXT, "why_ended_early": TEXT,
    "seconds_in_reads_without": or_null(SECONDS), "hidden": or_null(SHARE),
    "fetch_latency_ns": LATENCIES, "fetch_latency_buckets": [BUCKET],
    "late_read_ns": LATENCIES, "late_read_buckets": [BUCKET],
    "sum": SUM,
    "over_time": {"interval_ns": DURATION} | {name: [kind] for name, kind in READS.items()},
    "files": [{"path": TEXT, "hidden_ns": or_null(COUNT)} | READS],
    "sites": [{"site": COUNT, "file": TEXT, "line": COUNT, "call": TEXT} | READS]}


def mistake(report, known_format):
    """The first member that is not as it should be, and what it is not; None if all are. Of a
    report in another format than the known one, only what all have is looked at."""
    if (first := next(mistakes(report, HEAD), None)) or report["format"] != known_format:
        return first
    return next(mistakes(report, REPORT), None) or next(lengths(report["over_time"]), None)


def mistakes(value, shape, place=""):
    if isinstance(shape, Kind):
        if not shape.admits(value):
            yield f"{place} is not {shape.name}"
    elif not isinstance(value, type(shape)):
        yield f"{place or 'it'} is not {'an object' if isinstance(shape, dict) else 'a list'}"
    elif isinstance(shape, list):
        for number, each in enumerate(value):
            yield from mistakes(each, shape[0], f"{place}[{number}]")
    else:
        for name, inner in shape.items():
            inside = f"{place}.{name}" if place else name
            if name in value:
                yield from mistakes(value[name], inner, inside)
            else:
                yield f"{inside} is missing"


def lengths(series):
    """Each figure has a number for each interval."""
    for name in READS:
        if len(series[name]) != len(series["read_ns"]):
            yield f"over_time.{name} is not as long as over_time.read_ns"
