// SPDX-License-Identifier: Apache-2.0
#include "EmitTesting.h"
#include <gmock/gmock.h>

namespace forerun::slicer::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(Headers, AHeaderWithACallReplacesItsInclude) {
  auto result = emitted(Files{{"a.c", R"(#include "read.h" /* reads */
void g(MPI_File fh) { f(fh); }
_Static_assert(__LINE__ == 3, "");
)"},
                              {"read.h", R"(#ifndef READ_H
#define READ_H
#include <mpi.h>
static inline void f(MPI_File fh) { MPI_File_sync(fh); }
_Static_assert(__LINE__ == 5, "");
#endif)"}});
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_TRUE(result.compiles);
  EXPECT_EQ(result.own(), R"(# 1 "read.h" 1
#ifndef READ_H
#define READ_H
#include <mpi.h>
static inline void f(MPI_File fh) { forerun_main_done(0, MPI_File_sync(fh)); }
_Static_assert(__LINE__ == 5, "");
#endif
# 1 "a.c" 2
 /* reads */
void g(MPI_File fh) { f(fh); }
_Static_assert(__LINE__ == 3, "");
)");
}

TEST(Headers, WhatAHeaderFindsBesideItIsFoundFromTheUnitToo) {
  auto result =
      emitted(Files{{"a.c", "#include \"io/outer.h\"\nvoid g(MPI_File fh) { f(fh); }\n"},
                    {"io/outer.h", "#include \"types.h\"\n#include \"inner.h\"\n"},
                    {"io/types.h", "#include <mpi.h>\ntypedef MPI_File File;\n"},
                    {"io/inner.h", "#include \"types.h\"\n"
                                   "static inline void f(File fh) { MPI_File_sync(fh); }\n"}});
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_THAT(result.own(),
              AllOf(HasSubstr("#include \"io/types.h\""), Not(HasSubstr("#include \"inner.h\"")),
                    HasSubstr("static inline void f(File fh) { forerun_main_done(0, "
                              "MPI_File_sync(fh)); }")));
}

TEST(Headers, AHeaderWithPragmaOnceIsInsertedOnce) {
  auto result =
      emitted(Files{{"a.c", R"(#include "other.h"
#include "types.h"
#include "other.h"
void g(MPI_File fh) { f(fh); h(fh); }
)"},
                    {"other.h", "#pragma once\n#include \"types.h\"\n"
                                "static inline void h(MPI_File fh) { f(fh); }\n"},
                    {"types.h", "#pragma once\n#include <mpi.h>\n#include <sys/types.h>\n"
                                "static inline void f(MPI_File fh) { MPI_File_sync(fh); }\n"}});
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_TRUE(result.compiles);
  EXPECT_THAT(result.own(),
              AllOf(Not(HasSubstr("#pragma once")), Not(HasSubstr("#include \"types.h\""))));
}

TEST(Headers, AMacroOfAHeaderIsChangedWhereItIsDefined) {
  auto result =
      emitted(Files{{"a.c", R"(#include "read.h"
void g(MPI_File fh, int *p) { READ(p); }
)"},
                    {"read.h", "#include <mpi.h>\n#define READ(p) MPI_File_read(fh, p, 1, "
                               "MPI_INT, MPI_STATUS_IGNORE) + 0\n"}});
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_TRUE(result.compiles);
  EXPECT_THAT(result.own(),
              AllOf(HasSubstr("#define READ(p) forerun_main_done(0, MPI_File_read(fh, "
                              "p, 1, MPI_INT, MPI_STATUS_IGNORE)) + 0\n"),
                    HasSubstr("{ READ(p); }")));
}

TEST(Headers, AFileOfStatementsIsInsertedInTheMiddleOfAFunction) {
  auto result = emitted(Files{{"a.c", R"(#include <mpi.h>
void g(MPI_File fh, int *p) {
#include "steps.inc"
}
)"},
                              {"steps.inc", "MPI_File_sync(fh);\n"}});
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_TRUE(result.compiles);
  EXPECT_THAT(result.own(), HasSubstr("# 1 \"steps.inc\" 1\nforerun_main_done(0, "
                                      "MPI_File_sync(fh));\n\n# 3 \"a.c\" 2\n"));
}

TEST(Headers, AFunctionThatAnIncludedSourceDefinesHasACloneForOtherUnits) {
  auto result = emitted(Files{{"a.c", "#include \"part.inc\"\n"},
                              {"part.inc", "#include <mpi.h>\n"
                                           "void f(MPI_File fh) { MPI_File_sync(fh); }\n"}});
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_TRUE(result.compiles);
  EXPECT_THAT(result.clones(), HasSubstr("void f__pre(MPI_File fh) {"));
}

} // namespace
} // namespace forerun::slicer::testing
