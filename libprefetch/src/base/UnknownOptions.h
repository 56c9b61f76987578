// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace forerun {

/// Which of the \p names was probably meant by \p name: one that differs by at most two letters
/// (added, missing, replaced or exchanged with the next). Nothing if it is one of them, or like none.
std::optional<std::string> probablyMeant(std::string_view name, std::span<const std::string> names);

} // namespace forerun
