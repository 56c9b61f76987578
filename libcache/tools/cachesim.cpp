// SPDX-License-Identifier: Apache-2.0
// forerun-cachesim: what would the cache keep? Replays a trace against replacement policies.
#include "LruPolicy.h"
#include "Replay.h"
#include "Trace.h"
#include "forerun/Size.h"
#include "policy/WindowPolicy.h"

#include <bit>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <getopt.h>
#include <iostream>
#include <optional>
#include <string_view>

using namespace forerun;
using namespace forerun::sim;

namespace {

constexpr const char *kUsage = R"(usage: forerun-cachesim [options] TRACE      ('-': standard input)
       forerun-cachesim --generate PATTERN [options] > TRACE

Replays a trace of reads against Belady's optimum (OPT), LRU and Forerun's own replacement, and
prints their hit rates. A trace has one read a line: OFFSET LENGTH, or FILE OFFSET LENGTH, in bytes.
Nothing is prefetched: what counts is which pages a policy keeps.

  --page-size BYTES     a power of two, at least 4K (64K)
  --capacity BYTES      of the cache (32M)
  --window REQUESTS     how many reads ahead are announced (all)

  --generate PATTERN    random, sequential, strided, zipf or loop
  --requests N          (10000)
  --request-size BYTES  (64K)
  --file-size BYTES     the reads fall into a file of this size; sequential goes on after it (256M)
  --seed N              (1)

BYTES may end in K, M or G.
)";

[[noreturn]] void fail(const std::string &message, int status) {
  std::cerr << message << '\n';
  std::exit(status);
}

/// With an error if not all that was printed has arrived.
[[noreturn]] void end() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    fail(std::string("forerun-cachesim: error: cannot write the output: ") + std::strerror(errno),
         1);
  std::exit(0);
}

std::optional<std::uint64_t> parseNumber(std::string_view text) {
  std::uint64_t number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  if (result.ec != std::errc{} || result.ptr != text.data() + text.size())
    return std::nullopt;
  return number;
}

struct Options {
  std::uint64_t pageBytes = 64 << 10;
  std::uint64_t capacityBytes = 32 << 20;
  std::uint64_t window = ~std::uint64_t{0};
  Generator generator;
  std::string trace;
};

enum Option : int {
  PageSize = 1,
  Capacity,
  Window,
  Generate,
  Requests,
  RequestSize,
  FileSize,
  Seed,
  Help,
  Version
};

constexpr option kOptions[] = {{"page-size", required_argument, nullptr, PageSize},
                               {"capacity", required_argument, nullptr, Capacity},
                               {"window", required_argument, nullptr, Window},
                               {"generate", required_argument, nullptr, Generate},
                               {"requests", required_argument, nullptr, Requests},
                               {"request-size", required_argument, nullptr, RequestSize},
                               {"file-size", required_argument, nullptr, FileSize},
                               {"seed", required_argument, nullptr, Seed},
                               {"help", no_argument, nullptr, Help},
                               {"version", no_argument, nullptr, Version},
                               {nullptr, 0, nullptr, 0}};

/// Small enough to be added up.
std::optional<std::uint64_t> parseBytes(std::string_view text) {
  const auto bytes = parseSize(text);
  return bytes && *bytes <= std::uint64_t{1} << 62 ? bytes : std::nullopt;
}

/// The value of the option just parsed, read by \p parse, which \p what describes; at least
/// \p min.
std::uint64_t valueOf(int index, std::optional<std::uint64_t> (*parse)(std::string_view),
                      const char *what, std::uint64_t min) {
  const auto value = parse(optarg);
  if (!value || *value < min)
    fail("forerun-cachesim: error: --" + std::string(kOptions[index].name) + ": '" + optarg +
             "' is not " + what + " of at least " + std::to_string(min),
         2);
  return *value;
}

std::uint64_t number(int index, std::uint64_t min) {
  return valueOf(index, parseNumber, "a number", min);
}

std::uint64_t bytes(int index, std::uint64_t min) {
  return valueOf(index, parseBytes, "a number of bytes (as 64K, 32M, 1G)", min);
}

