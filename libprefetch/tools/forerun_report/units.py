# SPDX-License-Identifier: Apache-2.0
"""Numbers as people read them."""
import math


def time(ns):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}" if ns < 1000 * size else f"{ns / size:.0f} {unit}"
    return f"{ns:.0f} ns"


def size(count):
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024:
            return f"{count:.3g} {unit}" if unit != "B" else f"{count:.0f} B"
        count /= 1024
    return f"{count:.3g} TiB"


def share(part):
    """Of None: nothing of which it could be a share."""
    return "–" if part is None else f"{100 * part:.1f} %"


def count(number, what):
    """What is counted; in the plural, unless it is one."""
    return f"{number} {what}{'s' if number != 1 else ''}"


def steps(largest, most):
    """Round numbers from 0 up to `largest`, at most so many beside 0."""
    magnitude = 10.0 ** math.floor(math.log10(largest / most))
    step = next(each * magnitude for each in (1, 2, 5, 10) if largest / (each * magnitude) <= most)
    return [n * step for n in range(int(largest / step * (1 + 1e-9)) + 1)]
