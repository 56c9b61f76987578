// SPDX-License-Identifier: Apache-2.0
#include "base/Json.h"
#include "report/Report.h"
#include "report/Shares.h"

#include <array>
#include <string_view>
#include <utility>

namespace forerun {
namespace {

std::string jsonOf(const FigureSet &figures) {
  JsonObject object;
  for (std::size_t figure = 0; figure < kFigures; ++figure)
    object.add(figureName(figure), figures.values[figure]);
  return object.onOneLine();
}

/// The figures that files, call sites and intervals have in common, with their names.
constexpr std::array<std::pair<const char *, std::uint64_t (*)(const ReadFigures &)>, 8>
    kReadFigures = {{{"reads_on_time", [](const ReadFigures &of) { return of.reads[0]; }},
                     {"reads_late", [](const ReadFigures &of) { return of.reads[1]; }},
                     {"reads_missed", [](const ReadFigures &of) { return of.reads[2]; }},
                     {"bytes_on_time", [](const ReadFigures &of) { return of.bytes[0]; }},
                     {"bytes_late", [](const ReadFigures &of) { return of.bytes[1]; }},
                     {"bytes_missed", [](const ReadFigures &of) { return of.bytes[2]; }},
                     {"read_ns", [](const ReadFigures &of) { return of.readNs; }},
                     {"bytes_from_others", [](const ReadFigures &of) { return of.fromOthers; }}}};

void addTo(JsonObject &object, const ReadFigures &figures) {
  for (const auto &[name, get] : kReadFigures)
    object.add(name, get(figures));
}

std::string jsonOf(const std::pair<std::string, ReadFigures> &file) {
  JsonObject object;
  object.add("path", jsonString(file.first));
  addTo(object, file.second);
  if (file.second.unknown != 0)
    object.add("hidden_ns", std::string("null"));
  else
    object.add("hidden_ns", hiddenNs(file.second.readNs, file.second.withoutNs));
  return object.onOneLine();
}

std::string jsonOf(const std::pair<CallPlace, ReadFigures> &site) {
  const CallPlace &place = site.first;
  JsonObject object;
  object.add("site", static_cast<std::uint64_t>(place.site))
      .add("file", jsonString(place.file))
      .add("line", static_cast<std::uint64_t>(place.line))
      .add("call", jsonString(place.call));
  addTo(object, site.second);
  return object.onOneLine();
}

/// An array with one element per line.
template <class Element> std::string jsonOf(const std::vector<Element> &elements) {
  std::string text = "[";
  for (const Element &each : elements)
    text.append(text == "[" ? "\n    " : ",\n    ").append(jsonOf(each));
  return text + "\n  ]";
}

std::string percentiles(const LatencyHistogram::Counts &counts) {
  JsonObject object;
  for (const auto &[name, share] : {std::pair{"p50", 0.5}, std::pair{"p90", 0.9},
                                    std::pair{"p99", 0.99}, std::pair{"max", 1.0}})
    object.add(name, LatencyHistogram::percentile(counts, share));
  return object.onOneLine();
}

/// Pairs: the longest duration of a bucket, and how many are in it; no empty buckets.
std::string buckets(const LatencyHistogram::Counts &counts) {
  std::string text;
  for (std::size_t bucket = 0; bucket < counts.size(); ++bucket)
    if (counts[bucket] != 0)
      text.append(text.empty() ? "[" : ", [")
          .append(std::to_string(LatencyHistogram::upperBoundOf(bucket)))
          .append(", ")
          .append(std::to_string(counts[bucket]))
          .append("]");
  return "[" + text + "]";
}

/// An array for each figure, up to the last interval in which something was read.
std::string jsonOf(const IntervalFigures &series) {
  std::size_t count = IntervalFigures::kIntervals;
  while (count > 0 && series.intervals[count - 1].allReads() == 0)
    --count;
  JsonObject object;
  object.add("interval_ns", series.lengthNs);
  for (const auto &[name, get] : kReadFigures) {
    std::string numbers;
    for (std::size_t n = 0; n < count; ++n)
      numbers.append(n == 0 ? "" : ", ").append(std::to_string(get(series.intervals[n])));
    object.add(name, "[" + numbers + "]");
  }
  return object.onOneLine();
}

/// Whether the time without Forerun is.
bool isKnown(const JobFigures &job) {
  return job.sum[Figure::Unknown] + job.sum[Figure::RanksUntimed] == 0;
}

} // namespace

std::string reportJson(const JobFigures &job) {
  const FigureSet &sum = job.sum;
  const std::uint64_t reads = sum[Figure::Hits] + sum[Figure::Late] + sum[Figure::Misses];
  const std::uint64_t bytes =
      sum[Figure::HitBytes] + sum[Figure::LateBytes] + sum[Figure::MissBytes];
  const std::uint64_t ahead = sum[Figure::UsefulBytes] + sum[Figure::UselessBytes];
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return jsonNumber(percent(part, whole) / 100, 6);
  };
  const auto duration = [](std::uint64_t ns) { return jsonNumber(seconds(ns), 9); };
  return JsonObject()
      .add("format", kReportFormat)
      .add("forerun", jsonString(FORERUN_VERSION))
      .add("program", jsonString(job.run.program))
      .add("started", jsonString(job.run.started))
      .add("elapsed_seconds", duration(job.run.elapsedNs))
      .add("ranks", static_cast<std::uint64_t>(job.ranks))
      .add("cache_bytes", job.capacityBytes)
      .add("engine", jsonString(job.engine))
      .add("why_off", jsonString(job.whyOff))
      .add("why_ended_early", jsonString(job.whyEnded))
      .add("coverage", share(reads - sum[Figure::Misses], reads))
      .add("coverage_bytes", share(bytes - sum[Figure::MissBytes], bytes))
      .add("accuracy", share(sum[Figure::UsefulBytes], ahead))
      .add("seconds_in_reads",
           sum[Figure::RanksUntimed] == 0 ? duration(sum[Figure::ReadNs]) : std::string("null"))
      .add("seconds_in_reads_without",
           isKnown(job) ? duration(sum[Figure::WithoutNs]) : std::string("null"))
      .add("hidden", isKnown(job) ? share(hiddenNs(sum[Figure::ReadNs], sum[Figure::WithoutNs]),
                                          sum[Figure::WithoutNs])
                                  : std::string("null"))
      .add("fetch_latency_ns", percentiles(job.fetchLatency))
      .add("fetch_latency_buckets", buckets(job.fetchLatency))
      .add("late_read_ns", percentiles(job.lateReads))
      .add("late_read_buckets", buckets(job.lateReads))
      .add("sum", jsonOf(job.sum))
      .add("min", jsonOf(job.least))
      .add("max", jsonOf(job.most))
      .add("over_time", jsonOf(job.series))
      .add("files", jsonOf(byTime(job.files)))
      .add("sites", jsonOf(byTime(job.sites)))
      .onLines();
}

} // namespace forerun
