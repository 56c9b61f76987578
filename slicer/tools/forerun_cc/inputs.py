# SPDX-License-Identifier: Apache-2.0
"""Which objects the linker has put into a program, and their records."""
import mmap
import os
import re
import shutil
import subprocess

from . import record, trust
from .elf import Malformed
from .files import captured, open_regular


class Problem(Exception):
    """Why a program cannot be sliced."""


class Unit:
    """A recorded object of the program, or a source of the command line.

    `path` is the source or object as the command line or the linker names it; `archive` and
    `member` say where it comes from if that is an archive."""

    def __init__(self, made, path=None, archive=None, member=None):
        self.record, self.path, self.archive, self.member = made, path, archive, member

    def name(self):
        return self.path or f"{self.archive}({self.member})"


class Found:
    """What makes up a program: units, and the reasons why others are none, each with the names of
    those."""

    def __init__(self):
        self.units, self.refused = [], {}

    def refuse(self, name, reason):
        self.refused.setdefault(reason, []).append(name)

    def take_source(self, source, flags):
        """A source of the command line; its flags are the user's own."""
        try:
            self._take(Unit(record.Record.of(source, flags), path=source))
        except OSError:
            self.refuse(source, "it is no file that can be read again")

    def take_object(self, unit, path, owned=None):
        """An object that can be read at `path`. Its owner is that of the file `owned`, if that is
        another one."""
        try:
            unit.record = record.read(path)
        except Malformed as reason:
            self.refuse(unit.name(), str(reason))
        if unit.record is None:
            return
        if reason := trust.refusal(unit.record, os.stat(owned or path).st_uid):
            self.refuse(unit.name(), reason)
        else:
            self._take(unit)

    def reasons(self):
        """A line for each reason, with the first that it concerns."""
        return [f"{names[0]}{f' and {len(names) - 1} more' if len(names) > 1 else ''}: {reason}"
                for reason, names in self.refused.items()]

    def _take(self, unit):
        if (name := trust.unreadable_name(unit.record)) is not None:
            self.refuse(unit.name(), f"'{name}' is not UTF-8")
        else:
            self.units.append(unit)


def traced_files(text):
    """Reads the linker's --trace: objects, (archive, member) pairs, and all other lines."""
    objects, members, other = [], [], []
    for line in text.splitlines():
        if found := re.fullmatch(r"\((.+)\)(.+)", line) or re.fullmatch(r"(.+\.a)\((.+)\)", line):
            members.append((found.group(1), found.group(2)))
        elif os.path.exists(line) or line.startswith("/"):  # temporary objects are gone by now
            objects.append(line)
        else:
            other.append(line)
    return list(dict.fromkeys(objects)), list(dict.fromkeys(members)), other


def is_thin(archive):
    with open_regular(archive) as file:
        return file.read(8) == b"!<thin>\n"


def path_of_thin(archive, member):
    """The path of an object that a thin archive names; some tools give it relative to here, some
    relative to the archive."""
    return member if os.path.exists(member) else os.path.join(os.path.dirname(archive), member)


def member_names(archive):
    return captured(["ar", "t", "--", archive], check=True).stdout.splitlines()


def take_objects(found, objects, members, work):
    """Adds the files that the linker named."""
    for path in objects:
        is_library = ".so" in os.path.basename(path) or path.endswith(".a")
        if not is_library and os.path.isfile(path):
            found.take_object(Unit(None, path=path), path)
    for archive, member in members:
        unit = Unit(None, archive=archive, member=member)
        if is_thin(archive):
            found.take_object(unit, path_of_thin(archive, member))
        elif has_mark(archive):
            if member_names(archive).count(member) > 1:
                raise Problem(f"{archive} has several members called {member}")
            extracted = os.path.join(work, "member.o")
            with open(extracted, "wb") as file:
                subprocess.run(["ar", "p", "--", archive, member], stdout=file, check=True)
            found.take_object(unit, extracted, owned=archive)


def has_mark(archive):
    """Whether there may be a record in an archive; cheap to tell."""
    mark = b"\0" + record.SECTION.encode() + b"\0"  # in the table of names of an object
    with open_regular(archive) as file, \
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as contents:
        return contents.find(mark) >= 0


def assign_to_thin_archives(objects, units, named):
    """GNU ld names a thin archive, and its objects like any other file. Objects that the command
    line does not name itself belong to the archive."""
    for archive in objects:
        if not archive.endswith(".a") or not os.path.isfile(archive) or not is_thin(archive):
            continue
        members = {os.path.realpath(path_of_thin(archive, name)): name
                   for name in member_names(archive)}
        for unit in units:
            if unit.archive is None and unit.path not in named:
                if member := members.get(os.path.realpath(unit.path)):
                    unit.archive, unit.member = archive, member


def copy_without(archive, members, into):
    """A copy of the archive without some members."""
    if is_thin(archive):
        kept = [path_of_thin(archive, name) for name in member_names(archive)
                if name not in members]
        for path in kept:
            if not os.path.isfile(path):
                raise Problem(f"{path}, which {archive} names, is no file")
        subprocess.run(["ar", "rcs", "--", into, *kept], check=True)
        return
    shutil.copyfile(archive, into)
    subprocess.run(["ar", "d", "--", into, *members], check=True)