Options parseArguments(int argc, char **argv) {
  Options options;
  int index = 0;
  for (int code = 0; (code = getopt_long(argc, argv, "", kOptions, &index)) != -1;) {
    switch (code) {
    case PageSize:
      options.pageBytes = bytes(index, 4096);
      break;
    case Capacity:
      options.capacityBytes = bytes(index, 4096);
      break;
    case Window:
      options.window = number(index, 0);
      break;
    case Generate:
      options.generator.pattern = optarg;
      break;
    case Requests:
      options.generator.requests = number(index, 1);
      break;
    case RequestSize:
      options.generator.requestBytes = bytes(index, 1);
      break;
    case FileSize:
      options.generator.fileBytes = bytes(index, 1);
      break;
    case Seed:
      options.generator.seed = number(index, 0);
      break;
    case Help:
      std::cout << kUsage;
      end();
    case Version:
      std::cout << "forerun-cachesim (Forerun) " FORERUN_VERSION "\n";
      end();
    default: // getopt has said what is wrong
      fail("Try 'forerun-cachesim --help'.", 2);
    }
  }
  const bool generates = !options.generator.pattern.empty();
  if (argc - optind != (generates ? 0 : 1))
    fail("forerun-cachesim: error: expected one TRACE, or --generate\nTry 'forerun-cachesim "
         "--help'.",
         2);
  if (!generates)
    options.trace = argv[optind];
  if (generates && options.generator.pattern != "sequential" &&
      options.generator.requestBytes > options.generator.fileBytes)
    fail("forerun-cachesim: error: --request-size: more than the file has (--file-size)", 2);
  if (!std::has_single_bit(options.pageBytes))
    fail("forerun-cachesim: error: --page-size: not a power of two", 2);
  if (options.capacityBytes < options.pageBytes)
    fail("forerun-cachesim: error: --capacity: less than a page", 2);
  return options;
}

PageTrace load(const Options &options) {
  PageTrace trace;
  std::string error;
  std::ifstream file;
  const bool standard = options.trace == "-";
  if (!standard) {
    file.open(options.trace);
    if (!file)
      fail("forerun-cachesim: error: cannot open " + options.trace + ": " + std::strerror(errno),
           1);
  }
  if (!parseTrace(standard ? std::cin : file, standard ? "<stdin>" : options.trace,
                  options.pageBytes, trace, error))
    fail(error, 1);
  return trace;
}

double percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

void simulate(const Options &options) {
  const PageTrace trace = load(options);
  const std::uint64_t frames = options.capacityBytes / options.pageBytes;
  // More slots than pages are never used.
  const std::size_t slots = std::min<std::uint64_t>(frames, trace.distinctPages + 1);
  std::printf("trace: %zu reads, %zu page accesses, %zu pages of %llu bytes\n",
              trace.requests.size(), trace.pages.size(), trace.distinctPages,
              static_cast<unsigned long long>(options.pageBytes));
  std::printf("cache: %llu pages; prefetched: %s\n\n", static_cast<unsigned long long>(frames),
              options.window >= trace.requests.size()
                  ? "all reads"
                  : (std::to_string(options.window) + " reads ahead").c_str());

  const Hits optimum = replayOptimum(trace, slots);
  LruPolicy lru(slots);
  WindowPolicy window(slots);
  const struct {
    const char *name;
    Hits hits;
  } rows[] = {{"OPT", optimum},
              {"LRU", replay(trace, slots, options.window, lru)},
              {"forerun", replay(trace, slots, options.window, window)}};
  std::printf("%-8s %12s %14s %14s %10s\n", "policy", "page hits", "hit rate (%)", "read hits (%)",
              "of OPT (%)");
  for (const auto &[name, hits] : rows)
    std::printf("%-8s %12zu %14.2f %14.2f %10.2f\n", name, hits.pages,
                percent(hits.pages, trace.pages.size()),
                percent(hits.requests, trace.requests.size()),
                optimum.pages == 0 ? 100.0 : percent(hits.pages, optimum.pages));
}

} // namespace

int main(int argc, char **argv) {
  const Options options = parseArguments(argc, argv);
  if (options.generator.pattern.empty())
    simulate(options);
  else if (!options.generator.generate(std::cout))
    fail("forerun-cachesim: error: --generate: no pattern '" + options.generator.pattern +
             "'; there are random, sequential, strided, zipf and loop",
         2);
  end();
}
