// SPDX-License-Identifier: Apache-2.0
#include "Settings.h"

#include <charconv>
#include <filesystem>
#include <sstream>
#include <utility>

namespace forerun::testbed {

const char *const kUsage =
    R"(usage: forerun-testbed start [OPTION...] BACKING_DIR MOUNT_DIR
       forerun-testbed stop MOUNT_DIR
       forerun-testbed status [MOUNT_DIR]

Shows BACKING_DIR at MOUNT_DIR as slow parallel storage would: a timing model, not a disk.
  --latency TIME         of a request, waited out by all requests at once (1ms)
  --write-latency TIME   of a write (the same as --latency)
  --servers N            queues that the file is striped over (8)
  --stripe SIZE          bytes on one server before the next comes (64K)
  --bandwidth RATE       of one server, bytes a second; 0: unlimited (200M)
  --service TIME         of one server for one request (50us)
  --kernel-cache         let the kernel cache what was read (without: every read meets the model)
Times are 5ms, 50us, 100ns, 1s. Faults for tests go into MOUNT_DIR/.forerun-testbed, see README.md.
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

/// One option with its value; false if there is no such option or the value is not one.
bool setOption(Settings &settings, const std::string &name, const std::string &value) {
  const auto time = [&](Nanoseconds &into) {
    const auto parsed = parseTime(value);
    into = parsed.value_or(into);
    return parsed.has_value();
  };
  TimingParameters &timing = settings.timing;
  if (name == "--latency")
    return time(timing.latency);
  if (name == "--write-latency")
    return time(timing.writeLatency);
  if (name == "--service")
    return time(timing.service);
  if (name == "--stripe") {
    timing.stripeBytes = parseAmount(value, 1024).value_or(0);
    return timing.stripeBytes > 0;
  }
  if (name == "--bandwidth") {
    const auto rate = parseAmount(value, 1000);
    timing.bandwidthBytesPerSecond = rate.value_or(0);
    return rate.has_value();
  }
  if (name == "--servers") {
    const auto servers = parseAmount(value, 1000).value_or(0);
    timing.servers = static_cast<unsigned>(servers);
    return servers >= 1 && servers <= 4096;
  }
  return false;
}

/// Options into \p settings, the rest into \p words. Returns what is wrong, or an empty string.
std::string parseStart(const std::vector<std::string> &arguments, Settings &settings,
                       std::vector<std::string> &words) {
  bool writeLatencyGiven = false;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string &argument = arguments[i];
    if (argument.rfind("--", 0) != 0) {
      words.push_back(argument);
      continue;
    }
    if (argument == "--kernel-cache") {
      settings.kernelCache = true;
      continue;
    }
    if (i + 1 == arguments.size())
      return argument + " wants a value";
    if (!setOption(settings, argument, arguments[i + 1]))
      return "bad option: " + argument + " " + arguments[i + 1];
    writeLatencyGiven |= argument == "--write-latency";
    ++i;
  }
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
  if (verb == "start") {
    settings.verb = Verb::Start;
    error = parseStart(arguments, settings, words);
    if (error.empty() && words.size() != 2)
      error = "start wants BACKING_DIR MOUNT_DIR";
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
    error = verb == "stop"     ? "stop wants MOUNT_DIR"
            : verb == "status" ? "status wants at most one MOUNT_DIR"
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
