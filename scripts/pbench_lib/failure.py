# SPDX-License-Identifier: Apache-2.0
"""The one way in which these scripts give up."""


class Failure(Exception):
    """An error whose text is all that the user sees."""
