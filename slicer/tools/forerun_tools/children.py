# SPDX-License-Identifier: Apache-2.0
"""Programs that a tool runs, and their end when the tool is interrupted: with a compiler's driver
alone, its assembler and its linker would go on, and write what nobody waits for."""
import contextlib
import os
import signal
import subprocess
import time

from . import ending

LONGEST_S = 5


def run(words, **options):
    """Like subprocess.run, but if it is interrupted nothing of the program runs on."""
    check, text = options.pop("check", False), options.pop("input", None)
    if text is not None:
        options["stdin"] = subprocess.PIPE
    child = None
    try:
        with ending.held():
            child = subprocess.Popen(words, **options)
        output, errors = child.communicate(text)
    except KeyboardInterrupt:
        if child is not None:
            end(child.pid)
            child.wait()
        raise
    done = subprocess.CompletedProcess(words, child.returncode, output, errors)
    if check:
        done.check_returncode()
    return done


def end(pid):
    """Ends the process and what it has started. Returns when they have ended, or will not."""
    pids = family(pid)
    for each in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(each, signal.SIGTERM)
    until = time.monotonic() + LONGEST_S
    while any(is_running(each) for each in pids) and time.monotonic() < until:
        time.sleep(0.01)


def family(pid):
    """The process and its descendants."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            children = [int(each) for each in file.read().split()]
    except OSError:
        children = []
    return [pid, *(each for child in children for each in family(child))]


def is_running(pid):
    """And not a zombie."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
