# SPDX-License-Identifier: Apache-2.0
"""Runs a program and keeps what can be seen of that from outside."""
import dataclasses
import hashlib
import os
import shlex
import signal
import subprocess

from .failure import Failure


@dataclasses.dataclass
class Outcome:
    """What a run left: exit status, both outputs, and for each file its digest."""

    status: int
    stdout: bytes
    stderr: bytes
    files: dict


def run(command, environment, directory, stdin, limit, files):
    """Runs it to its end, or for `limit` seconds. `files` tells what it left: a call that returns a dictionary."""
    try:
        with open(stdin or os.devnull, "rb") as source:
            process = subprocess.Popen(command, cwd=directory, stdin=source, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, env={**os.environ, **environment},
                                       start_new_session=True)
    except OSError as problem:
        raise Failure(f"cannot run {shlex.join(command)}: {problem.strerror}") from problem
    try:
        stdout, stderr = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired as late:
        raise Failure(f"took more than {limit:g} s: {described(command, environment)}") from late
    finally:
        end(process)
    return Outcome(process.returncode, stdout, stderr, files())


def described(command, environment):
    """How a user would type it."""
    return " ".join([f"{name}={shlex.quote(value)}" for name, value in environment.items()] + [shlex.join(command)])


def end(process):
    """Ends the process, if it still runs; mpiexec is given time to end its ranks, which are in sessions of their own."""
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def digest(path):
    found = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            found.update(block)
    return found.hexdigest()


def files_below(directory):
    """Digests of all files in a directory of the run's own."""
    found = {}
    for folder, _, names in os.walk(directory):
        for name in names:
            path = os.path.join(folder, name)
            found[os.path.relpath(path, directory)] = digest(path) if os.path.isfile(path) else "not a file"
    return found


def marks_in(directory):
    """What tells a changed file of the directory, its folders left aside."""
    with os.scandir(directory) as entries:
        return {entry.name: (entry.stat().st_mtime_ns, entry.stat().st_size, entry.stat().st_ino)
                for entry in entries if entry.is_file()}


def files_changed(directory, before):
    """Digests of the files that `before`, earlier marks, does not know as they are now, and of those that vanished."""
    now = marks_in(directory)
    changed = {name: digest(os.path.join(directory, name)) for name in now if now[name] != before.get(name)}
    return changed | {name: "deleted" for name in before if name not in now}
