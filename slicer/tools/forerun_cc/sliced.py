# SPDX-License-Identifier: Apache-2.0
"""What goes to the slicer and comes back from it."""
import json
import os
import re

from .files import is_utf8
from .mistakes import Mistakes

ABOUT_THE_PROGRAM = "forerun-slice: warning: "
# Prefixes of the names of functions that read.
READS = (r"(P?MPI_File_i?read|H5[AD]read|H5LTread|H5LTget_attr"
         r"|nc_get_(var[1asm]?|att)(_[a-z]+)?\b|ncmpi_[im]?get_(var|att))")
# Libraries of which the pre-execution thread calls a second copy, driven by a module of Forerun's:
# prefix of their functions, name, module, how the module comes to be there.
MODULES = (("H5", "HDF5", "libforerun_hdf5.so", "install libhdf5-mpich-dev"),
           ("nc_", "netCDF", "libforerun_netcdf.so", "run scripts/netcdf"),
           ("ncmpi_", "PnetCDF", "libforerun_pnetcdf.so", "run scripts/netcdf"))
ABOUT_A_CALL = re.compile(r".+:\d+:\d+: warning: ")


class Names:
    """The slicer accepts only names in UTF-8. Any other name gets a stand-in in the directory
    `work`: a link to the file that it names. In the texts that come back, the true names are
    restored."""

    def __init__(self, work):
        self.work, self.stand_ins = work, {}  # what a path stands for: the path, the name as given
        os.mkdir(work)

    def of(self, name, directory="/"):
        """The name of a file, which may be relative to `directory`, for the slicer."""
        if is_utf8(name):
            return name
        head, tail = os.path.split(name)
        if head and is_utf8(tail):  # so that files beside it are found, too
            return os.path.join(self._stand_in(head, directory), tail)
        return self._stand_in(name, directory)

    def _stand_in(self, name, directory):
        path = os.path.join(directory, name)
        for stand_in, (other, _) in self.stand_ins.items():
            if other == path:
                return stand_in
        ending = ".c" if name.endswith(".c") else ""
        stand_in = os.path.join(self.work, f"name-{len(self.stand_ins)}{ending}")
        os.symlink(path, stand_in)
        self.stand_ins[stand_in] = (path, name)
        return stand_in

    def in_flags(self, flags, directory):
        """Replaces folders by their stand-ins, and a macro's definition by a file."""
        result = []
        for flag in flags:
            option, value = ("-I", flag[2:]) if flag.startswith("-I") else ("", flag)
            if is_utf8(flag):
                result.append(flag)
            elif flag.startswith("-D"):
                result += ["-include", self._definition(flag[2:])]
            else:
                result.append(option + self.of(value, directory))
        return result

    def _definition(self, text):
        """A file that defines the macro as -D does."""
        name, equals, value = text.partition("=")
        path = os.path.join(self.work, f"macro-{len(os.listdir(self.work))}.h")
        with open(path, "wb") as file:
            file.write(os.fsencode(f"#define {name} {value if equals else '1'}\n"))
        return path

    def restore(self, path):
        """Puts the true names into a text that the slicer has written."""
        if not self.stand_ins:
            return
        with open(path, "rb") as file:
            text = file.read()
        for stand_in, (_, name) in self.stand_ins.items():
            text = text.replace(os.fsencode(stand_in), os.fsencode(name))
        with open(path, "wb") as file:
            file.write(text)

    def true(self, path):
        """The true path for a path that the slicer uses."""
        for stand_in, (other, _) in self.stand_ins.items():
            if path == stand_in or path.startswith(stand_in + "/"):
                return other + path.removeprefix(stand_in)
        return path


class Sliced:
    """The result for a program: `texts` maps each source that changes to the file with its
    transformed text."""

    def __init__(self, summary, messages, outputs, names):
        with open(os.path.join(outputs, "outputs.json"), encoding="utf-8") as file:
            written = {names.true(source): os.path.join(outputs, os.path.basename(text))
                       for source, text in json.load(file).items()}
        self.texts = {}
        for number, (source, text) in enumerate(written.items()):
            # Not by the source's name: a source that includes itself means the file beside it.
            self.texts[source] = os.path.join(outputs, f"text-{number}.c")
            os.rename(text, self.texts[source])
            names.restore(self.texts[source])
        self.names, self.summary = names, json.loads(summary)
        self.undriven = ()  # prefixes of functions whose library has no module
        self.warnings = [line.removeprefix(ABOUT_THE_PROGRAM).replace(": warning: ", ": ", 1)
                         for line in messages.splitlines()
                         if line.startswith(ABOUT_THE_PROGRAM) or ABOUT_A_CALL.match(line)]

    def texts_of(self, units):
        return [self.texts[unit.record.source] for unit in units]

    def without(self, unit, messages, left_out):
        """The slicer's options that leave out what the compiler refuses in the unit's text, beside
        those that it had."""
        with open(self.texts[unit.record.source], "rb") as file:
            text = os.fsdecode(file.read())
        return Mistakes(messages, text, self.names.of(unit.record.source), self.summary,
                        left_out).options()

    def expect_modules(self, directories):
        """A library that the slice calls, and that has no module in these directories, gets a
        warning, and its reads do not count as prefetched: the pre-execution thread ends there."""
        for start, library, module, remedy in MODULES:
            is_there = any(os.path.exists(os.path.join(each, module)) for each in directories)
            if not is_there and any(site["call"].startswith(start) and "twin" in site["fate"]
                                    for site in self.summary["sites"]):
                self.undriven += (start,)
                self.warnings.append(
                    f"this Forerun was built without {library}: the pre-execution thread ends "
                    f"where it is called; {remedy} and build Forerun again")

    def _sites_that_read(self):
        return [site for site in self.summary["sites"] if re.match(READS, site["call"])]

    def _used_sites(self):
        """Of these, the ones in functions that the program uses: a header has many others."""
        return [site for site in self._sites_that_read()
                if site["fate"] != "left out: its function is not used"]

    def reads(self):
        """The number of calls that read, and of those among them that will be prefetched."""
        sites = [site for site in self._used_sites() if not site["call"].endswith("_end")]
        return len(sites), sum(site["fate"].startswith("prefetched")
                               and not site["call"].startswith(self.undriven) for site in sites)

    def reason(self, foreign):
        """Why nothing runs ahead; `foreign` objects read, and were compiled by other means."""
        if self.warnings:
            return self.warnings[-1]
        sites = self._used_sites() or self._sites_that_read()
        if not sites:
            others = f"; {', '.join(foreign)} does, and was not compiled by forerun-cc" \
                if foreign else ""
            return f"none of its sources reads by MPI-IO, HDF5, netCDF or PnetCDF{others}"
        return (f"no read of the program is prefetched: {sites[0]['file']}:{sites[0]['line']}: "
                f"{sites[0]['call']}: {sites[0]['fate']}")

    def line(self):
        """In one line, how much runs ahead."""
        total, announced = self.reads()
        return (f"{self.summary['kept']} of {self.summary['statements']} statements run ahead, "
                f"{announced} of {total} reads will be prefetched"
                f"{self._held_back() if announced else ''}")

    def _held_back(self):
        """Why they may have little head start; forerun-check measures it."""
        waits, fetches = self.summary["waits"], self.summary["fetches"]
        told = [f"for the program in {waits} place{'s' * (waits > 1)}"] if waits else []
        told += [f"for the data of {fetches} read{'s' * (fetches > 1)}"] if fetches else []
        return f"; in loops that read, it waits {' and '.join(told)}" if told else ""
