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


def hdf5_flags():
    """Nothing if parallel HDF5 is not there."""
    done = subprocess.run(["pkg-config", "--cflags", "--libs", "hdf5-mpich"], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return done.stdout.split()


def pnetcdf_flags():
    """Nothing if PnetCDF for MPICH is not there: scripts/netcdf builds it."""
    prefix = os.environ.get("NETCDF_PREFIX") or os.path.join(HERE, "../../../.deps/netcdf")
    prefix = os.path.realpath(prefix)
    if not os.path.exists(os.path.join(prefix, "include", "pnetcdf.h")):
        return []
    return [f"-I{prefix}/include", f"-L{prefix}/lib", f"-Wl,-rpath,{prefix}/lib", "-lpnetcdf"]


# How the names of programs on a library begin; they are there only where the library is.
LIBRARIES = {"hdf5-": hdf5_flags, "pnetcdf-": pnetcdf_flags}


def all_programs():
    with open(os.path.join(HERE, "expected.txt"), encoding="utf-8") as file:
        programs = [parse(line) for line in file if line.split("#")[0].strip()]
    for start, flags_of in LIBRARIES.items():
        flags = flags_of()
        for program in (each for each in programs if each.name.startswith(start)):
            program.flags += flags
        if not flags:
            programs = [each for each in programs if not each.name.startswith(start)]
    return programs
