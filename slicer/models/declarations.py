# SPDX-License-Identifier: Apache-2.0
"""What the headers of a C library declare, for the scripts that generate its models."""
import re
import subprocess


class Parameter:
    def __init__(self, text):
        self.text = text
        found = re.fullmatch(r"(.*?)(\w+|\.\.\.)\s*(\[[^]]*\])?", text.strip())
        self.type = found.group(1).strip()
        self.name = found.group(2).lstrip("_")
        self.depth = text.count("*") + text.count("[")
        # The target of a pointer to a pointer may be written although what that pointer points to
        # may not.
        self.is_constant = self.depth == 1 and "const" in text or "*const" in text
        self.is_void = re.fullmatch(r"(const )?void ?\*", self.type) is not None
        self.is_text = self.depth == 1 and self.type.startswith("char")


def parameters_of(text):
    words = [each.strip() for each in re.sub(r"\s+", " ", text).split(",")]
    return [] if words == ["void"] else [Parameter(each) for each in words]


def preprocessed(headers, compiler):
    """The preprocessed text of these headers; `compiler`: the command, with the options that they
    need."""
    includes = "".join(f"#include <{each}>\n" for each in headers)
    return subprocess.run([*compiler, "-E", "-P", "-x", "c", "-"], input=includes, text=True,
                          check=True, stdout=subprocess.PIPE).stdout


def functions(text, prefix):
    """Name -> parameters, of the declared functions whose names begin with that prefix."""
    return {name: parameters_of(parameters)
            for name, parameters in re.findall(rf"\b({prefix}\w+)\s*\(([^()]*)\)\s*;", text)}
