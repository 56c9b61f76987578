# SPDX-License-Identifier: Apache-2.0
"""Makes a program again, with its pre-execution thread: slices all its recorded sources as a whole,
compiles the result, and links that in place of the original objects."""
import json
import os
import re
import shlex
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

from forerun_tools import ending

from . import command, environment, inputs, timestamps, slicer_options
from .files import captured, may_name, symbols
from .inputs import Problem
from .placing import Placing
from .sliced import READS, Names, Sliced


def reads_files(path):
    """Whether the program starts MPI and reads files through it, or through a library of which the
    pre-execution thread can have a twin. This is decided by the dynamic symbols, or by the
    program's own symbols if MPI is linked statically. Programs of configure scripts, which only
    test whether a function exists, do not start MPI."""
    for options in (["-D", "--undefined-only"], []):
        listing = symbols(path, *options)
        if re.search(rf"\b{READS}", listing):
            return re.search(r"\bP?MPI_Init(_thread)?$", listing, re.M) is not None
    return False


def objects_that_read(paths):
    """Those among these objects that call what reads files."""
    if not paths:
        return []
    listing = captured(["nm", "-A", "--undefined-only", "--", *paths], stderr=subprocess.DEVNULL)
    return [path for path in paths
            if re.search(rf"^{re.escape(path)}:.* {READS}", listing.stdout, re.M)]


MPI_LIBRARIES = {"-lmpi", "-lmpich", "-lmpl"}  # where a user names them
MOST_TRIES = 8  # to find what does not compile
# Libraries that programs read by and no slice can call: prefix of the functions, name.
LIBRARIES = {"adios2_get": "ADIOS2"}


def library_that_reads(path):
    """The library through which a program that starts MPI reads; None if there is none."""
    listing = symbols(path, "-D", "--undefined-only")
    if re.search(r"\bP?MPI_Init(_thread)?$", listing, re.M):
        for start, library in LIBRARIES.items():
            if re.search(rf"\b{start}", listing):
                return library
    return None


def is_fortran_that_reads(path):
    """Whether the program's main is Fortran's, and it reads through MPI in whatever language."""
    defined = symbols(path, "--defined-only")
    listing = symbols(path, "-D", "--undefined-only")
    return (re.search(r"\bMAIN__$", defined, re.M) is not None
            and re.search(rf"\b(p?mpi_file_i?read|{READS})", listing) is not None)


# One function of each library of which the pre-execution thread calls a second copy.
TWINS = {"H5open": "HDF5", "nc_inq_libvers": "netCDF", "ncmpi_inq_libvers": "PnetCDF"}


def parts_without_twin(path):
    """The libraries among these that the program at `path` contains: they cannot be loaded
    again."""
    if not may_name(path, TWINS):
        return []
    listing = symbols(path, "--defined-only")
    return [library for function, library in TWINS.items()
            if re.search(rf"\b{function}$", listing, re.M)]


def run_path_of_environment(path):
    """The options that give a program the run path that LD_RUN_PATH gave the one at `path`. Linkers
    heed that variable only if no option sets a run path, and linking with Forerun sets one."""
    value = os.environ.get("LD_RUN_PATH")
    if not value:
        return []
    listing = captured(["objdump", "-p", "--", path]).stdout
    found = re.search(r"^  R(?:UN)?PATH +(.+)$", listing, re.M)
    return ["-Xlinker", "-rpath", "-Xlinker", value] if found and found[1] == value else []


def mapped(name, flags, kind):
    """The name after the user's own -ffile-prefix-map and similar options, of which the last
    counts."""
    for flag in reversed(flags):
        for option in (f"-f{kind}-prefix-map=", "-ffile-prefix-map="):
            old, equals, new = flag.removeprefix(option).partition("=")
            if flag.startswith(option) and equals and name.startswith(old):
                return new + name.removeprefix(old)
    return name


