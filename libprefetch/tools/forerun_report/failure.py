# SPDX-License-Identifier: Apache-2.0
"""What ends forerun-report."""


class Failure(Exception):
    """One line for the user."""
