# SPDX-License-Identifier: Apache-2.0
"""The corpus as expected.txt lists it."""
import dataclasses
import glob
import os
import re
import subprocess

HERE = os.path.dirname(os.path.realpath(__file__))


@dataclasses.dataclass
class Program:
    name: str
    coverage: str
    accuracy: str
    ranks: str
    environment: dict = dataclasses.field(default_factory=dict)
    arguments: list = dataclasses.field(default_factory=list)
    stdin: str = None
    flags: list = dataclasses.field(default_factory=list)
    status: int = 0
    lead: str = "0"

    @property
    def library(self):
        return self.name.split("-")[0]

    @property
    def sources(self):
        """NAME.c or all of NAME/, here or in large/."""
        for folder in (HERE, os.path.join(HERE, "large")):
            if os.path.isfile(path := os.path.join(folder, self.name + ".c")):
                return [path]
            if found := sorted(glob.glob(os.path.join(folder, self.name, "*.c"))):
                return found
        raise SystemExit(f"expected.txt names {self.name}, which does not exist")


def parse(line):
    words = iter(line.split("#")[0].split())
    program = Program(next(words), next(words), next(words), next(words))
    into = program.arguments
    for word in words:
        if word == "<":
            program.stdin = os.path.join(HERE, next(words))
        elif word == "status:":
            program.status = int(next(words))
        elif word == "lead:":
            program.lead = next(words)
        elif word == "flags:":
            into = program.flags
        elif re.match(r"[A-Z_]+=", word):
            name, value = word.split("=", 1)
            program.environment[name] = value
        else:
            into.append(word)
    return program


# Programs called NAME-... read by that library, and exist only where it is installed.
LIBRARIES = {"hdf5": ["hdf5-mpich"], "netcdf": ["netcdf", "hdf5-mpich"],
             "pnetcdf": ["pnetcdf"]}
# Where scripts/netcdf has installed it.
NETCDF = os.path.join(HERE, "../../../.deps/netcdf/lib/pkgconfig")


def told(packages, *what):
    """What pkg-config says; nothing if they are not installed. HDF5 is the one installed in the
    folder FORERUN_HDF5, or else Debian's."""
    path = [os.environ.get("PKG_CONFIG_PATH", ""), os.path.normpath(NETCDF)]
    if own := os.environ.get("FORERUN_HDF5"):
        path.insert(0, os.path.join(own, "lib", "pkgconfig"))
        packages = ["hdf5" if each == "hdf5-mpich" else each for each in packages]
    done = subprocess.run(["pkg-config", *what, *packages], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False,
                          env={**os.environ, "PKG_CONFIG_PATH": ":".join(path)})
    return done.stdout.split()


def library_flags(packages):
    flags = told(packages, "--cflags", "--libs")
    libraries = told(packages, "--variable=libdir")
    return flags and [*flags, *(f"-Wl,-rpath,{each}" for each in libraries)]


def listed_programs():
    with open(os.path.join(HERE, "expected.txt"), encoding="utf-8") as file:
        return [parse(line) for line in file if line.split("#")[0].strip()]


def all_programs():
    """Those that can be built: hdf5-later-NAME only where HDF5 is 1.14."""
    flags = {name: library_flags(packages) for name, packages in LIBRARIES.items()}
    release = "".join(told(["hdf5-mpich"], "--modversion"))
    is_later = [int(each) for each in release.split(".")[:2] if each] >= [1, 14]
    programs = [each for each in listed_programs()
                if flags.get(each.library, True)
                and (is_later or not each.name.startswith("hdf5-later-"))]
    for program in programs:
        program.flags += flags.get(program.library, [])
    return programs
