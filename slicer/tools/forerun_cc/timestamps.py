# SPDX-License-Identifier: Apache-2.0
"""When a source was compiled, so that `__DATE__` and `__TIME__` are the same when it is compiled
again."""
import calendar
import os
import re
import time

from .files import open_regular

VARIABLE = "SOURCE_DATE_EPOCH"
LAST = 253402300799  # that compilers take
MOST_SECONDS = 3600


def now():
    return int(time.time())


def moment_in(path, first):
    """The value of SOURCE_DATE_EPOCH with which compilers produce the date and time found in the
    file `path`, which was made since the second `first`. Compilers interpret it as UTC; without it,
    they use local time."""
    given = os.environ.get(VARIABLE, "")
    if re.fullmatch(r"\d{1,12}", given):
        return int(given)
    with open_regular(path) as file:
        data = file.read()
    for second in range(first, min(now(), first + MOST_SECONDS) + 1):
        local = time.localtime(second)
        if f"{local.tm_hour:02}:{local.tm_min:02}:{local.tm_sec:02}".encode() in data:
            return calendar.timegm(local)
    return calendar.timegm(time.localtime(first))
