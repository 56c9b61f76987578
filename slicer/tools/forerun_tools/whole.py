# SPDX-License-Identifier: Apache-2.0
"""Files that are there as a whole or not at all."""
import contextlib
import os
import secrets
import signal
import stat

from .ending import ENDING
from .failure import Failure


def write(path, content):
    """Writes these bytes to a temporary file beside `path`, which then takes its place: whatever
    happens, `path` is what it was or has all of `content`. What is no file (a pipe, a device), or
    is standard output, is written as it is. Failure if it cannot be done; nothing of the attempt
    stays, not even if a signal ends the tool, which waits for it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        if is_standard_output(path):
            write_all(os.dup(1), content)
        elif is_special(path):  # a link to one may name no path: /dev/stdout
            write_all(os.open(path, os.O_WRONLY), content)
        else:
            replace(os.path.realpath(path), content)
    except OSError as problem:
        raise Failure(f"cannot write {path}: {problem.strerror}") from problem
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def is_standard_output(path):
    with contextlib.suppress(OSError):
        return os.path.samestat(os.stat(path), os.fstat(1))
    return False


def is_special(path):
    with contextlib.suppress(FileNotFoundError):
        return not stat.S_ISREG(os.stat(path).st_mode)
    return False


def replace(path, content):
    if os.path.exists(path):
        os.close(os.open(path, os.O_WRONLY))  # what may not be written is not replaced either
    temporary = os.path.join(os.path.dirname(path), f".forerun-{secrets.token_hex(4)}")
    file = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        write_all(file, content)
        os.rename(temporary, path)
    except OSError:
        os.unlink(temporary)
        raise


def write_all(file, content):
    """And closes the file, which is when some file systems say that there is no space."""
    rest = memoryview(content)
    try:
        while rest:
            rest = rest[os.write(file, rest):]
    finally:
        os.close(file)
