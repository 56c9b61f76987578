// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// What GCC knows without any header, and Clang does not: a unit is parsed after this text.

namespace forerun::slicer {

constexpr const char *kPreludePath = "/forerun-prelude.h";

constexpr const char *kPrelude = R"(
typedef float _Float32;
typedef double _Float64, _Float32x;
typedef long double _Float64x;
#ifdef __SIZEOF_FLOAT128__
typedef __float128 _Float128;
#endif
int __builtin_va_arg_pack();
int __builtin_va_arg_pack_len();
)";

} // namespace forerun::slicer
