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
import tempfile
from concurrent.futures import ThreadPoolExecutor

from . import command, inputs
from .files import captured
from .inputs import Problem

# Variables that list directories, where a relative or empty one means the current directory.
SEARCH_PATHS = ("PATH", "LD_LIBRARY_PATH", "COMPILER_PATH")
ABOUT_THE_PROGRAM = "forerun-slice: warning: "


def reads_by_mpi(path):
    """Whether the program starts MPI and reads files through it. The dynamic symbols tell, or the
    program's own symbols if MPI is linked into it. Programs of configure scripts, which only ask
    whether a function exists, do not start MPI."""
    for options in (["-D", "--undefined-only"], []):
        listing = captured(["nm", *options, path], stderr=subprocess.DEVNULL)
        if re.search(r"\bP?MPI_File_i?read", listing.stdout):
            return re.search(r"\bP?MPI_Init(_thread)?$", listing.stdout, re.M) is not None
    return False


def environment_elsewhere():
    """The environment for a program that runs in another directory, which may be anybody's: it
    finds no other programs and libraries than it would here."""
    result = dict(os.environ)
    for name in SEARCH_PATHS:
        if value := result.get(name):
            folders = re.split("[:;]" if name == "LD_LIBRARY_PATH" else ":", value)
            result[name] = ":".join(each if each.startswith("$") else os.path.abspath(each)
                                    for each in folders)
    return result


class Maker:
    """Makes one program. `tools` says where mpicc, the slicer and Forerun's files are; `work` is an
    empty directory."""

    def __init__(self, tools, asked, work):
        self.tools, self.asked, self.work = tools, asked, work
        self.nowhere = os.path.join(work, "nowhere")
        os.mkdir(self.nowhere)

    def run(self, arguments, **options):
        if self.asked.is_verbose:
            print("forerun-cc:", shlex.join(arguments), flush=True)
        done = captured(arguments, stderr=subprocess.STDOUT, **options)
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
        shown = captured([self.tools.mpicc, "-show", "-c"], check=True).stdout
        mpi_flags = command.parse_flags(shlex.split(shown)[1:])
        database = [{
            "directory": self.directory_of(unit),
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
        with open(os.path.join(outputs, "outputs.json"), encoding="utf-8") as file:
            transformed = {source: os.path.join(outputs, os.path.basename(text))
                           for source, text in json.load(file).items()}
        self.pass_on([line for line in done.stdout.splitlines()
                      if line.startswith(ABOUT_THE_PROGRAM)], bool(transformed))
        return transformed

    def pass_on(self, warnings, is_sliced):
        """The slicer's warnings about the program as a whole. The last one says why nothing has
        come of it, if nothing has."""
        if warnings and not is_sliced and self.tools.is_strict:
            raise Problem(warnings[-1].removeprefix(ABOUT_THE_PROGRAM))
        if not self.asked.is_verbose:  # else all has been shown
            for line in warnings:
                print(line, file=sys.stderr)

    def directory_of(self, unit):
        """Where its source is compiled; one without any file that flags could name, if that
        directory is gone: build directories are moved."""
        directory = unit.record.directory
        return directory if os.path.isdir(directory) else self.nowhere

    def compile(self, unit, text, number):
        """Compiles the transformed text to an object."""
        made = os.path.join(self.work, f"{number}.o")
        # The warnings about the user's text have been shown when it was compiled itself.
        flags = [flag for flag in unit.record.flags if not flag.startswith("-Werror")]
        done = self.run([self.tools.mpicc, "-iquote", os.path.dirname(unit.record.source), *flags,
                         *(f"-I{path}" for path in self.tools.includes),
                         "-w", "-x", "c", "-c", text, "-o", made],
                        cwd=self.directory_of(unit), env=environment_elsewhere())
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
        libraries = []
        for directory in self.tools.libraries:
            libraries += [f"-L{directory}", f"-Wl,-rpath,{directory}"]
        libraries += ["-Wl,--push-state,--no-as-needed", "-lforerun_mpiio", "-lforerun",
                      "-Wl,--pop-state"]
        directory, name = os.path.split(os.path.abspath(output))
        with tempfile.TemporaryDirectory(prefix=".forerun-cc-", dir=directory) as beside:
            made = os.path.join(beside, name)
            done = self.run([self.tools.mpicc, *first, *libraries,
                             *self.asked.replaced(replacements), "-o", made])
            if done.returncode != 0:
                raise Problem("linking it with its pre-execution code failed", done.stdout)
            os.replace(made, output)
