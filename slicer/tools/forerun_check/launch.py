# SPDX-License-Identifier: Apache-2.0
"""Runs a program and records what is visible from outside."""
import contextlib
import dataclasses
import hashlib
import os
import shlex
import signal
import subprocess
import time

from forerun_tools import ending

from .failure import Failure

# Longer files are compared as a whole.
MAXIMUM_TEXT = 1 << 20


@dataclasses.dataclass
class Outcome:
    """The result of a run: exit status, both outputs, and for each file what `content` returns."""

    status: int
    stdout: bytes
    stderr: bytes
    files: dict
    seconds: float  # from start to end


def use_cores(count):
    """Restricts this process, and what it starts, to `count` cores at most."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:count])


def run(command, environment, directory, stdin, limit, files, cores=None):
    """Runs the command to its end, or for `limit` seconds; if `cores` is given, on that many cores.
    `files()` returns the files that it left, as a dictionary."""
    confine = None if cores is None else lambda: use_cores(cores)
    try:
        source = open(stdin or os.devnull, "rb")
    except OSError as problem:
        raise Failure(f"cannot read {stdin}: {problem.strerror}") from problem
    begin = time.perf_counter()
    with source, started(command, cwd=directory, stdin=source, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, env={**os.environ, **environment},
                         preexec_fn=confine) as process:
        try:
            stdout, stderr = process.communicate(timeout=limit)
            took = time.perf_counter() - begin
        except subprocess.TimeoutExpired as late:
            raise Failure(
                f"took more than {limit:g} s: {described(command, environment)}") from late
    return Outcome(process.returncode, stdout, stderr, files(), took)


@contextlib.contextmanager
def started(command, **options):
    """The process, in a session of its own: what interrupts us does not reach it. It is ended
    afterwards, if it still runs."""
    process = None
    try:
        with ending.held():
            process = opened(command, **options)
        yield process
    finally:
        with ending.held():
            if process is not None:
                end(process)


def opened(command, **options):
    try:
        return subprocess.Popen(command, start_new_session=True, **options)
    except OSError as problem:
        raise Failure(f"cannot run {shlex.join(command)}: {problem.strerror}") from problem


def described(command, environment):
    """The command as a user would type it."""
    settings = [f"{name}={shlex.quote(value)}" for name, value in environment.items()]
    return " ".join([*settings, shlex.join(command)])


def end(process):
    """Ends the process if it is still running; mpiexec is given time to end its ranks, which are in
    sessions of their own."""
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def content(path):
    """The text itself if it is short, else a digest."""
    with open(path, "rb") as file:
        block = file.read(MAXIMUM_TEXT + 1)
        if len(block) <= MAXIMUM_TEXT and b"\0" not in block:
            return block
        found = hashlib.sha256(block)
        while block := file.read(1 << 20):
            found.update(block)
    return found.hexdigest()


def files_below(directory):
    """The contents of all files in a directory that belongs to the run."""
    found = {}
    for folder, _, names in os.walk(directory):
        for name in names:
            path = os.path.join(folder, name)
            is_file = os.path.isfile(path)
            found[os.path.relpath(path, directory)] = content(path) if is_file else "not a file"
    return found


def marks_in(directory):
    """For each file of the directory, what reveals a change; folders are left out."""
    with os.scandir(directory) as entries:
        return {entry.name: (entry.stat().st_mtime_ns, entry.stat().st_size, entry.stat().st_ino)
                for entry in entries if entry.is_file()}


def files_changed(directory, before):
    """The contents of the files that have changed or appeared since the marks `before`, and the
    files that have vanished."""
    now = marks_in(directory)
    changed = {name: content(os.path.join(directory, name))
               for name in now if now[name] != before.get(name)}
    return changed | {name: "deleted" for name in before if name not in now}
