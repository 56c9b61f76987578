# SPDX-License-Identifier: Apache-2.0
"""What an object remembers of how it was compiled: a section that the linker leaves out of
programs."""
import hashlib
import json
import os
import shutil
import subprocess
import tempfile

SECTION = ".forerun"
MARK = b"\0.forerun\0"  # the name of the section, in an object's table of names


class Record:
    """One source as it was compiled."""

    def __init__(self, source, directory, flags, digest):
        self.source, self.directory, self.flags, self.digest = source, directory, flags, digest

    @staticmethod
    def of(source, flags):
        """The record of a source that is compiled here and now."""
        path = os.path.abspath(source)
        return Record(path, os.getcwd(), flags, digest_of(path))

    def is_stale(self):
        """The source has changed since."""
        try:
            return digest_of(self.source) != self.digest
        except OSError:
            return True


def digest_of(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def attach(record, path):
    """Adds the record to an object. An object that cannot have one (of another format than ELF)
    stays as it is."""
    objcopy = shutil.which("objcopy")
    if objcopy is None or not os.path.isfile(path):
        return
    path = os.path.realpath(path)
    made = f"{path}.forerun-{os.getpid()}"
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", prefix="forerun-cc-") as text:
        json.dump(vars(record), text)
        text.write("\n")
        text.flush()
        done = subprocess.run([objcopy, f"--add-section={SECTION}={text.name}",
                               f"--set-section-flags={SECTION}=readonly,exclude", path, made],
                              stderr=subprocess.DEVNULL, check=False)
    if done.returncode == 0:
        shutil.copymode(path, made)
        os.replace(made, path)
    elif os.path.exists(made):
        os.remove(made)


def has_mark(path):
    """Whether there may be a record in this object or archive; cheap to tell."""
    try:
        with open(path, "rb") as file:
            return MARK in file.read()
    except OSError:
        return False


def read(path):
    """The record of an object; None if it has none, or consists of several objects."""
    if not has_mark(path):
        return None
    with tempfile.TemporaryDirectory(prefix="forerun-cc-") as work:
        text = os.path.join(work, "record")
        done = subprocess.run(["objcopy", f"--dump-section={SECTION}={text}", path,
                               os.path.join(work, "object")],
                              stderr=subprocess.DEVNULL, check=False)
        if done.returncode != 0:
            return None
        with open(text, encoding="utf-8") as file:
            lines = file.read().splitlines()
    try:
        return Record(**json.loads(lines[0])) if len(lines) == 1 else None
    except (TypeError, ValueError):  # written by another version
        return None
