// SPDX-License-Identifier: Apache-2.0
#include "forerun/runtime.h"
#include "forerun/standins.h"
#include "thread/PreThread.h"

#include <math.h>

/// \file
/// Libm's functions that set a variable of libm, which is the main thread's: these set another.

using forerun::PreThread;

extern "C" {

int forerun_pre_signgam = 0;

/// Programs set it, also through pointers.
__attribute__((constructor)) static void knowSignOfGamma() {
  static const forerun_pre_range kVariable{&forerun_pre_signgam, sizeof forerun_pre_signgam};
  static forerun_pre_globals globals{&kVariable, 1, nullptr};
  forerun_pre_know_globals(&globals);
}

double forerun_pre_lgamma(double x) {
  return PreThread::self() != nullptr ? lgamma_r(x, &forerun_pre_signgam) : 0;
}

float forerun_pre_lgammaf(float x) {
  return PreThread::self() != nullptr ? lgammaf_r(x, &forerun_pre_signgam) : 0;
}

long double forerun_pre_lgammal(long double x) {
  return PreThread::self() != nullptr ? lgammal_r(x, &forerun_pre_signgam) : 0;
}
}
