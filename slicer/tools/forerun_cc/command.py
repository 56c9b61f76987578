# SPDX-License-Identifier: Apache-2.0
"""What a command line of a C compiler asks for."""
import os
import shlex

# Options whose value is the next argument.
WITH_VALUE = {
    "-o", "-I", "-D", "-U", "-L", "-l", "-x", "-include", "-imacros", "-isystem", "-iquote",
    "-idirafter", "-iprefix", "-iwithprefix", "-iwithprefixbefore", "-isysroot", "-imultilib",
    "--sysroot", "-MF", "-MT", "-MQ", "-Xlinker", "-Xpreprocessor", "-Xassembler", "-Xclang", "-T",
    "-u", "-z", "-e", "-A", "-arch", "-target", "--param", "-aux-info", "-wrapper", "-B", "-G",
    "-dumpbase", "-dumpbase-ext", "-dumpdir", "-h",
}
# These too, but the value may follow in the same argument.
JOINED = ("-I", "-D", "-U", "-L", "-l", "-o", "-x", "-MF", "-MT", "-MQ")
# Nothing is linked.
STOPS_BEFORE_LINKING = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-###"}
# What is linked is not a program of its own, or cannot have Forerun's libraries.
NO_PROGRAM = {"-shared", "-r", "-static", "-static-pie", "-nostdlib", "-nostartfiles"}
# Meant for the user's own command line, not for compiling each source again.
ONCE = {"-c", "-o", "-x", "-v", "-pipe", "-gsplit-dwarf", "-pedantic-errors"}
FOR_LINKER = {"-l", "-L", "-Xlinker", "-T", "-u", "-z", "-e"}
# The starts of options that are dropped, too: files that are written beside the object, the linker.
DROPPED = ("-M", "-Wl,", "-save-temps", "-Wp,-M", "-fuse-ld=")
# Sources that are not C, but may have calls of MPI.
OTHER_ENDINGS = (".C", ".cc", ".cp", ".cpp", ".CPP", ".cxx", ".c++", ".f", ".F", ".for", ".FOR",
                 ".f90", ".F90", ".f95", ".F95", ".f03", ".F03", ".f08", ".F08", ".m", ".mm")
OTHER_LANGUAGES = ("c++", "f77", "f95", "objective-c")
INSTRUMENTED = ("--coverage", "-coverage", "-fprofile-arcs", "-ftest-coverage",
                "-fprofile-generate", "-fprofile-use")


def expanded(arguments):
    """The arguments with each @file replaced by its contents."""
    result = []
    for argument in arguments:
        if argument.startswith("@") and os.path.isfile(argument[1:]):
            with open(argument[1:], encoding="utf-8", errors="surrogateescape") as file:
                result += expanded(shlex.split(file.read()))
        else:
            result.append(argument)
    return result


class Command:
    """A command line, taken apart. `words` are pairs: an option (None for an input), and its
    arguments as written."""

    def __init__(self, arguments):
        self.arguments = expanded(arguments)
        self.words = []
        self.output = None
        self.language = None
        self.inputs = []  # as written, without libraries
        self.sources = []  # those that are C
        self.foreign_sources = []  # those in another language
        self.has_libraries = False
        rest = iter(self.arguments)
        for argument in rest:
            self._take(argument, rest)
        options = {option for option, _ in self.words}
        self.links = bool(self.inputs or self.has_libraries) and not options & STOPS_BEFORE_LINKING
        self.makes_program = self.links and not options & NO_PROGRAM
        self.makes_objects = "-c" in options and not options & (STOPS_BEFORE_LINKING - {"-c"})
        self.is_instrumented = any(argument.startswith(INSTRUMENTED) for argument in self.arguments)
        self.is_verbose = "-v" in options
        self.is_traced = any(argument in ("-Wl,-t", "-Wl,--trace") for argument in self.arguments)

    def _take(self, argument, rest):
        if not argument.startswith("-") or argument == "-":
            self.inputs.append(argument)
            self.words.append((None, [argument]))
            goes_by_name = self.language in (None, "none")
            if self.language == "c" or (goes_by_name and argument.endswith(".c")):
                self.sources.append(argument)
            elif (argument.endswith(OTHER_ENDINGS) if goes_by_name
                  else self.language.startswith(OTHER_LANGUAGES)):
                self.foreign_sources.append(argument)
            return
        option, value, written = argument, None, [argument]
        if argument in WITH_VALUE:
            value = next(rest, "")
            written.append(value)
        else:
            for joined in JOINED:
                if argument.startswith(joined):
                    option, value = joined, argument[len(joined):]
                    break
        if option == "-o":
            self.output = value
        elif option == "-x":
            self.language = value
        elif option == "-l":
            self.has_libraries = True
        self.words.append((option, written))

    def flags(self):
        """How each of the sources is compiled: without inputs, outputs, libraries and files of
        dependencies."""
        result = []
        for option, written in self.words:
            if option is None or option in ONCE or option in FOR_LINKER:
                continue
            if not option.startswith(DROPPED):
                result += written
        return result

    def object_of(self, source):
        """Where -c puts it."""
        return self.output or os.path.splitext(os.path.basename(source))[0] + ".o"

    def replaced(self, replacements):
        """The arguments without the output, with objects in place of some inputs."""
        result, language = [], None
        for option, written in self.words:
            if option == "-x":
                language = written[-1].removeprefix("-x")
            if option == "-o":
                continue
            if option is None and written[0] in replacements:
                made = replacements[written[0]]
                is_plain = language in (None, "none")
                result += [made] if is_plain else ["-x", "none", made, "-x", language]
            else:
                result += written
        return result


def parse_flags(flags):
    """Those flags of one source that determine what its text means; the slicer's own compiler knows
    them."""
    result, words = [], Command(flags).words
    for option, written in words:
        if option in ("-I", "-D", "-U", "-include", "-imacros", "-isystem", "-iquote", "-idirafter",
                      "-isysroot", "--sysroot"):
            result += written
        elif option.startswith(("-std=", "-O", "-isystem", "--sysroot=", "-m", "-ansi", "-pthread",
                                "-undef", "-nostdinc", "-fopenmp", "-funsigned-char",
                                "-fsigned-char", "-fshort-", "-fms-extensions", "-fgnu89-inline",
                                "-fno-builtin", "-ffreestanding", "-trigraphs")):
            result += written
    return result
