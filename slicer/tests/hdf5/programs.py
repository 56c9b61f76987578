# SPDX-License-Identifier: Apache-2.0
"""HDF5's own parallel tests and examples, and netCDF's: how they are built and run, and the
coverage expected of them."""
import dataclasses
import os
import subprocess

HERE = os.path.dirname(os.path.realpath(__file__))
FOLDERS = {"testpar": "testpar", "examples": "examples", "hl": "hl/examples",
           "nc_test": "netcdf/nc_test", "nc_test4": "netcdf/nc_test4",
           "h5_test": "netcdf/h5_test", "nc_examples": "netcdf/examples"}
PARALLEL = ("testpar", "nc_test", "nc_test4", "h5_test")
# Private headers that the programs of a suite use.
PRIVATE = {"testpar": ("testpar", "test", "src"), "nc_examples": ("netcdf",),
           **dict.fromkeys(PARALLEL[1:], ("netcdf", "netcdf/include"))}
# What all tests share, and what some need besides the source of the same name.
TESTING = ("h5test.c", "testframe.c")
MORE = {
    "testphdf5": ("testpar/t_dset.c", "testpar/t_file.c", "testpar/t_file_image.c",
                  "testpar/t_mdset.c", "testpar/t_ph5basic.c", "testpar/t_coll_chunk.c",
                  "testpar/t_span_tree.c", "testpar/t_chunk_alloc.c", "testpar/t_filter_read.c",
                  "testpar/t_prop.c", "testpar/t_coll_md_read.c"),
    "t_cache_image": ("test/cache_common.c", "test/genall5.c"),
}


@dataclasses.dataclass
class Program:
    suite: str
    program: str
    coverage: float
    ranks: list  # ["0"]: only built
    after: str  # the program whose files it reads, or None
    is_mixed: bool  # its ranks print parts of lines
    is_by_chance: bool  # it ends without MPI_Finalize: the rank ended first decides what it does
    reason: str

    @property
    def name(self):
        return f"{self.suite}_{self.program}"

    def sources(self, hdf5):
        own = [os.path.join(FOLDERS[self.suite], self.program + ".c"), *MORE.get(self.program, ())]
        if self.suite == "testpar":
            own += [os.path.join("test", each) for each in TESTING]
        return [os.path.join(hdf5, each) for each in own]

    def flags(self, hdf5):
        """Those of the installed libraries come first: their headers are the configured ones.
        scripts/netcdf has installed netCDF beside the folder."""
        netcdf = os.path.join(os.path.dirname(hdf5), "netcdf", "lib")
        packages = ["netcdf"] if FOLDERS[self.suite].startswith("netcdf/") else []
        path = f"{os.environ.get('PKG_CONFIG_PATH', '')}:{netcdf}/pkgconfig"
        found = subprocess.run(["pkg-config", "--cflags", "--libs", *packages, "hdf5-mpich"],
                               text=True, stdout=subprocess.PIPE, check=True,
                               env={**os.environ, "PKG_CONFIG_PATH": path}).stdout.split()
        private = [f"-I{hdf5}/{each}" for each in PRIVATE.get(self.suite, ())]
        return [*found, f"-Wl,-rpath,{netcdf}", *private, "-lhdf5_hl", "-lm"]


def parse(line):
    words, _, reason = line.partition("#")
    suite, program, coverage, ranks, *rest = words.split()
    after = rest[rest.index("after") + 1] if "after" in rest else None
    return Program(suite, program, float(coverage), ranks.split(","), after, "mixed" in rest,
                   "by-chance" in rest, reason.strip())


def all_programs():
    with open(os.path.join(HERE, "expected.txt"), encoding="utf-8") as file:
        return [parse(line) for line in file if line.split("#")[0].strip()]
