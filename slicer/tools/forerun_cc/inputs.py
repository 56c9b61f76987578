# SPDX-License-Identifier: Apache-2.0
"""Which objects the linker has put into a program, and their records."""
import mmap
import os
import re

from forerun_tools import children

from . import record, trust
from .elf import Malformed
from .files import captured, open_regular

# Makes the linker name its files, and the members of archives.
TRACE = "-Wl,-t,-t"
# Temporary files that the compiler passed to the linker, gone by now; TMPDIR may be relative.
TEMPORARY = r"(/.+|(.+/)?cc\w{6})\.(o|ltrans\d*|res)"


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
    """What makes up a program: its units; for each reason why an input is not a unit, the names of
    those inputs; and objects that were compiled by other means."""

    def __init__(self):
        self.units, self.refused, self.foreign = [], {}, []

    def refuse(self, name, reason):
        self.refused.setdefault(reason, []).append(name)

    def take_source(self, source, flags):
        """A source of the command line; its flags are the user's own."""
        try:
            self.units.append(Unit(record.Record.of(source, flags), path=source))
        except OSError:
            self.refuse(source, "it is not a file that can be read again")

    def take_object(self, unit, path, owned=None):
        """An object that can be read at `path`. Its owner is that of the file `owned`, if that
        differs."""
        try:
            unit.record = record.read(path)
        except Malformed as reason:
            self.refuse(unit.name(), str(reason))
        if unit.record is None:
            return
        if reason := trust.refusal(unit.record, os.stat(owned or path).st_uid):
            self.refuse(unit.name(), reason)
        elif not unit.record.is_c:
            self.refuse(unit.name(), f"its source {unit.record.name} is not a C source file")
        elif (changed := unit.record.changed_file()) is not None:
            self.refuse(unit.name(), f"{changed} has changed since it was compiled")
        else:
            self.units.append(unit)

    def take_out(self, why):
        """Refuses the units for which `why` gives a reason."""
        kept = []
        for unit in self.units:
            if (reason := why(unit)) is None:
                kept.append(unit)
            else:
                self.refuse(unit.name(), reason)
        self.units = kept

    def take_out_repeated(self):
        """Refuses sources that are in the program more than once: their clones would be duplicated,
        too."""
        sources = [unit.record.source for unit in self.units]
        self.take_out(lambda unit: f"{unit.record.source} is in it twice"
                      if sources.count(unit.record.source) > 1 else None)

    def reasons(self):
        """A line for each reason, with the first input that it concerns."""
        return [f"{names[0]}{f' and {len(names) - 1} more' if len(names) > 1 else ''}: {reason}"
                for reason, names in self.refused.items()]


def traced_files(text):
    """Reads the linker's --trace: objects, (archive, member) pairs, and all other lines."""
    objects, members, other = [], [], []
    for line in text.splitlines():
        if found := re.fullmatch(r"\((.+)\)(.+)", line) or re.fullmatch(r"(.+\.a)\((.+)\)", line):
            members.append((found.group(1), found.group(2)))
        elif os.path.exists(line) or re.fullmatch(TEMPORARY, line):
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
        if os.path.isfile(path):
            unit = Unit(None, path=path)
            found.take_object(unit, path)
            if unit.record is None:
                found.foreign.append(path)
    for archive, member in members:
        unit = Unit(None, archive=archive, member=member)
        if is_thin(archive):
            found.take_object(unit, path_of_thin(archive, member))
        elif has_mark(archive):
            if member_names(archive).count(member) > 1:
                found.refuse(unit.name(), "its archive has several members of that name")
                continue
            extracted = os.path.join(work, "member.o")
            with open(extracted, "wb") as file:
                children.run(["ar", "p", "--", archive, member], stdout=file, check=True)
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
