// SPDX-License-Identifier: Apache-2.0
#include "Settings.h"

#include <charconv>
#include <filesystem>
#include <getopt.h>
#include <sstream>
#include <utility>

namespace forerun::testbed {

const char *const kUsage =
    R"(usage: forerun-testbed start [OPTION...] BACKING_DIR MOUNT_DIR
       forerun-testbed stop MOUNT_DIR
       forerun-testbed status [MOUNT_DIR]
       forerun-testbed --version

Shows BACKING_DIR at MOUNT_DIR as slow parallel storage would: a timing model, not a disk.
  --latency TIME         of a request, waited out by all requests at once (1ms)
  --write-latency TIME   of a write (the same as --latency)
  --servers N            queues that the file is striped over (8)
  --stripe SIZE          bytes on one server before the next comes (64K)
  --bandwidth RATE       of one server, bytes a second; 0: unlimited (200M)
  --service TIME         of one server for one request (50us)
  --kernel-cache         let the kernel cache what was read (without: every read meets the model)
Times are 5ms, 50us, 100ns, 1s. Faults for tests go into MOUNT_DIR/.forerun-testbed, see
scripts/testbed/README.md of the sources.
)";

namespace {

std::optional<double> leadingNumber(std::string_view text, std::string_view &rest) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || value < 0)
    return std::nullopt;
  rest = std::string_view(end, static_cast<std::size_t>(text.data() + text.size() - end));
  return value;
}

std::string absolute(const std::string &path) {
  std::string text = std::filesystem::absolute(path).lexically_normal().string();
  while (text.size() > 1 && text.back() == '/')
    text.pop_back();
  return text;
}

enum Option : int { Latency = 1, WriteLatency, Servers, Stripe, Bandwidth, Service, KernelCache };

constexpr option kOptions[] = {{"latency", required_argument, nullptr, Latency},
                               {"write-latency", required_argument, nullptr, WriteLatency},
                               {"servers", required_argument, nullptr, Servers},
                               {"stripe", required_argument, nullptr, Stripe},
                               {"bandwidth", required_argument, nullptr, Bandwidth},
                               {"service", required_argument, nullptr, Service},
                               {"kernel-cache", no_argument, nullptr, KernelCache},
                               {nullptr, 0, nullptr, 0}};

bool takeTime(Nanoseconds &into, const char *value) {
  const auto parsed = parseTime(value);
  into = parsed.value_or(into);
  return parsed.has_value();
}

/// True if the option and its value are valid.
bool take(Settings &settings, int option) {
  TimingParameters &timing = settings.timing;
  switch (option) {
  case Latency:
    return takeTime(timing.latency, optarg);
  case WriteLatency:
    return takeTime(timing.writeLatency, optarg);
  case Service:
    return takeTime(timing.service, optarg);
  case Stripe:
    timing.stripeBytes = parseAmount(optarg, 1024).value_or(0);
    return timing.stripeBytes > 0;
  case Bandwidth: {
    const auto rate = parseAmount(optarg, 1000);
    timing.bandwidthBytesPerSecond = rate.value_or(0);
    return rate.has_value();
  }
  case Servers: {
    const auto servers = parseAmount(optarg, 1000).value_or(0);
    timing.servers = static_cast<unsigned>(servers);
    return servers >= 1 && servers <= 4096;
  }
  case KernelCache:
    return settings.kernelCache = true;
  default:
    return false;
  }
}

/// What a valid value is.
const char *expectedOf(int option) {
  switch (option) {
  case Servers:
    return "1 to 4096";
  case Stripe:
    return "bytes, as 64K";
  case Bandwidth:
    return "bytes a second, as 200M; 0 is unlimited";
  default:
    return "a time with its unit, as 5ms";
  }
}

