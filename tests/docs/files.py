# SPDX-License-Identifier: Apache-2.0
"""What is used for the files that the documents mention ("program.c"), by document: the name, and
the file of the repository that is copied there."""

CORPUS = "slicer/tests/corpus"
PROGRAM = {"program.c": f"{CORPUS}/index-in-file.c"}
TWO = {name: f"tests/docs/two/{name}" for name in ("main.c", "part.c", "part.h")}

FILES = {
    "README.md": PROGRAM,
    "docs/installing.md": PROGRAM,
    "docs/troubleshooting.md": PROGRAM,
    "docs/tuning.md": PROGRAM,
    "docs/forerun-cc.md": {**TWO, "Makefile": "tests/docs/two/Makefile"},
    "docs/forerun-check.md": {**TWO, "exscan-offsets.c": f"{CORPUS}/exscan-offsets.c"},
    "docs/forerun-slice.md": {
        **TWO,
        "include/part.h": "tests/docs/two/part.h",
        "build/compile_commands.json": "tests/docs/two/compile_commands.json",
        "index-in-file.c": f"{CORPUS}/index-in-file.c",
        "file.c": f"{CORPUS}/index-in-file.c",
    },
    "docs/link-or-preload.md": PROGRAM,
    "docs/measuring.md": PROGRAM,
    "docs/report-files.md": PROGRAM,
    "docs/hdf5.md": {
        "model.c": f"{CORPUS}/hdf5-visit-to-list.c",
        "climate.c": f"{CORPUS}/netcdf-time-series.c",
    },
    "docs/pnetcdf.md": {"model.c": f"{CORPUS}/pnetcdf-series.c"},
    "docs/writing-pre-execution-by-hand.md": PROGRAM,
}

# Programs of the build that the documents call by name only.
FROM_THE_BUILD = {
    "apps/h5tiles/README.md": ["apps/h5tiles/h5tiles"],
    "apps/patterns/README.md": ["apps/patterns/patterns"],
    "apps/tile2d/README.md": ["apps/tile2d/tile2d"],
}

# What the reader has done before.
BEFORE = {
    "docs/forerun-check.md": "forerun-cc -O2 main.c part.c -o program",
    "docs/measuring.md": "forerun-cc -O2 program.c -o program",
    "docs/report-files.md": "forerun-cc -O2 program.c -o program",
    "docs/tuning.md": "forerun-cc -O2 program.c -o program",
    "docs/writing-pre-execution-by-hand.md": "forerun-cc -O2 program.c -o program",
}
