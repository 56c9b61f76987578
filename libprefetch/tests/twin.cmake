# SPDX-License-Identifier: Apache-2.0
# What holds a twin of any library. (Sanitizers cannot be loaded a second time.)

forerun_gtest(prefetch_Twin SOURCES tests/TwinTest.cpp LIBRARIES forerun_prefetch LABELS libprefetch)