class Maker:
    """Makes one program. `tools` tells where mpicc, the slicer and Forerun's files are; `work` is
    an empty directory."""

    def __init__(self, tools, asked, work):
        self.tools, self.asked, self.work = tools, asked, work
        self.names = Names(os.path.join(work, "names"))
        self.placing = Placing(asked, os.path.join(work, "placing"))
        self.nowhere = os.path.join(work, "nowhere")
        os.mkdir(self.nowhere)

    def run(self, arguments, **options):
        if self.asked.is_verbose:
            print("forerun-cc:", shlex.join(arguments), flush=True)
        done = captured(arguments, **{"stderr": subprocess.STDOUT, "env": environment.of_ours(),
                                      **options})
        if self.asked.is_verbose:
            print(done.stdout, done.stderr or "", end="", flush=True)
        return done

    def make(self, units, output, foreign):
        """Replaces `output`, or raises Problem and leaves it alone. Returns what the slicer says
        about the program. Generated code that the compiler refuses is left out. `foreign` are
        objects of the program that were compiled by other means."""
        self.write_database(units)
        left_out = []
        for number in range(MOST_TRIES):
            sliced = self.slice(os.path.join(self.work, f"sliced-{number}"), left_out)
            changed = [unit for unit in units if unit.record.source in sliced.texts]
            if not changed:
                raise Problem(sliced.reason(objects_that_read(foreign)))
            with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
                compiled = list(pool.map(self.compile, changed, sliced.texts_of(changed),
                                         range(len(changed))))
            refused = [(unit, messages) for unit, (_, messages) in zip(changed, compiled)
                       if messages is not None]
            if not refused:
                self.link(dict(zip(changed, (made for made, _ in compiled))), output)
                if left_out:
                    places = dict.fromkeys(each.partition("=")[2] for each in left_out)
                    sliced.warnings.append(f"{', '.join(places)}: left out of pre-execution, "
                                           "since what is written for it does not compile")
                return sliced
            for unit, messages in refused:
                more = [each for each in sliced.without(unit, messages, left_out)
                        if each not in left_out]
                if not more:
                    raise Problem(
                        f"{unit.record.source} does not compile with its pre-execution code")
                left_out += more
        raise Problem("too much of its pre-execution code does not compile")

    def write_database(self, units):
        """Writes for the slicer how the units are compiled."""
        mpiccs = shlex.split(captured([self.tools.mpicc, "-show", "-c"], check=True,
                                      stderr=subprocess.DEVNULL,
                                      env=environment.of_ours()).stdout)
        mpi_flags = command.parse_flags(mpiccs[1:])
        names = self.names
        database = [{
            "directory": names.of(self.directory_of(unit)),
            "file": names.of(unit.record.source),
            "arguments": [mpiccs[0], *names.in_flags(command.parse_flags(unit.record.flags),
                                                    unit.record.directory), *mpi_flags,
                          "-iquote", names.of(os.path.dirname(unit.record.source)),
                          "-x", "c", "-c", names.of(self.name_of(unit), unit.record.directory)],
        } for unit in units]
        with open(os.path.join(self.work, "compile_commands.json"), "w", encoding="utf-8") as file:
            json.dump(database, file)

    def slice(self, outputs, left_out):
        """Has the slicer write the transformed texts into the directory `outputs`."""
        if shutil.which(self.tools.slicer) is None:
            raise Problem(f"the slicer {self.tools.slicer} is missing")
        done = self.run([self.tools.slicer, *slicer_options.of_environment(), "--summary", "-p",
                         self.work, "-o", outputs, *left_out],
                        stderr=subprocess.PIPE)
        if done.returncode < 0:  # these messages are for us, and shown with -v
            raise Problem("the slicer crashed on it: please report that")
        if done.returncode != 0 and (refused := slicer_options.refusal(done.stderr)):
            raise Problem(refused)
        if done.returncode != 0:
            raise Problem("the slicer failed on it", done.stderr)
        return Sliced(done.stdout, done.stderr, outputs, self.names)

    def trace(self):
        """Which files the linker uses: what it reports when it links once more."""
        made = os.path.join(self.work, "traced")
        return self.run([self.tools.mpicc, *self.asked.replaced({}), "-o", made, inputs.TRACE],
                        check=True).stdout

    def directory_of(self, unit):
        """The directory in which its source is compiled. If that directory is gone (build
        directories are moved), one without any file that flags could name."""
        directory = unit.record.directory
        return directory if os.path.isdir(directory) else self.nowhere

    def name_of(self, unit):
        """The source as the command line named it, if that name is still valid."""
        record = unit.record
        return record.name if os.path.isdir(record.directory) else record.source

    def compile(self, unit, text, number):
        """Compiles the transformed text to an object, as if it were the source: `__FILE__` and the
        like, and debug information, are those of the source. Returns the object, and the compiler's
        messages if it refuses the text."""
        record, made = unit.record, os.path.join(self.work, f"{number}.o")
        written = os.stat(record.source).st_mtime_ns
        os.utime(text, ns=(written, written))
        # Headers beside the source are found through a unique name.
        beside = os.path.join(self.work, f"beside-{number}")
        if not os.path.islink(beside):
            os.symlink(os.path.dirname(record.source), beside)
        name = self.name_of(unit)
        originals = {text: name, f"{beside}/": name.removesuffix(os.path.basename(name))}
        # The warnings about the user's text were shown when it was compiled; what the compiler says
        # now is read here.
        flags = [flag for flag in record.flags
                 if not flag.startswith(("-Werror", "-fdiagnostics-"))]
        prefixes = [f"-f{kind}-prefix-map={ours}={mapped(original, flags, kind)}"
                    for kind in ("macro", "debug") for ours, original in originals.items()]
        done = self.run([self.tools.mpicc, "-iquote", beside, *flags,
                         *(f"-I{path}" for path in self.tools.includes), *prefixes,
                         "-w", "-x", "c", "-c", text, "-o", made],
                        cwd=self.directory_of(unit),
                        env={**environment.elsewhere(), "LC_ALL": "C",
                             timestamps.VARIABLE: str(record.epoch)})
        return made, done.stdout if done.returncode != 0 else None

    def link(self, objects, output):
        """Links objects in the places of units."""
        first, replacements = self.placing.arguments(objects)
        self.link_with(first, replacements, output)

    def link_with(self, first, replacements, output):
        """Links with Forerun's libraries, ahead of MPI's own but after the user's, which may define
        MPI functions, too."""
        libraries = run_path_of_environment(output)
        for directory in self.tools.libraries:
            libraries += [f"-L{directory}", f"-Wl,-rpath,{directory}"]
        libraries += ["-Wl,--push-state,-Bdynamic,--no-as-needed", "-lforerun_mpiio", "-lforerun",
                      "-Wl,--pop-state"]
        arguments = self.asked.replaced(replacements)
        mpi = next((i for i, each in enumerate(arguments) if each in MPI_LIBRARIES), len(arguments))
        directory, name = os.path.split(os.path.abspath(output))
        with ending.temporary_directory(prefix=".forerun-cc-", dir=directory) as beside:
            made = os.path.join(beside, name)
            # Forerun's libraries have what the program calls of MPI-IO, and need MPI without naming
            # it: the library of MPI, which mpicc names last, stays although nothing else is needed.
            done = self.run([self.tools.mpicc, *first, *arguments[:mpi], *libraries,
                             *arguments[mpi:], "-o", made, "-Wl,--no-as-needed"])
            if done.returncode != 0:
                raise Problem("linking it with its pre-execution code failed")
            os.replace(made, output)
