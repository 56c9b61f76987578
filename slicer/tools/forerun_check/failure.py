# SPDX-License-Identifier: Apache-2.0
"""What ends forerun-check, as it ends the other tools."""
from forerun_tools.failure import Failure

__all__ = ["Failure"]
