# SPDX-License-Identifier: Apache-2.0
"""What a command line of a C compiler asks for."""
import os

from .response import words_of

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
# Dropped when a source is compiled again: meant for the user's own command line only.
ONCE = {"-c", "-o", "-x", "-v", "-pipe", "-gsplit-dwarf", "-pedantic-errors"}
FOR_LINKER = {"-l", "-L", "-Xlinker", "-T", "-u", "-z", "-e"}
# Prefixes of options that write files beside the object.
BESIDE = ("-M", "-save-temps", "-Wp,-M")
# Prefixes of options that are dropped as well.
DROPPED = (*BESIDE, "-Wl,", "-fuse-ld=")
# Sources that are not C but may contain MPI calls.
OTHER_ENDINGS = (".C", ".cc", ".cp", ".cpp", ".CPP", ".cxx", ".c++", ".f", ".F", ".for", ".FOR",
                 ".f90", ".F90", ".f95", ".F95", ".f03", ".F03", ".f08", ".F08", ".m", ".mm")
OTHER_LANGUAGES = ("c++", "f77", "f95", "objective-c")
# Options by which the linker prints something.
LINKER_TALKS = {"-t", "--trace", "-M", "--print-map", "-verbose", "--verbose", "--cref", "--stats"}
INSTRUMENTED = ("--coverage", "-coverage", "-fprofile-arcs", "-ftest-coverage",
                "-fprofile-generate", "-fprofile-use")


def expanded(arguments):
    """The arguments with each @file replaced by its contents."""
    result = []
    for argument in arguments:
        if argument.startswith("@") and os.path.isfile(argument[1:]):
            result += expanded(words_of(argument[1:]))
        else:
            result.append(argument)
    return result


def linker_words(option, written):
    """What an option hands to the linker, word by word."""
    if option == "-Xlinker":
        return written[1:]
    return written[0].split(",")[1:] if written[0].startswith("-Wl,") else []


def for_preprocessor(option, written):
    """What -Wp and -Xpreprocessor pass on, if the compiler accepts those options itself."""
    if option == "-Xpreprocessor":
        words = written[1:]
    else:
        words = option.split(",")[1:] if option.startswith("-Wp,") else []
    return words if all(each.startswith(("-D", "-U", "-I")) and len(each) > 2
                        for each in words) else []


class Command:
    """A parsed command line. `words` are pairs: an option (None for an input), and its arguments as
    written. Response files are expanded, except those of the linker."""

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
        self.linker_words = [part for option, written in self.words
                             for part in linker_words(option, written)]
        has_inputs = (self.inputs or self.has_libraries
                      or any(os.path.isfile(each.removeprefix("@")) for each in self.linker_words))
        self.links = bool(has_inputs) and not options & STOPS_BEFORE_LINKING
        self.makes_program = self.links and not options & NO_PROGRAM
        self.makes_objects = "-c" in options and not options & (STOPS_BEFORE_LINKING - {"-c"})
        self.is_instrumented = any(argument.startswith(INSTRUMENTED) for argument in self.arguments)
        self.is_verbose = "-v" in options
        # The linker itself has something to say.
        self.asks_linker = bool(LINKER_TALKS & {*self.linker_words, *self.arguments})

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
        """The flags with which each source is compiled: no inputs, outputs, libraries or dependency
        files."""
        result = []
        for option, written in self.words:
            if option is None or option in ONCE or option in FOR_LINKER:
                continue
            if not option.startswith(DROPPED):
                result += for_preprocessor(option, written) or written
        return result

    def object_of(self, source):
        """Where -c writes the object."""
        return self.output or os.path.splitext(os.path.basename(source))[0] + ".o"

    def named_once(self):
        """A named input that cannot be read twice: a FIFO, standard input; None if there is none.
        Outputs (the program, dependency files) do not count."""
        for each in self.inputs:
            if not os.path.isfile(each):
                return each
        for option, written in self.words:
            if option in ("-o", "-MF"):
                continue
            for word in [*written[1:], *linker_words(option, written)]:
                path = word.rpartition("=")[2]
                if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)
                                                 or path == os.devnull):
                    return path
        return None

    def dependency_files(self):
        """The dependency files that the compiler writes for the sources; empty if it writes
        none."""
        named = [written[-1].removeprefix("-MF") for option, written in self.words
                 if option == "-MF"]
        for argument in self.arguments:
            if argument.startswith(("-Wp,-MD,", "-Wp,-MMD,")):
                named.append(argument.split(",")[2])
        if named:
            return named[-1:]
        if not {"-MD", "-MMD"} & set(self.arguments):
            return []
        return [os.path.splitext(self.object_of(source))[0] + ".d" for source in self.sources]

    def replaced(self, replacements):
        """The arguments without outputs, with objects in place of some inputs, wherever those are
        named."""
        result, language = [], None
        for option, written in self.words:
            parts = linker_words(option, written)
            if option == "-x":
                language = written[-1].removeprefix("-x")
            if option == "-o" or (option or "").startswith(BESIDE):
                continue
            if option is None and written[0] in replacements:
                made = replacements[written[0]]
                is_plain = language in (None, "none")
                result += [made] if is_plain else ["-x", "none", made, "-x", language]
            elif any(part in replacements for part in parts):
                for part in parts:
                    result += ["-Xlinker", replacements.get(part, part)]
            else:
                result += written
        return result


def parse_flags(flags):
    """The flags of a source that determine what its text means; the slicer's own compiler knows
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
