# SPDX-License-Identifier: Apache-2.0
"""Files and texts about which nothing is known: any kind of file, any bytes."""
import os
import stat
import subprocess


def open_regular(path):
    """Opens a file to read its bytes; OSError if it is not a regular file. Others are left alone: a
    FIFO would make us wait, and its writer would notice."""
    if stat.S_ISREG(os.stat(path).st_mode):
        file = open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK))
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return file
        file.close()
    raise OSError(f"{path} is no regular file")


def captured(arguments, **options):
    """Runs a program and returns its standard output, whatever bytes that contains."""
    return subprocess.run(arguments, stdout=subprocess.PIPE, encoding="utf-8",
                          errors="surrogateescape", **{"check": False, **options})


def is_utf8(text):
    """Whether a file name, as Python represents it, stands for valid UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def shown(text):
    """A text of unknown origin, made safe for a message: one line, no control sequences for the
    terminal, not too long."""
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    line = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)
    return line if len(line) <= 500 else line[:500] + "..."
