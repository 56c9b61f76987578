# SPDX-License-Identifier: Apache-2.0
"""The environment of the programs that forerun-cc runs for itself, besides the user's own mpicc."""
import os
import re

# Variables that list directories, where a relative or empty one means the current directory.
SEARCH_PATHS = ("PATH", "LD_LIBRARY_PATH", "COMPILER_PATH")
# Variables that have compilers report each compilation to the user or a tool: only the user's own
# compilation does that.
OF_THE_USER = ("DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES", "GCC_COMPARE_DEBUG",
               "GCC_EXTRA_DIAGNOSTIC_OUTPUT", "CC_PRINT_", "CC_LOG_DIAGNOSTICS")


# Where compilers look for headers besides the folders that flags name; and the flag for each.
HEADER_PATHS = {"CPATH": "-I", "C_INCLUDE_PATH": "-isystem"}


def of_ours():
    """The environment without the variables that only the user's own compilation may heed."""
    return {name: value for name, value in os.environ.items() if not name.startswith(OF_THE_USER)}


def search_flags():
    """The header directories that the environment names while the source is compiled, as flags. An
    empty name means the current folder."""
    return [word for name, flag in HEADER_PATHS.items() if name in os.environ
            for folder in os.environ[name].split(os.pathsep) for word in (flag, folder or ".")]


def elsewhere():
    """The same for a compiler that runs in another, untrusted directory: it finds the same programs
    and libraries as here, and headers by its flags alone."""
    result = {name: value for name, value in of_ours().items() if name not in HEADER_PATHS}
    for name in SEARCH_PATHS:
        if value := result.get(name):
            folders = re.split("[:;]" if name == "LD_LIBRARY_PATH" else ":", value)
            result[name] = ":".join(each if each.startswith("$") else os.path.abspath(each)
                                    for each in folders)
    return result
