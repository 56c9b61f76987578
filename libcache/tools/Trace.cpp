// SPDX-License-Identifier: Apache-2.0
#include "Trace.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <ostream>
#include <random>
#include <sstream>
#include <utility>

namespace forerun::sim {

namespace {

/// More would not fit in memory: 1 GiB of page numbers.
constexpr std::size_t kMaxPages = std::size_t{1} << 28;
constexpr std::uint64_t kOffsetLimit = std::uint64_t{1} << 63;

struct Read {
  std::string file;
  std::uint64_t offset = 0, length = 0;
};

bool parseNumber(const std::string &word, std::uint64_t &number) {
  const char *end = word.data() + word.size();
  const auto result = std::from_chars(word.data(), end, number);
  return result.ec == std::errc{} && result.ptr == end;
}

/// What is wrong with the words of a line; empty if nothing is.
std::string parseRead(const std::vector<std::string> &words, Read &read) {
  if (words.size() != 2 && words.size() != 3)
    return "expected 'OFFSET LENGTH' or 'FILE OFFSET LENGTH', found " +
           std::to_string(words.size()) + (words.size() == 1 ? " word" : " words");
  read.file = words.size() == 3 ? words.front() : "";
  const std::string &offset = words[words.size() - 2];
  const std::string &length = words.back();
  if (!parseNumber(offset, read.offset))
    return "the offset '" + offset + "' is not a number of bytes";
  if (!parseNumber(length, read.length))
    return "the length '" + length + "' is not a number of bytes";
  if (read.offset >= kOffsetLimit || read.length > kOffsetLimit - read.offset)
    return "the read ends after the last possible offset, 2^63";
  return {};
}

std::vector<std::string> wordsOf(const std::string &line) {
  std::istringstream text(line.substr(0, line.find('#')));
  std::vector<std::string> words;
  for (std::string word; text >> word;)
    words.push_back(word);
  return words;
}

} // namespace

bool parseTrace(std::istream &input, const std::string &name, std::uint64_t pageBytes,
                PageTrace &trace, std::string &error) {
  std::map<std::pair<std::string, std::uint64_t>, std::uint32_t> numbers;
  std::string line;
  for (std::size_t number = 1; std::getline(input, line); ++number) {
    const std::vector<std::string> words = wordsOf(line);
    if (words.empty())
      continue;
    Read read;
    std::string wrong = parseRead(words, read);
    const std::uint64_t first = read.offset / pageBytes;
    const std::uint64_t endPage =
        read.length == 0 ? first : (read.offset + read.length - 1) / pageBytes + 1;
    if (wrong.empty() && endPage - first > kMaxPages - trace.pages.size())
      wrong = "the trace touches more than " + std::to_string(kMaxPages) + " pages up to here";
    if (!wrong.empty()) {
      error = name;
      error.append(":").append(std::to_string(number)).append(": error: ").append(wrong);
      return false;
    }
    const std::size_t begin = trace.pages.size();
    for (std::uint64_t page = first; page < endPage; ++page) {
      const auto next = static_cast<std::uint32_t>(numbers.size());
      trace.pages.push_back(numbers.try_emplace({read.file, page}, next).first->second);
    }
    trace.requests.push_back({begin, trace.pages.size()});
  }
  if (input.bad() || trace.requests.empty()) {
    error = name + ": error: " + (input.bad() ? "cannot be read" : "there is no read in it");
    return false;
  }
  trace.distinctPages = numbers.size();
  return true;
}

bool Generator::generate(std::ostream &output) const {
  std::mt19937_64 random(seed);
  const std::uint64_t blocks = std::max<std::uint64_t>(fileBytes / requestBytes, 1);
  std::uint64_t at = 0;
  std::function<std::uint64_t()> next;
  if (pattern == "random") {
    next = [&] { return random() % blocks; };
  } else if (pattern == "sequential") {
    next = [&] { return at++; };
  } else if (pattern == "loop") {
    next = [&] { return at++ % blocks; };
  } else if (pattern == "strided") {
    // Every fourth block, then again one block farther: each is read once in four rounds.
    const std::uint64_t rows = (blocks + 3) / 4;
    next = [&, rows] {
      const std::uint64_t step = at++;
      return (step % rows * 4 + step / rows % 4) % blocks;
    };
  } else if (pattern == "zipf") {
    std::vector<double> weights(blocks);
    for (std::uint64_t rank = 0; rank < blocks; ++rank)
      weights[rank] = 1.0 / static_cast<double>(rank + 1);
    std::ranges::shuffle(weights, random);
    next = [&, popular = std::discrete_distribution<std::uint64_t>(
                   weights.begin(), weights.end())]() mutable { return popular(random); };
  } else {
    return false;
  }
  output << "# forerun-cachesim --generate " << pattern << " --requests " << requests
         << " --request-size " << requestBytes << " --file-size " << fileBytes << " --seed " << seed
         << '\n';
  for (std::uint64_t request = 0; request < requests; ++request)
    output << next() * requestBytes << ' ' << requestBytes << '\n';
  return true;
}

} // namespace forerun::sim
