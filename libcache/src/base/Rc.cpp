// SPDX-License-Identifier: Apache-2.0
#include "forerun/Rc.h"

const char *forerun_rc_name(forerun_rc rc) {
  switch (rc) {
#define X(code, value, text)                                                                       \
  case code:                                                                                       \
    return #code;
    FORERUN_RC_LIST(X)
#undef X
  }
  return "FORERUN_ERR_UNKNOWN";
}

const char *forerun_rc_text(forerun_rc rc) {
  switch (rc) {
#define X(code, value, text)                                                                       \
  case code:                                                                                       \
    return text;
    FORERUN_RC_LIST(X)
#undef X
  }
  return "unknown code";
}
