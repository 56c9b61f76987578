// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_JSON_H
#define FORERUN_JSON_H

#include <string>
#include <string_view>

namespace forerun {

/// \p text as a JSON string, quotes included. Bytes that are not UTF-8 (file names may have them)
/// become question marks.
std::string jsonString(std::string_view text);

} // namespace forerun

#endif
