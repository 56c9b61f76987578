/* SPDX-License-Identifier: Apache-2.0 */
#include "io/handle.h"

long heads(Input *input);
long sumOfHeads(Input *input, int count);

long heads(Input *input) { return sumOfHeads(input, 20); }