/// Puts options into \p settings, the rest into \p words. Returns what is wrong, or an empty
/// string. \p arguments begin with the verb, which getopt_long takes for the program's name.
std::string parseStart(std::vector<std::string> arguments, Settings &settings,
                       std::vector<std::string> &words) {
  std::vector<char *> argv;
  argv.reserve(arguments.size() + 1);
  for (std::string &argument : arguments)
    argv.push_back(argument.data());
  argv.push_back(nullptr);
  const auto argc = static_cast<int>(arguments.size());
  bool writeLatencyGiven = false;
  optind = 0; // begins anew
  opterr = 0;
  int index = 0;
  for (int code = 0; (code = getopt_long(argc, argv.data(), "", kOptions, &index)) != -1;) {
    if (code == '?')
      return std::string(argv[static_cast<std::size_t>(optind) - 1]) +
             ": unknown, ambiguous or without its value";
    if (!take(settings, code))
      return "--" + std::string(kOptions[index].name) + ": bad value \"" + optarg +
             "\" (expected: " + expectedOf(code) + ")";
    writeLatencyGiven |= code == WriteLatency;
  }
  words.assign(argv.begin() + optind, argv.begin() + argc);
  if (!writeLatencyGiven)
    settings.timing.writeLatency = settings.timing.latency;
  return {};
}

} // namespace

std::optional<Nanoseconds> parseTime(std::string_view text) {
  std::string_view unit;
  const auto value = leadingNumber(text, unit);
  if (!value)
    return std::nullopt;
  constexpr std::pair<std::string_view, double> kUnits[] = {
      {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};
  for (const auto &[name, nanoseconds] : kUnits)
    if (unit == name && *value * nanoseconds < 3.6e12)
      return Nanoseconds{static_cast<std::int64_t>(*value * nanoseconds)};
  if (unit.empty() && *value == 0)
    return Nanoseconds{0};
  return std::nullopt;
}

std::optional<std::uint64_t> parseAmount(std::string_view text, std::uint64_t unit) {
  std::string_view suffix;
  const auto value = leadingNumber(text, suffix);
  if (!value || *value > 1e15)
    return std::nullopt;
  double factor = 1;
  for (const std::string_view name : {"", "K", "M", "G"}) {
    if (suffix == name)
      return static_cast<std::uint64_t>(*value * factor);
    factor *= static_cast<double>(unit);
  }
  return std::nullopt;
}

std::optional<Settings> parseSettings(const std::vector<std::string> &arguments,
                                      std::string &error) {
  Settings settings;
  const std::string verb = arguments.empty() ? "--help" : arguments[0];
  std::vector<std::string> words;
  if (verb == "--help" || verb == "-h")
    return settings;
  if (verb == "--version") {
    settings.verb = Verb::Version;
    return settings;
  }
  if (verb == "start") {
    settings.verb = Verb::Start;
    error = parseStart(arguments, settings, words);
    if (error.empty() && words.size() != 2)
      error = "start expects BACKING_DIR MOUNT_DIR";
    if (!error.empty())
      return std::nullopt;
    settings.backing = absolute(words[0]);
    settings.mountPoint = absolute(words[1]);
    return settings;
  }
  words.assign(arguments.begin() + 1, arguments.end());
  if (verb == "stop" && words.size() == 1) {
    settings.verb = Verb::Stop;
  } else if (verb == "status" && words.size() <= 1) {
    settings.verb = Verb::Status;
  } else {
    error = verb == "stop"     ? "stop expects MOUNT_DIR"
            : verb == "status" ? "status expects at most one MOUNT_DIR"
                               : "unknown command: " + verb;
    return std::nullopt;
  }
  if (!words.empty())
    settings.mountPoint = absolute(words[0]);
  return settings;
}

std::string describe(const TimingParameters &timing, bool kernelCache) {
  const auto microseconds = [](Nanoseconds time) {
    return std::chrono::duration<double, std::micro>(time).count();
  };
  std::ostringstream text;
  text << "--latency " << microseconds(timing.latency) << "us --write-latency "
       << microseconds(timing.writeLatency) << "us --servers " << timing.servers << " --stripe "
       << timing.stripeBytes << " --bandwidth " << timing.bandwidthBytesPerSecond << " --service "
       << microseconds(timing.service) << "us" << (kernelCache ? " --kernel-cache" : "");
  return text.str();
}

} // namespace forerun::testbed
