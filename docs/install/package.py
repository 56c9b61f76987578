# SPDX-License-Identifier: Apache-2.0
from spack.package import depends_on, join_path, license, resource, variant, version
from spack_repo.builtin.build_systems.cmake import CMakePackage, generator


class Forerun(CMakePackage):
    """Hides the I/O latency of MPI programs: a pre-compiler derives a thread from the program that
    runs ahead of it and prefetches what it will read."""

    git = "https://example.org/forerun.git"  # the address of your clone

    license("Apache-2.0")

    version("main", branch="main")

    # The patched MPI-IO is ROMIO of the very MPICH that programs run on.
    depends_on("mpich@4.0.2")
    resource(
        name="mpich-source",
        url="https://www.mpich.org/static/downloads/4.0.2/mpich-4.0.2.tar.gz",
        sha256="5a42f1a889d4a2d996c26e48cbf9c595cbf4316c6814f7c181e3320d21dedd42",
        placement="mpich-source",
    )

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.9:", type=("build", "run"))
    depends_on("llvm@19 +clang +link_llvm_dylib", type=("build", "link", "run"))
    depends_on("liburing@2.3:")

    variant("ucx", default=True, description="Caches on several nodes ask each other")
    depends_on("ucx", when="+ucx")
    variant("hdf5", default=False, description="Programs that read by parallel HDF5")
    depends_on("hdf5@1.10:1.14 +mpi +shared", when="+hdf5")

    generator("ninja")

    def cmake_args(self):
        args = [
            self.define("BUILD_TESTING", False),
            self.define("FORERUN_MPICH_SOURCE", join_path(self.stage.source_path, "mpich-source")),
            self.define("MPI_C_COMPILER", self.spec["mpi"].mpicc),
            self.define("LLVM_CONFIG_EXECUTABLE",
                        join_path(self.spec["llvm"].prefix.bin, "llvm-config")),
        ]
        if self.spec.satisfies("+hdf5"):
            args.append(self.define("FORERUN_HDF5", self.spec["hdf5"].prefix))
        return args
