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


# Programs called NAME-... read by that library, and are there only where it is.
LIBRARIES = {"hdf5": ["hdf5-mpich"], "netcdf": ["netcdf", "hdf5-mpich"]}
# Where scripts/netcdf has installed it.
NETCDF = os.path.join(HERE, "../../../.deps/netcdf/lib/pkgconfig")


def library_flags(packages):
    """Nothing if they are not there."""
    path = f"{os.environ.get('PKG_CONFIG_PATH', '')}:{os.path.normpath(NETCDF)}"

    def told(*what):
        done = subprocess.run(["pkg-config", *what, *packages], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=False,
                              env={**os.environ, "PKG_CONFIG_PATH": path})
        return done.stdout.split()

    flags = told("--cflags", "--libs")
    return flags and [*flags, *(f"-Wl,-rpath,{each}" for each in told("--variable=libdir"))]


def all_programs():
    with open(os.path.join(HERE, "expected.txt"), encoding="utf-8") as file:
        programs = [parse(line) for line in file if line.split("#")[0].strip()]
    flags = {name: library_flags(packages) for name, packages in LIBRARIES.items()}
    for program in programs:
        program.flags += flags.get(program.library, [])
    return [each for each in programs if flags.get(each.library, True)]
