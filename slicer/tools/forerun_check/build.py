# SPDX-License-Identifier: Apache-2.0
"""Builds the program twice: with mpicc and with forerun-cc."""
import json
import os
import re
import shutil
import subprocess

from forerun_cc import interface, slicer_options
from forerun_cc.inputs import Problem
from forerun_tools import children

from . import launch
from .failure import Failure


def find_mpicc():
    """The mpicc that forerun-cc uses."""
    mpicc = os.environ.get("FORERUN_MPICC") or shutil.which("mpicc.mpich") or shutil.which("mpicc")
    if not mpicc:
        raise Failure("there is no mpicc in the path; FORERUN_MPICC can name it")
    return mpicc


def mpicc_of(mpi):
    """The same, if it is that of `mpi`."""
    mpicc = find_mpicc()
    if why := interface.stranger(mpicc, mpi):
        raise Failure(f"{why}: no program of it has a pre-execution thread")
    return mpicc


def first_line(text):
    """The most informative line: the first that names what is missing, or mentions an error, or
    the first."""
    lines = [line for line in text.splitlines() if line.strip()] or ["it says nothing"]
    found = [line for what in ("undefined reference|multiple definition|cannot find -l",
                               "error|forerun-cc: warning")
             for line in lines if re.search(what, line)]
    return [*found, *lines][0]


# A program or object that could not be sliced; one without reads to announce does not count.
UNSLICED = re.compile("forerun-cc: warning: (left out|.* has no pre-execution thread: "
                      "(?!no read of the program is prefetched|none of its sources reads))")


def compiled(compiler, sources, flags, program):
    """Builds `program`, in a directory that is made for it unless it exists."""
    os.makedirs(os.path.dirname(program), exist_ok=True)
    with launch.started([compiler, *sources, *flags, "-o", program], stdin=subprocess.DEVNULL,
                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        said, _ = process.communicate()
    if process.returncode != 0 or UNSLICED.search(said):
        raise Failure(f"{os.path.basename(compiler)} cannot build it: {first_line(said)}")


def slice_summary(slicer, sources, flags):
    """What the slicer says about the slice, of which forerun-cc has made the program: statements,
    those kept, call sites; or its problem."""
    slicer = os.environ.get("FORERUN_SLICE") or slicer
    try:
        options = slicer_options.of_environment()
        done = children.run([slicer, *options, "--summary", *sources, "--", *flags],
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)
    except OSError as problem:
        return {"problem": f"cannot run {slicer}: {problem.strerror}"}
    except Problem as problem:
        return {"problem": problem.args[0]}
    try:
        found = json.loads(done.stdout)
        return {"statements": found["statements"], "kept": found["kept"],
                "sites": len(found["sites"]),
                "exitsLeftOut": [f"{each['file']}:{each['line']}" for each in found["notes"]
                                 if each["text"].startswith("early exit left out")]}
    except (ValueError, KeyError, TypeError):
        return {"problem": first_line(done.stderr)}
