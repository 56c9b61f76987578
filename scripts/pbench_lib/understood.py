# SPDX-License-Identifier: Apache-2.0
"""understood OPTION...: whether scripts/pbench knows these options. For scripts/demo, which hands
them on after a long set-up; what can only be said once Forerun is built is not asked."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pbench_lib import commandline  # noqa: E402
from pbench_lib.failure import run_script  # noqa: E402

run_script("demo", lambda: commandline.parser().parse_args(sys.argv[1:]))
