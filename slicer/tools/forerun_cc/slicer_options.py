# SPDX-License-Identifier: Apache-2.0
"""The slicer's options that the environment sets."""
import os
import re
import shlex

from .files import shown
from .inputs import Problem

# What may be asked of the slicer beside what forerun-cc asks: less of the program ahead.
MAY_BE_ASKED = re.compile("--strict(=.+)?|--leave-out=.+:[^:]+", re.DOTALL)
# How the slicer, which knows their values, refuses one.
REFUSAL = re.compile("^[^ ]+: for the (--(?:strict|leave-out)) option: (.+)$", re.MULTILINE)


def models():
    files = [file for file in os.environ.get("FORERUN_CC_MODELS", "").split(":") if file]
    for file in files:
        if not os.access(file, os.R_OK):
            raise Problem(f"FORERUN_CC_MODELS names {shown(file)}, which cannot be read")
    return [f"--models={file}" for file in files]


def budget():
    value = os.environ.get("FORERUN_CC_BUDGET")
    if not value:
        return []
    if not re.fullmatch("[0-9]{1,9}", value):
        raise Problem(f"FORERUN_CC_BUDGET is '{shown(value)}', which is not a number of millions "
                      "of steps")
    return [f"--budget={value}"]


def asked():
    value = os.environ.get("FORERUN_CC_SLICE", "")
    try:
        words = shlex.split(value)
    except ValueError as problem:
        raise Problem(f"FORERUN_CC_SLICE is '{shown(value)}', which does not end: "
                      f"{problem}") from problem
    for word in words:
        if not MAY_BE_ASKED.fullmatch(word):
            raise Problem(f"FORERUN_CC_SLICE has '{shown(word)}', which is neither --strict, "
                          "--strict=... nor --leave-out=FILE:LINE")
    return words


def of_environment():
    """All of them, or Problem."""
    return [*models(), *budget(), *asked()]


def refusal(messages):
    """Which of them the slicer has refused, in its words; None if it has said something else."""
    if found := REFUSAL.search(messages):
        return f"FORERUN_CC_SLICE has a {found[1]} that the slicer refuses: {found[2]}"
    return None
