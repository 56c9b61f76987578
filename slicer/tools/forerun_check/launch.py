# SPDX-License-Identifier: Apache-2.0
"""Runs a program and keeps what can be seen of it from outside."""
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
    """Runs the command to its end, or for `limit` seconds. `files()` returns what it left, as a
    dictionary."""
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
    settings = [f"{name}={shlex.quote(value)}" for name, value in environment.items()]
    return " ".join([*settings, shlex.join(command)])


def end(process):
    """Ends the process, if it still runs; mpiexec is given time to end its ranks, which are in
    sessions of their own."""
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
    """Digests of all files in a directory that belongs to the run."""
    found = {}
    for folder, _, names in os.walk(directory):
        for name in names:
            path = os.path.join(folder, name)
            is_file = os.path.isfile(path)
            found[os.path.relpath(path, directory)] = digest(path) if is_file else "not a file"
    return found


def marks_in(directory):
    """What identifies a changed file of the directory; folders are left out."""
    with os.scandir(directory) as entries:
        return {entry.name: (entry.stat().st_mtime_ns, entry.stat().st_size, entry.stat().st_ino)
                for entry in entries if entry.is_file()}


def files_changed(directory, before):
    """Digests of the files that have changed or appeared since the marks `before`, with those that
    have vanished."""
    now = marks_in(directory)
    changed = {name: digest(os.path.join(directory, name))
               for name in now if now[name] != before.get(name)}
    return changed | {name: "deleted" for name in before if name not in now}
