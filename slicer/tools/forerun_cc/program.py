# SPDX-License-Identifier: Apache-2.0
"""Makes a program again, with its pre-execution thread: slices all its recorded sources as a whole,
compiles the result, and links that in place of the original objects."""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from . import command, inputs
from .inputs import Problem


def reads_by_mpi(path):
    """Whether the program starts MPI and reads files through it. The dynamic symbols tell, or the
    program's own symbols if MPI is linked into it. Programs of configure scripts, which only ask
    whether a function exists, do not start MPI."""
    for options in (["-D", "--undefined-only"], []):
        listing = subprocess.run(["nm", *options, path], stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, text=True, check=False)
        if re.search(r"\bP?MPI_File_i?read", listing.stdout):
            return re.search(r"\bP?MPI_Init(_thread)?$", listing.stdout, re.M) is not None
    return False


class Maker:
    """Makes one program. `tools` says where mpicc, the slicer and Forerun's files are; `work` is an
    empty directory."""

    def __init__(self, tools, asked, work):
        self.tools, self.asked, self.work = tools, asked, work

    def run(self, arguments, **options):
        if self.asked.is_verbose:
            print("forerun-cc:", shlex.join(arguments), flush=True)
        done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False, **options)
        if self.asked.is_verbose:
            print(done.stdout, end="", flush=True)
        return done

    def make(self, units, output):
        """Replaces `output`, or raises Problem and leaves it. It also stays if the slicer changes
        no source."""
        transformed = self.slice(units)
        units = [unit for unit in units if unit.record.source in transformed]
        if units:
            texts = [transformed[unit.record.source] for unit in units]
            with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
                objects = list(pool.map(self.compile, units, texts, range(len(units))))
            self.link(units, objects, output)

    def slice(self, units):
        """A map from each source that the slicer changes to its transformed text."""
        sources = [unit.record.source for unit in units]
        for source in sources:
            if sources.count(source) > 1:
                raise Problem(f"{source} is in it twice")
        for unit in units:
            if unit.record.is_stale():
                raise Problem(f"{unit.record.source} has changed since it was compiled")
        shown = subprocess.run([self.tools.mpicc, "-show", "-c"], stdout=subprocess.PIPE, text=True,
                               check=True).stdout
        mpi_flags = command.parse_flags(shlex.split(shown)[1:])
        database = [{
            "directory": unit.record.directory,
            "file": unit.record.source,
            "arguments": ["cc", *command.parse_flags(unit.record.flags), *mpi_flags,
                          "-x", "c", "-c", unit.record.source],
        } for unit in units]
        with open(os.path.join(self.work, "compile_commands.json"), "w", encoding="utf-8") as file:
            json.dump(database, file)
        outputs = os.path.join(self.work, "sliced")
        if shutil.which(self.tools.slicer) is None:
            raise Problem(f"the slicer {self.tools.slicer} is missing")
        done = self.run([self.tools.slicer, *self.tools.slicer_options, "-p", self.work, *sources,
                         "-o", outputs])
        if done.returncode != 0:
            failed = "failed" if done.returncode > 0 else "crashed"
            raise Problem(f"the slicer {failed} on it", done.stdout)
        if not self.asked.is_verbose:  # else all has been shown
            for line in done.stdout.splitlines():
                if line.startswith("forerun-slice: warning: "):  # about the program as a whole
                    print(line, file=sys.stderr)
        with open(os.path.join(outputs, "outputs.json"), encoding="utf-8") as file:
            return json.load(file)

    def compile(self, unit, text, number):
        """Compiles the transformed text to an object."""
        made = os.path.join(self.work, f"{number}.o")
        # The warnings about the user's text have been shown when it was compiled itself.
        flags = [flag for flag in unit.record.flags if not flag.startswith("-Werror")]
        done = self.run([self.tools.mpicc, "-iquote", os.path.dirname(unit.record.source), *flags,
                         *(f"-I{path}" for path in self.tools.includes),
                         "-w", "-x", "c", "-c", text, "-o", made],
                        cwd=unit.record.directory)
        if done.returncode != 0:
            raise Problem(f"{unit.record.source} does not compile with its pre-execution code",
                          done.stdout)
        return made

    def link(self, units, objects, output):
        """Links objects in place of the originals: at their place on the command line, or ahead of
        all else."""
        replacements, ahead, left_out = {}, [], {}
        for unit, made in zip(units, objects):
            if unit.archive is not None:
                left_out.setdefault(unit.archive, []).append(unit.member)
                ahead.append(made)
            else:
                replacements[unit.path] = made
        self.link_with([*self.archives(left_out, replacements), *ahead], replacements, output)

    def archives(self, left_out, replacements):
        """Copies the archives without the members that are linked ahead; returns where -l finds
        them."""
        directory = os.path.join(self.work, "lib")
        os.mkdir(directory)
        named = {os.path.realpath(path): path for path in self.asked.inputs}
        for archive, members in left_out.items():
            copy = os.path.join(directory, os.path.basename(archive))
            if os.path.exists(copy):
                raise Problem(f"it has two archives called {os.path.basename(archive)}")
            inputs.copy_without(archive, members, copy)
            if os.path.realpath(archive) in named:
                replacements[named[os.path.realpath(archive)]] = copy
        return [f"-L{directory}"]

    def link_with(self, first, replacements, output):
        """Links with Forerun's libraries, ahead of MPI's own."""
        directory, name = os.path.split(os.path.abspath(output))
        made = os.path.join(directory, f".{name}.forerun-{os.getpid()}")
        libraries = []
        for directory in self.tools.libraries:
            libraries += [f"-L{directory}", f"-Wl,-rpath,{directory}"]
        libraries += ["-Wl,--push-state,--no-as-needed", "-lforerun_mpiio", "-lforerun",
                      "-Wl,--pop-state"]
        try:
            done = self.run([self.tools.mpicc, *first, *libraries,
                             *self.asked.replaced(replacements), "-o", made])
            if done.returncode != 0:
                raise Problem("linking it with its pre-execution code failed", done.stdout)
            shutil.move(made, output)
        finally:
            if os.path.exists(made):
                os.remove(made)
