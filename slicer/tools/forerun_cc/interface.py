# SPDX-License-Identifier: Apache-2.0
"""Which MPI a mpicc compiles for. Forerun serves programs of the MPI that it was built for; of any
other, handles and statuses differ, or the MPI-IO that Forerun replaces."""
import os
import shlex
import subprocess

from . import environment
from .files import captured

MACROS = ("OPEN_MPI", "OMPI_MAJOR_VERSION", "OMPI_MINOR_VERSION", "OMPI_RELEASE_VERSION",
          "I_MPI_VERSION", "MVAPICH2_VERSION", "MVAPICH_VERSION", "MPICH_VERSION",
          "MPI_ABI_VERSION", "MPI_VERSION")
# A macro that is not defined stays what it is.
PROBE = "#include <mpi.h>\n" + "".join(f"forerun_{each} {each}\n" for each in MACROS)


def values(mpicc):
    """The macros that its mpi.h defines; empty if it has none, or cannot be asked."""
    try:
        text = captured([mpicc, "-E", "-x", "c", "-"], input=PROBE, stderr=subprocess.DEVNULL,
                        env=environment.of_ours()).stdout
    except OSError:
        return {}
    found = {}
    for line in text.splitlines():
        name, _, value = line.partition(" ")
        name = name.removeprefix("forerun_")
        if name in MACROS and name != value.strip() and line.startswith("forerun_"):
            found[name] = "".join(shlex.split(value))
    return found


def of(mpicc):
    """The MPI's name and version; empty if that is not known."""
    found = values(mpicc)
    if "OPEN_MPI" in found:
        return "Open MPI " + ".".join(found.get(f"OMPI_{each}_VERSION", "?")
                                      for each in ("MAJOR", "MINOR", "RELEASE"))
    for macro, name in (("I_MPI_VERSION", "Intel MPI"), ("MVAPICH2_VERSION", "MVAPICH"),
                        ("MVAPICH_VERSION", "MVAPICH"), ("MPICH_VERSION", "MPICH")):
        if macro in found:
            return f"{name} {found[macro]}"
    if "MPI_ABI_VERSION" in found:
        return f"MPI by its standard interface, version {found['MPI_ABI_VERSION']}"
    return "an MPI of another kind" if "MPI_VERSION" in found else ""


def stranger(mpicc, ours):
    """Why programs of this mpicc are left as they are; empty if they need not be. What cannot be
    asked is taken for ours: libforerun does nothing in a program of another MPI."""
    found = of(mpicc)
    if found in ("", ours):
        return ""
    return f"{os.path.basename(mpicc)} is that of {found}, and Forerun was built for {ours}"
