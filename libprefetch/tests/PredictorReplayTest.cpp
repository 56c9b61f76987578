// SPDX-License-Identifier: Apache-2.0
#include "thread/Predictor.h"

#include <algorithm>
#include <deque>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

// Values that programs of the corpus and patterns forwarded, as recorded (recordedValues.txt), are
// predicted once more. The numbers there are what the rules before this tournament got right and
// wrong: for no program may it be worse.

using namespace forerun;

namespace {

using Value = std::vector<std::byte>;
using Verdict = MispredictionCost::Verdict;

struct Site {
  std::vector<Verdict> verdicts; ///< on wrong predictions, one after another and again
  std::vector<Value> values;
};

struct Score {
  long right = 0, wrong = 0;
  friend std::istream &operator>>(std::istream &in, Score &score) {
    return in >> score.right >> score.wrong;
  }
};

struct Program {
  std::string name;
  Score near, far; ///< at most 1, and at most kFar values ahead
  std::vector<Site> sites;
};

constexpr std::size_t kFar = 16;

Value parseValue(const std::string &hex) {
  Value value;
  for (std::size_t at = 0; hex != "-" && at < hex.size(); at += 2)
    value.push_back(static_cast<std::byte>(std::stoi(hex.substr(at, 2), nullptr, 16)));
  return value;
}

Site parseSite(std::istream &line) {
  Site site;
  std::string word;
  line >> word;
  for (const char each : word)
    site.verdicts.push_back(each == '-'   ? Verdict::Harmless
                            : each == 'H' ? Verdict::Harmful
                                          : Verdict::Moot);
  while (line >> word) {
    const std::size_t star = word.find('*');
    const int times = star == std::string::npos ? 1 : std::stoi(word.substr(star + 1));
    site.values.insert(site.values.end(), times, parseValue(word.substr(0, star)));
  }
  return site;
}

std::vector<Program> recorded() {
  std::vector<Program> programs;
  std::ifstream file(RECORDED_VALUES);
  for (std::string text; std::getline(file, text);) {
    std::istringstream line(text);
    std::string kind;
    line >> kind;
    if (kind == "program") {
      Program &program = programs.emplace_back();
      line >> program.name >> program.near >> program.far;
    } else if (kind == "values") {
      programs.back().sites.push_back(parseSite(line));
    }
  }
  return programs;
}

/// The pre-execution thread is as far ahead as it may be when each value comes.
Score play(const Site &site, std::size_t farthest) {
  Score score;
  Predictor predictor;
  std::deque<Value> open;
  std::size_t wrong = 0;
  for (std::size_t next = 0; next < site.values.size(); ++next) {
    while (next + open.size() < site.values.size() && predictor.isConfident() &&
           (open.empty() || open.size() < std::min(farthest, predictor.reach()))) {
      const auto bytes = predictor.predict(open.size() + 1);
      open.emplace_back(bytes.begin(), bytes.begin() + static_cast<long>(predictor.bytes()));
    }
    const Value &value = site.values[next];
    if (!open.empty() && open.front() == value) {
      ++score.right;
      open.pop_front();
    } else if (!open.empty()) {
      ++score.wrong;
      predictor.judge(site.verdicts[wrong++ % site.verdicts.size()]);
      open.clear();
    }
    predictor.learn({value.data(), value.size(), 0});
  }
  return score;
}

Score play(const Program &program, std::size_t farthest) {
  Score sum;
  for (const Site &each : program.sites) {
    const Score score = play(each, farthest);
    sum.right += score.right;
    sum.wrong += score.wrong;
  }
  return sum;
}

TEST(PredictorReplayTest, ForNoProgramAreThereFewerRightPredictionsOrMoreWrongOnes) {
  const std::vector<Program> programs = recorded();
  ASSERT_GE(programs.size(), 30U);
  for (const Program &program : programs) {
    const Score near = play(program, 1), far = play(program, kFar);
    EXPECT_GE(near.right, program.near.right) << program.name;
    EXPECT_LE(near.wrong, program.near.wrong) << program.name;
    EXPECT_GE(far.right, program.far.right) << program.name << ", far ahead";
    EXPECT_LE(far.wrong, program.far.wrong) << program.name << ", far ahead";
  }
}

} // namespace
