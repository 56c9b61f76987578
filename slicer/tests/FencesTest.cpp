// SPDX-License-Identifier: Apache-2.0
#include "EmitTesting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

// Which stores of clones are fenced, and how. All of it is compiled, too (bodyOf).

namespace forerun::slicer::testing {

namespace {

TEST(Fences, PlacesThatTheTextAloneTellsNeedNone) {
  EXPECT_EQ(bodyOf("struct s { int x, a[4]; struct { int y; } in; };\nint g;\nstruct s t;\n", R"(
  static int calls;
  int a[4], m[2][3];
  struct s s;
  n = 1;
  n += 2;
  ++n, n--;
  a[3] = 1;
  m[1][2] = 2;
  (s.x) = s.in.y = s.a[1] = 3;
  g = 4;
  t.a[2]++;
  calls++;
  p = &n;
)"),
            R"(  static int calls;
  forerun_pre_lend(&calls, sizeof calls);
  int a[4], m[2][3];
  struct s s;
  n = 1;
  n += 2;
  ++n, n--;
  a[3] = 1;
  m[1][2] = 2;
  (s.x) = s.in.y = s.a[1] = 3;
  g__pre = 4;
  t__pre.a[2]++;
  calls++;
  p = &n;
)");
}

TEST(Fences, AnIndexMustStayInsideItsVariable) {
  EXPECT_EQ(bodyOf("int g[9];\nextern int outside[];\nstruct s { int a[4]; } t[3];\n", R"(
  int a[4], m[2][3], v[n];
  a[n] = 1;
  a[4] = 2;
  m[1][n]++;
  v[n - 1] += 3;
  g[a[n]++] = 4;
  t[n].a[2] = 5;
)"),
            R"(  int a[4], m[2][3], v[n];
  FORERUN_PRE_INSIDE(a, a[n]) = 1;
  FORERUN_PRE_INSIDE(a, a[4]) = 2;
  FORERUN_PRE_INSIDE(m, m[1][n])++;
  FORERUN_PRE_INSIDE(v, v[n - 1]) += 3;
  FORERUN_PRE_INSIDE(g__pre, g__pre[FORERUN_PRE_INSIDE(a, a[n])++]) = 4;
  FORERUN_PRE_INSIDE(t__pre, t__pre[n].a[2]) = 5;
)");
}

TEST(Fences, WhatAPointerLeadsToMustBeTheThreads) {
  EXPECT_EQ(bodyOf("struct s { int x, a[4]; struct s *next; };\n", R"(
  struct s *s = 0, **all = &s;
  *p = 1;
  p[n]++;
  s->x = s->next->a[n] = 2;
  *(*all)->a = 3;
  *s = *s->next;
  (*p)--;
  *p++ = *p = 4;
)"),
            R"(  struct s *s = 0, **all = &s;
  FORERUN_PRE_OWN(*p) = 1;
  FORERUN_PRE_OWN(p[n])++;
  FORERUN_PRE_OWN(s->x) = FORERUN_PRE_OWN(s->next->a[n]) = 2;
  FORERUN_PRE_OWN(*(*all)->a) = 3;
  FORERUN_PRE_OWN(*s) = *s->next;
  (FORERUN_PRE_OWN(*p))--;
  FORERUN_PRE_OWN(*p++) = FORERUN_PRE_OWN(*p) = 4;
)");
}

TEST(Fences, OfABitFieldItsStructureIsFenced) {
  EXPECT_EQ(bodyOf("struct s { int x : 3, : 2; struct { int y : 4; }; };\n", R"(
  struct s *s = 0, all[4];
  s->x = 1;
  s[n].y++;
  s->y = 2;
  all[n].x = 3;
  all[1].y = 4;
)"),
            R"(  struct s *s = 0, all[4];
  FORERUN_PRE_OWN(*(s)).x = 1;
  FORERUN_PRE_OWN(s[n]).y++;
  FORERUN_PRE_OWN(*(s)).y = 2;
  FORERUN_PRE_INSIDE(all, all[n]).x = 3;
  all[1].y = 4;
)");
}

TEST(Fences, StoresInMacrosAreFencedToo) {
  EXPECT_EQ(bodyOf("#define SET(a, i, x) a[i] = x\n#define FIRST(a) (*a)\n", R"(
  SET(p, n, 1);
  FIRST(p) += 2;
)"),
            R"(  FORERUN_PRE_OWN(p[n]) = 1;
  (FORERUN_PRE_OWN(*p)) += 2;
)");
}

TEST(Fences, AtomicVolatileAndComplexObjectsKeepTheirTypes) {
  EXPECT_EQ(bodyOf("#include <complex.h>\n", R"(
  volatile int *v = p;
  _Atomic int *a = 0;
  double _Complex *z = 0, own[2];
  *v = 1;
  *a += 2;
  __real__ *z = 3;
  __imag__ own[1] = 4;
)"),
            R"(  volatile int *v = p;
  _Atomic int *a = 0;
  double _Complex *z = 0, own[2];
  FORERUN_PRE_OWN(*v) = 1;
  FORERUN_PRE_OWN(*a) += 2;
  FORERUN_PRE_OWN(__real__ *z) = 3;
  __imag__ own[1] = 4;
)");
}

} // namespace

} // namespace forerun::slicer::testing
