# SPDX-License-Identifier: Apache-2.0
"""The environment of the programs that forerun-cc runs for itself, beside the user's own mpicc."""
import os
import re

# Variables that list directories, where a relative or empty one means the current directory.
SEARCH_PATHS = ("PATH", "LD_LIBRARY_PATH", "COMPILER_PATH")
# What compilers are to tell the user, or a tool, of each compilation: that is done when the user's
# own is.
OF_THE_USER = ("DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES", "GCC_COMPARE_DEBUG",
               "GCC_EXTRA_DIAGNOSTIC_OUTPUT", "CC_PRINT_", "CC_LOG_DIAGNOSTICS")


def of_ours():
    """The environment without what only the user's own compilation is to heed."""
    return {name: value for name, value in os.environ.items() if not name.startswith(OF_THE_USER)}


def elsewhere():
    """The same for a program that runs in another directory, which may be anybody's: it finds no
    other programs and libraries than it would here."""
    result = of_ours()
    for name in SEARCH_PATHS:
        if value := result.get(name):
            folders = re.split("[:;]" if name == "LD_LIBRARY_PATH" else ":", value)
            result[name] = ":".join(each if each.startswith("$") else os.path.abspath(each)
                                    for each in folders)
    return result
