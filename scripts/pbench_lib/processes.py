# SPDX-License-Identifier: Apache-2.0
"""Runs programs, waits for them, and leaves none running."""

import os
import signal
import subprocess

from .failure import Failure

LIMIT_SECONDS = 900


def run(command, environment=None):
    """Runs the command and returns its standard output. The command has its own session, so that
    everything it started ends when it fails, takes too long, or this script is interrupted."""
    command = [str(word) for word in command]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, env={**os.environ, **(environment or {})}, start_new_session=True,
    )
    try:
        output, complaints = process.communicate(timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired as late:
        raise Failure(f"took more than {LIMIT_SECONDS} s: {' '.join(command)}") from late
    finally:
        end(process)
    if process.returncode != 0:
        raise Failure(f"{' '.join(command)} failed with {process.returncode}:\n"
                      f"{complaints}{output}")
    return output


def processor_seconds():
    """Processor time that the whole machine has spent so far, on programs and in the kernel."""
    with open("/proc/stat", encoding="ascii") as file:
        ticks = map(int, file.readline().split()[1:8])
    user, nice, system, _, _, interrupts, soft_interrupts = ticks
    return (user + nice + system + interrupts + soft_interrupts) / os.sysconf("SC_CLK_TCK")


def end(process):
    """Ends the process and its children, if they are still running."""
    if process.poll() is not None:
        return
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, sign)
            process.wait(timeout=5)
            return
        except subprocess.TimeoutExpired:
            continue
        except ProcessLookupError:
            return
