# SPDX-License-Identifier: Apache-2.0
"""Command lines."""
import argparse
import sys

from . import ending
from .failure import Failure


class Parser(argparse.ArgumentParser):
    """Tells a mistake as a Failure, also that --help and --version cannot be printed."""

    def error(self, message):
        raise Failure(f"{message}; see --help")

    def _print_message(self, message, file=None):
        if file in (None, sys.stdout):
            ending.show(message.rstrip("\n"))
        else:
            super()._print_message(message, file)
