# SPDX-License-Identifier: Apache-2.0
"""Programs that are started, waited for, and never left behind."""

import os
import signal
import subprocess

from .failure import Failure

LIMIT_SECONDS = 900


def run(command, environment=None):
    """The command's standard output. It gets a session of its own, so that what it started ends
    with it when it fails, takes too long, or we are interrupted."""
    command = [str(word) for word in command]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, **(environment or {})}, start_new_session=True,
    )
    try:
        output, complaints = process.communicate(timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired as late:
        raise Failure(f"took more than {LIMIT_SECONDS} s: {' '.join(command)}") from late
    finally:
        end(process)
    if process.returncode != 0:
        raise Failure(f"{' '.join(command)} failed with {process.returncode}:\n{complaints}{output}")
    return output


def processor_seconds():
    """Processor time that the whole machine has spent so far, on programs and in the kernel."""
    with open("/proc/stat", encoding="ascii") as file:
        user, nice, system, _, _, interrupts, soft_interrupts = map(int, file.readline().split()[1:8])
    return (user + nice + system + interrupts + soft_interrupts) / os.sysconf("SC_CLK_TCK")


def end(process):
    """Ends the process and its children, if they still run."""
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
