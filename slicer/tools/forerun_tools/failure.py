# SPDX-License-Identifier: Apache-2.0
"""What ends a tool."""


class Failure(Exception):
    """One line for the user."""
