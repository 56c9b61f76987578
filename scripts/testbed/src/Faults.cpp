// SPDX-License-Identifier: Apache-2.0
#include "Faults.h"

#include <algorithm>
#include <sstream>

namespace forerun::testbed {

namespace {

/// Reads the remaining words of a command; false if there are fewer, more or others.
template <typename... Numbers> bool arguments(std::istringstream &words, Numbers &...numbers) {
  std::string surplus;
  return (... && static_cast<bool>(words >> numbers)) && !(words >> surplus);
}

bool probability(std::istringstream &words, double &rate) {
  double given = -1;
  if (!arguments(words, given) || !(given >= 0 && given <= 1))
    return false;
  rate = given;
  return true;
}

} // namespace

std::string Faults::command(std::string_view line) {
  std::istringstream words{std::string(line)};
  std::string verb;
  words >> verb;
  if (verb == "eio") {
    Range range{};
    if (!arguments(words, range.offset, range.length))
      return "eio expects OFFSET LENGTH, in bytes";
    errorRanges_.push_back(range);
  } else if (verb == "eio-rate") {
    if (!probability(words, errorRate_))
      return "eio-rate expects a probability";
  } else if (verb == "short-rate") {
    if (!probability(words, shortRate_))
      return "short-rate expects a probability";
  } else if (verb == "hang") {
    double seconds = 0;
    if (!arguments(words, seconds) || !(seconds >= 0 && seconds <= 3600))
      return "hang expects seconds, at most an hour";
    hang_ = std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>(seconds));
  } else if (verb == "clear" && arguments(words)) {
    *this = Faults{};
  } else {
    return "unknown command; there are eio, eio-rate, short-rate, hang, clear";
  }
  return {};
}

ReadFate Faults::decide(std::uint64_t offset, std::size_t length) {
  const auto draw = [&](double rate) {
    return rate > 0 && std::uniform_real_distribution<>{}(random_) < rate;
  };
  ReadFate fate;
  fate.length = length;
  fate.delay = hang_;
  hang_ = {};
  fate.error = draw(errorRate_) ||
               std::any_of(errorRanges_.begin(), errorRanges_.end(), [&](const Range &bad) {
                 return offset < bad.offset + bad.length && bad.offset < offset + length;
               });
  // Never zero bytes: that would mean that the file ends here.
  if (draw(shortRate_))
    fate.length = std::max<std::size_t>(1, length / 2);
  return fate;
}

std::string Faults::describe() const {
  std::ostringstream text;
  for (const Range &range : errorRanges_)
    text << "eio " << range.offset << ' ' << range.length << '\n';
  if (errorRate_ > 0)
    text << "eio-rate " << errorRate_ << '\n';
  if (shortRate_ > 0)
    text << "short-rate " << shortRate_ << '\n';
  if (hang_.count() > 0)
    text << "hang " << std::chrono::duration<double>(hang_).count() << '\n';
  return text.str();
}

} // namespace forerun::testbed
